import Foundation
import TestSupport
import Testing

/// Tests that programs leave crash signals to the system, as the system reports them (proc(5), `SigCgt`).
@Suite struct CrashSignalTests {
  /// The programs' standard input, which remains open.
  private let input = Pipe()

  /// Returns the signals that a running program handles.
  private func caught(by process: Child) throws -> Set<Int32> {
    let status = try String(contentsOfFile: "/proc/\(process.identifier)/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") })
    let mask = try #require(UInt64(line.dropFirst(7).trimmingCharacters(in: .whitespaces), radix: 16))
    return Set((1...31).filter { mask & 1 << UInt64($0 - 1) != 0 })
  }

  /// Starts a program that waits for input, with the backtraces that Swift's runtime prints in a terminal.
  private func start(_ path: String, _ arguments: [String], in folder: URL) throws -> Child {
    try Child(
      [path] + arguments, in: folder, environment: ["SWIFT_BACKTRACE": "enable=yes"],
      input: .descriptor(input.fileHandleForReading.fileDescriptor))
  }

  /// Whether a condition becomes true and remains true for a second. The wait is long because a busy computer starts
  /// programs slowly.
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
    // The tests' own program leaves crash signals to Swift's runtime, so the test above is able to fail.
    let folder = try TemporaryFolder()
    let process = try start(
      Command.programs.appendingPathComponent("failing-calls").path, ["stubborn", folder.url.path],
      in: folder.url)
    #expect(try comesToHold { try caught(by: process).contains(SIGSEGV) })
  }
}
