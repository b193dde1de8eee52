package import Basics
internal import CLinux
import Glibc

extension FileByteSource {
  /// Writes a file that exists only in memory and has no name. The file is deleted when the last object that keeps the
  /// file open is deinitialised.
  ///
  /// The corresponding C function is `memfd_create`.
  ///
  /// - Parameter write: A closure that writes the content of the file.
  /// - Throws: ``SystemError``, or any error that `write` throws.
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
