import Basics
import FileSystem
import LiveEdit

/// A command with its arguments, ready to run.
protocol Command: Sendable {
  /// Runs it, and prints what was done and what went wrong with single files.
  ///
  /// - Throws: ``EditError`` when nothing could be done at all.
  func run() throws(EditError) -> ExitStatus
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

/// The result of a command so far.
struct Tally {
  /// True if anything was changed.
  var didEdit = false
  /// True if anything failed.
  private(set) var didFail = false

  /// The status of a command that changes things.
  var status: ExitStatus { didFail ? .failed : didEdit ? .done : .nothingToDo }

  /// Prints what went wrong, see ``Report/fail(_:file:isJSON:)``.
  mutating func fail(_ error: EditError, file: String? = nil, isJSON: Bool) {
    didFail = true
    Report.fail(error, file: file, isJSON: isJSON)
  }
}

extension AssetEditor {
  /// The editor of a command: renders with the helper, shows progress, stops at a signal.
  init(_ bar: ProgressBar) throws(EditError) {
    self.init(
      renderer: try HelperRenderer(), progress: { bar.show($0) },
      isCancelled: { TerminationSignals.pending != nil }, report: { Report.notice($0) })
  }
}
