internal import CLinux
import EditModel
import Glibc
public import LivePhotoFormat

/// An open file as a source. The descriptor is closed when the value goes away.
public final class FileByteSource: ByteSource {
  private let descriptor: Int32
  /// How many bytes there were when the file was opened.
  public let count: Int

  /// Opens a regular file for reading. What is no regular file is never opened: that alone can wake a program that
  /// waits at the other end of a pipe, or set a device going.
  ///
  /// The corresponding C functions are `open` with `O_PATH`, which finds a file without opening it, `fstat`, and `open`
  /// of the file that was found.
  ///
  /// - Parameter path: the file's path.
  /// - Throws: ``SystemError`` of the call that failed, or ``MediaError`` when the path names no regular file.
  public init(path: String) throws {
    let place = try calling { open(path, liveedit_open_path | O_CLOEXEC) }
    defer { close(place) }
    var status = stat()
    _ = try calling { fstat(place, &status) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw MediaError(
        status.st_mode & S_IFMT == S_IFDIR ? "it is a folder" : "it is not a regular file",
        remedy: "name a photo or a movie")
    }
    descriptor = try calling { open(Self.path(of: place), O_RDONLY | O_CLOEXEC) }
    count = Int(status.st_size)
  }

  /// A path of the open file itself, whatever becomes of its name: for libraries that open files by their paths, as
  /// long as this value is kept.
  public var path: String { Self.path(of: descriptor) }

  private static func path(of descriptor: Int32) -> String { "/proc/self/fd/\(descriptor)" }

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
