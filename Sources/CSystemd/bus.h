#pragma once
#include "shim.h"
// sd-bus, as far as BlueZ needs it. libsystemd is loaded, not linked: see shim.h.
#include <stdbool.h>

// What a message has, item by item. `text`, `bytes` are valid during the call.
typedef void (*cuecoach_visit)(void *context, const char *path, const char *interface, const char *key,
                               const char *text, long long number, const uint8_t *bytes, size_t count);

// The system's bus, or with `is_own` that of the user's session.
static inline int cuecoach_bus_open(sd_bus **bus, bool is_own) {
  if (!cuecoach_systemd()) return -ENOSYS;
  __typeof__(&sd_bus_open_system) open =
      is_own ? CUECOACH_SYSTEMD(sd_bus_open_user) : CUECOACH_SYSTEMD(sd_bus_open_system);
  return open ? open(bus) : -ENOSYS;
}

// Nothing is waited for: what is still to be sent is given up.
static inline void cuecoach_bus_close(sd_bus *bus) { CUECOACH_SYSTEMD(sd_bus_close_unref)(bus); }
static inline int cuecoach_bus_process(sd_bus *bus) { return CUECOACH_SYSTEMD(sd_bus_process)(bus, 0); }
static inline int cuecoach_bus_descriptor(sd_bus *bus) { return CUECOACH_SYSTEMD(sd_bus_get_fd)(bus); }
static inline int cuecoach_bus_events(sd_bus *bus) { return CUECOACH_SYSTEMD(sd_bus_get_events)(bus); }
// Microseconds of CLOCK_MONOTONIC; UINT64_MAX for never.
static inline uint64_t cuecoach_bus_timeout(sd_bus *bus) {
  uint64_t timeout = UINT64_MAX;
  if (CUECOACH_SYSTEMD(sd_bus_get_timeout)(bus, &timeout) < 0) return UINT64_MAX;
  return timeout;
}

static inline int cuecoach_bus_match(sd_bus *bus, const char *match, sd_bus_message_handler_t handler,
                                     void *context) {
  return CUECOACH_SYSTEMD(sd_bus_add_match_async)(bus, 0, match, handler, 0, context);
}

// Calls a method of org.bluez, or with `set` sets a boolean property of `interface` to `value`. With `services` that
// is a discovery filter. The handler gets the answer, and an error after `timeout` microseconds.
static inline int cuecoach_bus_call(sd_bus *bus, const char *path, const char *interface,
                                    const char *member, bool set, bool value, const char **services,
                                    uint64_t timeout, sd_bus_message_handler_t handler, void *context) {
  __typeof__(&sd_bus_message_append) append = CUECOACH_SYSTEMD(sd_bus_message_append);
  sd_bus_message *message = 0;
  int result = CUECOACH_SYSTEMD(sd_bus_message_new_method_call)(
      bus, &message, "org.bluez", path, set ? "org.freedesktop.DBus.Properties" : interface,
      set ? "Set" : member);
  if (result >= 0 && set) result = append(message, "ssv", interface, member, "b", (int)value);
  if (result >= 0 && services) {
    __typeof__(&sd_bus_message_open_container) open = CUECOACH_SYSTEMD(sd_bus_message_open_container);
    __typeof__(&sd_bus_message_close_container) close = CUECOACH_SYSTEMD(sd_bus_message_close_container);
    result = open(message, 'a', "{sv}");
    if (result >= 0) result = append(message, "{sv}", "Transport", "s", "le");
    if (result >= 0) result = open(message, 'e', "sv");
    if (result >= 0) result = append(message, "s", "UUIDs");
    if (result >= 0) result = open(message, 'v', "as");
    if (result >= 0) result = open(message, 'a', "s");
    for (; result >= 0 && *services; services++) result = append(message, "s", *services);
    for (int depth = 0; result >= 0 && depth < 4; depth++) result = close(message);
  }
  if (result >= 0)
    result = CUECOACH_SYSTEMD(sd_bus_call_async)(bus, 0, message, handler, context, timeout);
  CUECOACH_SYSTEMD(sd_bus_message_unref)(message);
  return result;
}

// The text of an answer that is an error; null for another one.
static inline const char *cuecoach_bus_error(sd_bus_message *message) {
  const sd_bus_error *error = CUECOACH_SYSTEMD(sd_bus_message_get_error)(message);
  if (!error) return 0;
  return error->message && *error->message ? error->message : error->name;
}

// True for an answer that nobody has the name that was called, and that nobody could be started for it.
static inline bool cuecoach_bus_is_absence(sd_bus_message *message) {
  const char *names[] = {"org.freedesktop.DBus.Error.ServiceUnknown",
                         "org.freedesktop.DBus.Error.NameHasNoOwner",
                         "org.freedesktop.DBus.Error.Spawn.", "org.freedesktop.systemd1."};
  const sd_bus_error *error = CUECOACH_SYSTEMD(sd_bus_message_get_error)(message);
  for (int index = 0; error && error->name && index < 4; index++)
    if (!strncmp(error->name, names[index], strlen(names[index]))) return true;
  return false;
}

static inline const char *cuecoach_bus_member(sd_bus_message *message) {
  return CUECOACH_SYSTEMD(sd_bus_message_get_member)(message);
}

// Null where the bus does not say.
static inline const char *cuecoach_bus_sender(sd_bus_message *message) {
  return CUECOACH_SYSTEMD(sd_bus_message_get_sender)(message);
}

// a{sv}: each property whose type is known is visited; an interface without any, with a null key.
static inline int cuecoach_bus_properties(sd_bus_message *message, const char *path,
                                          const char *interface, cuecoach_visit visit, void *context) {
  __typeof__(&sd_bus_message_enter_container) enter = CUECOACH_SYSTEMD(sd_bus_message_enter_container);
  __typeof__(&sd_bus_message_exit_container) leave = CUECOACH_SYSTEMD(sd_bus_message_exit_container);
  __typeof__(&sd_bus_message_peek_type) peek = CUECOACH_SYSTEMD(sd_bus_message_peek_type);
  __typeof__(&sd_bus_message_read_basic) read = CUECOACH_SYSTEMD(sd_bus_message_read_basic);
  __typeof__(&sd_bus_message_skip) skip = CUECOACH_SYSTEMD(sd_bus_message_skip);
  visit(context, path, interface, 0, 0, 0, 0, 0);
  int result = enter(message, 'a', "{sv}");
  while (result >= 0 && (result = enter(message, 'e', "sv")) > 0) {
    const char *key = 0, *contents = 0;
    char type = 0;
    result = read(message, 's', &key);
    if (result >= 0) result = peek(message, &type, &contents);
    if (result < 0) break;
    const char *text = 0;
    const void *bytes = 0;
    size_t count = 0;
    long long number = 0;
    bool is_known = true;
    if (contents && (!strcmp(contents, "s") || !strcmp(contents, "o"))) {
      if ((result = enter(message, 'v', contents)) >= 0) result = read(message, contents[0], &text);
    } else if (contents && (!strcmp(contents, "b") || !strcmp(contents, "i") || !strcmp(contents, "u"))) {
      int32_t value = 0;
      if ((result = enter(message, 'v', contents)) >= 0) result = read(message, contents[0], &value);
      number = value;
    } else if (contents && (!strcmp(contents, "n") || !strcmp(contents, "q"))) {
      int16_t value = 0;
      if ((result = enter(message, 'v', contents)) >= 0) result = read(message, contents[0], &value);
      number = value;
    } else if (contents && !strcmp(contents, "y")) {
      uint8_t value = 0;
      if ((result = enter(message, 'v', contents)) >= 0) result = read(message, contents[0], &value);
      number = value;
    } else if (contents && !strcmp(contents, "ay")) {
      if ((result = enter(message, 'v', contents)) >= 0)
        result = CUECOACH_SYSTEMD(sd_bus_message_read_array)(message, 'y', &bytes, &count);
    } else if (contents && !strcmp(contents, "as")) {
      // Each element is a visit of its own.
      is_known = false;
      if ((result = enter(message, 'v', contents)) >= 0) result = enter(message, 'a', "s");
      while (result >= 0 && (result = read(message, 's', &text)) > 0)
        visit(context, path, interface, key, text, 0, 0, 0);
      if (result >= 0) result = leave(message);
      if (result >= 0) result = leave(message);
    } else {
      is_known = false;
      result = skip(message, "v");
    }
    if (result >= 0 && is_known) {
      visit(context, path, interface, key, text, number, (const uint8_t *)bytes, count);
      result = leave(message);
    }
    if (result >= 0) result = leave(message);
  }
  return result < 0 ? result : leave(message);
}

// a{sa{sv}} of the object `path`.
static inline int cuecoach_bus_interfaces(sd_bus_message *message, const char *path,
                                          cuecoach_visit visit, void *context) {
  __typeof__(&sd_bus_message_enter_container) enter = CUECOACH_SYSTEMD(sd_bus_message_enter_container);
  __typeof__(&sd_bus_message_exit_container) leave = CUECOACH_SYSTEMD(sd_bus_message_exit_container);
  int result = enter(message, 'a', "{sa{sv}}");
  while (result >= 0 && (result = enter(message, 'e', "sa{sv}")) > 0) {
    const char *interface = 0;
    result = CUECOACH_SYSTEMD(sd_bus_message_read_basic)(message, 's', &interface);
    if (result >= 0) result = cuecoach_bus_properties(message, path, interface, visit, context);
    if (result >= 0) result = leave(message);
  }
  return result < 0 ? result : leave(message);
}

// a{oa{sa{sv}}}, the answer of GetManagedObjects.
static inline int cuecoach_bus_objects(sd_bus_message *message, cuecoach_visit visit, void *context) {
  __typeof__(&sd_bus_message_enter_container) enter = CUECOACH_SYSTEMD(sd_bus_message_enter_container);
  __typeof__(&sd_bus_message_exit_container) leave = CUECOACH_SYSTEMD(sd_bus_message_exit_container);
  int result = enter(message, 'a', "{oa{sa{sv}}}");
  while (result >= 0 && (result = enter(message, 'e', "oa{sa{sv}}")) > 0) {
    const char *path = 0;
    result = CUECOACH_SYSTEMD(sd_bus_message_read_basic)(message, 'o', &path);
    if (result >= 0) result = cuecoach_bus_interfaces(message, path, visit, context);
    if (result >= 0) result = leave(message);
  }
  return result < 0 ? result : leave(message);
}

// The arguments of the signals PropertiesChanged, InterfacesAdded, InterfacesRemoved (each interface with a null
// key) and NameOwnerChanged (the new owner as text).
static inline int cuecoach_bus_signal(sd_bus_message *message, cuecoach_visit visit, void *context) {
  __typeof__(&sd_bus_message_read_basic) read = CUECOACH_SYSTEMD(sd_bus_message_read_basic);
  const char *member = cuecoach_bus_member(message), *path = 0, *text = 0;
  int result = 0;
  if (!member) return 0;
  if (!strcmp(member, "PropertiesChanged")) {
    path = CUECOACH_SYSTEMD(sd_bus_message_get_path)(message);
    result = read(message, 's', &text);
    return result < 0 ? result : cuecoach_bus_properties(message, path, text, visit, context);
  }
  if (!strcmp(member, "InterfacesAdded")) {
    result = read(message, 'o', &path);
    return result < 0 ? result : cuecoach_bus_interfaces(message, path, visit, context);
  }
  if (!strcmp(member, "InterfacesRemoved")) {
    result = read(message, 'o', &path);
    if (result >= 0) result = CUECOACH_SYSTEMD(sd_bus_message_enter_container)(message, 'a', "s");
    while (result >= 0 && (result = read(message, 's', &text)) > 0) visit(context, path, text, 0, 0, 0, 0, 0);
    return result;
  }
  if (!strcmp(member, "NameOwnerChanged")) {
    for (int i = 0; i < 3 && result >= 0; i++) result = read(message, 's', &text);
    if (result >= 0) visit(context, "", "", 0, text, 0, 0, 0);
  }
  return result;
}
