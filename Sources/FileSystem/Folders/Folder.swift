import Glibc

/// Functions that list, create and remove folders.
package enum Folder {
  /// The entries of a folder.
  package struct Contents: Sendable {
    /// The names in the folder that are valid UTF-8, in no particular order.
    package var names: [String] = []
    /// Whether the folder listing marks each name as a regular file. Some file systems never mark regular files.
    package var areRegular: [Bool] = []
    /// The entries whose names are not valid UTF-8. Such entries can only be displayed.
    package var unusable: [UnusableEntry] = []
  }

  /// An entry whose name is not valid UTF-8, so that it cannot be reached by a path.
  package struct UnusableEntry: Hashable, Sendable {
    /// The name with invalid bytes shown as escapes: `caf\xe9.jpg`.
    package var name: String
    /// The status of the entry, with symbolic links followed; nil if the status is not available.
    package var status: FileStatus?
  }

  /// Returns the UTF-8 names in a folder, without `.` and `..`, in no particular order.
  ///
  /// The corresponding C functions are `open`, `fdopendir` and `readdir`.
  package static func names(in path: String) throws(SystemError) -> [String] {
    try contents(of: path).names
  }

  /// Returns all entries of a folder, without `.` and `..`.
  ///
  /// The corresponding C functions are the functions of ``names(in:)`` and, for names that are not valid UTF-8,
  /// `fstatat`.
  package static func contents(of path: String) throws(SystemError) -> Contents {
    try contents(takingOver: try opened(path))
  }

  /// Opens a folder for listing.
  private static func opened(_ path: String) throws(SystemError) -> Int32 {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    guard let guarded = try GuardedFolders.open(path) else { return try calling { open(path, flags) } }
    defer { close(guarded.descriptor) }
    return try calling { openat(guarded.descriptor, ".", flags) }
  }

  /// Returns all entries of an open folder, and closes its descriptor.
  static func contents(takingOver descriptor: Int32) throws(SystemError) -> Contents {
    guard let stream = fdopendir(descriptor) else {
      let failure = SystemError(errno)
      close(descriptor)
      throw failure
    }
    defer { closedir(stream) }
    var contents = Contents()
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        if errno != 0 { throw SystemError(errno) }
        return contents
      }
      let isRegular = Int(entry.pointee.d_type) == Int(DT_REG)
      withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { name in
          if let text = String(validatingCString: name) {
            if text != ".", text != ".." {
              contents.names.append(text)
              contents.areRegular.append(isRegular)
            }
          } else {
            contents.unusable.append(unusable(name, in: dirfd(stream)))
          }
        }
      }
    }
  }

  private static func unusable(_ name: UnsafePointer<CChar>, in folder: Int32) -> UnusableEntry {
    let bytes = UnsafeBufferPointer(start: name, count: strlen(name)).map { UInt8(bitPattern: $0) }
    return UnusableEntry(
      name: TerminalText.repaired(bytes), status: try? FileStatus(name, in: folder, followingLinks: true))
  }

  /// Checks that a folder exists and can be listed.
  ///
  /// The corresponding C function is `open`.
  package static func checkReadable(_ path: String) throws(SystemError) {
    close(try opened(path))
  }

  /// Creates a folder with the default permissions, restricted by the process's umask.
  ///
  /// The corresponding C function is `mkdir`.
  ///
  /// - Returns: Whether the folder was created; false if the name is already in use.
  package static func create(_ path: String) throws(SystemError) -> Bool {
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
  package static func remove(_ path: String) throws(SystemError) {
    _ = try calling { rmdir(path) }
  }

}
