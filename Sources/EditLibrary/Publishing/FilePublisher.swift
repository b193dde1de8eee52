package import Basics
import FileSystem
import FoundationEssentials
import Synchronization

/// New files on their way into a folder: made under hidden names on its file system, made durable, and named last. No
/// file that is there already is overwritten; all of the new ones appear or none, also when the process dies in between.
///
/// Files get names by one of three ways, and by no other:
/// - what changes a library goes through its catalogue: `Library.commit` records the versions and the moves in one
///   transaction, and `FileMover` does the moves, now or when the library is opened the next time;
/// - an asset that gets another name or folder goes through the catalogues of both folders, see `AssetTransfer`;
/// - what no catalogue knows (`-o`, exports, new Live Photos, presets) goes through here: a ``WorkFolder`` holds the files
///   while they are made, and a `PublishPlan` in it records their names before the first file gets its own.
package final class FilePublisher {
  private let folder: String
  private let option: String
  private let work: WorkFolder
  /// The folder in which the files get their names.
  private let target: HeldFolder
  /// The folders that were made for it; they go away after everything else.
  private let made: TargetFolder?
  private let isTrial: Bool
  /// How many there were in this process: files of one stem may be made side by side.
  private static let count = Atomic<Int>(0)

  /// A file in the making.
  package struct Item: Hashable, Sendable {
    /// The file's name in the hidden folder: a short word.
    package var member: String
    /// The name that it gets.
    package var name: String
    /// The file whose permissions it gets; nil leaves them as the process makes them.
    package var origin: String?

    /// - Parameters:
    ///   - member: the file's name in the hidden folder.
    ///   - name: the name that it gets.
    ///   - origin: the file whose permissions it gets.
    package init(_ member: String, name: String, origin: String? = nil) {
      self.member = member
      self.name = name
      self.origin = origin
    }
  }

  /// Makes the hidden folder.
  ///
  /// - Parameters:
  ///   - folder: where the files go; empty for the current folder.
  ///   - stem: what the hidden folder is named after.
  ///   - option: the option of the command line that names the folder.
  ///   - isTrial: true to make the files in the system's folder for temporary files, and never to name them: everything
  ///     that can fail is tried, and nothing is written in the folder.
  ///   - place: a folder below `folder` that the files go into; empty for none.
  ///   - makesFolders: whether the folders are made where they are missing. They go away again when no file gets a name.
  /// - Throws: ``EditError`` when there is no such folder, or it cannot be written to.
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
      throw EditError(.fileSystem, file: folder, "is not a folder", remedy: "name a folder with \(option)")
    }
  }

  /// Makes sure that files can be made in a folder, as far as its permissions tell.
  package static func checkWritable(_ folder: String, option: String = "-o") throws(EditError) {
    do throws(EditError) {
      try whileWriting(FilePath.shown(folder)) { try HeldFolder(path: folder).checkWritable() }
    } catch {
      throw error.offering(option)
    }
  }

  /// The path at which a file is to be written.
  package func path(_ member: String) -> String { work.path(member) }

  /// An error about a file in the hidden folder, with the name of a file that people know.
  ///
  /// - Parameters:
  ///   - error: what went wrong.
  ///   - file: the file that the hidden one was made of; nil leaves the error as it is. What cannot be written is named
  ///     as it is in any case.
  package func named(_ error: EditError, after file: String?) -> EditError {
    guard let file, let hidden = error.file, hidden.hasPrefix(work.root.path(work.place(""))),
      error.code != .fileSystem
    else { return error }
    var error = error
    error.file = file
    return error
  }

  /// Makes sure that names are free.
  package func checkFree(_ names: [String]) throws(EditError) {
    try Self.checkFree(names, in: target, option)
  }

  /// True if all of some names are free.
  package func areFree(_ names: [String]) throws(EditError) -> Bool {
    for name in names where try whileWriting(target.path(name), { try target.exists(name) }) { return false }
    return true
  }

  /// The names in the folder that the files go into; none where it is still to be made.
  package func namesThere() throws(EditError) -> [String] {
    try whileReading(FilePath.shown(folder)) { target.isThere ? try target.namesIfAny(in: "") : [] }
  }

  /// True if the files go into a folder.
  package func isTarget(_ folder: String) throws(EditError) -> Bool {
    guard target.isThere else { return false }
    let path = FilePath.shown(folder)
    return try whileReading(path) { try FileStatus.ifAny(path)?.place == target.status.place }
  }

  /// The path that a file has once it has its name.
  package func target(_ name: String) -> String { target.path(name) }

  /// Makes sure that names are free in a folder in which nothing has been made yet. Where one is not, what a process that
  /// died left there is finished or undone first.
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

  /// The error for a name that is not free.
  package static func taken(_ path: String, _ option: String = "-o") -> EditError {
    EditError(
      .inTheWay, file: path, "exists already, and nothing is overwritten",
      remedy: "move it away or choose another folder with \(option)")
  }

  /// Gives the files their names.
  ///
  /// - Parameters:
  ///   - items: the files, all of them written.
  ///   - bundle: a new folder that they go into together; nil puts them into the folder itself.
  /// - Returns: the paths of what is new in the folder.
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
