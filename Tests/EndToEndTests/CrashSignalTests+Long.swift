import Foundation
import TestSupport
import Testing

/// What a program leaves to the system when it crashes, as the system tells it (proc(5), `SigCgt`).
@Suite struct CrashSignalTests {
  /// Standard input of the programs, which stays open.
  private let input = Pipe()

  /// The signals that a running program has functions for.
  private func caught(by process: Child) throws -> Set<Int32> {
    let status = try String(contentsOfFile: "/proc/\(process.identifier)/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") })
    let mask = try #require(UInt64(line.dropFirst(7).trimmingCharacters(in: .whitespaces), radix: 16))
    return Set((1...31).filter { mask & 1 << UInt64($0 - 1) != 0 })
  }

  /// Starts a program that waits, with the backtraces that Swift's runtime makes in a terminal.
  private func start(_ path: String, _ arguments: [String], in folder: URL) throws -> Child {
    try Child(
      [path] + arguments, in: folder, environment: ["SWIFT_BACKTRACE": "enable=yes"],
      input: .descriptor(input.fileHandleForReading.fileDescriptor))
  }

  /// True if something comes to hold, and holds for a second: a busy machine starts programs slowly.
  private func comesToHold(_ condition: () throws -> Bool) rethrows -> Bool {
    var held = 0
    for _ in 0..<6000 where held < 10 {
      usleep(100_000)
      held = try condition() ? held + 1 : 0
    }
    return held == 10
  }

  @Test(arguments: [
    ("liveedit", ["auto", "--files-from", "-"]), ("liveedit", ["studio", "--no-open"]),
    ("liveedit-render", []),
  ])
  func aCrashIsTheSystems(_ program: String, _ arguments: [String]) throws {
    let folder = try TemporaryFolder()
    let process = try start(
      Command.programs.appendingPathComponent(program).path, arguments, in: folder.url)
    let crashes: Set = [SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP]
    #expect(try comesToHold { try caught(by: process).isDisjoint(with: crashes) })
    #expect(process.isRunning)
  }

  @Test func theRuntimeWouldCatchCrashes() throws {
    // The tests' own program leaves them to the runtime, so the test above can fail.
    let folder = try TemporaryFolder()
    let process = try start(
      Command.programs.appendingPathComponent("failing-calls").path, ["stubborn", folder.url.path],
      in: folder.url)
    #expect(try comesToHold { try caught(by: process).contains(SIGSEGV) })
  }
}
