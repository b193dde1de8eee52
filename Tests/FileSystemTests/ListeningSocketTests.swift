import Basics
import FileSystem
import Foundation
import TestSupport
import Testing

@Suite struct ListeningSocketTests {
  @Test func aPortIsGivenOnce() throws {
    let first = try ListeningSocket(address: "127.0.0.1", port: 0)
    defer { close(first.descriptor) }
    let port = try #require(first.port)
    #expect(port > 0)
    #expect { try ListeningSocket(address: "127.0.0.1", port: port) } throws: {
      "\($0)".contains("cannot listen on port \(port)")
    }
    // Names are not looked up, and numeric addresses must belong to this computer.
    for address in ["localhost", "", "256.1.1.1", "192.0.2.1"] {
      #expect(throws: EditError.self, "\(address)") { try ListeningSocket(address: address, port: 0) }
    }
  }

  /// A socket without a listener is replaced. A socket in use and files that are not sockets remain.
  @Test func filesAreOnlyReplacedWhenAbandoned() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("s").path
    let first = try ListeningSocket(file: path)
    #expect(throws: EditError.self) { try ListeningSocket(file: path) }
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    close(first.descriptor)
    let second = try ListeningSocket(file: path)
    second.removeFile()
    close(second.descriptor)
    #expect(try folder.names() == [])
    try folder.write([1, 2, 3], to: "s")
    #expect(throws: EditError.self) { try ListeningSocket(file: path) }
    #expect(try folder.read("s") == [1, 2, 3])
    #expect(throws: EditError.self) {
      try ListeningSocket(file: folder.file(String(repeating: "a", count: 120)).path)
    }
  }

  /// The closed other end of a connection is noticed once no data is left to be read.
  @Test func closedConnectionsAreSeen() throws {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { close(ends[0]) }
    #expect(!PeerConnection.isClosed(ends[0]))
    _ = write(ends[1], "x", 1)
    close(ends[1])
    #expect(!PeerConnection.isClosed(ends[0]))
    var byte: UInt8 = 0
    #expect(read(ends[0], &byte, 1) == 1)
    #expect(PeerConnection.isClosed(ends[0]))
  }
}
