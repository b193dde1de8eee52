import Glibc
public import LivePhotoFormat

/// A new file that bytes are written to, through a buffer. The descriptor is closed when the value goes
/// away.
public final class FileByteSink: ByteSink {
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  /// Bytes that are in the file already.
  private var flushed = 0

  private static let bufferSize = 1 << 18

  /// Creates a file that does not exist yet.
  ///
  /// The corresponding C function is `open` with `O_EXCL`.
  ///
  /// - Parameter path: the file's path.
  /// - Throws: ``SystemError``; EEXIST when the name is taken.
  public init(path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
    guard descriptor >= 0 else { throw SystemError(errno) }
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
  }

  /// See `ByteSink`.
  public func write(_ bytes: [UInt8]) throws {
    buffer += bytes
    if buffer.count >= Self.bufferSize { try flush() }
  }

  /// See `ByteSink`.
  public func overwrite(at offset: Int, _ bytes: [UInt8]) throws {
    try flush()
    try put(bytes, at: offset)
  }

  /// Writes what is still in the buffer.
  public func flush() throws {
    try put(buffer, at: flushed)
    flushed += buffer.count
    buffer.removeAll(keepingCapacity: true)
  }

  private func put(_ bytes: [UInt8], at offset: Int) throws {
    var done = 0
    while done < bytes.count {
      let written = bytes.withUnsafeBytes { all in
        pwrite(descriptor, all.baseAddress.map { $0 + done }, bytes.count - done, off_t(offset + done))
      }
      if written > 0 {
        done += written
      } else if written == 0 || errno != EINTR {
        throw SystemError(written == 0 ? EIO : errno)
      }
    }
  }
}
