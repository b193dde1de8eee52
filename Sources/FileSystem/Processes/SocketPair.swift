import Glibc

/// A pair of connected sockets. Both sockets are closed when the value is destroyed.
struct SocketPair: ~Copyable {
  /// The socket that this process keeps.
  let own: Int32
  /// The socket for another process.
  let other: Int32

  /// Creates a pair of sockets that child processes do not inherit.
  ///
  /// The corresponding C function is `socketpair` with `AF_UNIX`.
  ///
  /// - Parameter kind: The type of the sockets: a byte stream, or packets that arrive in order.
  init(_ kind: __socket_type) throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    _ = try calling { socketpair(AF_UNIX, Int32(kind.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) }
    (own, other) = (ends[0], ends[1])
  }

  deinit {
    close(own)
    close(other)
  }

  /// Closes the socket for the other process, which now has its own copy.
  ///
  /// - Returns: The socket that this process keeps. The caller closes this socket.
  consuming func handedOver() -> Int32 {
    let own = own
    close(other)
    discard self
    return own
  }
}
