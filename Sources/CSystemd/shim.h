#pragma once
// libsystemd is loaded when it is first needed, and never linked: a machine without systemd runs the
// program too, and a workout's first sound does not wait for libsystemd's own libraries.
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

static inline void *cuecoach_systemd(void) {
  static void *library;
  if (!library) library = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
  return library;
}

#define CUECOACH_SYSTEMD(name) ((__typeof__(&name))dlsym(cuecoach_systemd(), #name))

// Sends a state to the service manager. Returns more than 0 where it was sent, 0 where no service
// manager asked for it, or a negative errno.
static inline int cuecoach_notify(const char *state) {
  if (!cuecoach_systemd()) return -ENOSYS;
  __typeof__(&sd_notify) notify = CUECOACH_SYSTEMD(sd_notify);
  return notify ? notify(0, state) : -ENOSYS;
}

// Asks logind to inhibit `what`. Returns a descriptor, which ends the inhibition when it is closed, or a
// negative errno with a reason in `reason`.
static inline int cuecoach_inhibit(const char *what, const char *who, const char *why,
                                   const char *mode, char reason[200]) {
  reason[0] = 0;
  if (!cuecoach_systemd()) {
    snprintf(reason, 200, "libsystemd is not installed");
    return -ENOSYS;
  }
  __typeof__(&sd_bus_open_system) open_system = CUECOACH_SYSTEMD(sd_bus_open_system);
  __typeof__(&sd_bus_set_method_call_timeout) set_timeout =
      CUECOACH_SYSTEMD(sd_bus_set_method_call_timeout);
  __typeof__(&sd_bus_call_method) call = CUECOACH_SYSTEMD(sd_bus_call_method);
  __typeof__(&sd_bus_message_read) read_message = CUECOACH_SYSTEMD(sd_bus_message_read);
  __typeof__(&sd_bus_message_unref) unref_message = CUECOACH_SYSTEMD(sd_bus_message_unref);
  __typeof__(&sd_bus_flush_close_unref) close_bus = CUECOACH_SYSTEMD(sd_bus_flush_close_unref);
  __typeof__(&sd_bus_error_free) free_error = CUECOACH_SYSTEMD(sd_bus_error_free);
  if (!open_system || !set_timeout || !call || !read_message || !unref_message || !close_bus ||
      !free_error) {
    snprintf(reason, 200, "libsystemd is too old");
    return -ENOSYS;
  }
  sd_bus *bus = 0;
  int result = open_system(&bus);
  if (result < 0) {
    snprintf(reason, 200, "the system bus cannot be reached: %s", strerror(-result));
    return result;
  }
  // A bus that hangs must not keep the caller for ever.
  set_timeout(bus, 5 * 1000 * 1000);
  sd_bus_error error = SD_BUS_ERROR_NULL;
  sd_bus_message *reply = 0;
  result = call(bus, "org.freedesktop.login1", "/org/freedesktop/login1",
                "org.freedesktop.login1.Manager", "Inhibit", &error, &reply, "ssss", what, who, why,
                mode);
  int descriptor = -1;
  if (result >= 0) result = read_message(reply, "h", &descriptor);
  if (result >= 0) {
    // The message's own descriptor ends with the message.
    descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
    if (descriptor < 0) result = -errno;
  }
  if (result < 0)
    snprintf(reason, 200, "%s", error.message ? error.message : strerror(-result));
  free_error(&error);
  unref_message(reply);
  close_bus(bus);
  return result < 0 ? result : descriptor;
}
