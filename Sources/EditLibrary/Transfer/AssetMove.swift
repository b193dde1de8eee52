package import Basics
import FileSystem

/// An asset that was given another name or folder.
package struct MovedAsset: Sendable {
  /// Paths of the originals before.
  package var old: [String]
  /// Paths of the originals now.
  package var new: [String]
  /// Paths of files that have the asset's name and stay where they are: sidecars of other programs.
  package var left: [String]
  /// Notes about what other programs did beside the originals, one sentence each.
  package var notes: [Message]
}

/// The place that an asset is to be moved to.
package enum AssetDestination: Hashable, Sendable {
  /// A folder, in which the originals keep their names.
  case folder(String)
  /// A stem in a folder, which both originals get.
  case stem(String, folder: String)

  /// The folder's path; empty for the current one.
  package var folder: String {
    switch self {
    case .folder(let folder), .stem(_, let folder): folder
    }
  }
}

extension Library {
  /// Gives an asset another name or folder: the originals, the render and the adjustment data beside them, the versions,
  /// the marks and the places in albums. It is the only thing that ever gives an original another name. A crash at any
  /// moment leaves the asset wholly at the old place or wholly at the new one, once the library of either is opened.
  ///
  /// - Parameters:
  ///   - path: of an original, a render or the adjustment data.
  ///   - destination: the new place.
  ///   - isDryRun: true to make all checks that write nothing, and to move nothing.
  ///   - isCancelled: asked now and then; true stops the work before anything is moved.
  ///   - report: told what people should know.
  /// - Throws: ``EditError`` that names what has a name that is needed, or says why the system does not let the files
  ///   go; nothing is moved then, unless its code is ``EditError/Code/unfinished``.
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
    // The note that the two are not tied tells of the other one.
    let untied = asset.halves.count == 1 && !isWithoutVersions ? asset.namesake : nil
    let notes = state.notes + (untied == nil ? [] : asset.notes)
    // What other programs left beside the originals goes along, as the next edit would take it in.
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
      throw EditError(.inTheWay, file: path, "is there already", remedy: "choose another name or folder")
    }
    if isCancelled() { throw EditError(.cancelled, file: path, "was not moved: stopped on request") }
    let new = state.record.renamed(photo: photo, movie: movie)
    let mover = TransferMover(from: from, old: state.record, to: to, new: new)
    if isDryRun {
      try from.checkPossible(mover)
    } else if isWithoutVersions {
      // The versions and the marks of its name are those of another asset, which stays.
      try from.checkPossible(mover)
      try mover.carryOut(report)
    } else {
      _ = try from.transfer(state.record, to: to, photo: photo, movie: movie, report: report)
    }
    return MovedAsset(
      old: asset.halves.map { asset.path($0.name) }, new: new.originals.map { to.path($0.name) },
      left: try isWithoutVersions ? [] : mover.namesakes(besides: asset.namesake?.name), notes: notes)
  }

  /// Opens the libraries of two folders: in the same order whichever is named first, so that no two processes
  /// wait for each other, and one library for one folder.
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
  /// Paths of the files that have the asset's old stem and are not moved with it.
  ///
  /// - Parameter other: the name of an original of another asset, which is not among them; nil where there is none.
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
