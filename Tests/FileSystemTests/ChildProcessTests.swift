import Foundation
import TestSupport
import Testing

@testable import FileSystem

@Suite struct ChildProcessTests {
  /// Returns everything that a child prints.
  func output(of child: ChildProcess) throws -> String {
    var all: [UInt8] = []
    while true {
      switch try child.receive(waiting: 10_000) {
      case .bytes(let bytes): all += bytes
      case .end: return String(decoding: all, as: UTF8.self)
      case .nothing: throw SystemError.tryAgain
      }
    }
  }

  @Test func talksBothWays() throws {
    let child = try ChildProcess(executable: "/bin/cat")
    #expect(try child.send(Array("hello".utf8)[...], waiting: 1000) == 5)
    child.closeInput()
    #expect(try output(of: child) == "hello")
    #expect(child.wait(milliseconds: 10_000) == .exited(0))
  }

  @Test func tellsHowItEnded() throws {
    #expect(
      try ChildProcess(executable: "/bin/sh", arguments: ["-c", "exit 3"]).wait(milliseconds: 10_000)
        == .exited(3))
    #expect(
      try ChildProcess(executable: "/bin/sh", arguments: ["-c", "kill -SEGV $$"])
        .wait(milliseconds: 10_000) == .signalled(11))
    #expect(throws: SystemError.notFound) { try ChildProcess(executable: "/nonexistent") }
  }

  @Test func aDeadChildTakesNothing() throws {
    let child = try ChildProcess(executable: "/bin/true")
    #expect(child.wait(milliseconds: 10_000) == .exited(0))
    // A process that another test starts at this moment has a copy of the child's end of the connection until its exec.
    var tries = 0
    while try child.send([0], waiting: 0) != nil, tries < 500 {
      tries += 1
      usleep(10_000)
    }
    #expect(tries < 500)
  }

  @Test func whatAChildWroteIsReadThoughItReadNothing() throws {
    for _ in 0..<20 {
      let child = try ChildProcess(executable: "/bin/echo", arguments: ["hello"])
      _ = try child.send([UInt8](repeating: 0, count: 5000)[...], waiting: 1000)
      var all: [UInt8] = []
      reading: while true {
        switch try child.receive(waiting: 100) {
        case .bytes(let bytes): all += bytes
        case .end: break reading
        case .nothing: continue
        }
      }
      #expect(all == Array("hello\n".utf8))
      #expect(child.wait(milliseconds: 10_000) == .exited(0))
    }
  }

  @Test func isKilledWithItsValue() throws {
    var child: ChildProcess? = try ChildProcess(
      executable: "/bin/sh", arguments: ["-c", "echo $$; exec sleep 1000"])
    var line: [UInt8] = []
    while !line.contains(UInt8(ascii: "\n")) {
      guard case .bytes(let bytes)? = try child?.receive(waiting: 10_000) else { break }
      line += bytes
    }
    let identifier = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .newlines)
    #expect(FileManager.default.fileExists(atPath: "/proc/\(identifier)"))
    child = nil
    #expect(!FileManager.default.fileExists(atPath: "/proc/\(identifier)"))
  }

  @Test func whatAChildDoesNotTakeIsNotWaitedFor() throws {
    let child = try ChildProcess(executable: "/bin/sh", arguments: ["-c", "kill -STOP $$"])
    let bytes = [UInt8](repeating: 0, count: 1 << 22)[...]
    var sent = 0
    while let count = try child.send(bytes.dropFirst(sent), waiting: 100), count > 0 { sent += count }
    #expect((1..<bytes.count).contains(sent))
    #expect(child.wait(milliseconds: 100) == nil)
    #expect(child.end() == .signalled(SIGKILL))
    #expect(child.end() == nil && child.wait(milliseconds: 0) == nil)
  }
}
