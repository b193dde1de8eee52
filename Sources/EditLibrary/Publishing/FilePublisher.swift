package import Basics
import FileSystem
import FoundationEssentials
import Synchronization

/// A publisher that writes new files to a folder. The files are created under hidden names on the folder's file system,
/// made durable, and finally renamed. Existing files are never overwritten. Either all new files appear or none, even
/// if the process dies in between.
///
/// Files get names only in these three ways:
/// - Changes to a library go through its catalogue: `Library.commit` records the versions and the moves in one
///   transaction, and `FileMover` performs the moves, immediately or when the library is next opened.
/// - An asset that is renamed or moved to another folder goes through the catalogues of both folders, see
///   `AssetTransfer`.
/// - Files that no catalogue records (`-o`, exports, new Live Photos, presets) are written here: a ``WorkFolder``
///   contains the files while they are written, and a `PublishPlan` in that folder records all names before the first
///   file gets its name.
package final class FilePublisher {
  private let folder: String
  private let option: String
  private let work: WorkFolder
  /// The destination folder.
  private let target: HeldFolder
  /// The folders that were created for the destination. They must be released last.
  private let made: TargetFolder?
  private let isTrial: Bool
  /// The number of publishers in this process, because files with the same stem may be made in parallel.
  private static let count = Atomic<Int>(0)

  /// A file that is being made.
  package struct Item: Hashable, Sendable {
    /// The file's name in the hidden folder: a short word.
    package var member: String
    /// The file's final name.
    package var name: String
    /// The file whose permissions are copied, or nil to use the process's default permissions.
    package var origin: String?

    /// Creates an item.
    ///
    /// - Parameters:
    ///   - member: The file's name in the hidden folder.
    ///   - name: The file's final name.
    ///   - origin: The file whose permissions are copied.
    package init(_ member: String, name: String, origin: String? = nil) {
      self.member = member
      self.name = name
      self.origin = origin
    }
  }

  /// Creates the hidden folder.
  ///
  /// - Parameters:
  ///   - folder: The destination folder; empty for the current folder.
  ///   - stem: The stem after which the hidden folder is named.
  ///   - option: The command-line option that specifies the folder.
  ///   - isTrial: Whether to write the files to the system's folder for temporary files and never name them. This tests
  ///     every step that can fail, but does not write to the destination folder.
  ///   - place: A subfolder of `folder` for the files; empty for none.
  ///   - makesFolders: Whether missing folders are created. They are removed again if no file gets a name.
  /// - Throws: ``EditError`` if the folder does not exist or is not writable.
  package init(
    in folder: String, below place: String = "", makesFolders: Bool = false, stem: String,
    option: String = "-o", isTrial: Bool = false
  ) throws(EditError) {
    self.option = option
    self.isTrial = isTrial
    do throws(EditError) {
      made = makesFolders && !isTrial ? try TargetFolder(folder, below: place, option) : nil
      self.folder = place.isEmpty ? folder : FilePath.joined(folder, place)
      let isMissing =
        makesFolders && isTrial ? !(try TargetFolder.found(folder, below: place, option).isThere) : false
      if !isMissing {
        try Self.checkIsFolder(self.folder, option)
        try WorkFolder.recoverAll(in: self.folder)
      }
      let home = isTrial ? FileManager.default.temporaryDirectory.path : self.folder
      let number = Self.count.add(1, ordering: .relaxed).newValue
      work = try WorkFolder(in: home, name: "\(stem)-\(WorkFolder.ownMark)-\(number)")
      target = isTrial ? try TargetFolder.found(folder, below: place, option) : work.root
    } catch {
      throw error.offering(option)
    }
  }

  deinit {
    work.close()
  }

  static func checkIsFolder(_ folder: String, _ option: String) throws(EditError) {
    let path = FilePath.shown(folder)
    guard try whileWriting(path, { try FileStatus(path: path).kind }) == .folder else {
      throw EditError(.fileSystem, file: folder, "is not a folder", remedy: "choose a folder with \(option)")
    }
  }

  /// Checks that files can be created in a folder, judging by its permissions.
  package static func checkWritable(_ folder: String, option: String = "-o") throws(EditError) {
    do throws(EditError) {
      try whileWriting(FilePath.shown(folder)) { try HeldFolder(path: folder).checkWritable() }
    } catch {
      throw error.offering(option)
    }
  }

  /// Returns the path to which a file must be written.
  package func path(_ member: String) -> String { work.path(member) }

  /// Rewrites an error about a file in the hidden folder so that the error names a file that the user knows.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - file: The file from which the hidden file was made, or nil to leave the error unchanged. Write errors are
  ///     always left unchanged.
  package func named(_ error: EditError, after file: String?) -> EditError {
    guard let file, let hidden = error.file, hidden.hasPrefix(work.root.path(work.place(""))),
      error.code != .fileSystem
    else { return error }
    var error = error
    error.file = file
    return error
  }

  /// Checks that names are free.
  package func checkFree(_ names: [String]) throws(EditError) {
    try Self.checkFree(names, in: target, option)
  }

  /// Whether all given names are free.
  package func areFree(_ names: [String]) throws(EditError) -> Bool {
    for name in names where try whileWriting(target.path(name), { try target.exists(name) }) { return false }
    return true
  }

  /// Returns the names in the destination folder, or an empty list if the folder does not exist yet.
  package func namesThere() throws(EditError) -> [String] {
    try whileReading(FilePath.shown(folder)) { target.isThere ? try target.namesIfAny(in: "") : [] }
  }

  /// Whether a folder is the destination folder.
  package func isTarget(_ folder: String) throws(EditError) -> Bool {
    guard target.isThere else { return false }
    let path = FilePath.shown(folder)
    return try whileReading(path) { try FileStatus.ifAny(path)?.place == target.status.place }
  }

  /// Returns the path of a file once it has its final name.
  package func target(_ name: String) -> String { target.path(name) }

  /// Checks that names are free in a folder to which nothing has been written yet. If a name is taken, a dead process's
  /// work in the folder is first finished or undone.
  package static func checkFree(
    _ names: [String], in folder: String, option: String = "-o"
  ) throws(EditError) {
    try checkIsFolder(folder, option)
    let root = try whileWriting(FilePath.shown(folder)) { try HeldFolder(path: folder) }
    do throws(EditError) {
      try checkFree(names, in: root, option)
    } catch {
      guard let listing = try? FolderListing(folder: folder), WorkFolder.recoverAll(in: listing) else {
        throw error
      }
      try checkFree(names, in: root, option)
    }
  }

  private static func checkFree(
    _ names: [String], in root: HeldFolder, _ option: String
  ) throws(EditError) {
    for name in names {
      let path = root.path(name)
      if try whileWriting(path, { try root.exists(name) }) { throw taken(path, option) }
    }
  }

  /// Returns the error for a name that is taken.
  package static func taken(_ path: String, _ option: String = "-o") -> EditError {
    EditError(
      .inTheWay, file: path, "already exists and is not overwritten",
      remedy: "move it to another folder, or choose another folder with \(option)")
  }

  /// Gives the files their names.
  ///
  /// - Parameters:
  ///   - items: The files, which must all be completely written.
  ///   - bundle: A new folder for the files, or nil to put them directly into the destination folder.
  /// - Returns: The paths of the new entries in the destination folder.
  package func publish(_ items: [Item], bundle: String? = nil) throws(EditError) -> [String] {
    let names = bundle.map { [$0] } ?? items.map(\.name)
    try checkFree(names)
    try whileWriting(FilePath.shown(folder)) {
      for item in items {
        let place = work.place(WorkFolder.member(item.member))
        if let origin = item.origin {
          try work.root.setPermissions(FileStatus(path: origin).permissions | 0o200, of: place)
        }
        try work.root.sync(place)
      }
      if bundle != nil { try pack(items) }
    }
    if isTrial { return names.map(target.path) }
    let members = bundle == nil ? items.map(\.member) : [Self.packed]
    let steps = zip(members, names).map { PublishPlan.Step(from: WorkFolder.member($0), to: $1) }
    try work.commit(PublishPlan(steps: steps))
    return names.map(target.path)
  }

  private static let packed = "bundle"

  private func pack(_ items: [Item]) throws {
    let bundle = work.place(WorkFolder.member(Self.packed))
    try work.root.makeFolder(bundle)
    for item in items {
      try work.root.move(work.place(WorkFolder.member(item.member)), toFree: bundle + "/" + item.name)
    }
    try work.root.syncFolder(bundle)
  }
}
