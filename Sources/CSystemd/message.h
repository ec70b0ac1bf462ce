#pragma once
#include "bus.h"
// Messages of sd-bus that are written and read piece by piece, and an object that others call. The functions of sd-bus
// that take any number of arguments are not visible to Swift.

// Asks for a name, and waits for it where another has it. Without a handler of one's own, sd-bus closes the connection
// where the name is refused.
static inline int cuecoach_bus_own(sd_bus *bus, const char *name, sd_bus_message_handler_t handler, void *context) {
  return CUECOACH_SYSTEMD(sd_bus_request_name_async)(bus, 0, name, SD_BUS_NAME_QUEUE, handler, context);
}

// The handler gets each call of the object.
static inline int cuecoach_bus_serve(sd_bus *bus, const char *path, sd_bus_message_handler_t handler, void *context) {
  return CUECOACH_SYSTEMD(sd_bus_add_object)(bus, 0, path, handler, context);
}

// A call of `destination`, or without one a signal.
static inline int cuecoach_message_begin(sd_bus *bus, sd_bus_message **message, const char *destination,
                                         const char *path, const char *interface, const char *member) {
  if (destination)
    return CUECOACH_SYSTEMD(sd_bus_message_new_method_call)(bus, message, destination, path, interface, member);
  return CUECOACH_SYSTEMD(sd_bus_message_new_signal)(bus, message, path, interface, member);
}

static inline int cuecoach_message_answer(sd_bus_message *call, sd_bus_message **answer) {
  return CUECOACH_SYSTEMD(sd_bus_message_new_method_return)(call, answer);
}

static inline int cuecoach_message_refuse(sd_bus_message *call, const char *name, const char *text) {
  sd_bus_error error = {name, text, 0};
  return CUECOACH_SYSTEMD(sd_bus_reply_method_error)(call, &error);
}

static inline int cuecoach_message_open(sd_bus_message *message, char type, const char *contents) {
  return CUECOACH_SYSTEMD(sd_bus_message_open_container)(message, type, contents);
}
static inline int cuecoach_message_close(sd_bus_message *message) {
  return CUECOACH_SYSTEMD(sd_bus_message_close_container)(message);
}
static inline int cuecoach_message_append(sd_bus_message *message, char type, const void *value) {
  return CUECOACH_SYSTEMD(sd_bus_message_append_basic)(message, type, value);
}
static inline int cuecoach_message_enter(sd_bus_message *message, char type, const char *contents) {
  return CUECOACH_SYSTEMD(sd_bus_message_enter_container)(message, type, contents);
}
static inline int cuecoach_message_read(sd_bus_message *message, char type, void *value) {
  return CUECOACH_SYSTEMD(sd_bus_message_read_basic)(message, type, value);
}
static inline bool cuecoach_message_has(sd_bus_message *message, const char *signature) {
  return CUECOACH_SYSTEMD(sd_bus_message_has_signature)(message, signature) > 0;
}
static inline const char *cuecoach_message_interface(sd_bus_message *message) {
  return CUECOACH_SYSTEMD(sd_bus_message_get_interface)(message);
}
static inline bool cuecoach_message_is_call(sd_bus_message *message) {
  return CUECOACH_SYSTEMD(sd_bus_message_is_method_call)(message, 0, 0) > 0;
}
// The number of the call that a message answers.
static inline uint64_t cuecoach_message_answered(sd_bus_message *message) {
  uint64_t number = 0;
  return CUECOACH_SYSTEMD(sd_bus_message_get_reply_cookie)(message, &number) < 0 ? 0 : number;
}

static inline int cuecoach_message_send(sd_bus *bus, sd_bus_message *message) {
  return CUECOACH_SYSTEMD(sd_bus_send)(bus, message, 0);
}

// Sends a call whose answer the handler gets, or an error after `timeout` microseconds. `number` is the call's.
static inline int cuecoach_message_call(sd_bus *bus, sd_bus_message *message, uint64_t timeout,
                                        sd_bus_message_handler_t handler, void *context, uint64_t *number) {
  int result = CUECOACH_SYSTEMD(sd_bus_call_async)(bus, 0, message, handler, context, timeout);
  return result < 0 ? result : CUECOACH_SYSTEMD(sd_bus_message_get_cookie)(message, number);
}

static inline void cuecoach_message_release(sd_bus_message *message) {
  CUECOACH_SYSTEMD(sd_bus_message_unref)(message);
}
