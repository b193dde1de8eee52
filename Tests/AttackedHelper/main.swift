import Attempts
import Basics
import EditModel
import FileSystem
import Glibc
import RenderHelper

/// The helper `liveedit-render` in a form that a file can take over. If a file contains the mark
///
///     LIVEEDIT-ATTACK:ATTEMPT:PORT:PROCESS:FOLDER;
///
/// the thread that is about to do the job tries one action of an attacker's code (Tests/Attempts) at the point where
/// the decoders would open that file. The job ends with the error “by a copy: done” or “started: refused NUMBER”,
/// unless the system call filter ends the process or another program replaces it.
///
/// With the argument `--without-walls`, the helper does not confine itself.
struct Mark {
  let path: String
  let attempt: attempt
  let port: Int32
  let process: Int32
  let folder: String

  /// - Returns: nil if the file has no mark or cannot be opened.
  /// - Throws: ``EditError`` if no attempt has the given name.
  init?(in path: String) throws {
    guard let file = try? FileByteSource(path: path) else { return nil }
    let bytes = try file.read(at: 0, count: file.count)
    let start = attempts_mark(bytes, bytes.count)
    guard start >= 0 else { return nil }
    let text = String(decoding: bytes[start...].prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)
    let words = text.split(separator: ":", maxSplits: 3).map(String.init)
    guard words.count == 4, let attempt = attempts_named(words[0]), let port = Int32(words[1]),
      let process = Int32(words[2])
    else { throw EditError(.invalidFile, file: path, "has a mark that asks for nothing") }
    (self.path, self.attempt, self.port, self.process, folder) = (
      path, attempt.pointee, port, process, words[3]
    )
  }

  /// Performs the attempt that the mark names.
  func obey() -> EditError {
    attempts_begin(folder, path, port, process)
    let failure = attempt.attempt()
    let isCopy = CommandLine.arguments.last == ForkServer.argument
    return EditError(
      .renderer, file: path,
      "\(isCopy ? "by a copy" : "started"): \(failure == 0 ? "done" : "refused \(failure)")")
  }
}

RenderHelper.run(isConfined: !CommandLine.arguments.contains("--without-walls")) { job in
  for path in job.inputs {
    if let mark = try Mark(in: path) { throw mark.obey() }
  }
}
