import Basics
import EditModel
import FileSystem
import Workflows

/// The result of a command so far, and the form in which it is printed.
struct Tally {
  /// The name of the command; nil where the command line names none.
  var command: String?
  /// True if JSON is to be printed.
  let isJSON: Bool
  /// True if anything was changed.
  var didEdit = false
  /// True if anything failed.
  private(set) var didFail = false
  /// Members of the last object of `--json`.
  var summary: [String: JSONValue] = [:]
  /// The number of answers by their status.
  private var counts: [Answer.Status: Int] = [:]
  private let start = ContinuousClock.now
  /// The errors about folders' catalogues that were told.
  private var said: Set<EditError> = []

  /// - Parameters:
  ///   - command: the name of the command; nil where the command line names none.
  ///   - isJSON: whether JSON is to be printed.
  init(_ command: String?, isJSON: Bool) {
    (self.command, self.isJSON) = (command, isJSON)
  }

  /// The status of a command that changes things.
  var status: ExitStatus { didFail ? .failed : didEdit ? .done : .nothingToDo }

  /// The status of a command that changes nothing.
  var readStatus: ExitStatus { didFail ? .failed : .done }

  /// Prints an answer: an object, or lines for people.
  mutating func print(_ answer: @autoclosure () -> Answer, _ lines: @autoclosure () -> [Message]) {
    if isJSON { print(answer()) } else { StandardStream.output.write(lines: lines().map(\.spoken)) }
  }

  /// Prints an object, where JSON is asked for.
  mutating func print(_ answer: Answer) {
    guard isJSON else { return }
    counts[answer.status, default: 0] += 1
    var answer = answer
    answer.command = command
    StandardStream.output.write(json: answer.line)
  }

  /// Prints what went wrong: one sentence on standard error, and one object where JSON is asked for. That a folder's
  /// catalogue is damaged is said once, however many assets it keeps from being changed.
  ///
  /// - Parameters:
  ///   - file: the argument that it happened with, if it was one in particular.
  ///   - originals: the asset's, where they are known.
  mutating func fail(_ error: EditError, file: String? = nil, originals: Answer.Originals? = nil) {
    didFail = true
    var error = error
    let isShared = error.code == .damagedLibrary && error.file != nil && error.file != file
    error.file = error.file ?? file
    if !isShared || said.insert(error).inserted { Report.fail(error) }
    print(
      Answer(
        .failed, file: file ?? error.file, originals: originals,
        ["error": Self.json(error.code.rawValue, error.problem, error.remedy, file: error.file)]))
  }

  /// Prints that the command line cannot be understood.
  mutating func fail(_ error: UsageError) {
    Report.fail(error)
    print(Answer(.failed, ["error": Self.json("usage", error.message, error.remedy, file: nil)]))
  }

  private static func json(
    _ code: String, _ problem: Message, _ remedy: Message?, file: String?
  ) -> JSONValue {
    let members = ["code": code, "problem": problem.description, "remedy": remedy?.description, "file": file]
    return .object(members.compactMapValues { $0.map { .string($0) } })
  }

  /// The cause that keeps an asset as it was, though nothing is wrong with it.
  enum Hindrance: String {
    /// Another asset of its folder failed, and they change together or not at all.
    case failure
    /// The command was stopped.
    case stop
  }

  /// Prints the object of an asset that stays as it was, where JSON is asked for.
  mutating func leave(_ file: String, _ originals: Answer.Originals?, because hindrance: Hindrance) {
    print(Answer(.untouched, file: file, originals: originals, ["because": .string(hindrance.rawValue)]))
  }

  /// Prints the last object, where JSON is asked for.
  mutating func finish(_ status: ExitStatus) {
    var members = summary
    // Shells add 128 to the number of the signal that ends a program.
    let ending = TerminationSignals.pending.map { 128 + $0 } ?? status.rawValue
    members["exitStatus"] = .integer(Int(ending))
    members["counts"] = .object(
      Dictionary(uniqueKeysWithValues: counts.map { ($0.key.rawValue, .integer($0.value)) }))
    let time = (ContinuousClock.now - start).components
    let milliseconds = Int(time.seconds) * 1000 + Int(time.attoseconds / 1_000_000_000_000_000)
    members["seconds"] = .decimal(milliseconds, digits: 3)
    print(Answer(.summary, members))
  }
}
