import Basics

/// The meaning of a command's exit statuses.
struct Endings: Sendable {
  /// The statuses with a sentence each.
  var meanings: [(status: ExitStatus, meaning: Message)]

  /// Those of a command that changes or makes something.
  static let ofChanges = Endings(meanings: [
    (.done, "Something was done, and nothing failed."),
    (.failed, "Something failed; standard error states what, why, and what was left unchanged."),
    (.nothingToDo, "There was nothing to do."), wrongUsage,
  ])
  /// Those of a command that changes nothing, or has always something to do.
  static let ofAnswers = Endings(meanings: [
    (.done, "Nothing failed."), (.failed, "Something failed; standard error states what and why."),
    wrongUsage,
  ])

  /// Those of a command that works until a signal stops it.
  static let ofWatches = Endings(meanings: [
    (.failed, "The command could not start, or could not write its output."), wrongUsage,
  ])

  /// Those of a server.
  static let ofServers = Endings(meanings: [
    (.done, "The server was stopped."), (.failed, "The server could not start; standard error states why."),
    wrongUsage,
  ])

  /// Those of a command that judges.
  ///
  /// - Parameters:
  ///   - good: when the status is 0.
  ///   - bad: when it is 1.
  ///   - nothing: when it is 2; nil when it never is.
  static func ofVerdicts(good: Message, bad: Message, nothing: Message? = nil) -> Endings {
    let rest = nothing.map { [(status: ExitStatus.nothingToDo, meaning: $0)] } ?? []
    return Endings(meanings: [(.done, good), (.failed, bad)] + rest + [wrongUsage])
  }

  private static let wrongUsage: (status: ExitStatus, meaning: Message) = (
    .usage, "The command line is invalid; nothing was done."
  )
}
