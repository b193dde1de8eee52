package import Basics

/// Opens a file and reads a value from it.
///
/// - Throws: ``EditError`` if the file cannot be opened or read.
package func readFile<Value>(
  _ path: String, _ body: (FileByteSource) throws -> Value
) throws(EditError) -> Value {
  try whileReading(path) { try body(FileByteSource(path: path)) }
}

/// Writes a new file based on another file.
///
/// - Parameters:
///   - target: The path of the new file, which must not exist.
///   - body: A closure that writes the bytes of the new file.
/// - Throws: ``EditError`` if the other file cannot be read or the new file cannot be written.
package func changeFile(
  _ path: String, to target: String, _ body: (FileByteSource, any ByteSink) throws -> Void
) throws(EditError) {
  let sink = try NewFile(target) { try FileByteSink(path: target) }
  try whileReading(path) { try body(FileByteSource(path: path), sink) }
  try sink.flush()
}

/// A sink that writes a new file. The sink's errors name the new file, not the file that is being read.
private final class NewFile: ByteSink {
  private let path: String
  private let sink: FileByteSink

  init(_ path: String, _ sink: () throws -> FileByteSink) throws(EditError) {
    self.path = path
    self.sink = try whileWriting(path, sink)
  }

  func write(_ bytes: [UInt8]) throws {
    try whileWriting(path) { try sink.write(bytes) }
  }

  func overwrite(at offset: Int, _ bytes: [UInt8]) throws {
    try whileWriting(path) { try sink.overwrite(at: offset, bytes) }
  }

  func flush() throws(EditError) {
    try whileWriting(path) { try sink.flush() }
  }
}

/// Copies a renderer's output from the renderer's own folder to a path that must not exist. The renderer itself can
/// write only to its own folder, so the renderer cannot overwrite other files. Unlike ``copyFile(_:to:)``, this
/// function does not wait until the data is stored on disk.
package func placeFile(_ made: String, at target: String) throws(EditError) {
  try changeFile(made, to: target) { source, sink in try source.copy(0..<source.count, to: sink) }
}

/// Copies an open file to a new file in a folder, and makes the copy durable. If the copy fails, the partial file is
/// deleted.
///
/// - Parameter path: The path of the open file, for error messages.
/// - Throws: ``EditError`` if either file cannot be read or written.
package func copyFile(
  _ source: FileByteSource, at path: String, to place: String, in folder: HeldFolder
) throws(EditError) {
  let target = folder.path(place)
  let sink = try NewFile(target) { try FileByteSink(place, in: folder) }
  do {
    try whileReading(path) { try source.copy(0..<source.count, to: sink) }
    try sink.flush()
    try whileWriting(target) { try folder.sync(place) }
  } catch {
    _ = try? folder.remove(place)
    throw error
  }
}

/// Copies a file to a path that must not exist, and makes the copy durable.
///
/// - Throws: ``EditError`` if either file cannot be read or written.
package func copyFile(_ path: String, to target: String) throws(EditError) {
  let (folder, place) = try whileWriting(target) { try HeldFolder.leading(to: target) }
  try copyFile(whileReading(path) { try FileByteSource(path: path) }, at: path, to: place, in: folder)
}
