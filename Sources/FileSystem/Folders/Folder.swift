import Glibc

/// Folders: listing, making, removing, and making their entries durable.
package enum Folder {
  /// The entries of a folder.
  package struct Contents: Sendable {
    /// The names that are UTF-8, in no order.
    package var names: [String] = []
    /// For each name, whether the folder itself says that it is a regular file. Some file systems never do.
    package var areRegular: [Bool] = []
    /// The entries whose names are not, which can only be shown.
    package var unusable: [UnusableEntry] = []
  }

  /// An entry whose name is not UTF-8, so that no path leads to it here.
  package struct UnusableEntry: Hashable, Sendable {
    /// The name with its odd bytes made visible: `caf\xe9.jpg`.
    package var name: String
    /// Its status, links followed; nil when the system does not tell.
    package var status: FileStatus?
  }

  /// The names in a folder that are UTF-8, without `.` and `..`, in no order.
  ///
  /// The corresponding C functions are `open`, `fdopendir` and `readdir`.
  package static func names(in path: String) throws(SystemError) -> [String] {
    try contents(of: path).names
  }

  /// Everything in a folder, without `.` and `..`.
  ///
  /// The corresponding C functions are those of ``names(in:)`` and, for names that are not UTF-8, `fstatat`.
  package static func contents(of path: String) throws(SystemError) -> Contents {
    try contents(takingOver: try opened(path))
  }

  /// Opens a folder to list it.
  private static func opened(_ path: String) throws(SystemError) -> Int32 {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    guard let guarded = try GuardedFolders.open(path) else { return try calling { open(path, flags) } }
    defer { close(guarded.descriptor) }
    return try calling { openat(guarded.descriptor, ".", flags) }
  }

  /// Everything in an open folder, whose descriptor is closed.
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

  /// Makes sure that a folder is there and can be listed.
  ///
  /// The corresponding C function is `open`.
  package static func checkReadable(_ path: String) throws(SystemError) {
    close(try opened(path))
  }

  /// Makes a folder, with the permissions that the process's mask leaves.
  ///
  /// The corresponding C function is `mkdir`.
  ///
  /// - Returns: false when the name is taken.
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
