#pragma once
// signalfd, which Swift's Glibc module leaves out, and whose header it cannot import beside its own.
#include <mosquitto.h>
#include <signal.h>
#include <sys/signalfd.h>

// A descriptor that is readable when the process is to end; -1 on failure.
static inline int cuecoach_mqtt_end_signals(void) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGHUP);
  if (sigprocmask(SIG_BLOCK, &signals, NULL) != 0) return -1;
  return signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC);
}
