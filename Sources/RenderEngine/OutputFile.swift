import Basics
import EditModel
import FileSystem
import LivePhotoFormat

/// A file that a half is rendered to. Trouble with it is told apart from trouble with the source.
final class OutputFile: ByteSink {
  /// A failure to write.
  struct Failure: Error {
    let cause: any Error
  }

  /// Takes the bytes; nil where they go nowhere.
  private let sink: FileByteSink?
  private let stop: StopSignal

  /// - Parameters:
  ///   - path: a name that nothing has; nil writes nothing.
  ///   - stop: asked before each piece that is written.
  init(_ path: String?, _ stop: StopSignal) throws {
    sink = try path.map { path in try Self.naming { try FileByteSink(path: path) } }
    self.stop = stop
  }

  func write(_ bytes: [UInt8]) throws {
    try stop.check()
    try Self.naming { try sink?.write(bytes) }
  }

  func overwrite(at offset: Int, _ bytes: [UInt8]) throws {
    try Self.naming { try sink?.overwrite(at: offset, bytes) }
  }

  /// Writes what is still in memory.
  func close() throws {
    try Self.naming { try sink?.flush() }
  }

  private static func naming<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch { throw Failure(cause: error) }
  }
}

/// Makes sure that nothing is there where files are to be made. What is there must not be taken for a failed render, and
/// removed.
///
/// - Throws: ``EditError`` (``EditError/Code/inTheWay``).
func checkFree(_ paths: [String]) throws(EditError) {
  for path in paths where try whileWriting(path, { try FileStatus.exists(path) }) {
    throw EditError(
      .inTheWay, file: path, "already exists and will not be overwritten", remedy: "choose another name")
  }
}

extension EditError {
  /// Puts what went wrong in a half into a sentence about its source or its output.
  init(rendering half: RenderJob.Half, _ error: any Error) {
    if let failure = error as? OutputFile.Failure {
      self.init(writing: half.output, failure.cause)
    } else {
      self.init(reading: half.source, error)
      // Frame processors and plans know no file.
      if code == .frameProcessor || code == .invalidEdit { file = file ?? half.source }
    }
  }
}
