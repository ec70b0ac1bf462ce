#pragma once
#include <qrencode.h>

// The smallest code that holds the text, with a medium correction of errors; NULL where none does.
// The level is an enumeration that differs between versions in its import.
static inline QRcode *cuecoach_qr(const char *text) {
  return QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M);
}
