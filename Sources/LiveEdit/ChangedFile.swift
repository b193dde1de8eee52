import EditModel
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
  _ path: String, to target: String, _ body: (FileByteSource, FileByteSink) throws -> Void
) throws(EditError) {
  let sink: FileByteSink
  do { sink = try FileByteSink(path: target) } catch { throw EditError(writing: target, error) }
  do { try body(FileByteSource(path: path), sink) } catch { throw EditError(reading: path, error) }
  do { try sink.flush() } catch { throw EditError(writing: target, error) }
}

/// Copies a file to a name that nothing has.
func copyFile(_ path: String, to target: String) throws(EditError) {
  do { try File.copy(path, to: target) } catch { throw EditError(reading: path, error) }
}
