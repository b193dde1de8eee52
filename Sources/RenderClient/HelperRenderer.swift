public import Basics
import EditLibrary
import EditModel
import FileSystem
public import FoundationEssentials

/// Renders in a separate process, `liveedit-render`, so that a malicious file cannot crash the calling process. The
/// calling process itself loads no codecs.
///
/// The job is sent to the helper as one line of JSON, and the helper sends `RenderMessage` lines back. If the helper's
/// input ends, for example because the calling process exits, the helper stops and removes its outputs.
public struct HelperRenderer: Renderer {
  /// The URL of the helper.
  public var executable: URL { URL(file: path) }
  /// The path of the helper.
  private let path: String
  /// The time for which the helper may be silent before it is terminated. The helper sends a message whenever it
  /// completes a step of its work: a frame, a tile, or a part of a file.
  public let timeout: Duration

  /// The helper for the next job.
  let waiting = WaitingHelper()

  /// The maximum length of a message in bytes. The pictures in the contact sheet of a single asset take up to 5 MB.
  private static let longestLine = 8 << 20
  /// The time that the helper may take to stop after a cancellation, in rounds of 100 ms.
  private static let roundsOfGrace = 5

  /// The timeout from the environment variable `LIVEEDIT_HELPER_TIMEOUT`, which is in seconds. The default is one
  /// minute.
  public static var standardTimeout: Duration {
    let seconds = ProcessInfo.processInfo.environment["LIVEEDIT_HELPER_TIMEOUT"].flatMap { Double($0) }
    return .seconds(seconds.flatMap { 0.1...1e6 ~= $0 ? $0 : nil } ?? 60)
  }

  /// - Parameters:
  ///   - executable: The URL of the helper.
  ///   - timeout: The time for which the helper may be silent before it is terminated.
  public init(executable: URL, timeout: Duration = standardTimeout) {
    self.init(path: executable.filePath, timeout: timeout)
  }

  /// Creates a renderer for the helper at a path.
  package init(path: String, timeout: Duration = standardTimeout) {
    self.path = path
    self.timeout = timeout
  }

  /// Creates a renderer for the helper in the folder of the running program.
  ///
  /// - Throws: ``Basics/EditError`` if the helper is missing.
  public init() throws(EditError) {
    do {
      self.init(path: try ChildProcess.ownFolder() + "/liveedit-render")
      _ = try FileStatus(path: path)
    } catch {
      throw EditError(
        .renderer, "liveedit-render is not in the same folder as liveedit",
        remedy: "build or install both programs")
    }
  }

  /// Sends a job to the helper and waits for its result.
  ///
  /// - Parameter result: Returns the result that the last message contains, or nil if the message belongs to another
  ///   kind of job.
  func run<Result>(
    _ job: HelperJob, about subject: String?,
    progress: @escaping @Sendable (RenderProgress) -> Void = { _ in },
    isCancelled: @escaping @Sendable () -> Bool, result: (RenderMessage) -> Result?
  ) throws(EditError) -> Result {
    // The files that the helper creates are renamed after the helper has finished.
    var folders: [RenderFolder] = []
    defer { for folder in folders { folder.discard() } }
    for output in job.outputs { folders.append(try RenderFolder(for: output)) }
    do throws(EditError) {
      let paths = Dictionary(folders.map { ($0.target, $0.path) }) { first, _ in first }
      let told = try told(job.writing(to: paths), about: subject, progress, isCancelled)
      guard let result = told.last.flatMap(result) else { throw HelperConversation.nonsense(subject) }
      try RenderFolder.publish(folders)
      return result
    } catch {
      var error = error
      if let folder = folders.first(where: { $0.path == error.file }) { error.file = folder.target }
      throw error
    }
  }

  /// The messages with which the helper ended a job.
  struct Told {
    /// The last message, which states the outcome, or nil if the helper sent no message.
    var last: RenderMessage?
    /// The restrictions in force in the helper, or nil if the helper did not report them.
    var confinement: ConfinementState?
  }

  /// Sends a job to the helper, waits for its end, and throws an error if the job failed.
  func told(
    _ job: HelperJob, about subject: String?, _ progress: @escaping @Sendable (RenderProgress) -> Void,
    _ isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) -> Told {
    let helper: ChildProcess
    let line: [UInt8]
    do {
      line = Array(try JSONEncoder().encode(GuardedJob(job))) + [UInt8(ascii: "\n")]
      helper = try waiting.take(path)
    } catch {
      throw EditError(.renderer, file: subject, "liveedit-render cannot be run (\(error))")
    }
    // Whether the helper has reported an error and will therefore exit by itself.
    var hasFailed = false
    do throws(EditError) {
      let told = try answer(
        of: helper, to: line, about: subject, progress: progress, isCancelled: isCancelled)
      if case .error(let error)? = told.last {
        hasFailed = true
        throw error
      }
      helper.closeInput()
      return try finish(helper, told, job, about: subject)
    } catch {
      helper.closeInput()
      let end = helper.wait(milliseconds: hasFailed ? Self.endGrace : 0)
      helper.end()
      // A malicious file may have caused any other behaviour.
      if error.code != .cancelled, !hasFailed || end != .exited(1) { waiting.beginAnew() }
      throw error
    }
  }

  /// Sends the job to the helper and reads its messages until the helper's output ends.
  ///
  /// - Returns: The last message, which states the outcome, and the restrictions that the helper reported earlier.
  private func answer(
    of helper: ChildProcess, to job: [UInt8], about subject: String?,
    progress: @Sendable (RenderProgress) -> Void, isCancelled: @Sendable () -> Bool
  ) throws(EditError) -> Told {
    let conversation = HelperConversation(helper: helper, timeout: timeout, subject: subject)
    var told = Told()
    _ = try conversation.exchange(
      job, roundsOfGrace: Self.roundsOfGrace,
      stopped: EditError(.cancelled, file: subject, "was left unchanged: the operation was cancelled"),
      isCancelled: isCancelled
    ) { received, seen throws(EditError) -> Never? in
      // The bytes from earlier calls contain no line feed.
      var searched = seen
      while let newline = received[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        let line = Data(received[..<newline])
        received.removeFirst(newline + 1)
        searched = 0
        guard let message = try? JSONText.decode(RenderMessage.self, from: line) else {
          throw conversation.nonsense
        }
        switch message {
        case .progress(let value): progress(value)
        case .working: break
        case .confined(let state):
          told.confinement = state
          Self.note(state)
        default: told.last = message
        }
      }
      if received.count > Self.longestLine { throw conversation.nonsense }
      return nil
    }
    return told
  }

  /// The time in milliseconds that a helper may take to exit after it has closed its output.
  private static let endGrace = 1000

  private func finish(
    _ helper: ChildProcess, _ told: Told, _ job: HelperJob, about subject: String?
  ) throws(EditError) -> Told {
    let end = helper.wait(milliseconds: Self.endGrace)
    // If the helper crashes, it cannot report which half of the Live Photo caused the crash.
    let both = if case .render(let job) = job { job.photo != nil && job.movie != nil } else { false }
    let failure: Message = both ? "the photo and its movie could not be rendered" : "could not be rendered"
    switch (told.last, end) {
    case (.some, .exited(0)): return told
    case (_, .signalled(let signal)):
      throw Self.ended(by: signal, told.confinement?.limits, failure, subject)
    default:
      throw EditError(
        .renderer, file: subject, "\(failure): liveedit-render exited without a result",
        remedy: "check that liveedit and liveedit-render are from the same build")
    }
  }

  /// Returns the error for a helper that was killed by a signal. The cause may be a file that crashed a codec, or a
  /// lack of memory.
  private static func ended(
    by signal: Int32, _ limits: WorkLimits?, _ failure: Message, _ subject: String?
  ) -> EditError {
    let problem: Message = "\(failure): liveedit-render was terminated by signal \(signal)"
    if signal == ChildProcess.killSignal {
      return EditError(
        .renderer, file: subject, "\(problem); the system probably ran out of memory",
        remedy: "close other programs or raise the memory limit, and try again")
    }
    if signal == ChildProcess.forbiddenCallSignal {
      return EditError(
        .renderer, file: subject,
        "\(failure): liveedit-render was stopped because it made a forbidden system call",
        remedy: "the file may be malicious: do not open it in other programs")
    }
    if signal == ChildProcess.timeSignal {
      let seconds = (limits ?? .ofHeaders).seconds
      return EditError(
        .renderer, file: subject,
        "\(failure): liveedit-render used more than \(seconds) s of processor time and was stopped",
        remedy: "use a shorter or smaller file")
    }
    if let limit = ChildProcess.memoryLimit {
      return EditError(
        .renderer, file: subject, "\(problem); the memory limit for each program is \(limit >> 20) MB",
        remedy:
          "raise the limit (ulimit -v) and try again; if this happens without a limit, a file may be damaged")
    }
    if let limits {
      return EditError(
        .renderer, file: subject,
        "\(problem); its memory limit for this job is \(limits.memory >> 20) MB",
        remedy: "if this happens again, a file may be damaged")
    }
    return EditError(
      .renderer, file: subject, problem, remedy: "if this happens again, a file may be damaged")
  }
}
