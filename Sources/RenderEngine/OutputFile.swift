import Basics
import EditModel
import FileSystem
import LivePhotoFormat

/// The output file of one rendered half, with write errors that can be distinguished from errors about the source.
final class OutputFile: ByteSink {
  /// A write error.
  struct Failure: Error {
    let cause: any Error
  }

  /// The destination of the bytes, or nil if the bytes are discarded.
  private let sink: FileByteSink?
  private let stop: StopSignal

  /// - Parameters:
  ///   - path: The path of the new file, or nil to discard the bytes. Nothing may exist at this path.
  ///   - stop: The signal that is checked before each piece of data is written.
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

  /// Writes the remaining buffered data.
  func close() throws {
    try Self.naming { try sink?.flush() }
  }

  private static func naming<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch { throw Failure(cause: error) }
  }
}

/// Checks that nothing exists at the paths of new files. Without this check, an existing file could be mistaken for a
/// failed render and removed.
///
/// - Throws: ``EditError`` (``EditError/Code/inTheWay``).
func checkFree(_ paths: [String]) throws(EditError) {
  for path in paths where try whileWriting(path, { try FileStatus.exists(path) }) {
    throw EditError(
      .inTheWay, file: path, "already exists and will not be overwritten", remedy: "choose another name")
  }
}

extension EditError {
  /// Creates an error about a half's source or output from an error that occurred during rendering.
  init(rendering half: RenderJob.Half, _ error: any Error) {
    if let failure = error as? OutputFile.Failure {
      self.init(writing: half.output, failure.cause)
    } else {
      self.init(reading: half.source, error)
      // Errors of frame processors and errors about plans do not name a file.
      if code == .frameProcessor || code == .invalidEdit { file = file ?? half.source }
    }
  }
}
