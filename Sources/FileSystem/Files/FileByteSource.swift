import Basics
internal import CLinux
import Glibc

/// An open file as a source. The descriptor is closed when the value goes away.
package final class FileByteSource: ByteSource {
  private let descriptor: Int32
  /// The file's status when it was opened.
  package let status: FileStatus
  /// The number of bytes when the file was opened.
  package let count: Int
  /// True if more of the file than ``mostMissing`` was never written. Reading such a file takes as long as its size says, which
  /// costs whoever made it nothing.
  private let isIncomplete: Bool

  /// Opens a regular file for reading. What is no regular file is never opened: that alone can wake a program that
  /// waits at the other end of a pipe, or set a device going.
  ///
  /// The corresponding C functions are `open` with `O_PATH`, which finds a file without opening it, `fstat`, and `open`
  /// of the file that was found.
  ///
  /// - Parameter path: the file's path. A link is followed, except below liveedit's own folders, and out of a held folder by whose
  ///   ``GuardedFolder`` it leads.
  /// - Throws: ``SystemError`` of the call that failed, or ``MediaError`` when the path names no regular file.
  package convenience init(path: String) throws {
    let (folder, place) = try HeldFolder.leading(to: path)
    // Nothing, `.`, `..` and the like.
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

  /// Takes over an open regular file.
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

  /// The most bytes of holes that a file has which is read. Cameras that reserve room for a movie leave less.
  package static let mostMissing = 1 << 30

  /// Opens a regular file by its name in an open folder.
  ///
  /// - Parameter error: the error about something else.
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

  /// A path of the open file itself, whatever becomes of its name: for libraries that open files by their paths, as
  /// long as this value is kept.
  package var path: String { Self.path(of: descriptor) }

  private static func path(of descriptor: Int32) -> String { "/proc/self/fd/\(descriptor)" }

  deinit {
    close(descriptor)
  }

  /// Another descriptor of the open file, for who closes it by itself.
  ///
  /// The corresponding C function is `fcntl` with `F_DUPFD_CLOEXEC`.
  package func duplicatedDescriptor() throws(SystemError) -> Int32 {
    try calling { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }
  }

  /// See ``ByteSource/read(at:count:)``.
  package func read(at offset: Int, count: Int) throws -> [UInt8] {
    guard offset >= 0, count >= 0, offset <= self.count, count <= self.count - offset else {
      throw MediaError("the file ends before all of its parts are complete", remedy: "copy the file from the phone again")
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
      throw MediaError("the file became shorter while it was being read", remedy: "try again when no program is writing to the file")
    }
    return bytes
  }

  /// See ``ByteSource/skippingHoles(from:)``.
  package func skippingHoles(from offset: Int) -> Int {
    FileHoles.data(from: offset, in: descriptor, size: count)
  }

  /// All bytes of a file that is read whole; nil when there are more than the limit.
  package func bytes(atMost limit: Int) throws -> [UInt8]? {
    count <= limit ? try read(at: 0, count: count) : nil
  }
}
