package import Basics
import Glibc

/// A socket that accepts connections, either on one of this computer's network addresses or on a socket file.
package final class ListeningSocket: Sendable {
  /// The descriptor, which belongs to this object until another owner takes it over.
  package let descriptor: Int32
  /// The port number; nil for a socket file.
  package let port: UInt16?
  /// The socket file, which is removed at the end; nil if the socket uses a port.
  private let file: String?

  /// The maximum number of connections that wait to be accepted.
  private static let backlog: Int32 = 128

  /// Listens on an IPv4 or IPv6 address.
  ///
  /// The corresponding C functions are `getaddrinfo` for numeric addresses, `socket`, `bind`, `listen` and
  /// `getsockname`.
  ///
  /// - Parameters:
  ///   - address: The numeric address: `127.0.0.1`, `::1`, `0.0.0.0`.
  ///   - port: The port; 0 for any free port.
  /// - Throws: ``EditError`` if the address does not belong to this computer, or if the port is in use.
  package init(address: String, port: UInt16) throws(EditError) {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST | AI_PASSIVE
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(address, String(port), &hints, &found) == 0, let info = found?.pointee else {
      throw EditError(
        .fileSystem, "“\(address)” is not a network address",
        remedy: "use a numeric address, such as 127.0.0.1")
    }
    defer { freeaddrinfo(found) }
    do throws(SystemError) {
      descriptor = try Self.bound(
        family: info.ai_family, address: info.ai_addr, length: info.ai_addrlen)
    } catch {
      throw EditError(
        .fileSystem, "cannot listen on port \(port) of \(address) (\(error))",
        remedy: "choose another port with --port, or omit the option")
    }
    self.port = port == 0 ? Self.port(of: descriptor) : port
    file = nil
  }

  /// Listens on a socket file that only the current user may open.
  ///
  /// An existing socket file is replaced if no process listens on it.
  ///
  /// The corresponding C functions are `socket`, `connect`, `bind`, `chmod` and `listen`.
  ///
  /// - Parameter path: The path of the file, at most 107 bytes.
  /// - Throws: ``EditError`` if the path is in use, or if the file cannot be created.
  package init(file path: String) throws(EditError) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    let room = MemoryLayout.size(ofValue: address.sun_path) - 1
    guard !bytes.isEmpty, bytes.count <= room else {
      throw EditError(
        .fileSystem, file: path, "the path is too long for a socket",
        remedy: "use a path of at most \(room) bytes")
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    do throws(SystemError) {
      try Self.removeAbandoned(path, address, length)
      // The permissions are set before the socket starts to listen. Until then, nobody can connect.
      descriptor = try withUnsafePointer(to: &address) { pointer throws(SystemError) in
        try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer throws(SystemError) in
          try Self.bound(family: AF_UNIX, address: pointer, length: length) { chmod(path, 0o600) }
        }
      }
    } catch {
      throw EditError(
        .fileSystem, file: path, "cannot listen on this socket (\(error))",
        remedy: "choose another path, or remove this file if no server uses it")
    }
    port = nil
    file = path
  }

  /// Removes the socket file. The owner of the descriptor closes the descriptor.
  package func removeFile() {
    if let file { unlink(file) }
  }

  private static func removeAbandoned(
    _ path: String, _ address: sockaddr_un, _ length: socklen_t
  ) throws(SystemError) {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return }
    let probe = try calling { socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0) }
    defer { close(probe) }
    var address = address
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(probe, $0, length) }
    }
    if result != 0, errno == ECONNREFUSED { unlink(path) }
  }

  private static func bound(
    family: Int32, address: UnsafePointer<sockaddr>?, length: socklen_t, prepare: () -> Int32 = { 0 }
  ) throws(SystemError) -> Int32 {
    let type =
      Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let descriptor = try calling { socket(family, type, 0) }
    do throws(SystemError) {
      var yes: Int32 = 1
      // Allows the socket to use a port that another process has just released.
      setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
      _ = try calling { bind(descriptor, address, length) }
      _ = try calling { prepare() }
      _ = try calling { listen(descriptor, backlog) }
      return descriptor
    } catch {
      close(descriptor)
      throw error
    }
  }

  private static func port(of descriptor: Int32) -> UInt16 {
    var address = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &address) { pointer in
      let result = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(descriptor, $0, &length)
      }
      guard result == 0 else { return 0 }
      // The port has the same offset in both address families.
      return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        UInt16(bigEndian: $0.pointee.sin_port)
      }
    }
  }
}

/// The other end of a network connection.
package enum PeerConnection {
  /// Returns whether the other end has closed its connection and all of its data has been read.
  ///
  /// The corresponding C function is `recv` with `MSG_PEEK`.
  package static func isClosed(_ descriptor: Int32) -> Bool {
    var byte: UInt8 = 0
    let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
    return count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)
  }

  /// Sends bytes without waiting. Bytes that do not fit into the send buffer are dropped.
  ///
  /// The corresponding C function is `send` with `MSG_DONTWAIT`.
  package static func send(_ bytes: [UInt8], to descriptor: Int32) {
    _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
  }

  /// Shuts down a connection in both directions. The thread that serves the connection then closes the connection.
  ///
  /// The corresponding C function is `shutdown`.
  package static func end(_ descriptor: Int32) { shutdown(descriptor, Int32(SHUT_RDWR)) }
}
