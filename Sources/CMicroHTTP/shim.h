#include <microhttpd.h>

// MHD_start_daemon takes its options as variable arguments, which Swift cannot pass.
static inline struct MHD_Daemon *liveedit_start_daemon(
    int socket, unsigned int connections, unsigned int seconds, size_t memory,
    void *(*begin)(void *, const char *, struct MHD_Connection *), MHD_AccessHandlerCallback handle,
    MHD_RequestCompletedCallback complete, MHD_NotifyConnectionCallback notify, void *context) {
  return MHD_start_daemon(
      MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC, 0, 0, 0, handle, context,
      MHD_OPTION_LISTEN_SOCKET, (MHD_socket)socket,
      MHD_OPTION_CONNECTION_LIMIT, connections,
      MHD_OPTION_CONNECTION_TIMEOUT, seconds,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory,
      MHD_OPTION_URI_LOG_CALLBACK, begin, context,
      MHD_OPTION_NOTIFY_COMPLETED, complete, context,
      MHD_OPTION_NOTIFY_CONNECTION, notify, context,
      MHD_OPTION_STRICT_FOR_CLIENT, 1,
      MHD_OPTION_END);
}

// The size of a body of unknown length. It is a macro with a cast, which Swift cannot import.
static const uint64_t liveedit_size_unknown = UINT64_MAX;
// The value that a content reader returns at the end of a stream. It is a macro with a cast, which Swift cannot import.
static const ssize_t liveedit_end_of_stream = -1;

// Returns the descriptor of a connection, which is a member of a union, or -1 if there is none.
static inline int liveedit_connection_descriptor(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? (int)info->connect_fd : -1;
}

// Enumeration constants under names that do not depend on how Swift imports them.
static const enum MHD_Result liveedit_yes = MHD_YES;
static const enum MHD_Result liveedit_no = MHD_NO;
static const enum MHD_ValueKind liveedit_headers = MHD_HEADER_KIND;
static const enum MHD_ValueKind liveedit_arguments = MHD_GET_ARGUMENT_KIND;
static const enum MHD_ConnectionNotificationCode liveedit_connection_started = MHD_CONNECTION_NOTIFY_STARTED;
static const enum MHD_ResponseMemoryMode liveedit_must_copy = MHD_RESPMEM_MUST_COPY;
