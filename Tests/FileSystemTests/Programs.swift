import Foundation
import TestSupport

/// The programs that the tests run.
enum Programs {
  /// See Tests/FailingCalls.
  static let failingCalls = TestFiles.programs.appendingPathComponent("failing-calls").path
}
