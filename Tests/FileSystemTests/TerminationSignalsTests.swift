import Foundation
import TestSupport
import Testing

/// Tests of signals to a separate process (Tests/FailingCalls).
@Suite struct TerminationSignalsTests {
  /// Starts an operation, sends a signal once it is ready, and waits for its end.
  ///
  /// - Returns: The exit status reported by the shell, and the printed text.
  private func run(_ operation: String, _ signal: String, ignoring: Bool = false) throws -> ToolOutput {
    let folder = try TemporaryFolder()
    let script = """
      \(ignoring ? "trap '' \(signal)" : ":")
      python3 - "$0" "$1" "$2" "$3" <<'P'
      import subprocess, sys, time
      program = subprocess.Popen([sys.argv[1], sys.argv[2], sys.argv[4]], stdout=subprocess.PIPE, restore_signals=False)
      program.stdout.readline()
      start = time.monotonic()
      program.send_signal(getattr(__import__("signal"), "SIG" + sys.argv[3]))
      try:
          rest = program.communicate(timeout=4)[0].decode().strip()
      except subprocess.TimeoutExpired:
          program.kill(); program.wait(); rest = "goes on"
      print(program.returncode, rest, "late" if time.monotonic() - start > 3 else "soon")
      P
      """
    return try Tools.run(["sh", "-c", script, Programs.failingCalls, operation, signal, folder.url.path])
  }

  @Test(arguments: [("INT", 2), ("TERM", 15), ("HUP", 1)])
  func aSignalIsHeldBackUntilTheProgramGivesIn(_ signal: String, _ number: Int) throws {
    let output = try run("signals", signal)
    #expect(output.text == "-\(number) pending soon\n", "\(output.standardError)")
  }

  @Test func aProgramThatDoesNotGiveInIsEnded() throws {
    let output = try run("stubborn", "TERM")
    #expect(output.text == "-15 pending soon\n", "\(output.standardError)")
  }

  @Test func aSignalThatTheParentHadIgnoredStaysIgnored() throws {
    let output = try run("signals", "HUP", ignoring: true)
    #expect(output.text == "-9 goes on late\n", "\(output.standardError)")
  }
}
