import Basics
import FileSystem
import LivePhotoFormat

/// Reads something of a file.
///
/// - Parameters:
///   - path: the file.
///   - body: reads it.
/// - Throws: ``EditError`` about the file.
func readFile<Value>(
  _ path: String, _ body: (FileByteSource) throws -> Value
) throws(EditError) -> Value {
  do { return try body(FileByteSource(path: path)) } catch { throw EditError(reading: path, error) }
}

/// Writes a new file from another one.
///
/// - Parameters:
///   - path: the file that is read.
///   - target: the new file, a name that nothing has.
///   - body: writes the new file's bytes.
/// - Throws: ``EditError`` about either file.
func changeFile(
  _ path: String, to target: String, _ body: (FileByteSource, any ByteSink) throws -> Void
) throws(EditError) {
  let sink = try NewFile(target)
  do { try body(FileByteSource(path: path), sink) } catch { throw EditError(reading: path, error) }
  try sink.flush()
}

/// A new file, whose errors name it and not the file that is read meanwhile.
private final class NewFile: ByteSink {
  private let path: String
  private let sink: FileByteSink

  init(_ path: String) throws(EditError) {
    self.path = path
    do { sink = try FileByteSink(path: path) } catch { throw EditError(writing: path, error) }
  }

  func write(_ bytes: [UInt8]) throws {
    do { try sink.write(bytes) } catch { throw EditError(writing: path, error) }
  }

  func overwrite(at offset: Int, _ bytes: [UInt8]) throws {
    do { try sink.overwrite(at: offset, bytes) } catch { throw EditError(writing: path, error) }
  }

  func flush() throws(EditError) {
    do { try sink.flush() } catch { throw EditError(writing: path, error) }
  }
}

/// Copies a file to a name that nothing has.
func copyFile(_ path: String, to target: String) throws(EditError) {
  do { try File.copy(path, to: target) } catch { throw EditError(reading: path, error) }
}
