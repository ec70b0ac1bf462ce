#pragma once
// What Swift's Glibc module leaves out: mallopt, and adjtimex, which tells whether a time server has
// set the clock.
#include <malloc.h>
#include <sys/eventfd.h>
#include <sys/timex.h>

// The flags are an enumeration in one toolchain and numbers in another.
static inline int cuecoach_event_counter(void) {
  return eventfd(0, EFD_CLOEXEC | EFD_SEMAPHORE);
}
