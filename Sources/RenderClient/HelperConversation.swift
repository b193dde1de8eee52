import Basics
import EditModel
import FileSystem

/// An exchange with a helper: a request is sent and a reply is received. The exchange fails if the helper is silent for
/// too long.
struct HelperConversation {
  /// The helper process.
  let helper: ChildProcess
  /// The time for which the helper may be silent before the exchange fails.
  let timeout: Duration
  /// The file to which errors refer.
  let subject: String?

  private static let pollInterval: Int32 = 100

  /// Sends a request and receives the reply.
  ///
  /// - Parameters:
  ///   - bytes: The request.
  ///   - rounds: The number of 100 ms rounds that the helper may take to exit after a cancellation. A cancellation
  ///     closes the helper's input.
  ///   - stopped: The error to throw after a cancellation.
  ///   - isCancelled: Called every 100 ms.
  ///   - take: Processes the helper's output. The first argument contains all unprocessed output, from which `take`
  ///     removes the bytes that it has processed. The second argument is the number of bytes that were already passed
  ///     in an earlier call. `take` returns the reply once the reply is complete.
  /// - Returns: The reply, or nil if the helper's output ended before `take` returned a reply.
  func exchange<Answer>(
    _ bytes: [UInt8], roundsOfGrace rounds: Int = 0, stopped: EditError, isCancelled: () -> Bool,
    take: (inout [UInt8], Int) throws(EditError) -> Answer?
  ) throws(EditError) -> Answer? {
    var unsent = bytes[...]
    var received: [UInt8] = []
    var roundsLeft: Int?
    // Counts rounds instead of measuring time, because the helper's silence is meaningless while this process itself is
    // stopped.
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
          // If the helper has already exited, the end of its output will be detected too.
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

  /// The error for an unreadable reply.
  var nonsense: EditError { Self.nonsense(subject) }

  /// Returns the error for an unreadable reply about a file.
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
        ? "if the computer is just slow, raise the limit in LIVEEDIT_HELPER_TIMEOUT (in seconds)"
        : "if the computer is just slow, raise the limit in LIVEEDIT_HELPER_TIMEOUT (in seconds); if memory is low, raise the memory "
          + "limit (ulimit -v)")
  }
}
