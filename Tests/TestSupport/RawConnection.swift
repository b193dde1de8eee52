import Foundation

/// A connection that sends bytes unchanged.
public final class RawConnection {
  private let descriptor: Int32

  /// Connects to a port on this computer.
  ///
  /// - Parameters:
  ///   - port: The port.
  ///   - waits: Whether to wait for the connection, and for data to be sent and received.
  ///   - seconds: The number of seconds after which waiting for the other end fails.
  public init(port: UInt16, waits: Bool = true, seconds: Int = 20) throws {
    let type = Int32(SOCK_STREAM.rawValue) | (waits ? 0 : Int32(SOCK_NONBLOCK.rawValue))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    descriptor = Self.socket(AF_INET, type, seconds)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if result != 0, waits { throw ToolFailure("cannot connect: \(String(cString: strerror(errno)))") }
  }

  /// Connects to a Unix socket.
  ///
  /// - Parameters:
  ///   - path: The path of the socket, shorter than 108 bytes.
  ///   - seconds: The number of seconds after which waiting for the other end fails.
  public init(socket path: String, seconds: Int = 20) throws {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    descriptor = Self.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), seconds)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    if result != 0 { throw ToolFailure("\(path): cannot connect: \(String(cString: strerror(errno)))") }
  }

  private static func socket(_ family: Int32, _ type: Int32, _ seconds: Int) -> Int32 {
    let descriptor = Glibc.socket(family, type | Int32(SOCK_CLOEXEC.rawValue), 0)
    var limit = timeval(tv_sec: seconds, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    return descriptor
  }

  deinit { close(descriptor) }

  /// Sends a text.
  ///
  /// - Returns: false if the other end has closed the connection.
  @discardableResult
  public func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// Sends bytes.
  ///
  /// - Returns: false if the other end has closed the connection.
  @discardableResult
  public func send(_ bytes: [UInt8]) -> Bool {
    Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
  }

  /// Shuts the connection down, as a peer does that closes it.
  public func finish() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Receives the next bytes; nil at the end of the connection.
  public func receiveBytes() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count < 0, errno == EINTR { continue }
      return count > 0 ? Array(buffer[..<count]) : nil
    }
  }

  /// Receives everything until the end of the connection.
  public func receiveAll() -> [UInt8] {
    var all: [UInt8] = []
    while let next = receiveBytes() { all += next }
    return all
  }

  /// Receives the next text; nil at the end of the connection.
  public func receive() -> String? { receiveBytes().map { String(decoding: $0, as: UTF8.self) } }

  /// Receives data until a given text has arrived.
  ///
  /// - Returns: All received data; nil if the connection ended first.
  public func receive(until text: String) -> String? {
    var all = ""
    while !all.contains(text) {
      guard let next = receive() else { return nil }
      all += next
    }
    return all
  }
}
