// SPDX-License-Identifier: Apache-2.0
// Steps the wall clock of a running program, for LD_PRELOAD. CLOCK_BOOTTIME and CLOCK_MONOTONIC are
// not changed; waits for an instant of the wall clock last as long as with a kernel whose clock is
// set. libfaketime is no alternative: it also moves absolute timers of CLOCK_MONOTONIC
// (timerfd_settime), which no real machine does.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const int64_t second = 1000000000;
// How often a wait checks the clock.
static const int64_t slice = 50000000;

// The file that STEPPED_CLOCK names: nanoseconds that the wall clock is ahead of the true one.
static volatile int64_t *file;
static int (*trueClock)(clockid_t, struct timespec *);

__attribute__((constructor)) static void begin(void) {
  trueClock = dlsym(RTLD_NEXT, "clock_gettime");
  const char *path = getenv("STEPPED_CLOCK");
  int descriptor = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (descriptor < 0) return;
  void *mapped = mmap(NULL, sizeof(int64_t), PROT_READ, MAP_SHARED, descriptor, 0);
  if (mapped != MAP_FAILED) file = mapped;
  close(descriptor);
}

static int64_t now(int isStepped) {
  struct timespec time;
  if (!trueClock) trueClock = dlsym(RTLD_NEXT, "clock_gettime");
  trueClock(CLOCK_REALTIME, &time);
  return time.tv_sec * second + time.tv_nsec + (isStepped && file ? *file : 0);
}

static struct timespec text(int64_t nanoseconds) {
  int64_t rest = ((nanoseconds % second) + second) % second;
  return (struct timespec){.tv_sec = (nanoseconds - rest) / second, .tv_nsec = rest};
}

// The true instant to wait for now: that of `deadline`, or sooner.
static struct timespec soon(const struct timespec *deadline) {
  int64_t left = deadline->tv_sec * second + deadline->tv_nsec - now(1);
  return text(now(0) + (left < slice ? left : slice));
}

static int isOver(const struct timespec *deadline) {
  return now(1) >= deadline->tv_sec * second + deadline->tv_nsec;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  if (!trueClock) trueClock = dlsym(RTLD_NEXT, "clock_gettime");
  if (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE) return trueClock(clock, time);
  *time = text(now(1));
  return 0;
}

int gettimeofday(struct timeval *time, void *zone) {
  (void)zone;
  struct timespec exact = text(now(1));
  *time = (struct timeval){.tv_sec = exact.tv_sec, .tv_usec = exact.tv_nsec / 1000};
  return 0;
}

time_t time(time_t *result) {
  time_t seconds = text(now(1)).tv_sec;
  if (result) *result = seconds;
  return seconds;
}

int sem_timedwait(sem_t *semaphore, const struct timespec *deadline) {
  int (*wait)(sem_t *, const struct timespec *) = dlsym(RTLD_NEXT, "sem_timedwait");
  while (1) {
    struct timespec next = soon(deadline);
    if (wait(semaphore, &next) == 0) return 0;
    if (errno != ETIMEDOUT || isOver(deadline)) return -1;
  }
}

int pthread_cond_timedwait(
    pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *deadline) {
  int (*wait)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *) =
      dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
  if (!wait) wait = dlsym(RTLD_NEXT, "pthread_cond_timedwait");
  // Conditions of CLOCK_MONOTONIC have deadlines that are not near the wall clock.
  struct timespec running;
  trueClock(CLOCK_MONOTONIC, &running);
  if (llabs(deadline->tv_sec - running.tv_sec) < 100000 && now(1) / second > 100000)
    return wait(condition, mutex, deadline);
  struct timespec next = soon(deadline);
  int result = wait(condition, mutex, &next);
  // Sooner than asked for is allowed.
  return result == ETIMEDOUT && !isOver(deadline) ? 0 : result;
}

int pthread_timedjoin_np(pthread_t thread, void **result, const struct timespec *deadline) {
  int (*join)(pthread_t, void **, const struct timespec *) =
      dlsym(RTLD_NEXT, "pthread_timedjoin_np");
  while (1) {
    struct timespec next = soon(deadline);
    int code = join(thread, result, &next);
    if (code != ETIMEDOUT || isOver(deadline)) return code;
  }
}
