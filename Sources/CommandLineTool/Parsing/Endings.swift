import Basics

/// The meaning of a command's exit statuses.
struct Endings: Sendable {
  /// The exit statuses, each with a sentence that explains the status.
  var meanings: [(status: ExitStatus, meaning: Message)]

  /// The exit statuses of commands that change or create something.
  static let ofChanges = Endings(meanings: [
    (.done, "Something was changed or created, and nothing failed."),
    (.failed, "Something failed; standard error states what, why, and what was left unchanged."),
    (.nothingToDo, "There was nothing to do."), wrongUsage,
  ])
  /// The exit statuses of commands that change nothing or that always have something to do.
  static let ofAnswers = Endings(meanings: [
    (.done, "Nothing failed."), (.failed, "Something failed; standard error states what and why."),
    wrongUsage,
  ])

  /// The exit statuses of commands that run until a signal stops them.
  static let ofWatches = Endings(meanings: [
    (.failed, "The command could not start, or could not write its output."), wrongUsage,
  ])

  /// The exit statuses of servers.
  static let ofServers = Endings(meanings: [
    (.done, "The server was stopped."), (.failed, "The server could not start; standard error states why."),
    wrongUsage,
  ])

  /// Returns the exit statuses of commands that report whether a check succeeded.
  ///
  /// - Parameters:
  ///   - good: The meaning of status 0.
  ///   - bad: The meaning of status 1.
  ///   - nothing: The meaning of status 2; nil if status 2 does not occur.
  static func ofVerdicts(good: Message, bad: Message, nothing: Message? = nil) -> Endings {
    let rest = nothing.map { [(status: ExitStatus.nothingToDo, meaning: $0)] } ?? []
    return Endings(meanings: [(.done, good), (.failed, bad)] + rest + [wrongUsage])
  }

  private static let wrongUsage: (status: ExitStatus, meaning: Message) = (
    .usage, "The command line is invalid; nothing was done."
  )
}
