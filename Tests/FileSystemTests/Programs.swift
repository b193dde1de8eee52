import Foundation
import TestSupport

/// The programs that the tests run.
enum Programs {
  /// The program in Tests/FailingCalls.
  static let failingCalls = TestFiles.programs.appendingPathComponent("failing-calls").path
}
