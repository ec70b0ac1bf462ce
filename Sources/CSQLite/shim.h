#pragma once
#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast of a number to a function, which Swift does not import.
static inline int cuecoach_bind_text(sqlite3_stmt *s, int at, const char *text, int count) {
  return sqlite3_bind_text(s, at, text, count, SQLITE_TRANSIENT);
}
static inline int cuecoach_bind_blob(sqlite3_stmt *s, int at, const void *bytes, int count) {
  return sqlite3_bind_blob(s, at, bytes, count, SQLITE_TRANSIENT);
}
