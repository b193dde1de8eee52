package import Basics
internal import CLinux
import Glibc

extension FileByteSource {
  /// Writes a file that is in memory alone and has no name; it is gone with the last value that has it open.
  ///
  /// The corresponding C function is `memfd_create`.
  ///
  /// - Parameter write: writes its content.
  /// - Throws: ``SystemError``, or what `write` throws.
  package static func inMemory(_ write: (any ByteSink) throws -> Void) throws -> FileByteSource {
    let descriptor = try calling { memfd_create("liveedit", liveedit_memfd_close_on_exec) }
    let copy: Int32
    do {
      copy = try calling { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }
    } catch {
      close(descriptor)
      throw error
    }
    do {
      let sink = FileByteSink(descriptor: descriptor)
      try write(sink)
      try sink.flush()
    } catch {
      close(copy)
      throw error
    }
    return try FileByteSource(descriptor: copy)
  }
}
