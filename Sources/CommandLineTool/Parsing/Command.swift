import Basics
import EditModel
import FileSystem
import Workflows

/// A command with its arguments, ready to run.
protocol Command: Sendable {
  /// Runs it, and prints what was done and what went wrong with single files.
  ///
  /// - Throws: ``EditError`` when nothing could be done at all.
  func run(_ tally: inout Tally) throws(EditError) -> ExitStatus
}

/// The exit status of the program (README: exit status).
enum ExitStatus: Int32 {
  /// Something was done, and nothing failed.
  case done = 0
  /// Something failed.
  case failed = 1
  /// There was nothing to do.
  case nothingToDo = 2
  /// The command line cannot be understood (EX_USAGE of sysexits.h).
  case usage = 64
}
