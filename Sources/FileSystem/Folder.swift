import Glibc

/// Folders: listing, making, removing, and making their entries durable.
public enum Folder {
  /// The names in a folder, without `.` and `..`, in no order.
  ///
  /// The corresponding C functions are `open`, `fdopendir` and `readdir`. Bytes that are not UTF-8 are repaired, so
  /// such a name cannot be opened again.
  public static func names(in path: String) throws(SystemError) -> [String] {
    try names(takingOver: try calling { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) })
  }

  /// The names in an open folder, whose descriptor is closed.
  static func names(takingOver descriptor: Int32) throws(SystemError) -> [String] {
    guard let stream = fdopendir(descriptor) else {
      let failure = SystemError(errno)
      close(descriptor)
      throw failure
    }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        if errno != 0 { throw SystemError(errno) }
        return names
      }
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
  }

  /// Makes a folder, with the permissions that the process's mask leaves.
  ///
  /// The corresponding C function is `mkdir`.
  ///
  /// - Returns: false when the name is taken.
  public static func create(_ path: String) throws(SystemError) -> Bool {
    do {
      _ = try calling { mkdir(path, 0o777) }
      return true
    } catch {
      if error.code == EEXIST { return false }
      throw error
    }
  }

  /// Removes an empty folder.
  ///
  /// The corresponding C function is `rmdir`.
  public static func remove(_ path: String) throws(SystemError) {
    _ = try calling { rmdir(path) }
  }

  /// Makes the names in a folder durable.
  ///
  /// The corresponding C function is `fsync`, on the folder. File systems that cannot do it (EINVAL) are
  /// taken at their word.
  public static func sync(_ path: String) throws(SystemError) {
    let descriptor = try calling { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    defer { close(descriptor) }
    try sync(descriptor)
  }

  static func sync(_ descriptor: Int32) throws(SystemError) {
    do {
      _ = try calling { fsync(descriptor) }
    } catch {
      if error.code != EINVAL { throw error }
    }
  }
}
