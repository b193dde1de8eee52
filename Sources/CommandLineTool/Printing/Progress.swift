import Basics
import EditModel
import FileSystem
import FoundationEssentials
import Synchronization

/// The progress of a command on standard error: a bar on a terminal, occasional lines of text if there is no terminal,
/// or JSON for programs. For a single photo, the bar shows the progress of the photo's render. For several photos, the
/// bar shows how many photos are finished.
final class Progress: Sendable {
  /// The form in which progress is displayed.
  enum Form: String, CaseIterable, Sendable {
    /// A bar or lines of text.
    case text
    /// One JSON object per second.
    case json
    /// No progress is displayed.
    case none
  }

  private struct State {
    var total = 1
    var done = 0
    var failed = 0
    var start = ContinuousClock.now
    /// The photos that are being processed, in the order in which they were started.
    var working: [(index: Int, label: String, fraction: Double)] = []
    var percent = -1
    var isRunning = false
  }
  private let state = Mutex(State())
  private let form: Form
  /// The past participle that messages use, such as “edited”.
  private let verb: Message

  /// The maximum width of the bar in columns. The bar uses at most a third of the line.
  private static let width = 30
  /// The interval between two progress lines if there is no terminal. The unit is a fifth of a second.
  private static let roundsOfLines = 50
  private static let roundsOfJSON = 5
  private static let round: UInt32 = 200

  /// - Parameters:
  ///   - form: The form in which progress is displayed.
  ///   - verb: The past participle that describes what is done with the photos, such as “edited”.
  init(_ form: Form = .text, verb: Message = "done") {
    (self.form, self.verb) = (form, verb)
  }

  /// Begins work on several photos, and starts displaying progress.
  func begin(total: Int) {
    state.withLock { $0 = State(total: total, isRunning: true) }
    guard form == .json || form == .text && total > 1 else { return }
    // If no thread can be started, progress is not displayed, but the work continues.
    _ = try? WorkerThread { [self] in
      var rounds = 0
      while true {
        HostSystem.sleep(milliseconds: Self.round)
        rounds += 1
        guard state.withLock({ $0.isRunning }) else { return }
        switch form {
        case .json: if rounds % Self.roundsOfJSON == 0 { writeJSON() }
        case .text:
          if StandardStream.error.isTerminal {
            state.withLock { showLine($0) }
          } else if rounds % Self.roundsOfLines == 0 {
            StandardStream.error.write(line: state.withLock { "liveedit: " + Self.words($0, verb) })
          }
        case .none: return
        }
      }
    }
  }

  /// Records that work on a photo has begun.
  func begin(_ index: Int = 0, _ label: String) {
    state.withLock { state in
      state.working.append((index, label, 0))
      state.percent = -1
      if state.total > 1, form == .text { showLine(state) }
    }
  }

  /// Records the progress of a photo.
  func show(_ index: Int = 0, _ progress: RenderProgress) {
    state.withLock { state in
      guard let at = state.working.firstIndex(where: { $0.index == index }) else { return }
      state.working[at].fraction = max(0, min(1, progress.fraction))
      guard state.total == 1, form == .text else { return }
      let percent = Int(state.working[at].fraction * 100)
      guard percent > state.percent else { return }
      state.percent = percent
      showLine(state)
    }
  }

  /// Records that work on a photo has ended.
  func end(_ index: Int = 0, hasFailed: Bool = false) {
    state.withLock { state in
      state.working.removeAll { $0.index == index }
      state.done += 1
      if hasFailed { state.failed += 1 }
    }
    if state.withLock({ $0.total == 1 }) { StandardStream.clearStatus() }
  }

  /// Stops displaying progress.
  func finish() {
    let wasRunning = state.withLock { state in
      defer { state.isRunning = false }
      return state.isRunning
    }
    StandardStream.clearStatus()
    if wasRunning, form == .json { writeJSON() }
  }

  private func showLine(_ state: State) {
    guard state.isRunning || state.total == 1 else { return }
    StandardStream.error.show(status: { columns in
      let width = min(Self.width, columns / 3)
      let filled = Int(Self.fraction(state) * Double(width))
      let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
      guard state.total > 1 else {
        return "\(bar) \(max(0, state.percent)) % \(state.working.first?.label ?? "")"
      }
      let line = "\(bar) \(Self.words(state, ""))"
      guard let first = state.working.first?.label else { return line }
      // If the whole path does not fit, the file name is more useful than the beginning of the path.
      let whole = "\(line): \(first)"
      return TerminalText.width(whole) <= columns ? whole : "\(line): \(FilePath.split(first).name)"
    })
  }

  private static func fraction(_ state: State) -> Double {
    let whole = Double(state.done) + state.working.map(\.fraction).reduce(0, +)
    return min(1, whole / Double(max(1, state.total)))
  }

  private static func seconds(_ state: State) -> Double {
    let time = (ContinuousClock.now - state.start).components
    return Double(time.seconds) + Double(time.attoseconds) / 1e18
  }

  /// Returns the estimated remaining time in seconds; nil if the time cannot be estimated yet.
  private static func secondsLeft(_ state: State) -> Double? {
    let (fraction, seconds) = (fraction(state), seconds(state))
    return fraction > 0 && seconds >= 2 ? seconds / fraction * (1 - fraction) : nil
  }

  private static func words(_ state: State, _ verb: Message) -> String {
    let count: Message = "\(state.done) of \(state.total)"
    var words = (verb.isEmpty ? count : "\(count) \(verb)").spoken
    if state.failed > 0 { words += Message(", \(state.failed) failed").spoken }
    let seconds = seconds(state)
    if state.done > 0, seconds > 0 {
      let rate = Double(state.done) / seconds
      words +=
        rate >= 1
        ? ", \(TextNumber.short((rate * 10).rounded() / 10))/s"
        : ", \(TextNumber.short((rate * 60).rounded()))/min"
    }
    if let left = secondsLeft(state) { words += Message(", \(decimal: duration(left)) left").spoken }
    return words
  }

  /// Formats a duration, such as “35 s”, “12 min” or “3 h 20 min”.
  ///
  /// - Parameter digits: The number of decimal places for durations under ten seconds.
  static func duration(_ seconds: Double, digits: Int = 0) -> String {
    if digits == 1, seconds < 10 { return "\(TextNumber.short((seconds * 10).rounded() / 10)) s" }
    let whole = Int(min(max(0, seconds), 1e9).rounded())
    if whole < 100 { return "\(whole) s" }
    let minutes = (whole + 30) / 60
    return minutes < 100 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
  }

  private func writeJSON() {
    let state = state.withLock { $0 }
    func decimal(_ value: Double, _ digits: Int) -> JSONValue {
      var scale = 1.0
      for _ in 0..<digits { scale *= 10 }
      return .decimal(Int((min(value, 1e12) * scale).rounded()), digits: digits)
    }
    let seconds = Self.seconds(state)
    var members: [String: JSONValue] = [
      "done": .integer(state.done), "failed": .integer(state.failed), "total": .integer(state.total),
      "fraction": decimal(Self.fraction(state), 4), "seconds": decimal(seconds, 1),
      "working": .array(state.working.map { .string($0.label) }),
    ]
    if seconds > 0 { members["perSecond"] = decimal(Double(state.done) / seconds, 3) }
    if let left = Self.secondsLeft(state) { members["secondsLeft"] = decimal(left, 0) }
    StandardStream.error.write(json: JSONValue.object(members).canonicalText)
  }
}
