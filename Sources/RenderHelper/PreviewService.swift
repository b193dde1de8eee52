import Basics
import EditModel
import FileSystem
import FoundationEssentials
import RenderEngine

/// Answers questions about edits of some files, one line of JSON after the other, until standard input ends. Nothing
/// is written but answers, so there is nothing to remove.
struct PreviewService {
  private let session: PreviewSession
  private let messages: MessageWriter

  /// The longest question: a look makes an edit as large as four megabytes.
  private static let longestLine = 8 << 20

  /// - Parameters:
  ///   - job: the files.
  ///   - messages: where answers begin.
  init(_ job: PreviewJob, _ messages: MessageWriter) {
    (session, self.messages) = (PreviewSession(job), messages)
  }

  /// Answers until there are no more questions. Whoever asks waits for each answer before the next question.
  func run() throws {
    _ = InputWatch()
    messages.send(.working)
    while true {
      let line = try StandardInput.readLine(atMost: Self.longestLine)
      if line.isEmpty { return }
      do {
        guard let question = try? JSONText.decode(PreviewQuestion.self, from: line) else {
          throw EditError(.renderer, "standard input does not contain a preview request")
        }
        let bytes = try session.answer(question)
        messages.send(.bytes(bytes.count))
        StandardStream.output.write(bytes: bytes)
      } catch let error as EditError {
        messages.send(.error(error))
      }
    }
  }
}
