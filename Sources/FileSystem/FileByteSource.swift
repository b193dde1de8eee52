import EditModel
import Glibc
public import LivePhotoFormat

/// An open file as a source. The descriptor is closed when the value goes away.
public final class FileByteSource: ByteSource {
  private let descriptor: Int32
  /// The file's status when it was opened.
  public let status: FileStatus
  /// How many bytes there were when the file was opened.
  public let count: Int

  /// Opens a regular file for reading.
  ///
  /// - Parameter path: the file's path. A link is followed, except below liveedit's own folders.
  /// - Throws: ``SystemError`` of the call that failed, or ``MediaError`` when the path names no regular file.
  public convenience init(path: String) throws {
    let (folder, place) = try HeldFolder.leading(to: path)
    let followsLinks = !place.utf8.contains(0x2F)
    try self.init(
      descriptor: folder.inParent(of: place) { parent, name in
        // What is no file is not even opened: that would wake who waits at the other end of a pipe.
        try Self.check(FileStatus(name, in: parent, followingLinks: followsLinks))
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (followsLinks ? 0 : O_NOFOLLOW)
        return try calling { openat(parent, name, flags) }
      })
  }

  private static func check(_ status: FileStatus) throws {
    guard status.kind != .regular else { return }
    throw MediaError(
      status.kind == .folder ? "it is a folder" : "it is not a regular file",
      remedy: "name a photo or a movie")
  }

  /// Takes over an open file.
  ///
  /// - Throws: ``SystemError`` of the call that failed, or ``MediaError`` when it is no regular file.
  init(descriptor: Int32) throws {
    do {
      status = try FileStatus(descriptor: descriptor)
      try Self.check(status)
    } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    count = status.size
  }

  deinit {
    close(descriptor)
  }

  /// See ``ByteSource/read(at:count:)``.
  public func read(at offset: Int, count: Int) throws -> [UInt8] {
    guard offset >= 0, count >= 0, offset <= self.count, count <= self.count - offset else {
      throw MediaError("it ends before all of its parts do", remedy: "copy it again from the phone")
    }
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = 0
      guard let base = buffer.baseAddress else { return }
      while filled < count {
        let got = pread(descriptor, base + filled, count - filled, off_t(offset + filled))
        if got > 0 {
          filled += got
        } else if got == 0 {
          return
        } else if errno != EINTR {
          failure = errno
          return
        }
      }
    }
    guard failure == 0 else { throw SystemError(failure) }
    guard bytes.count == count else {
      throw MediaError("it became shorter while it was read", remedy: "try again when nothing writes to it")
    }
    return bytes
  }
}
