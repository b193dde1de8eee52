import Basics
import EditModel
import FileSystem
import FoundationEssentials
import Synchronization

/// A long-running helper that replies to requests about edits of a single asset's files. If a file crashes the helper,
/// nothing else is affected, and the next request starts a new helper.
///
/// Any thread may send a request. The thread is blocked until the reply arrives. Requests are processed one after
/// another.
package final class PreviewHelper: Sendable {
  private let renderer: HelperRenderer
  private let job: PreviewJob
  /// The helper process, or nil before the first request.
  private let process = Mutex<ChildProcess?>(nil)

  /// The maximum size of an accepted reply in bytes. Tables are smaller than 1 MB, the areas of a movie smaller than 5
  /// MB, and pictures smaller than 12 MB.
  private static let longestAnswer = 16 << 20
  private static let longestLine = 1 << 16

  /// - Parameters:
  ///   - renderer: The renderer that provides the helper's path and timeout.
  ///   - job: The files.
  package init(_ renderer: HelperRenderer, _ job: PreviewJob) {
    (self.renderer, self.job) = (renderer, job)
  }

  /// Sends a request to the helper, which is started if necessary.
  ///
  /// - Parameters:
  ///   - question: The request.
  ///   - endsWork: Whether a cancellation terminates the helper. If false, the helper finishes the current request and
  ///     keeps its intermediate results.
  ///   - isCancelled: Called from time to time. The result true means that the reply is no longer wanted.
  /// - Returns: The reply; see `Documentation/HTTP.md`.
  /// - Throws: ``EditError`` if the files cannot be read, if the edit cannot be applied, or if the helper cannot be run
  ///   or crashes.
  package func answer(
    _ question: PreviewQuestion, endsWork: Bool = true, isCancelled: @Sendable () -> Bool
  ) throws(EditError) -> [UInt8] {
    let line = try Self.line(question)
    let outcome = process.withLock { process -> Result<[UInt8], EditError> in
      // This request may have been cancelled while it was waiting for another request.
      if isCancelled() { return .failure(EditError.stopped(subject)) }
      let isCancelled = { @Sendable in endsWork && isCancelled() }
      // An idle helper may have been terminated in the meantime, so the request is repeated once. If the helper was
      // new, the request is not repeated.
      let isFresh = process == nil
      let first = attempt(line, &process, isCancelled)
      guard !isFresh, case .failure(let error) = first, error.code == .renderer else { return first }
      return attempt(line, &process, isCancelled)
    }
    return try outcome.get()
  }

  private func attempt(
    _ line: [UInt8], _ process: inout ChildProcess?, _ isCancelled: () -> Bool
  ) -> Result<[UInt8], EditError> {
    do throws(EditError) {
      let asked: ChildProcess
      if let running = process { asked = running } else { asked = try started(isCancelled) }
      process = asked
      return .success(try exchange(line, with: asked, isCancelled))
    } catch {
      // Other errors, in the request or in a file, do not affect the helper.
      if error.code == .renderer || error.code == .cancelled {
        process?.end()
        process = nil
      }
      return .failure(error)
    }
  }

  /// Terminates the helper. If a request is in progress, the helper is terminated after this request.
  package func end() {
    _ = process.withLockIfAvailable { process in
      process?.end()
      process = nil
    }
  }

  private var subject: String? { job.photo ?? job.movie }

  private static func line(_ value: some Encodable) throws(EditError) -> [UInt8] {
    do { return Array(try JSONEncoder().encode(value)) + [UInt8(ascii: "\n")] } catch {
      throw EditError(.renderer, "the preview request cannot be written (\(error))")
    }
  }

  /// Starts a helper and waits until it is ready to receive requests.
  private func started(_ isCancelled: () -> Bool) throws(EditError) -> ChildProcess {
    let process: ChildProcess
    do { process = try WaitingHelper.start(renderer.executable.filePath) } catch {
      throw EditError(.renderer, file: subject, "liveedit-render cannot be run (\(error))")
    }
    _ = try exchange(Self.line(GuardedJob(.preview(job))), with: process, isCancelled)
    return process
  }

  /// Sends a line and receives the reply.
  private func exchange(
    _ line: [UInt8], with process: ChildProcess, _ isCancelled: () -> Bool
  ) throws(EditError) -> [UInt8] {
    let conversation = HelperConversation(helper: process, timeout: renderer.timeout, subject: subject)
    // The number of bytes that follow the first line of the reply, or nil until this line has been read.
    var wanted: Int?
    let answer = try conversation.exchange(
      line, stopped: EditError(.cancelled, file: subject, "was not previewed: the operation was cancelled"),
      isCancelled: isCancelled
    ) { received, _ throws(EditError) -> [UInt8]? in
      while wanted == nil, let end = received.firstIndex(of: UInt8(ascii: "\n")) {
        wanted = try size(in: Data(received[..<end]), conversation)
        received.removeFirst(end + 1)
      }
      guard received.count <= wanted ?? Self.longestLine else { throw conversation.nonsense }
      return received.count == wanted ? received : nil
    }
    guard let answer else {
      throw EditError(
        .renderer, file: subject, "could not be previewed: liveedit-render exited unexpectedly",
        remedy: "if this happens again, a file may be damaged")
    }
    return answer
  }

  /// Returns the number of bytes that follow a message, or nil if the message does not begin the reply.
  private func size(in line: Data, _ conversation: HelperConversation) throws(EditError) -> Int? {
    switch try? JSONText.decode(RenderMessage.self, from: line) {
    case .confined(let state):
      HelperRenderer.note(state)
      return nil
    case .working: return 0
    case .bytes(let count) where 0...Self.longestAnswer ~= count: return count
    case .error(let error): throw error
    default: throw conversation.nonsense
    }
  }
}
