import Basics
import EditModel
import FileSystem

/// A conversation with a helper: sends it bytes and receives its answer, and gives up if the helper stays silent.
struct HelperConversation {
  /// The helper.
  let helper: ChildProcess
  /// How long the helper may be silent before the conversation fails.
  let timeout: Duration
  /// The file that errors are about.
  let subject: String?

  private static let pollInterval: Int32 = 100

  /// Sends bytes and receives the answer.
  ///
  /// - Parameters:
  ///   - bytes: the request.
  ///   - rounds: after a cancellation, how many rounds of 100 ms the helper gets to end by itself; its input is closed then.
  ///   - stopped: the error for a cancellation.
  ///   - isCancelled: asked every 100 ms.
  ///   - take: takes what was received so far out of its first parameter; the second is the number of bytes that it has seen
  ///     before. Returns the answer once it is complete.
  /// - Returns: the answer; nil if the helper's output ended before `take` returned one.
  func exchange<Answer>(
    _ bytes: [UInt8], roundsOfGrace rounds: Int = 0, stopped: EditError, isCancelled: () -> Bool,
    take: (inout [UInt8], Int) throws(EditError) -> Answer?
  ) throws(EditError) -> Answer? {
    var unsent = bytes[...]
    var received: [UInt8] = []
    var roundsLeft: Int?
    // Rounds are counted, not time: while this process itself is stopped, the helper's silence means nothing.
    let mostSilence = max(1, Int((timeout / .milliseconds(Int(Self.pollInterval))).rounded(.up)))
    var silence = 0
    while true {
      if roundsLeft == nil, isCancelled() {
        guard rounds > 0 else { throw stopped }
        helper.closeInput()
        roundsLeft = rounds
      }
      let output: ChildProcess.Output
      do {
        if roundsLeft == nil, !unsent.isEmpty {
          // If the helper has ended already, its output ends too.
          let count = try helper.send(unsent, waiting: Self.pollInterval) ?? unsent.count
          if count > 0 { silence = 0 }
          unsent = unsent.dropFirst(count)
          output = try unsent.isEmpty ? helper.receive(waiting: Self.pollInterval) : .nothing
        } else {
          output = try helper.receive(waiting: Self.pollInterval)
        }
      } catch {
        throw EditError(.renderer, file: subject, "liveedit-render stopped answering (\(error))")
      }
      switch output {
      case .nothing:
        silence += 1
        if let left = roundsLeft {
          if left == 0 { throw stopped }
          roundsLeft = left - 1
        } else if silence >= mostSilence {
          throw silenceError
        }
      case .end:
        guard roundsLeft == nil else { throw stopped }
        return nil
      case .bytes(let bytes):
        silence = 0
        let seen = received.count
        received += bytes
        if let answer = try take(&received, seen) { return answer }
      }
    }
  }

  /// The error for an answer that is not one.
  var nonsense: EditError { Self.nonsense(subject) }

  /// The error for an answer that is not one, about a file.
  static func nonsense(_ subject: String?) -> EditError {
    EditError(
      .renderer, file: subject, "liveedit-render sent an unreadable reply",
      remedy: "check that liveedit and liveedit-render are from the same build")
  }

  private var silenceError: EditError {
    let number = Double(timeout.components.seconds) + Double(timeout.components.attoseconds) / 1e18
    let seconds = number == number.rounded() ? "\(timeout.components.seconds)" : "\(number)"
    return EditError(
      .renderer, file: subject,
      "could not be processed: liveedit-render did not answer for \(seconds) s and was stopped",
      remedy: ChildProcess.memoryLimit == nil
        ? "if the machine is only slow, set LIVEEDIT_HELPER_TIMEOUT to more seconds"
        : "if the machine is only slow, set LIVEEDIT_HELPER_TIMEOUT to more seconds; if memory is low, raise the memory "
          + "limit (ulimit -v)")
  }
}
