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

  /// What was said about files that several assets share, such as a folder's catalogue.
  private var said: Set<EditError> = []

  /// Prints what went wrong, see ``Report/fail(_:file:isRepeated:isJSON:)``. What concerns another file than the one that
  /// was named is said once, however many assets it keeps from being changed.
  mutating func fail(_ error: EditError, file: String? = nil) {
    didFail = true
    let isShared = error.file != nil && error.file != file
    Report.fail(error, file: file, isRepeated: isShared && !said.insert(error).inserted, isJSON: isJSON)
  }

  /// - Parameter isJSON: whether JSON is to be printed.
  init(isJSON: Bool) { self.isJSON = isJSON }

  /// Prints an answer: an object, or lines for people.
  func print(_ json: @autoclosure () -> CanonicalJSON, _ lines: @autoclosure () -> [String]) {
    if isJSON { Report.print(json()) } else { StandardStream.output.write(lines: lines()) }
  }
}
