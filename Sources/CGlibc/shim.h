#pragma once
// What Swift's Glibc module leaves out: accept4; mallopt; adjtimex, which tells whether a time server has set
// the clock; locks of an open file (Linux 3.15), which <fcntl.h> has for GNU sources alone.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/input.h>
#include <malloc.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

// From now on this process opens and starts nothing, and has so many seconds of a processor and bytes of memory at most.
// What it starts to be has the same limits. 0, or -1 on failure.
static inline int cuecoach_confine(rlim_t seconds, rlim_t bytes) {
  const struct rlimit none = {0, 0}, time = {seconds, seconds}, memory = {bytes, bytes};
  if (setrlimit(RLIMIT_CPU, &time) || setrlimit(RLIMIT_DATA, &memory) || setrlimit(RLIMIT_CORE, &none)) return -1;
  return setrlimit(RLIMIT_NPROC, &none) || setrlimit(RLIMIT_NOFILE, &none) ? -1 : 0;
}

// The flags are an enumeration in one toolchain and numbers in another.
static inline int cuecoach_event_counter(void) {
  return eventfd(0, EFD_CLOEXEC | EFD_SEMAPHORE);
}

// A descriptor that is readable when the process is to end; -1 on failure.
static inline int cuecoach_end_signals(void) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGHUP);
  if (sigprocmask(SIG_BLOCK, &signals, NULL) != 0) return -1;
  return signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC);
}

// accept4 is declared for GNU sources alone. <sys/socket.h> is not included: Swift's Glibc module has it.
extern int cuecoach_accept4(int listener, void *address, unsigned *length, int flags) __asm__("accept4");

// A timer on the clock that runs on while the machine sleeps. Readable when it has expired.
static inline int cuecoach_boot_timer(void) {
  return timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
}

// Sets it to an instant, in nanoseconds; 0 stops it.
static inline int cuecoach_boot_timer_set(int timer, int64_t instant) {
  struct itimerspec time = {{0, 0}, {instant / 1000000000, instant % 1000000000}};
  return timerfd_settime(timer, TFD_TIMER_ABSTIME, &time, 0);
}

// A timer on the wall clock that never expires: reading it fails with ECANCELED when the clock was set.
static inline int cuecoach_clock_watch(void) {
  int timer = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
  // The last second of a 64-bit nanosecond clock.
  struct itimerspec time = {{0, 0}, {9223372036, 0}};
  if (timer >= 0 &&
      timerfd_settime(timer, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &time, 0) != 0) {
    close(timer);
    return -1;
  }
  return timer;
}

// What a device of evdev calls itself. Returns how many bytes, the zero at the end included, or -1.
static inline int cuecoach_input_name(int device, char *name, int size) {
  return ioctl(device, EVIOCGNAME(size), name);
}

// Its events have instants of the clock that runs on while the machine sleeps. 0, or -1 on failure.
static inline int cuecoach_input_boot_clock(int device) {
  int clock = CLOCK_BOOTTIME;
  return ioctl(device, EVIOCSCLOCKID, &clock);
}

// Nobody else gets its events any more. 0, or -1 on failure.
static inline int cuecoach_input_grab(int device, int isGrabbed) {
    return ioctl(device, EVIOCGRAB, isGrabbed);
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

// The name where it lies. `readdir` gives only the bytes that an entry has, so Swift must not copy `d_name`
// with all its 256: behind them the memory may end.
static inline const char *cuecoach_entry_name(const struct dirent *entry) { return entry->d_name; }

// F_OFD_GETLK and F_OFD_SETLK, of every architecture.
static const int cuecoach_ofd_getlk = 36;
static const int cuecoach_ofd_setlk = 37;

extern int cuecoach_close_range(unsigned first, unsigned last, int flags) __asm__("close_range");

// clone is declared for GNU sources alone.
extern int cuecoach_clone(int (*body)(void *), void *stack, int flags, void *argument, ...) __asm__("clone");

// Waits until nobody holds the other side of `life`, and kills its own process group. No memory of the caller is written
// but the stack: the two share it until the shell begins.
static inline int cuecoach_guard_group(void *life) {
  dup2(*(int *)life, 0);
  cuecoach_close_range(3, ~0U, 0);
  char *arguments[] = {(char *)"sh", (char *)"-c", (char *)"read -r end; kill -s KILL 0", NULL};
  char *environment[] = {NULL};
  execve("/bin/sh", arguments, environment);
  _exit(127);
}

// Starts a program whose standard input and output are `stream` and whose standard error goes to `errors`, in a process
// group of its own. It is killed when the thread that called this ends; and when nobody holds the other side of `life`, its
// whole group is, by a second process in it. Both are children of this one. Returns the program's number, which is that
// of the group, or an error number below zero. Nothing of the caller's memory is copied or marked for copying, so no
// other thread is held up. All descriptors are above 2.
__attribute__((noinline)) static inline int cuecoach_start_child(
    const char *path, char *const arguments[], char *const environment[], int stream, int errors, int life,
    int niceness) {
  // CLONE_VM, CLONE_VFORK, CLONE_PARENT.
  static const int flags = 0x100 | 0x4000 | 0x8000;
  _Alignas(16) char stack[32768];
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  volatile int fault = 0;
  pid_t child = vfork();
  if (child == 0) {
    struct sigaction usual = {0};
    usual.sa_handler = SIG_DFL;
    for (int signal = 1; signal < NSIG; signal++) sigaction(signal, &usual, NULL);
    setpgid(0, 0);
    setpriority(PRIO_PROCESS, 0, niceness);
    // The coach may have real-time priority, and its children may not: they would hold up its sound.
    struct rlimit never = {0, 0};
    setrlimit(RLIMIT_RTPRIO, &never);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // The guard is there before the program can start others. Every signal stays blocked in it: only KILL ends it.
    if (dup2(errors, 1) < 0 || dup2(errors, 2) < 0 ||
        cuecoach_clone(cuecoach_guard_group, stack + sizeof stack, flags | SIGCHLD, &life) < 0 ||
        dup2(stream, 0) < 0 || dup2(stream, 1) < 0) {
      fault = errno;
      _exit(127);
    }
    cuecoach_close_range(3, ~0U, 0);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execve(path, arguments, environment);
    fault = errno;
    _exit(127);
  }
  if (child < 0) fault = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return fault ? -fault : child;
}
