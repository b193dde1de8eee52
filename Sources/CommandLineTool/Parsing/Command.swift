import Basics
import EditModel
import FileSystem
import Workflows

/// A command with its arguments, ready to run.
protocol Command: Sendable {
  /// Runs the command, and prints its results and the errors for individual files.
  ///
  /// - Throws: ``EditError`` if nothing could be done at all.
  func run(_ tally: inout Tally) throws(EditError) -> ExitStatus
}

/// The exit status of the program (README: exit status).
enum ExitStatus: Int32 {
  /// Something was done, and no error occurred.
  case done = 0
  /// An error occurred.
  case failed = 1
  /// Nothing needed to be done.
  case nothingToDo = 2
  /// The command line is invalid (EX_USAGE of sysexits.h).
  case usage = 64
}
