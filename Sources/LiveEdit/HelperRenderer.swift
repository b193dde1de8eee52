import EditModel
import FileSystem
import FoundationEssentials

/// Renders in a process of its own, `liveedit-render`, so that a hostile file can kill nothing else and
/// this process loads no codec.
///
/// The job goes to the helper as one line of JSON, ``RenderMessage`` lines come back. The helper stops and
/// removes its outputs when its input ends, which also happens when this process dies.
public struct HelperRenderer: Renderer {
  /// The helper's path.
  public let path: String

  /// A line longer than this is no message.
  private static let longestLine = 1 << 20
  /// How long a helper that was told to stop may take, in rounds of ``pollInterval``.
  private static let roundsOfGrace = 30
  private static let pollInterval: Int32 = 100

  /// - Parameter path: the helper's path.
  public init(path: String) {
    self.path = path
  }

  /// The helper in the folder of the running program.
  ///
  /// - Throws: ``EditError`` when it is not there.
  public init() throws(EditError) {
    do {
      path = try ChildProcess.ownFolder() + "/liveedit-render"
      _ = try FileStatus(path: path)
    } catch {
      throw EditError(
        .renderer, "the program liveedit-render is not beside liveedit", remedy: "build or install both")
    }
  }

  /// See ``Renderer/render(_:progress:isCancelled:)``.
  public func render(
    _ job: RenderJob, progress: @escaping @Sendable (RenderProgress) -> Void,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) -> RenderResult {
    let subject = job.photo?.source ?? job.movie?.source
    let message = try run(.render(job), about: subject, progress: progress, isCancelled: isCancelled)
    guard case .result(let result) = message else { throw Self.nonsense(subject) }
    return result
  }

  /// Hands a job to the helper and waits for its last message.
  func run(
    _ job: HelperJob, about subject: String?, progress: @escaping @Sendable (RenderProgress) -> Void,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) -> RenderMessage {
    let helper: ChildProcess
    do {
      helper = try ChildProcess(executable: path)
      // A helper that has ended already is dealt with below.
      _ = try helper.send(Array(try JSONEncoder().encode(job)) + [UInt8(ascii: "\n")])
    } catch {
      throw EditError(.renderer, file: subject, "liveedit-render cannot be run (\(error))")
    }
    let answer = try answer(of: helper, about: subject, progress: progress, isCancelled: isCancelled)
    helper.closeInput()
    if case .end = answer.state { return try finish(helper, answer, job, about: subject) }
    helper.kill()
    _ = helper.wait()
    throw answer.state == .cancelled
      ? EditError(.cancelled, file: subject, "was not edited: stopped on request")
      : Self.nonsense(subject)
  }

  static func nonsense(_ subject: String?) -> EditError {
    EditError(
      .renderer, file: subject, "liveedit-render answered nonsense",
      remedy: "check that liveedit and liveedit-render are of one build")
  }

  private struct Answer {
    enum State {
      case end
      case cancelled
      case nonsense
    }
    var state: State
    var last: RenderMessage?
  }

  /// Reads the helper's messages until its output ends.
  private func answer(
    of helper: ChildProcess, about subject: String?, progress: @Sendable (RenderProgress) -> Void,
    isCancelled: @Sendable () -> Bool
  ) throws(EditError) -> Answer {
    var rest: [UInt8] = []
    var last: RenderMessage?
    var roundsLeft: Int?
    while true {
      if roundsLeft == nil, isCancelled() {
        helper.closeInput()
        roundsLeft = Self.roundsOfGrace
      }
      let output: ChildProcess.Output
      do {
        output = try helper.receive(waiting: Self.pollInterval)
      } catch {
        throw EditError(.renderer, file: subject, "liveedit-render cannot be heard (\(error))")
      }
      switch output {
      case .nothing:
        guard let left = roundsLeft else { continue }
        if left == 0 { return Answer(state: .cancelled) }
        roundsLeft = left - 1
      case .end:
        return Answer(state: roundsLeft == nil ? .end : .cancelled, last: last)
      case .bytes(let bytes):
        rest += bytes
        while let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
          let line = Data(rest[..<newline])
          rest.removeFirst(newline + 1)
          guard let message = try? JSONDecoder().decode(RenderMessage.self, from: line) else {
            return Answer(state: .nonsense)
          }
          if case .progress(let value) = message { progress(value) } else { last = message }
        }
        if rest.count > Self.longestLine { return Answer(state: .nonsense) }
      }
    }
  }

  private func finish(
    _ helper: ChildProcess, _ answer: Answer, _ job: HelperJob, about subject: String?
  ) throws(EditError) -> RenderMessage {
    let end = helper.wait()
    // A helper that dies does not say over which half.
    let both = if case .render(let job) = job { job.photo != nil && job.movie != nil } else { false }
    let failure = (both ? "and its movie " : "") + "could not be rendered: liveedit-render"
    switch (answer.last, end) {
    case (.error(let error), _): throw error
    case (let message?, .exited(0)): return message
    case (_, .signalled(let signal)):
      throw EditError(
        .renderer, file: subject, "\(failure) was ended by signal \(signal)",
        remedy: "if this happens again, a file may be broken")
    default:
      throw EditError(
        .renderer, file: subject, "\(failure) ended without a result",
        remedy: "check that liveedit and liveedit-render are of one build")
    }
  }
}
