import Basics
import EditModel
import FileSystem
import Workflows

/// A command with its arguments, ready to run.
protocol Command: Sendable {
  /// Runs the command. Results, and errors for individual files, are printed.
  ///
  /// - Throws: ``EditError`` if an error prevents the whole command from running.
  func run(_ tally: inout Tally) throws(EditError) -> ExitStatus
}

/// The exit status of the program (see the section on exit statuses in the README).
enum ExitStatus: Int32 {
  /// The command carried out its task, and no error occurred.
  case done = 0
  /// An error occurred.
  case failed = 1
  /// The command had nothing to do.
  case nothingToDo = 2
  /// The command line is not valid (EX_USAGE in sysexits.h).
  case usage = 64
}
