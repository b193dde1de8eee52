import Foundation
import Glibc
import TestSupport

/// A connection over which bytes are sent as they are.
final class RawConnection {
  private let descriptor: Int32

  /// Connects to a port of this computer.
  ///
  /// - Parameter waits: whether to wait until the connection is made, and for what is sent and received.
  init(port: UInt16, waits: Bool = true) throws {
    let type = Int32(SOCK_STREAM.rawValue) | (waits ? 0 : Int32(SOCK_NONBLOCK.rawValue))
    descriptor = socket(AF_INET, type, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if result != 0, waits { throw ToolFailure("cannot connect: \(errno)") }
  }

  deinit { close(descriptor) }

  /// Sends a text.
  ///
  /// - Returns: false when the other end has closed the connection.
  @discardableResult
  func send(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
  }

  /// Sends nothing more, as whoever closes a connection.
  func finish() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Receives what there is; nil at the end of the connection.
  func receive() -> String? {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }

  /// Receives until a text has come.
  ///
  /// - Returns: all that has come; nil when it ended before.
  func receive(until text: String) -> String? {
    var all = ""
    while !all.contains(text) {
      guard let next = receive() else { return nil }
      all += next
    }
    return all
  }
}
