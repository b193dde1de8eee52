import Basics
import Confinement
package import EditModel
import FileSystem
import FoundationEssentials
import Glibc

/// The helper as a program: it reads a job, confines itself to it, does it, and ends.
package enum RenderHelper {
  /// The longest job: a look makes one as large as four megabytes.
  private static let longestJob = 8 << 20

  /// Runs the helper, or where the program's last argument is ``FileSystem/ForkServer/argument`` a server of copies of it. To be
  /// called by the first thread of a program that has no other.
  ///
  /// - Parameters:
  ///   - isConfined: false leaves the walls out. Tests alone do so, to see what they keep from happening.
  ///   - beforeWork: called behind the walls, on the thread that does the job, before it begins; what it throws ends the job. Tests
  ///     put there what a file might make a decoder do.
  package static func run(
    isConfined: Bool = true, beforeWork: @escaping @Sendable (HelperJob) throws -> Void = { _ in }
  ) -> Never {
    CrashSignals.leaveToSystem()
    // Ctrl-C in a terminal reaches this process too, but whoever started it decides: it ends the input.
    signal(SIGINT, SIG_IGN)
    // A reader that is gone, and a file that becomes larger than it may, show as an error of write.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)

    // The limits of what is read, where they are not the usual ones.
    if let limits = CommandLine.arguments.dropFirst().first.flatMap(ReadingLimit.values) {
      ReadingLimit.set(limits)
    }

    let filter = isConfined ? Confinement.filter() : nil
    // From here on each job has a process of its own.
    if CommandLine.arguments.last == ForkServer.argument { ForkServer.serve() }

    do {
      let messages = MessageWriter()
      // What needs no job is done while none is there.
      let begun = try isConfined ? Confinement.begin(with: filter) : ConfinementState()
      let line = try StandardInput.readLine(atMost: longestJob)
      guard let job = try? JSONText.decode(HelperJob.self, from: line) else {
        throw EditError(
          .renderer, "standard input does not contain a render job", remedy: "use liveedit to edit photos")
      }
      if let guarded = try? JSONText.decode(GuardedFolderList.self, from: line) { try guarded.enter() }
      let state = try isConfined ? job.confine(since: begun) : begun
      if CommandLine.arguments.contains(ConfinementState.requirement) { try state.checkIsComplete() }
      // This thread may not share a lock with another: see ForkServer.serve().
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
    // What 150 libraries would do at their end takes longer than a small job.
    _exit(0)
  }
}
