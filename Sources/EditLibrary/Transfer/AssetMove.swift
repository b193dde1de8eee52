package import Basics
import FileSystem

/// An asset that was renamed or moved to another folder.
package struct MovedAsset: Sendable {
  /// The paths of the originals before the move.
  package var old: [String]
  /// The paths of the originals after the move.
  package var new: [String]
  /// The paths of files that have the asset's name but are not moved: sidecars of other programs.
  package var left: [String]
  /// Notes about other programs' changes beside the originals, one sentence each.
  package var notes: [Message]
}

/// The destination of an asset that is moved.
package enum AssetDestination: Hashable, Sendable {
  /// A folder to which the originals are moved without being renamed.
  case folder(String)
  /// A new stem for both originals, and the folder to which they are moved.
  case stem(String, folder: String)

  /// The folder's path; empty for the current folder.
  package var folder: String {
    switch self {
    case .folder(let folder), .stem(_, let folder): folder
    }
  }
}

extension Library {
  /// Renames an asset or moves it to another folder: the originals, the render and the adjustment data beside them, the
  /// versions, the favourite and hidden flags, and the positions in albums. No other function renames originals. After
  /// a crash at any moment, the asset is completely at either the old location or the new location, once the library of
  /// either folder is opened.
  ///
  /// - Parameters:
  ///   - path: The path of an original, a render or the adjustment data.
  ///   - destination: The new location.
  ///   - isDryRun: Whether to perform only the checks that write nothing, and to move nothing.
  ///   - isCancelled: A function that is called periodically; returning true stops the work before anything is moved.
  ///   - report: A function that receives messages for the user.
  /// - Throws: ``EditError`` that names a file whose name is needed, or explains why the system refuses the move. In
  ///   that case nothing is moved, unless the code is ``EditError/Code/unfinished``.
  package static func move(
    _ path: String, to destination: AssetDestination, isDryRun: Bool = false,
    isCancelled: @escaping @Sendable () -> Bool = { false }, report: Report = { _ in }
  ) throws(EditError) -> MovedAsset {
    let folder = FilePath.split(path).folder
    let known = LibraryLayout.besideOriginals.known
    try known.checkCanMove(in: folder, isDestination: false)
    try known.checkCanMove(in: destination.folder, isDestination: true)
    let (from, to) = try both(folder, destination.folder) { folder, beside throws(EditError) in
      isDryRun
        ? try forReading(folder, isCancelled: isCancelled, report: report)
        : try forWriting(folder, beside: beside, isCancelled: isCancelled, report: report)
    }
    defer {
      from.close()
      to.close()
    }
    var locator = AssetLocator(recovers: false)
    let asset = try locator.locate(path, isAlone: true)
    let isWithoutVersions = try from.ownerOfVersions(besides: asset) != nil
    var state = try from.state(of: asset, isLeaving: true, isReading: true)
    // The note that the photo and the movie are not a pair mentions the other file.
    let untied = asset.halves.count == 1 && !isWithoutVersions ? asset.namesake : nil
    let notes = state.notes + (untied == nil ? [] : asset.notes)
    // Files that other programs left beside the originals are moved too, after they are recorded as the next edit would
    // record them.
    if !isDryRun, state.isChanged, !state.record.versions.isEmpty {
      try from.commit([AssetCommit(before: state, after: state.record)])
      state = try from.state(of: asset, isLeaving: true)
    }
    func newName(_ name: String?) -> String? {
      guard let name, case .stem(let stem, _) = destination else { return name }
      let fileExtension = RenderNames.Parts(name).fileExtension
      return fileExtension.isEmpty ? stem : stem + "." + fileExtension
    }
    let (photo, movie) = (newName(asset.photo), newName(asset.movie))
    guard from !== to || (photo, movie) != (asset.photo, asset.movie) else {
      throw EditError(.inTheWay, file: path, "already exists", remedy: "choose another name or folder")
    }
    if isCancelled() { throw EditError(.cancelled, file: path, "was not moved: stopped on request") }
    let new = state.record.renamed(photo: photo, movie: movie)
    let mover = TransferMover(from: from, old: state.record, to: to, new: new)
    if isDryRun {
      try from.checkPossible(mover)
    } else if isWithoutVersions {
      // The versions and flags under this name belong to another asset, which is not moved.
      try from.checkPossible(mover)
      try mover.carryOut(report)
    } else {
      _ = try from.transfer(state.record, to: to, photo: photo, movie: movie, report: report)
    }
    return MovedAsset(
      old: asset.halves.map { asset.path($0.name) }, new: new.originals.map { to.path($0.name) },
      left: try isWithoutVersions ? [] : mover.namesakes(besides: asset.namesake?.name), notes: notes)
  }

  /// Opens the libraries of two folders in an order that does not depend on which folder is named first, so that two
  /// processes cannot wait for each other. If both folders are the same, one library is opened.
  private static func both(
    _ folder: String, _ other: String, _ open: (String, Library?) throws(EditError) -> Library
  ) throws(EditError) -> (Library, Library) {
    func place(_ folder: String) throws(EditError) -> FileStatus.Place {
      try whileReading(FilePath.shown(folder)) { try FileStatus(path: FilePath.shown(folder)).place }
    }
    let (mine, theirs) = (try place(folder), try place(other))
    if mine == theirs {
      let library = try open(folder, nil)
      return (library, library)
    }
    let isFirst = (mine.device, mine.inode) < (theirs.device, theirs.inode)
    let first = try open(isFirst ? folder : other, nil)
    do throws(EditError) {
      let second = try open(isFirst ? other : folder, first)
      return isFirst ? (first, second) : (second, first)
    } catch {
      first.close()
      throw error
    }
  }
}

extension TransferMover {
  /// Returns the paths of files that have the asset's old stem but are not moved with it.
  ///
  /// - Parameter other: The name of an original of another asset, which is excluded, or nil to exclude no name.
  fileprivate func namesakes(besides other: String?) throws(EditError) -> [String] {
    let listing = try FolderListing(folder: from.folder)
    let stems = RenderNames.stems(ofAsset: old.stem, originals: old.originals.map(\.name))
    let others = other.map { [$0, RenderNames.renderStem(of: $0)].map { $0 + "." } } ?? []
    // IMG_O0001.AAE is the camera's own recipe for IMG_0001.
    let recipe = String(old.stem.prefix(4)) + "O" + old.stem.dropFirst(4) + "."
    let own = Set((shown + TransferMover(from: from, old: old, to: from, new: old).shown).map(\.name))
    return listing.names.filter { name in
      if name == other || own.contains(name) || others.contains(where: name.hasPrefix) { return false }
      return stems.contains { name.hasPrefix($0 + ".") }
        || name.hasPrefix(recipe) && name.lowercased().hasSuffix(".aae")
    }.map(from.path)
  }
}
