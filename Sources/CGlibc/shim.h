#pragma once
// What Swift's Glibc module leaves out: mallopt; adjtimex, which tells whether a time server has set
// the clock; locks of an open file (Linux 3.15), which <fcntl.h> has for GNU sources alone.
#include <link.h>
#include <malloc.h>
#include <sys/eventfd.h>
#include <sys/timex.h>

// The flags are an enumeration in one toolchain and numbers in another.
static inline int cuecoach_event_counter(void) {
  return eventfd(0, EFD_CLOEXEC | EFD_SEMAPHORE);
}

// dl_iterate_phdr and its structure are declared with _GNU_SOURCE alone, which a Swift import does not
// define. The structure only ever grew at its end.
typedef ElfW(Phdr) cuecoach_part;
typedef struct {
  ElfW(Addr) address;
  const char *name;
  const cuecoach_part *parts;
  ElfW(Half) count;
} cuecoach_object;

// Calls `visit` with the program and each of its libraries until that returns other than 0.
extern int cuecoach_each_object(int (*visit)(cuecoach_object *object, size_t size, void *data),
                                void *data) __asm__("dl_iterate_phdr");

// F_OFD_GETLK and F_OFD_SETLK, of every architecture.
static const int cuecoach_ofd_getlk = 36;
static const int cuecoach_ofd_setlk = 37;
