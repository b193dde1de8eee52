import Basics
import Foundation
import Glibc
import TestSupport
import Testing

@testable import FileSystem

/// Tests that only regular files are ever opened.
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
      // The source reads the opened file, even if another file has its name now.
      try Data([9]).write(to: folder.file("b"))
      #expect(Array(try Data(contentsOf: URL(fileURLWithPath: source.path))) == [1, 2, 3])
    }
    #expect(throws: SystemError.notFound) { try FileByteSource(path: folder.file("none").path) }
    #expect(throws: SystemError.notFound) { try FileByteSource(path: "") }
  }

  /// Creates a file of a few bytes with a hole before each of them, and returns its path.
  ///
  /// - Parameter sizes: The sizes of the holes in bytes, multiples of 64 kB.
  private func hollow(_ sizes: [Int]) throws -> String {
    let path = try folder.write([], to: "hollow").path
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    defer { try? file.close() }
    var place = 0
    for size in sizes {
      try file.seek(toOffset: UInt64(place + size))
      try file.write(contentsOf: Data(repeating: 7, count: 1 << 16))
      place += size + 1 << 16
    }
    return path
  }

  /// Holes are skipped. A file with more than a gigabyte of holes is not read at all; du shows how much of a file is
  /// stored.
  @Test func holesAreSkipped() throws {
    let few = try FileByteSource(path: hollow([1 << 16, 1 << 30 - 1 << 16]))
    #expect(few.count == 1 << 30 + 2 << 16)
    let stored = try Tools.output("du", "-B1", folder.file("hollow").path).text.prefix { $0.isNumber }
    try #require(Int(stored).map { $0 < 1 << 20 } ?? false, "this file system keeps no holes")
    #expect(few.skippingHoles(from: 0) == 1 << 16)
    #expect(few.skippingHoles(from: 1 << 16 + 5) == 1 << 16 + 5)
    #expect(few.skippingHoles(from: 1 << 17) == few.count - 1 << 16)
    #expect(few.skippingHoles(from: few.count) == few.count)
    #expect(try few.read(at: 1 << 16 - 1, count: 2) == [0, 7])
    let part = PartByteSource(10..<1 << 20, of: few)
    #expect(part.skippingHoles(from: 0) == 1 << 16 - 10 && part.skippingHoles(from: 1 << 17) == part.count)

    for sizes in [[1 << 16, 1 << 30], [1 << 40]] {
      let many = try FileByteSource(path: hollow(sizes))
      let told = #expect(throws: MediaError.self) { try many.read(at: 0, count: 1) }
      #expect(told?.problem.description == "more than 1 GB of the file was never written")
      #expect(try many.bytes(atMost: 1 << 20) == nil)
    }
    // The same number of zeros is read if they are stored.
    try Tools.output("fallocate", "-l", "\(1 << 20)", folder.file("reserved").path)
    #expect(
      try FileByteSource(path: folder.file("reserved").path).read(at: 0, count: 1 << 20).allSatisfy {
        $0 == 0
      })
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
    #expect(refused?.problem == "the path is not a regular file")
  }

  /// Opening a pipe for reading wakes a process that waits for a reader, even if no byte is read.
  @Test func nobodyAtAPipeIsWoken() throws {
    let pipe = folder.file("pipe").path
    try #require(mkfifo(pipe, 0o600) == 0)
    try FileManager.default.createSymbolicLink(atPath: folder.file("link").path, withDestinationPath: pipe)
    let writer = try Child(
      ["sh", "-c", "echo > \"$0\"; echo > \"$1\"", pipe, folder.file("woken").path])
    try Event.waitForSleep(of: writer.identifier)
    for name in ["pipe", "link"] {
      let refused = #expect(throws: MediaError.self) { try FileByteSource(path: folder.file(name).path) }
      #expect(refused?.problem == "the path is not a regular file")
    }
    // A process that was woken would not be asleep again.
    #expect(RunningProcess(writer.identifier).isAsleep)
    #expect(!FileManager.default.fileExists(atPath: folder.file("woken").path))
    #expect(writer.isRunning)
  }
}
