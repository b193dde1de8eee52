import Basics
import EditModel
import FileSystem
import FoundationEssentials
import RenderEngine

/// Replies to requests about edits of given files until standard input ends. Each request is one line of JSON. The
/// service writes only replies, so no output files have to be removed.
struct PreviewService {
  private let session: PreviewSession
  private let messages: MessageWriter

  /// The maximum length of a request in bytes. An edit that contains a look can be up to four megabytes long.
  private static let longestLine = 8 << 20

  /// - Parameters:
  ///   - job: The files.
  ///   - messages: The writer for the first line of each reply.
  init(_ job: PreviewJob, _ messages: MessageWriter) {
    (session, self.messages) = (PreviewSession(job), messages)
  }

  /// Replies to requests until standard input ends. The client waits for each reply before it sends the next request.
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
