import Basics
import EditModel
import FileSystem
import Workflows

/// The result of a command so far, and the form in which the result is printed.
struct Tally {
  /// The name of the command; nil if the command line names no command.
  var command: String?
  /// Whether JSON is printed.
  let isJSON: Bool
  /// Whether anything was changed.
  var didEdit = false
  /// Whether anything failed.
  private(set) var didFail = false
  /// The members of the last object in the `--json` output.
  var summary: [String: JSONValue] = [:]
  /// The number of results for each status.
  private var counts: [Answer.Status: Int] = [:]
  private let start = ContinuousClock.now
  /// The errors about folders' catalogues that have already been reported.
  private var said: Set<EditError> = []

  /// - Parameters:
  ///   - command: The name of the command; nil if the command line names no command.
  ///   - isJSON: Whether JSON is printed.
  init(_ command: String?, isJSON: Bool) {
    (self.command, self.isJSON) = (command, isJSON)
  }

  /// The exit status of a command that changes something.
  var status: ExitStatus { didFail ? .failed : didEdit ? .done : .nothingToDo }

  /// The exit status of a command that changes nothing.
  var readStatus: ExitStatus { didFail ? .failed : .done }

  /// Prints a result, either as a JSON object or as lines of text.
  mutating func print(_ answer: @autoclosure () -> Answer, _ lines: @autoclosure () -> [Message]) {
    if isJSON { print(answer()) } else { StandardStream.output.write(lines: lines().map(\.spoken)) }
  }

  /// Prints a result as a JSON object, if JSON is requested.
  mutating func print(_ answer: Answer) {
    guard isJSON else { return }
    counts[answer.status, default: 0] += 1
    var answer = answer
    answer.command = command
    StandardStream.output.write(json: answer.line)
  }

  /// Prints an error: a sentence to standard error, and a JSON object if JSON is requested. A damaged catalogue is
  /// reported only once, even if the damage prevents changes to several assets.
  ///
  /// - Parameters:
  ///   - file: The argument that caused the error; nil if no specific argument caused the error.
  ///   - originals: The asset's originals, if they are known.
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

  /// Prints an error in the command line.
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

  /// The reason why an asset was left unchanged although the asset itself caused no error.
  enum Hindrance: String {
    /// Another asset in the folder failed. Either all or none of the folder's assets are changed.
    case failure
    /// The command was stopped.
    case stop
  }

  /// If JSON is requested, prints the object for an asset that was left unchanged.
  mutating func leave(_ file: String, _ originals: Answer.Originals?, because hindrance: Hindrance) {
    print(Answer(.untouched, file: file, originals: originals, ["because": .string(hindrance.rawValue)]))
  }

  /// If JSON is requested, prints the last object.
  mutating func finish(_ status: ExitStatus) {
    var members = summary
    // Shells report 128 plus the number of the signal that ended the program.
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
