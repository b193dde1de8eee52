import Basics
import EditModel
import FileSystem
import FoundationEssentials
import Glibc
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
    EndWatch.begin()
    messages.send(.working)
    while true {
      let line = try StandardInput.readLine(atMost: Self.longestLine)
      if line.isEmpty { return }
      do {
        guard let question = try? JSONText.decode(PreviewQuestion.self, from: line) else {
          throw EditError(.renderer, "standard input holds no question about an edit")
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

/// Ends the process when whoever asks has gone while it works: a codec that hangs asks nobody.
private enum EndWatch {
  /// Microseconds that the work may take to end of itself.
  private static let grace: UInt32 = 2_000_000

  static func begin() {
    _ = try? WorkerThread {
      // Without events that are asked for, poll tells of the end alone.
      var input = pollfd(fd: STDIN_FILENO, events: 0, revents: 0)
      while poll(&input, 1, -1) < 0, errno == EINTR {}
      usleep(grace)
      _exit(1)
    }
  }
}
