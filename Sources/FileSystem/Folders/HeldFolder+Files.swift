internal import CLinux
import Glibc

extension HeldFolder {
  /// The status of the folder itself.
  package var status: FileStatus { get throws(SystemError) { try FileStatus(descriptor: try descriptor) } }

  /// The creation time of the folder itself, in nanoseconds since 1970; nil if the file system does not record it.
  ///
  /// The corresponding C function is `statx`.
  package var born: Int64? { get throws(SystemError) { FileStatus.birth(descriptor: try descriptor) } }

  /// The status of a place.
  ///
  /// The corresponding C function is `fstatat`.
  ///
  /// - Parameter followingLinks: true for originals, whose last name may be a link.
  package func status(_ place: String, followingLinks: Bool = false) throws -> FileStatus {
    try inParent(of: place, followingLinks: followingLinks) {
      try FileStatus($1, in: $0, followingLinks: $2)
    }
  }

  /// The status of a place, and when what is there was made, in nanoseconds since 1970: it tells apart files that had one number in
  /// the file system one after the other. Nil where the file system, or a Linux before 4.11, does not tell.
  ///
  /// The corresponding C functions are `openat` with `O_PATH`, `fstat` and `statx`.
  ///
  /// - Parameter followingLinks: true for originals, whose last name may be a link.
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

  /// The content of a regular file; nil where there is none, or one of more bytes than the limit.
  package func bytes(of place: String, atMost limit: Int) throws -> [UInt8]? {
    guard try statusIfAny(place)?.kind == .regular else { return nil }
    return try source(place).bytes(atMost: limit)
  }

  /// True if anything is at a place, a dangling link included; false also where a folder on the way is missing.
  package func exists(_ place: String) throws -> Bool { try statusIfAny(place) != nil }

  /// The status of a place; nil where nothing is, also where a folder on the way is missing.
  ///
  /// - Parameter followingLinks: true for originals, whose last name may be a link.
  package func statusIfAny(_ place: String, followingLinks: Bool = false) throws -> FileStatus? {
    do { return try status(place, followingLinks: followingLinks) } catch SystemError.notFound { return nil }
  }

  /// True if two places name one file; false also where the second is missing.
  package func isSameFile(_ place: String, as other: String) throws -> Bool {
    guard let second = try statusIfAny(other) else { return false }
    return try status(place).place == second.place
  }

  /// The names in a folder that are UTF-8, without `.` and `..`, in no order.
  ///
  /// The corresponding C functions are `fdopendir` and `readdir`.
  ///
  /// - Parameter place: the folder; empty for the held one itself.
  package func names(in place: String = "") throws -> [String] { try contents(of: place).names }

  /// Everything in a folder, see ``names(in:)``.
  package func contents(of place: String) throws -> Folder.Contents {
    try Folder.contents(takingOver: try opened(place))
  }

  /// The names in a folder; none where there is no such folder.
  package func namesIfAny(in place: String) throws -> [String] {
    do { return try names(in: place) } catch SystemError.notFound { return [] }
  }

  /// A descriptor of a folder that can be read and synced, not only walked through.
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
  /// - Parameter followingLinks: true for originals, whose last name may be a link.
  package func source(_ place: String, followingLinks: Bool = false) throws -> FileByteSource {
    let opened = try inParent(of: place, followingLinks: followingLinks) { parent, name, follows in
      try FileByteSource.open(name, in: parent, followingLinks: follows) {
        Self.strange(path(place), wanted: "file", $0)
      }
    }
    return try FileByteSource(descriptor: opened)
  }

  /// Writes a new file and makes its content durable; EEXIST when the name is taken.
  ///
  /// The corresponding C functions are `openat` with `O_EXCL`, `write` and `fsync`. When one of them fails, the file is
  /// removed again.
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

  /// Writes a file that appears whole or not at all, durably.
  ///
  /// - Parameters:
  ///   - replaces: true to take the place of what is there; otherwise EEXIST is thrown where the name is taken.
  ///   - draft: the name in the making; nil for one that no other process has.
  package func writeWhole(
    _ place: String, bytes: [UInt8], replacing replaces: Bool = false, draft: String? = nil
  ) throws {
    let draft = draft ?? "\(place).\(ChildProcess.ownIdentifier)"
    // What somebody was stopped over.
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

  /// Gives a file permission bits, less those that the process's mask took from it when it was made.
  ///
  /// The corresponding C function is `fchmod`. File systems without permissions (EPERM, EOPNOTSUPP) keep what they have.
  ///
  /// - Parameters:
  ///   - permissions: bits of 0o777.
  ///   - place: a file that this process made with all of 0o666.
  package func setPermissions(_ permissions: UInt32, of place: String) throws {
    try withFile(place) { file in
      let made = try FileStatus(descriptor: file).permissions
      // Whose reading was masked is not to execute either.
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
      guard status.kind == .regular else { throw Self.strange(path(place), wanted: "file", status) }
      let file = try calling { openat(parent, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) }
      defer { close(file) }
      try body(file)
    }
  }

  /// Moves a file or folder to a place that is free; EEXIST otherwise.
  ///
  /// The corresponding C function is `renameat2` with `RENAME_NOREPLACE`. Where the file system cannot do that, `linkat`
  /// and `unlinkat` do the same; where it has no links either (FAT), the name is looked up first, which leaves a moment
  /// in which somebody else can take it.
  ///
  /// - Parameter folder: the folder that the target is in; nil for this one.
  package func move(_ place: String, toFree target: String, in folder: HeldFolder? = nil) throws {
    try inParent(of: place) { old, name in
      try (folder ?? self).inParent(of: target) { new, newName in
        try File.move(name, in: old, toFree: newName, in: new)
      }
    }
  }

  /// Moves a file onto a place, replacing what is there.
  ///
  /// The corresponding C function is `renameat`.
  package func replace(_ target: String, with place: String) throws {
    try inParent(of: place) { old, name in
      try inParent(of: target) { new, newName in
        _ = try calling { renameat(old, name, new, newName) }
      }
    }
  }

  /// Removes a file or a link, never a folder.
  ///
  /// The corresponding C function is `unlinkat`.
  ///
  /// - Returns: false when nothing was there.
  @discardableResult
  package func remove(_ place: String) throws -> Bool {
    do {
      try inParent(of: place) { parent, name in _ = try calling { unlinkat(parent, name, 0) } }
      return true
    } catch SystemError.notFound {
      return false
    }
  }

  /// Makes a folder, with the permissions that the process's mask leaves.
  ///
  /// The corresponding C function is `mkdirat`.
  ///
  /// - Parameter permissions: bits of 0o777.
  /// - Returns: false when a folder is there already.
  /// - Throws: ``Basics/EditError`` when anything else is there.
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

  /// Removes a folder with the files in it. What is no file stays, and the folder with it.
  ///
  /// - Returns: true if it is gone.
  @discardableResult
  package func removeFolderOfFiles(_ place: String) -> Bool {
    for name in (try? names(in: place)) ?? [] {
      let place = place + "/" + name
      if (try? status(place).kind) == .regular { _ = try? remove(place) }
    }
    return (try? removeFolder(place)) != nil
  }

  /// Gives a file one more name, which nothing has. Where the file system knows no such names, or this file has too many, the
  /// other one is of a copy.
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
  /// The corresponding C function is `fsync`, on the folder. File systems that cannot do it (EINVAL) are taken at their
  /// word.
  ///
  /// - Parameter place: the folder; empty for the held one itself.
  package func syncFolder(_ place: String = "") throws {
    let folder = try opened(place)
    defer { close(folder) }
    do { _ = try calling { fsync(folder) } } catch { if error.code != EINVAL { throw error } }
  }

  /// Makes sure that names can be made and removed in a folder, as far as its permissions and its file system tell.
  ///
  /// The corresponding C function is `faccessat`.
  package func checkWritable(_ place: String = "") throws {
    func check(_ parent: Int32, _ name: String) throws {
      _ = try calling { faccessat(parent, name, W_OK | X_OK, AT_EACCESS) }
    }
    if place.isEmpty { try check(descriptor, ".") } else { try inParent(of: place, check) }
  }
}
