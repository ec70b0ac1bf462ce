#pragma once
#include <microhttpd.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>

// Variadic functions cannot be imported into Swift, and the library's enumerations are flags in one
// version and plain in another: these say the same in functions.

typedef struct MHD_Connection cuecoach_http_connection;

// The library's results, as the callbacks return them.
static inline enum MHD_Result cuecoach_http_yes(void) { return MHD_YES; }
static inline enum MHD_Result cuecoach_http_no(void) { return MHD_NO; }

static inline int cuecoach_http_is_start(enum MHD_ConnectionNotificationCode code) {
  return code == MHD_CONNECTION_NOTIFY_STARTED;
}

typedef struct {
  int listener;
  unsigned int connections;
  // Seconds without a byte.
  unsigned int timeout;
  // Bytes of memory for each connection: what of a request's line and headers is beyond is refused.
  size_t memory;
  // A certificate and its key as PEM; NULL: no TLS.
  const char *certificate;
  const char *key;
} cuecoach_http_limits;

// Paths stay as they were sent: the library's own decoding ends a path at %00.
static inline size_t cuecoach_http_keep(void *context, struct MHD_Connection *connection, char *text) {
  (void)context; (void)connection;
  return strlen(text);
}

// Version 1 refuses what earlier ones pass over: NUL, line feeds without CR, folded lines. An earlier one sends the
// head of its own refusals twice, so it is asked for none.
static inline int cuecoach_http_is_strict(void) { return MHD_VERSION >= 0x01000000; }

// Called with a request's target; what it returns is the request's object from then on.
typedef void *(*cuecoach_http_begin)(void *context, const char *target, struct MHD_Connection *connection);

static inline struct MHD_Daemon *cuecoach_http_start(cuecoach_http_limits limits,
                                                     MHD_AccessHandlerCallback handler,
                                                     MHD_RequestCompletedCallback completed,
                                                     MHD_NotifyConnectionCallback notify,
                                                     cuecoach_http_begin begin,
                                                     void *context) {
  // What MHD_OPTION_ARRAY ends with is all that it holds without TLS.
  struct MHD_OptionItem tls[] = {
      {MHD_OPTION_END, 0, NULL}, {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)limits.certificate},
      {MHD_OPTION_END, 0, NULL}};
  if (limits.certificate)
    tls[0] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)limits.key};
  return MHD_start_daemon(
      MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | (limits.certificate ? MHD_USE_TLS : 0), 0, NULL, NULL, handler, context,
      MHD_OPTION_LISTEN_SOCKET, limits.listener,
      MHD_OPTION_CONNECTION_LIMIT, limits.connections,
      MHD_OPTION_CONNECTION_TIMEOUT, limits.timeout,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, limits.memory,
      MHD_OPTION_CONNECTION_MEMORY_INCREMENT, (size_t)1024,
      MHD_OPTION_STRICT_FOR_CLIENT, cuecoach_http_is_strict(),
      MHD_OPTION_UNESCAPE_CALLBACK, cuecoach_http_keep, NULL,
      MHD_OPTION_URI_LOG_CALLBACK, begin, context,
      MHD_OPTION_NOTIFY_COMPLETED, completed, context,
      MHD_OPTION_NOTIFY_CONNECTION, notify, context,
      MHD_OPTION_ARRAY, tls,
      MHD_OPTION_END);
}

static inline int cuecoach_http_epoll(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
  return info ? info->epoll_fd : -1;
}

static inline unsigned int cuecoach_http_count(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_CURRENT_CONNECTIONS);
  return info ? info->num_connections : 0;
}

static inline int cuecoach_http_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

// The client's address in the form of IPv6; 0 where it has none.
static inline int cuecoach_http_peer(struct MHD_Connection *connection, unsigned char address[16]) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  if (!info || !info->client_addr) return 0;
  if (info->client_addr->sa_family == AF_INET6) {
    memcpy(address, &((const struct sockaddr_in6 *)info->client_addr)->sin6_addr, 16);
    return 1;
  }
  if (info->client_addr->sa_family != AF_INET) return 0;
  memset(address, 0, 10);
  memset(address + 10, 0xff, 2);
  memcpy(address + 12, &((const struct sockaddr_in *)info->client_addr)->sin_addr, 4);
  return 1;
}

// Bytes of a request's line and headers, with the empty line.
static inline size_t cuecoach_http_head_size(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  return info ? info->header_size : 0;
}

typedef void (*cuecoach_http_visit)(void *context, const char *name, size_t name_size,
                                    const char *value, size_t value_size);
typedef struct {
  cuecoach_http_visit visit;
  void *context;
} cuecoach_http_visitor;

static inline enum MHD_Result cuecoach_http_visit_one(void *visitor, enum MHD_ValueKind kind,
                                                      const char *name, size_t name_size,
                                                      const char *value, size_t value_size) {
  (void)kind;
  cuecoach_http_visitor *v = (cuecoach_http_visitor *)visitor;
  v->visit(v->context, name, name_size, value ? value : "", value ? value_size : 0);
  return MHD_YES;
}

static inline void cuecoach_http_headers(struct MHD_Connection *connection, cuecoach_http_visit visit,
                                         void *context) {
  cuecoach_http_visitor visitor = {visit, context};
  (void)MHD_get_connection_values_n(connection, MHD_HEADER_KIND, cuecoach_http_visit_one, &visitor);
}

// A response whose bytes stay where they are, or are copied.
static inline struct MHD_Response *cuecoach_http_response(size_t size, const void *bytes, int copies) {
  return MHD_create_response_from_buffer(
      size, (void *)bytes, copies ? MHD_RESPMEM_MUST_COPY : MHD_RESPMEM_PERSISTENT);
}

// A response without an end. 512: what is asked of `read` at once.
static inline struct MHD_Response *cuecoach_http_stream(MHD_ContentReaderCallback read, void *context,
                                                        MHD_ContentReaderFreeCallback release) {
  return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 512, read, context, release);
}

static inline ssize_t cuecoach_http_broken(void) { return MHD_CONTENT_READER_END_WITH_ERROR; }

// Milliseconds until the library wants to run; -1 for no time.
static inline int cuecoach_http_timeout(struct MHD_Daemon *daemon) {
  MHD_UNSIGNED_LONG_LONG timeout = 0;
  if (MHD_get_timeout(daemon, &timeout) != MHD_YES) return -1;
  return timeout > 60000 ? 60000 : (int)timeout;
}

// epoll's event is a packed structure with a union, and Swift's Glibc module leaves the calls out.

static const unsigned int cuecoach_epoll_in = EPOLLIN;
static const unsigned int cuecoach_epoll_out = EPOLLOUT;
// Once, when the other end has closed.
static const unsigned int cuecoach_epoll_closed = EPOLLRDHUP | EPOLLONESHOT;

static inline int cuecoach_epoll_new(void) { return epoll_create1(EPOLL_CLOEXEC); }

// Adds a descriptor, or changes what is waited for.
static inline int cuecoach_epoll_set(int epoll, int descriptor, unsigned int events) {
  struct epoll_event event;
  memset(&event, 0, sizeof event);
  event.events = events;
  event.data.fd = descriptor;
  if (epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0) return 0;
  return epoll_ctl(epoll, EPOLL_CTL_MOD, descriptor, &event);
}

static inline int cuecoach_epoll_remove(int epoll, int descriptor) {
  struct epoll_event event;
  memset(&event, 0, sizeof event);
  return epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, &event);
}

// Which descriptors are ready; at most 64.
static inline int cuecoach_epoll_wait(int epoll, int descriptors[64], int timeout) {
  struct epoll_event events[64];
  int count = epoll_wait(epoll, events, 64, timeout);
  for (int i = 0; i < count; i++) descriptors[i] = events[i].data.fd;
  return count;
}
