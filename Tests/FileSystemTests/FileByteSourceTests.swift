import Basics
import Foundation
import Glibc
import TestSupport
import Testing

@testable import FileSystem

/// What is no regular file is never opened.
@Suite struct FileByteSourceTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func regularFilesAreRead() throws {
    try folder.write([1, 2, 3], to: "a")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link").path, withDestinationPath: folder.file("a").path)
    for name in ["a", "link"] {
      let source = try FileByteSource(path: folder.file(name).path)
      #expect(source.count == 3)
      #expect(try source.read(at: 1, count: 2) == [2, 3])
      // The file itself, whatever has its name by now.
      try Data([9]).write(to: folder.file("b"))
      #expect(Array(try Data(contentsOf: URL(fileURLWithPath: source.path))) == [1, 2, 3])
    }
    #expect(throws: SystemError.notFound) { try FileByteSource(path: folder.file("none").path) }
    #expect(throws: SystemError.notFound) { try FileByteSource(path: "") }
  }

  @Test func foldersAndDevicesAreRefused() {
    for path in [folder.url.path, "/dev/null", "/dev/zero", "/dev/tty", "/proc/self"] {
      #expect(throws: MediaError.self) { try FileByteSource(path: path) }
    }
  }

  @Test func socketsAreRefused() throws {
    let path = folder.file("socket").path
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    try #require(path.utf8.count < MemoryLayout.size(ofValue: address.sun_path))
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(status == 0)
    let refused = #expect(throws: MediaError.self) { try FileByteSource(path: path) }
    #expect(refused?.problem == "it is not a regular file")
  }

  /// Opening a pipe for reading wakes whoever waits for a reader, even without reading a byte.
  @Test func nobodyAtAPipeIsWoken() throws {
    let pipe = folder.file("pipe").path
    try #require(mkfifo(pipe, 0o600) == 0)
    try FileManager.default.createSymbolicLink(atPath: folder.file("link").path, withDestinationPath: pipe)
    let writer = Process()
    writer.executableURL = URL(fileURLWithPath: "/bin/sh")
    writer.arguments = ["-c", "echo > \"$0\"; echo > \"$1\"", pipe, folder.file("woken").path]
    try writer.run()
    defer {
      kill(writer.processIdentifier, SIGKILL)
      writer.waitUntilExit()
    }
    usleep(100_000)
    for name in ["pipe", "link"] {
      let refused = #expect(throws: MediaError.self) { try FileByteSource(path: folder.file(name).path) }
      #expect(refused?.problem == "it is not a regular file")
    }
    usleep(100_000)
    #expect(writer.isRunning)
    #expect(!FileManager.default.fileExists(atPath: folder.file("woken").path))
  }
}
