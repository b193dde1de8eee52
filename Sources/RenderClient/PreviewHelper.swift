import Basics
import EditModel
import FileSystem
import FoundationEssentials
import Synchronization

/// A helper that stays, and answers questions about edits of one asset's files. A file that kills it kills nothing else: the
/// next question starts another one.
///
/// It may be asked from any thread, which waits; questions are answered one after the other.
package final class PreviewHelper: Sendable {
  private let renderer: HelperRenderer
  private let job: PreviewJob
  /// The helper, once it was asked.
  private let process = Mutex<ChildProcess?>(nil)

  /// The longest answer that is believed: tables have less than 1 MB, areas of a movie less than 5, pictures less than 12.
  private static let longestAnswer = 16 << 20
  private static let longestLine = 1 << 16

  /// - Parameters:
  ///   - renderer: says where the helper is, and how long it may be silent.
  ///   - job: the files.
  package init(_ renderer: HelperRenderer, _ job: PreviewJob) {
    (self.renderer, self.job) = (renderer, job)
  }

  /// Asks the helper, which is started where there is none.
  ///
  /// - Parameters:
  ///   - question: the question.
  ///   - endsWork: whether the helper is ended where nobody wants the answer any more; else it answers what it has begun, and
  ///     keeps what it found out.
  ///   - isCancelled: asked now and then; true says that nobody wants the answer any more.
  /// - Returns: the answer: see `Documentation/HTTP.md`.
  /// - Throws: ``EditError`` when the files cannot be read, the edit cannot be made, or the helper cannot be run or dies.
  package func answer(
    _ question: PreviewQuestion, endsWork: Bool = true, isCancelled: @Sendable () -> Bool
  ) throws(EditError) -> [UInt8] {
    let line = try Self.line(question)
    let outcome = process.withLock { process -> Result<[UInt8], EditError> in
      // It may have waited for another one.
      if isCancelled() { return .failure(EditError.stopped(subject)) }
      let isCancelled = { @Sendable in endsWork && isCancelled() }
      // Something may have ended one that waited; one that was just begun is not tried twice.
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
      // What is wrong with a question or a file leaves the helper as it was.
      if error.code == .renderer || error.code == .cancelled {
        process?.end()
        process = nil
      }
      return .failure(error)
    }
  }

  /// Ends the helper; one that answers just now ends with whoever asked.
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

  /// A helper that has opened its ears.
  private func started(_ isCancelled: () -> Bool) throws(EditError) -> ChildProcess {
    let process: ChildProcess
    do { process = try WaitingHelper.start(renderer.executable.filePath) } catch {
      throw EditError(.renderer, file: subject, "liveedit-render cannot be run (\(error))")
    }
    _ = try exchange(Self.line(GuardedJob(.preview(job))), with: process, isCancelled)
    return process
  }

  /// Sends a line and receives what answers it.
  private func exchange(
    _ line: [UInt8], with process: ChildProcess, _ isCancelled: () -> Bool
  ) throws(EditError) -> [UInt8] {
    let conversation = HelperConversation(helper: process, timeout: renderer.timeout, subject: subject)
    // The number of bytes that follow the line of the answer; nil until it is read.
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

  /// The number of bytes that follow a message; nil where the answer is yet to come.
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
