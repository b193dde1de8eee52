import Basics
import EditModel
import FileSystem

/// Checks made before a transfer is recorded, because every recorded transfer must be possible.
extension Library {
  /// Checks that an asset can get its new names.
  ///
  /// - Throws: ``EditError`` that names the obstacle.
  func checkPossible(_ mover: TransferMover) throws(EditError) {
    let (old, to, new) = (mover.old, mover.to, mover.new)
    let first = new.originals.first?.name ?? new.stem
    if let error = unfinished[old.stem] ?? to.unfinished[new.stem] { throw error }
    guard !first.hasPrefix("."), !new.stem.isEmpty else {
      throw EditError(
        .invalidEdit, file: to.path(first), "would be hidden, because its name begins with a dot",
        remedy: "choose another name")
    }
    if new.stem != old.stem, let original = RenderNames.originalStem(ofRender: new.stem) {
      throw EditError(
        .invalidEdit, file: to.path(first), "would be mistaken for an edited version of \(original)",
        remedy: "choose another name")
    }
    try to.checkNames(of: new)
    try checkHistory(mover)
    try checkNames(mover)
    try checkSystem(mover)
  }

  /// Checks that the destination library has no history under the new stem, which would be mixed with this history.
  private func checkHistory(_ mover: TransferMover) throws(EditError) {
    let (to, stem) = (mover.to, mover.new.stem)
    if to === self, stem.hasBytes(of: mover.old.stem) { return }
    let folder = LibraryPaths.versions(of: stem)
    let hasFiles = try whileReading(to.path(folder)) {
      try to.home.namesIfAny(in: folder).contains { name in
        try to.home.status(folder + "/" + name).kind != .folder
          || !to.home.names(in: folder + "/" + name).isEmpty
      }
    }
    // The folder belongs to the asset itself if the file system ignores case, or if another program has already renamed
    // the folder.
    let isOwn = try whileReading(to.path(folder)) {
      guard mover.isRespelled else { return false }
      let old = LibraryPaths.versions(of: mover.old.stem)
      return try to.home.isOneEntry(old, folder) || stem == mover.old.stem && !to.home.exists(old)
    }
    guard try to.record(of: stem) == nil, !hasFiles || isOwn else {
      throw EditError(
        .inTheWay, file: to.path(mover.new.originals.first?.name ?? stem),
        "already has a history in that folder: its name belongs to recorded versions",
        remedy: "choose another name, or run liveedit forget on that name")
    }
  }

  private func checkNames(_ mover: TransferMover) throws(EditError) {
    let (to, new) = (mover.to, mover.new)
    let listing = try FolderListing(folder: to.folder)
    // The names in the form in which the folder compares them.
    var own: Set<String> = []
    if to === self {
      own = Set(
        TransferMover(from: self, old: mover.old, to: self, new: mover.old).shown.map { listing.key($0.name) }
      )
    }
    for (name, file) in mover.shown where !own.contains(listing.key(name)) {
      guard try whileReading(to.path(name), { try to.home.exists(name) }) else { continue }
      // Another program may have moved the file earlier.
      let isOriginal = new.originals.contains { $0.name == name }
      guard try file.fingerprint.matches(name, in: to.home, isOriginal: isOriginal) else {
        throw EditError(.inTheWay, file: to.path(name), "already exists", remedy: "choose another name")
      }
      own.insert(listing.key(name))
    }
    let stems = Set(new.originals.map { RenderNames.Parts($0.name).stem })
    for stem in stems {
      let others =
        listing.names(stem: stem).filter { name in
          let fileExtension = RenderNames.Parts(name).fileExtension
          return HalfKind(fileExtension: fileExtension) != nil || fileExtension.lowercased() == "aae"
        }
        + listing.names(stem: RenderNames.renderStem(of: stem)).filter {
          HalfKind(fileExtension: RenderNames.Parts($0).fileExtension) != nil
        }
      if let other = others.first(where: { !own.contains(listing.key($0)) }) {
        throw EditError(
          .inTheWay, file: to.path(other), "would be mistaken for a part of \(stem)",
          remedy: "choose another name")
      }
      if let original = RenderNames.originalStem(ofRender: stem),
        listing.hasHalves(stem: original) && listing.key(original) != listing.key(mover.old.stem)
      {
        throw EditError(
          .inTheWay, file: to.path(new.originals.first?.name ?? stem),
          "would be mistaken for an edited version of \(original), which is in that folder",
          remedy: "choose another name")
      }
    }
  }

  /// Checks that the system permits moving files from one folder to the other.
  private func checkSystem(_ mover: TransferMover) throws(EditError) {
    let to = mover.to
    for library in [self, to] {
      try whileWriting(FilePath.shown(library.folder)) { try library.home.checkWritable() }
    }
    for (name, _) in TransferMover(from: self, old: mover.old, to: self, new: mover.old).shown {
      try whileWriting(path(name)) { try checkRemovable(name) }
    }
    if to === self { return }
    for original in mover.old.originals {
      guard
        try whileReading(path(original.name), { try originalsFolder.statusIfAny(original.name)?.kind })
          != .symbolicLink
      else {
        throw EditError(
          .unsupported, file: path(original.name),
          "is a symbolic link, whose target may be different in another folder",
          remedy: "move the file that the link points to")
      }
    }
    let error = EditError(
      .fileSystem, file: FilePath.shown(to.folder),
      "is on another file system, and files can be moved only within one file system",
      remedy: "copy the files to that folder and edit the copies, or choose a folder on the same disk")
    guard isOpenForWriting else {
      let isSame = try whileReading(to.path("")) {
        try to.home.status.place.device == home.status.place.device
      }
      if !isSame { throw error }
      return
    }
    // Equal device numbers do not prove that a file can be moved, and different device numbers do not prove that it
    // cannot.
    let (place, target) = (try workName("description"), try to.workName("description"))
    try create(place, [])
    defer { _ = try? home.remove(place) }
    do {
      try home.move(place, toFree: target, in: to.home)
      try to.home.remove(target)
    } catch SystemError.otherFileSystem {
      throw error
    } catch {
      throw EditError(writing: FilePath.shown(to.folder), error)
    }
  }
}
