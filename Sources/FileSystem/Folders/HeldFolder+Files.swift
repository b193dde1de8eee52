internal import CLinux
import Glibc

extension HeldFolder {
  /// The status of the folder itself.
  package var status: FileStatus { get throws(SystemError) { try FileStatus(descriptor: try descriptor) } }

  /// The creation time of the folder itself, in nanoseconds since 1970; nil if the file system does not record creation
  /// times.
  ///
  /// The corresponding C function is `statx`.
  package var born: Int64? { get throws(SystemError) { FileStatus.birth(descriptor: try descriptor) } }

  /// Returns the status of the file at a relative path.
  ///
  /// The corresponding C function is `fstatat`.
  ///
  /// - Parameter followingLinks: Whether a symbolic link in the last component is followed; true for originals.
  package func status(_ place: String, followingLinks: Bool = false) throws -> FileStatus {
    try inParent(of: place, followingLinks: followingLinks) {
      try FileStatus($1, in: $0, followingLinks: $2)
    }
  }

  /// Returns the status and the creation time of the file at a relative path. The creation time is in nanoseconds since
  /// 1970, and distinguishes files that used the same inode number one after the other. The creation time is nil if the
  /// file system does not record creation times, and on Linux before 4.11.
  ///
  /// The corresponding C functions are `openat` with `O_PATH`, `fstat` and `statx`.
  ///
  /// - Parameter followingLinks: Whether a symbolic link in the last component is followed; true for originals.
  package func statusAndBirth(
    _ place: String, followingLinks: Bool = false
  ) throws -> (status: FileStatus, born: Int64?) {
    try inParent(of: place, followingLinks: followingLinks) { parent, name, follows in
      let flags = liveedit_o_path | O_CLOEXEC | (follows ? 0 : O_NOFOLLOW)
      let found = try calling { openat(parent, name, flags) }
      defer { close(found) }
      return (try FileStatus(descriptor: found), FileStatus.birth(descriptor: found))
    }
  }

  /// Returns the content of a regular file; nil if the file does not exist or is larger than the limit.
  package func bytes(of place: String, atMost limit: Int) throws -> [UInt8]? {
    guard try statusIfAny(place)?.kind == .regular else { return nil }
    return try source(place).bytes(atMost: limit)
  }

  /// Returns whether anything exists at a relative path, including a dangling symbolic link. Returns false if a folder
  /// on the path is missing.
  package func exists(_ place: String) throws -> Bool { try statusIfAny(place) != nil }

  /// Returns the status of the file at a relative path; nil if the file or a folder on the path is missing.
  ///
  /// - Parameter followingLinks: Whether a symbolic link in the last component is followed; true for originals.
  package func statusIfAny(_ place: String, followingLinks: Bool = false) throws -> FileStatus? {
    do { return try status(place, followingLinks: followingLinks) } catch SystemError.notFound { return nil }
  }

  /// Returns whether two relative paths lead to the same file; false if the second file is missing.
  package func isSameFile(_ place: String, as other: String) throws -> Bool {
    guard let second = try statusIfAny(other) else { return false }
    return try status(place).place == second.place
  }

  /// Returns the UTF-8 names in a folder, without `.` and `..`, in no particular order.
  ///
  /// The corresponding C functions are `fdopendir` and `readdir`.
  ///
  /// - Parameter place: The relative path of the folder; empty for the held folder itself.
  package func names(in place: String = "") throws -> [String] { try contents(of: place).names }

  /// Returns all entries of a folder; see ``names(in:)``.
  package func contents(of place: String) throws -> Folder.Contents {
    try Folder.contents(takingOver: try opened(place))
  }

  /// Returns the names in a folder; empty if the folder does not exist.
  package func namesIfAny(in place: String) throws -> [String] {
    do { return try names(in: place) } catch SystemError.notFound { return [] }
  }

  /// Returns a descriptor of a folder that allows reading and syncing the folder, not only accessing its entries.
  private func opened(_ place: String) throws -> Int32 {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    guard !place.isEmpty else {
      let held = try descriptor
      return try calling { openat(held, ".", flags) }
    }
    return try inParent(of: place) { parent, name in
      let folder = try Self.openFolder(name, in: parent, shown: path(place))
      defer { close(folder) }
      return try calling { openat(folder, ".", flags) }
    }
  }

  /// Opens a regular file for reading.
  ///
  /// - Parameter followingLinks: Whether a symbolic link in the last component is followed; true for originals.
  package func source(_ place: String, followingLinks: Bool = false) throws -> FileByteSource {
    let opened = try inParent(of: place, followingLinks: followingLinks) { parent, name, follows in
      try FileByteSource.open(name, in: parent, followingLinks: follows) {
        Self.strange(path(place), $0)
      }
    }
    return try FileByteSource(descriptor: opened)
  }

  /// Writes a new file and makes its content durable. Throws EEXIST if the name is in use.
  ///
  /// The corresponding C functions are `openat` with `O_EXCL`, `write` and `fsync`. If one of these calls fails, the
  /// file is removed.
  package func create(_ place: String, bytes: [UInt8]) throws {
    try inParent(of: place) { parent, name in
      let file = try File.openNew(name, in: parent)
      defer { close(file) }
      do {
        try File.write(bytes, to: file)
        _ = try calling { fsync(file) }
      } catch {
        unlinkat(parent, name, 0)
        throw error
      }
    }
  }

  /// Writes a file atomically and durably: either the complete file appears, or no file appears.
  ///
  /// - Parameters:
  ///   - replaces: Whether an existing file is replaced. If this is false and the name is in use, EEXIST is thrown.
  ///   - draft: The name of the temporary file; nil to choose a name that no other process uses.
  package func writeWhole(
    _ place: String, bytes: [UInt8], replacing replaces: Bool = false, draft: String? = nil
  ) throws {
    let draft = draft ?? "\(place).\(ChildProcess.ownIdentifier)"
    // Removes the temporary file of an interrupted attempt.
    try remove(draft)
    try create(draft, bytes: bytes)
    do {
      if replaces { try replace(place, with: draft) } else { try move(draft, toFree: place) }
    } catch {
      try remove(draft)
      throw error
    }
    try syncFolder(FilePath.split(place).folder)
  }

  /// Makes a file's content durable.
  ///
  /// The corresponding C function is `fsync`.
  package func sync(_ place: String) throws {
    try withFile(place) { file in _ = try calling { fsync(file) } }
  }

  /// Sets a file's permission bits, except those that the process's umask cleared when the file was created.
  ///
  /// The corresponding C function is `fchmod`. On file systems without permissions (EPERM, EOPNOTSUPP), this method has
  /// no effect.
  ///
  /// - Parameters:
  ///   - permissions: The permission bits, a subset of 0o777.
  ///   - place: The relative path of a file that this process created with permissions 0o666.
  package func setPermissions(_ permissions: UInt32, of place: String) throws {
    try withFile(place) { file in
      let made = try FileStatus(descriptor: file).permissions
      // Users who are not allowed to read the file are not allowed to execute the file either.
      let masked = 0o666 & ~made
      do throws(SystemError) {
        _ = try calling { fchmod(file, permissions & 0o777 & ~(masked | (masked & 0o444) >> 2)) }
      } catch {
        if error.code != EPERM && error.code != EOPNOTSUPP { throw error }
      }
    }
  }

  private func withFile(_ place: String, _ body: (Int32) throws -> Void) throws {
    try inParent(of: place) { parent, name in
      let status = try FileStatus(name, in: parent)
      guard status.kind == .regular else { throw Self.strange(path(place), status) }
      let file = try calling { openat(parent, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) }
      defer { close(file) }
      try body(file)
    }
  }

  /// Moves a file or folder to a path that must not be in use. Throws EEXIST if the path is in use.
  ///
  /// The corresponding C function is `renameat2` with `RENAME_NOREPLACE`. If the file system does not support this
  /// call, `linkat` and `unlinkat` are used. If the file system also lacks hard links (FAT), the name is checked first.
  /// In that case, another process may claim the name between the check and the move.
  ///
  /// - Parameter folder: The folder of the target; nil for this folder.
  package func move(_ place: String, toFree target: String, in folder: HeldFolder? = nil) throws {
    try inParent(of: place) { old, name in
      try (folder ?? self).inParent(of: target) { new, newName in
        try File.move(name, in: old, toFree: newName, in: new)
      }
    }
  }

  /// Moves a file to a path, replacing any existing file at that path.
  ///
  /// The corresponding C function is `renameat`.
  package func replace(_ target: String, with place: String) throws {
    try inParent(of: place) { old, name in
      try inParent(of: target) { new, newName in
        _ = try calling { renameat(old, name, new, newName) }
      }
    }
  }

  /// Removes a file or a symbolic link, but never a folder.
  ///
  /// The corresponding C function is `unlinkat`.
  ///
  /// - Returns: Whether something was removed; false if nothing exists at the path.
  @discardableResult
  package func remove(_ place: String) throws -> Bool {
    do {
      try inParent(of: place) { parent, name in _ = try calling { unlinkat(parent, name, 0) } }
      return true
    } catch SystemError.notFound {
      return false
    }
  }

  /// Creates a folder with permissions restricted by the process's umask.
  ///
  /// The corresponding C function is `mkdirat`.
  ///
  /// - Parameter permissions: The permission bits, a subset of 0o777.
  /// - Returns: Whether the folder was created; false if it already exists.
  /// - Throws: ``Basics/EditError`` if the path is in use by something other than a folder.
  @discardableResult
  package func makeFolder(_ place: String, permissions: UInt32 = 0o777) throws -> Bool {
    try inParent(of: place) { parent, name in
      do throws(SystemError) {
        _ = try calling { mkdirat(parent, name, permissions) }
        return true
      } catch {
        guard error.code == EEXIST else { throw error }
        close(try Self.openFolder(name, in: parent, shown: path(place)))
        return false
      }
    }
  }

  /// Removes an empty folder.
  ///
  /// The corresponding C function is `unlinkat` with `AT_REMOVEDIR`.
  package func removeFolder(_ place: String) throws {
    try inParent(of: place) { parent, name in _ = try calling { unlinkat(parent, name, AT_REMOVEDIR) } }
  }

  /// Removes a folder and the files in the folder. Entries other than files are kept; if the folder contains such
  /// entries, the folder is also kept.
  ///
  /// - Returns: Whether the folder was removed.
  @discardableResult
  package func removeFolderOfFiles(_ place: String) -> Bool {
    for name in (try? names(in: place)) ?? [] {
      let place = place + "/" + name
      if (try? status(place).kind) == .regular { _ = try? remove(place) }
    }
    return (try? removeFolder(place)) != nil
  }

  /// Gives a file an additional name, which must not be in use. If the file system does not support hard links, or if
  /// the file already has too many hard links, the file is copied instead.
  ///
  /// The corresponding C function is `linkat`.
  package func link(_ place: String, as target: String) throws {
    do {
      try inParent(of: place) { old, name in
        try inParent(of: target) { new, newName in
          _ = try calling { linkat(old, name, new, newName, 0) }
        }
      }
    } catch let error as SystemError where [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(error.code) {
      try create(target, bytes: try source(place).bytes(atMost: .max) ?? [])
    }
  }

  /// Makes the names in a folder durable.
  ///
  /// The corresponding C function is `fsync` on the folder. On file systems that do not support this (EINVAL), the
  /// names are assumed to be durable.
  ///
  /// - Parameter place: The relative path of the folder; empty for the held folder itself.
  package func syncFolder(_ place: String = "") throws {
    let folder = try opened(place)
    defer { close(folder) }
    do { _ = try calling { fsync(folder) } } catch { if error.code != EINVAL { throw error } }
  }

  /// Checks, based on a folder's permissions and its file system, that names can be created and removed in the folder.
  ///
  /// The corresponding C function is `faccessat`.
  package func checkWritable(_ place: String = "") throws {
    func check(_ parent: Int32, _ name: String) throws {
      _ = try calling { faccessat(parent, name, W_OK | X_OK, AT_EACCESS) }
    }
    if place.isEmpty { try check(descriptor, ".") } else { try inParent(of: place, check) }
  }
}
