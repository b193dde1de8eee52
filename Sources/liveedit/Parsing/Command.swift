import Basics
import EditModel
import FileSystem
import LiveEdit

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

/// The result of a command so far, and the form in which it is printed.
struct Tally {
  /// True if JSON is to be printed.
  let isJSON: Bool
  /// True if anything was changed.
  var didEdit = false
  /// True if anything failed.
  private(set) var didFail = false

  /// The status of a command that changes things.
  var status: ExitStatus { didFail ? .failed : didEdit ? .done : .nothingToDo }

  /// The status of a command that changes nothing.
  var readStatus: ExitStatus { didFail ? .failed : .done }

  /// Prints what went wrong, see ``Report/fail(_:file:isJSON:)``.
  mutating func fail(_ error: EditError, file: String? = nil) {
    didFail = true
    Report.fail(error, file: file, isJSON: isJSON)
  }

  /// Prints an answer: an object, or lines for people.
  func print(_ json: @autoclosure () -> CanonicalJSON, _ lines: @autoclosure () -> [String]) {
    if isJSON { Report.print(json()) } else { StandardStream.output.write(lines: lines()) }
  }
}
