import Basics
import FileSystem
import LivePhotoFormat

/// Reads something of a file.
///
/// - Throws: ``EditError`` about the file.
func readFile<Value>(
  _ path: String, _ body: (FileByteSource) throws -> Value
) throws(EditError) -> Value {
  try whileReading(path) { try body(FileByteSource(path: path)) }
}

/// Writes a new file from another one.
///
/// - Parameters:
///   - target: the new file, a name that nothing has.
///   - body: writes the new file's bytes.
/// - Throws: ``EditError`` about either file.
func changeFile(
  _ path: String, to target: String, _ body: (FileByteSource, any ByteSink) throws -> Void
) throws(EditError) {
  let sink = try NewFile(target)
  try whileReading(path) { try body(FileByteSource(path: path), sink) }
  try sink.flush()
}

/// A new file, whose errors name it and not the file that is read meanwhile.
private final class NewFile: ByteSink {
  private let path: String
  private let sink: FileByteSink

  init(_ path: String) throws(EditError) {
    self.path = path
    sink = try whileWriting(path) { try FileByteSink(path: path) }
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

/// Copies what a renderer made in a folder of its own to a name that nothing has: it can write there alone, and over no
/// other file. Unlike ``copyFile(_:to:)`` it does not wait for the disk.
func placeFile(_ made: String, at target: String) throws(EditError) {
  try changeFile(made, to: target) { source, sink in try source.copy(0..<source.count, to: sink) }
}

/// Copies a file to a name that nothing has, and makes the copy durable.
///
/// - Throws: ``EditError`` about either file.
func copyFile(_ path: String, to target: String) throws(EditError) {
  try placeFile(path, at: target)
  try whileWriting(target) {
    let (folder, place) = try HeldFolder.leading(to: target)
    try folder.sync(place)
  }
}
