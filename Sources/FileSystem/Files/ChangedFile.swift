package import Basics

/// Reads something of a file.
///
/// - Throws: ``EditError`` about the file.
package func readFile<Value>(
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
package func changeFile(
  _ path: String, to target: String, _ body: (FileByteSource, any ByteSink) throws -> Void
) throws(EditError) {
  let sink = try NewFile(target) { try FileByteSink(path: target) }
  try whileReading(path) { try body(FileByteSource(path: path), sink) }
  try sink.flush()
}

/// A new file, whose errors name it and not the file that is read meanwhile.
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

/// Copies what a renderer made in a folder of its own to a name that nothing has: it can write there alone, and over no
/// other file. Unlike ``copyFile(_:to:)`` it does not wait for the disk.
package func placeFile(_ made: String, at target: String) throws(EditError) {
  try changeFile(made, to: target) { source, sink in try source.copy(0..<source.count, to: sink) }
}

/// Copies an open file to a name that nothing has in a folder, and makes the copy durable. What was copied goes where that fails.
///
/// - Parameter path: the open file's path, for people.
/// - Throws: ``EditError`` about either file.
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

/// Copies a file to a name that nothing has, and makes the copy durable.
///
/// - Throws: ``EditError`` about either file.
package func copyFile(_ path: String, to target: String) throws(EditError) {
  let (folder, place) = try whileWriting(target) { try HeldFolder.leading(to: target) }
  try copyFile(whileReading(path) { try FileByteSource(path: path) }, at: path, to: place, in: folder)
}
