import Basics
import Glibc

/// A new file that is written through a buffer. The descriptor is closed when this object is deinitialised.
package final class FileByteSink: ByteSink {
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  /// The number of bytes that are already in the file.
  private var flushed = 0

  private static let bufferSize = 1 << 18

  /// Creates a file that does not exist yet.
  ///
  /// The corresponding C function is `openat` with `O_EXCL`.
  ///
  /// - Parameter path: The path of the file; see ``HeldFolder/leading(to:)``.
  /// - Throws: ``SystemError`` (EEXIST if the name is in use), or ``Basics/EditError`` if a component of the path is
  ///   rejected.
  package convenience init(path: String) throws {
    let (folder, place) = try HeldFolder.leading(to: path)
    try self.init(place, in: folder)
  }

  /// Creates a file in a folder. The file must not exist yet.
  package init(_ place: String, in folder: HeldFolder) throws {
    descriptor = try folder.inParent(of: place) { try File.openNew($1, in: $0) }
  }

  /// Takes ownership of an open file.
  init(descriptor: Int32) { self.descriptor = descriptor }

  /// A path that leads to this descriptor, for libraries that open files by name.
  package var descriptorPath: String { "/proc/self/fd/\(descriptor)" }

  deinit {
    close(descriptor)
  }

  /// See `ByteSink`.
  package func write(_ bytes: [UInt8]) throws {
    buffer += bytes
    if buffer.count >= Self.bufferSize { try flush() }
  }

  /// See `ByteSink`.
  package func overwrite(at offset: Int, _ bytes: [UInt8]) throws {
    try flush()
    try put(bytes, at: offset)
  }

  /// Writes the remaining bytes in the buffer to the file.
  package func flush() throws {
    try put(buffer, at: flushed)
    flushed += buffer.count
    buffer.removeAll(keepingCapacity: true)
  }

  private func put(_ bytes: [UInt8], at offset: Int) throws {
    var done = 0
    while done < bytes.count {
      let written = try calling {
        bytes.withUnsafeBytes { all in
          pwrite(descriptor, all.baseAddress.map { $0 + done }, bytes.count - done, off_t(offset + done))
        }
      }
      guard written > 0 else { throw SystemError(EIO) }
      done += written
    }
  }
}
