import Foundation
import TestSupport
import Testing

/// What a program leaves to the system when it crashes, as the system tells it (proc(5), `SigCgt`).
@Suite struct CrashSignalTests {
  /// The signals that a running program has functions for.
  private func caught(by process: Process) throws -> Set<Int32> {
    let status = try String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") })
    let mask = try #require(UInt64(line.dropFirst(7).trimmingCharacters(in: .whitespaces), radix: 16))
    return Set((1...31).filter { mask & 1 << UInt64($0 - 1) != 0 })
  }

  /// Starts a program that waits, with the backtraces that Swift's runtime makes in a terminal.
  private func start(_ path: String, _ arguments: [String], in folder: URL) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.environment = Tools.environment.merging(["SWIFT_BACKTRACE": "enable=yes"]) { $1 }
    process.currentDirectoryURL = folder
    (process.standardInput, process.standardOutput, process.standardError) = (Pipe(), Pipe(), Pipe())
    try process.run()
    return process
  }

  /// True if something holds for a second, within ten: a busy machine starts programs slowly.
  private func comesToHold(_ condition: () throws -> Bool) rethrows -> Bool {
    var held = 0
    for _ in 0..<100 where held < 10 {
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
    defer {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
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
    defer {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    #expect(try comesToHold { try caught(by: process).contains(SIGSEGV) })
  }
}
