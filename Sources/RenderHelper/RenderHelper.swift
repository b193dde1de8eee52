import Basics
import Confinement
package import EditModel
import FileSystem
import FoundationEssentials
import Glibc

/// The helper program. It reads a job, confines itself to this job, runs the job, and exits.
package enum RenderHelper {
  /// The maximum length of a job in bytes. A job that contains a look can be up to four megabytes long.
  private static let longestJob = 8 << 20

  /// Runs the helper. If the program's last argument is ``FileSystem/ForkServer/argument``, runs a server that creates
  /// helpers by forking. Call this method on the main thread, while the program has no other thread.
  ///
  /// - Parameters:
  ///   - isConfined: Whether to confine the process. Only tests pass false, to find out which actions confinement
  ///     prevents.
  ///   - beforeWork: Called after confinement, on the thread that runs the job, before the job begins. An error that
  ///     the closure throws ends the job. Tests use the closure to imitate what a malicious file might make a decoder
  ///     do.
  package static func run(
    isConfined: Bool = true, beforeWork: @escaping @Sendable (HelperJob) throws -> Void = { _ in }
  ) -> Never {
    CrashSignals.leaveToSystem()
    // Ctrl-C in a terminal also reaches this process, but only the client decides when to stop, by closing the input.
    signal(SIGINT, SIG_IGN)
    // Writing to a closed pipe, or beyond the file size limit, then fails with an error instead of a signal.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)

    // The reading limits are passed as an argument if they differ from the defaults.
    if let limits = CommandLine.arguments.dropFirst().first.flatMap(ReadingLimit.values) {
      ReadingLimit.set(limits)
    }

    let filter = isConfined ? Confinement.filter() : nil
    // From here on, each job runs in its own process.
    if CommandLine.arguments.last == ForkServer.argument { ForkServer.serve() }

    do {
      let messages = MessageWriter()
      // Steps that do not depend on the job are completed before the job arrives.
      let begun = try isConfined ? Confinement.begin(with: filter) : ConfinementState()
      let line = try StandardInput.readLine(atMost: longestJob)
      guard let job = try? JSONText.decode(HelperJob.self, from: line) else {
        throw EditError(
          .renderer, "standard input does not contain a render job", remedy: "use liveedit to edit photos")
      }
      if let guarded = try? JSONText.decode(GuardedFolderList.self, from: line) { try guarded.enter() }
      let state = try isConfined ? job.confine(since: begun) : begun
      if CommandLine.arguments.contains(ConfinementState.requirement) { try state.checkIsComplete() }
      // This thread must not share a lock with another thread; see ForkServer.serve().
      try WorkerThread {
        do {
          try beforeWork(job)
          try answer(job, messages, confined: state)
        } catch {
          messages.end(with: error)
        }
      }.join()
    } catch {
      MessageWriter().end(with: error)
    }
    // Running the exit handlers of 150 libraries would take longer than a small job.
    _exit(0)
  }
}
