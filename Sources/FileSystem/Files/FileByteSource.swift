import Basics
internal import CLinux
import Glibc

/// A byte source that reads an open file. The file's descriptor is closed when this object is deinitialised.
package final class FileByteSource: ByteSource {
  private let descriptor: Int32
  /// The file's status when it was opened.
  package let status: FileStatus
  /// The size in bytes when the file was opened.
  package let count: Int
  /// Whether the total size of the file's holes exceeds ``mostMissing``. Reading such a file takes time in proportion
  /// to its apparent size, which an attacker can make huge at no cost.
  private let isIncomplete: Bool

  /// Opens a regular file for reading. Other kinds of files are never opened, because merely opening a file can wake
  /// the process at the other end of a pipe or activate a device.
  ///
  /// The corresponding C functions are `open` with `O_PATH`, which finds a file without opening it, `fstat`, and `open`
  /// to open the file that was found.
  ///
  /// - Parameter path: The path of the file. Symbolic links are followed, except inside liveedit's own folders. In a
  ///   ``GuardedFolder``, links that lead out of the held folder are not followed.
  /// - Throws: The ``SystemError`` of the failed call, or ``MediaError`` if the path does not lead to a regular file.
  package convenience init(path: String) throws {
    let (folder, place) = try HeldFolder.leading(to: path)
    // The path is empty, `.`, `..` or similar.
    if place.isEmpty || FileName.parts(of: place) == nil, try FileStatus(path: path).kind == .folder {
      throw MediaError("the path is a folder", remedy: "specify a photo or a movie")
    }
    let isOwn = place.utf8.contains(0x2F)
    let opened = try folder.inParent(of: place, followingLinks: !isOwn) { parent, name, follows in
      try Self.open(name, in: parent, followingLinks: follows) { status in
        MediaError(
          status.kind == .folder ? "the path is a folder" : "the path is not a regular file",
          remedy: "specify a photo or a movie")
      }
    }
    try self.init(descriptor: opened)
  }

  /// Takes ownership of an open regular file.
  init(descriptor: Int32) throws {
    do {
      status = try FileStatus(descriptor: descriptor)
    } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    count = status.size
    isIncomplete = FileHoles.areLarger(than: Self.mostMissing, in: descriptor, size: count)
  }

  /// The maximum total size, in bytes, of the holes in a readable file. Cameras that reserve space for a movie leave
  /// smaller holes.
  package static let mostMissing = 1 << 30

  /// Opens a regular file by its name in an open folder.
  ///
  /// - Parameter error: A closure that returns the error for a file that is not regular.
  static func open(
    _ name: String, in folder: Int32, followingLinks: Bool, orElse error: (FileStatus) -> any Error
  ) throws -> Int32 {
    let flags = liveedit_o_path | O_CLOEXEC | (followingLinks ? 0 : O_NOFOLLOW)
    let found = try calling { openat(folder, name, flags) }
    defer { close(found) }
    let status = try FileStatus(descriptor: found)
    guard status.kind == .regular else { throw error(status) }
    return try calling { Glibc.open(path(of: found), O_RDONLY | O_CLOEXEC) }
  }

  /// A path to the open file, for libraries that open files by path. The path stays valid as long as this object
  /// exists, even if the file is renamed or removed.
  package var path: String { Self.path(of: descriptor) }

  private static func path(of descriptor: Int32) -> String { "/proc/self/fd/\(descriptor)" }

  deinit {
    close(descriptor)
  }

  /// Returns a duplicate of the open file's descriptor. The caller closes the duplicate.
  ///
  /// The corresponding C function is `fcntl` with `F_DUPFD_CLOEXEC`.
  package func duplicatedDescriptor() throws(SystemError) -> Int32 {
    try calling { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }
  }

  /// See ``ByteSource/read(at:count:)``.
  package func read(at offset: Int, count: Int) throws -> [UInt8] {
    guard offset >= 0, count >= 0, offset <= self.count, count <= self.count - offset else {
      throw MediaError(
        "the file is incomplete: it ends too early", remedy: "copy the file from the phone again")
    }
    guard !isIncomplete else {
      throw MediaError(
        "more than \(Self.mostMissing >> 30) GB of the file was never written",
        remedy: "copy the file from its source again")
    }
    let bytes = try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = 0
      guard let base = buffer.baseAddress else { return }
      while filled < count {
        let start = filled
        let got = try calling { pread(descriptor, base + start, count - start, off_t(offset + start)) }
        if got == 0 { return }
        filled += got
      }
    }
    guard bytes.count == count else {
      throw MediaError(
        "the file became shorter while it was being read",
        remedy: "try again when no program is writing to the file")
    }
    return bytes
  }

  /// See ``ByteSource/skippingHoles(from:)``.
  package func skippingHoles(from offset: Int) -> Int {
    FileHoles.data(from: offset, in: descriptor, size: count)
  }

  /// Returns all bytes of the file; nil if the file is larger than the limit.
  package func bytes(atMost limit: Int) throws -> [UInt8]? {
    count <= limit ? try read(at: 0, count: count) : nil
  }
}
