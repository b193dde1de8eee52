import Glibc

/// Two sockets that are connected with each other; both are closed with the value.
struct SocketPair: ~Copyable {
  /// The end that stays here.
  let own: Int32
  /// The end for another process.
  let other: Int32

  /// Connects two sockets that no program which this one starts inherits.
  ///
  /// The corresponding C function is `socketpair` with `AF_UNIX`.
  ///
  /// - Parameter kind: a stream of bytes, or packets that arrive in order.
  init(_ kind: __socket_type) throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    _ = try calling { socketpair(AF_UNIX, Int32(kind.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) }
    (own, other) = (ends[0], ends[1])
  }

  deinit {
    close(own)
    close(other)
  }

  /// Closes the end for another process, which has one of its own now.
  ///
  /// - Returns: the end that stays, which the caller closes.
  consuming func handedOver() -> Int32 {
    let own = own
    close(other)
    discard self
    return own
  }
}
