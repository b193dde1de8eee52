import Foundation
import TestSupport

/// The programs that the tests run.
enum Programs {
  /// See Tests/FailingCalls.
  static let failingCalls = TestFiles.programs.appendingPathComponent("failing-calls").path

  /// True where strace may trace.
  static func canTrace() throws -> Bool {
    let script = TestFiles.project.appendingPathComponent("scripts/crash-test").path
    return try Tools.run([script, "--can-trace"]).status == 0
  }
}
