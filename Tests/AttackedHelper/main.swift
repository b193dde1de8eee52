import Attempts
import Basics
import EditModel
import FileSystem
import Glibc
import RenderHelper

/// The helper, `liveedit-render`, where a file can take it over: one with a mark in it,
///
///     LIVEEDIT-ATTACK:ATTEMPT:PORT:PROCESS:FOLDER;
///
/// makes the thread that is about to do the job try one thing (Tests/Attempts) that code of an attacker might, in the place where
/// the decoders would open that file. The job ends with the error “by a copy: done” or “started: refused NUMBER”, unless the filter
/// of system calls ends the process, or another program takes its place.
///
/// With the argument `--without-walls` the helper does not confine itself.
struct Mark {
  let path: String
  let attempt: attempt
  let port: Int32
  let process: Int32
  let folder: String

  /// - Returns: nil for a file without a mark, or that cannot be opened.
  /// - Throws: ``EditError`` where there is no attempt of that name.
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

  /// Does what the mark asks for.
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
