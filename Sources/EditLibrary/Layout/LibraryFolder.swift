import Basics
import FileSystem

/// An open separate library: a folder that contains a library home for each folder of originals. The path of a library
/// home consists of the name of its root and its relative path in the root.
struct LibraryFolder {
  private let folder: HeldFolder
  /// The folder's path, with all symbolic links resolved.
  let realPath: String
  private let roots: RootIndex

  /// Opens a library without creating anything.
  ///
  /// - Parameter path: The folder's path.
  /// - Throws: ``EditError`` if the folder does not exist, or contains other files.
  init(_ path: String) throws(EditError) {
    do {
      folder = try HeldFolder(path: path)
    } catch {
      var error = FolderListing.error(path, error)
      if error.code == .notFound { error.remedy = "create it first" }
      throw error
    }
    realPath = try Self.text(whileReading(path) { [folder] in try folder.realPath })
    if let read = try LibraryRoots.index(in: folder) {
      roots = read
      return
    }
    let names = try whileReading(path) { [folder] in try folder.names() }
    // Another process may have created the library in the meantime.
    let made = names.isEmpty ? nil : try LibraryRoots.index(in: folder)
    roots = made ?? RootIndex(LibraryRoots())
    let others = names.filter { !$0.hasPrefix(".") && !Self.system.contains($0) }
    if roots.list.roots.isEmpty, let other = others.min() {
      throw EditError(
        .inTheWay, file: path, "is not a liveedit library and contains other files (\(other))",
        remedy: "choose an empty folder with --library")
    }
  }

  /// Names that a file system or liveedit itself creates.
  private static let system = ["lost+found", LibraryRoots.draft]

  /// Returns a path from the system as text.
  ///
  /// - Throws: ``EditError`` if the path is not valid UTF-8.
  private static func text(_ path: [UInt8]) throws(EditError) -> String {
    guard let text = String(validating: path, as: UTF8.self) else {
      throw UnusableName.error(TerminalText.repaired(path))
    }
    return text
  }

  /// Returns the path of a folder of originals, with all symbolic links resolved.
  ///
  /// - Throws: ``EditError`` if the folder is inside the library, or the library is inside the folder.
  func path(of originals: HeldFolder) throws(EditError) -> String {
    let path = try Self.text(whileReading(FilePath.shown(originals.path)) { try originals.realPath })
    guard !path.split(separator: "/").contains(where: { $0.hasPrefix(HeldFolder.ownPrefix) }) else {
      throw EditError(
        .unsupported, file: path, "is in a folder that liveedit uses internally",
        remedy: "name the folder of the originals")
    }
    try checkApart(path, roots)
    return path
  }

  /// Returns the library home of a folder of originals. The library home does not exist until something is written to
  /// it.
  ///
  /// - Parameters:
  ///   - originals: The folder's path, see ``path(of:)``.
  ///   - trees: The paths of trees of originals. The tree that contains the folder becomes the root; if no tree
  ///     contains the folder, the folder itself becomes the root.
  func home(of originals: String, trees: [String]) throws(EditError) -> HeldFolder {
    let known = try place(of: originals, among: roots)
    let place = if let known { known } else { try newRoot(for: originals, trees, roots).place(of: originals) }
    return try whileReading(folder.path(place)) { try HeldFolder(place, in: folder) }
  }

  /// Returns the library home of a folder of originals, and creates it if it is missing. If the folder belongs to no
  /// known root, a root is added.
  ///
  /// - Parameters:
  ///   - trees: The paths of trees of originals. The tree that contains the folder becomes the root; if no tree
  ///     contains the folder, the folder itself becomes the root.
  ///   - known: The list of libraries that the user has created, to which this library is added.
  ///   - report: A function that receives a message if a root is added.
  func makeHome(
    of originals: String, trees: [String], known: KnownLibraries, report: Library.Report
  ) throws(EditError) -> HeldFolder {
    let found = try place(of: originals, among: roots)
    let place = if let found { found } else { try addRoot(for: originals, trees, report: report) }
    known.add(realPath)
    return try whileWriting(folder.path(place)) {
      for made in try FileMover.makeParents(of: place + "/" + LibraryPaths.folder, in: folder) {
        let parent = FileMover.parent(made)
        try folder.syncFolder(parent)
      }
      return try HeldFolder(place, in: folder)
    }
  }

  /// Returns the relative path of a folder's library home in the library, or nil if the folder belongs to no known
  /// root.
  ///
  /// - Parameter isNow: Whether to resolve the symbolic links in the roots' paths again, see ``RootIndex``.
  /// - Throws: ``EditError`` if the folder has versions under more than one root.
  private func place(
    of originals: String, among roots: RootIndex, isNow: Bool = false
  ) throws(EditError) -> String? {
    var around = roots.roots(around: originals)
    if around.isEmpty { around = roots.linkedRoots(around: originals, isNow: isNow) }
    let found = try around.map { root throws(EditError) in try presentPlace(of: originals, in: root) }
    guard let first = found.first else { return nil }
    // If roots are nested, the inner root applies. Nested roots arise if a folder is edited first and a tree that
    // contains the folder is edited later. If a change to the file would hide an outer root's versions, an error is
    // thrown.
    for other in found.dropFirst() {
      let isUsed = try whileReading(folder.path(other)) {
        try Library.holdsAssets(HeldFolder(other, in: folder))
      }
      guard !isUsed else {
        throw EditError(
          .damagedLibrary, file: originals,
          "has versions under two roots, in \(folder.path(first)) and in \(folder.path(other))",
          remedy: "correct the paths of the roots in \(folder.path(LibraryRoots.file))")
      }
    }
    return first
  }

  /// Returns the relative path of a folder's library home as the library lists it. The spelling may differ from the
  /// spelling of the folder's own path.
  ///
  /// - Throws: ``EditError`` if the library home belongs to another folder whose name the library's file system treats
  ///   as equal.
  private func presentPlace(of originals: String, in root: LibraryRoot) throws(EditError) -> String {
    let place = root.place(of: originals)
    return try whileReading(folder.path(place)) {
      var present = ""
      var other = root.path
      for part in place.utf8.split(separator: 0x2F).map({ String(Substring($0)) }) {
        let inner = present.isEmpty ? part : present + "/" + part
        let name = try folder.presentName(of: inner) ?? part
        if !present.isEmpty { other = FilePath.joined(other, name) }
        present = present.isEmpty ? name : present + "/" + name
      }
      if present.hasBytes(of: place) { return place }
      let (own, there) = (try FileStatus.ifAny(originals), try FileStatus.ifAny(other))
      guard let there, there.place != own?.place, try Library.holdsAssets(HeldFolder(present, in: folder))
      else {
        return present
      }
      throw EditError(
        .inTheWay, file: originals,
        "cannot have versions in this library, because the library's file system does not distinguish the folder's name from \(other)",
        remedy: "rename one of the two folders")
    }
  }

  /// Whether the library contains versions, favourites, hidden assets or albums of a folder of originals.
  func holdsAssets(of originals: String) throws(EditError) -> Bool {
    guard let place = try place(of: originals, among: roots) else { return false }
    return try whileReading(folder.path(place)) { try Library.holdsAssets(HeldFolder(place, in: folder)) }
  }

  /// Whether a folder is the library's folder or inside it.
  func contains(_ path: String) -> Bool { LibraryRoot.relativePath(of: path, in: realPath) != nil }

  /// Returns the path in a tree of originals that corresponds to a path in the library, or nil if no path corresponds.
  ///
  /// - Parameter path: The path of a library home, or of a file in a library home.
  func originalPath(_ path: String) throws -> String? {
    let isFolder = try FileStatus(path: path).kind == .folder
    let (folder, name) = isFolder ? (path, "") : FilePath.split(path)
    let real = try Self.text(HeldFolder(path: folder).realPath)
    guard
      let place = LibraryRoot.relativePath(of: real, in: realPath)?.utf8.split(separator: 0x2F, maxSplits: 1)
        .map({ String(Substring($0)) }), let root = roots.root(named: place.first ?? "")
    else { return nil }
    let originals = place.dropFirst().reduce(root.path) { FilePath.joined($0, $1) }
    return isFolder ? originals : FilePath.joined(originals, name)
  }

  /// Checks that neither a tree of originals nor the library contains the other. Otherwise renders would be treated as
  /// originals.
  private func checkApart(_ tree: String, _ roots: RootIndex) throws(EditError) {
    if contains(tree) {
      throw EditError(
        .inTheWay, file: tree, "is inside the library \(realPath)", remedy: "name the folder of the originals"
      )
    }
    let isAround = LibraryRoot.relativePath(of: realPath, in: tree) != nil
    if let top = roots.roots(around: realPath).first?.path ?? (isAround ? tree : nil) {
      throw EditError(
        .inTheWay, file: realPath, "is inside \(top), whose versions the library would contain",
        remedy: "choose a folder outside it for --library")
    }
  }

  /// Adds a folder of originals, or a tree that contains it, as a root.
  ///
  /// - Returns: The relative path of the folder's library home.
  private func addRoot(
    for originals: String, _ trees: [String], report: Library.Report
  ) throws(EditError) -> String {
    let lock = try LibraryLock(in: folder, wait: LibraryLock.longestWait, report: report)
    defer {
      _ = try? folder.remove(LibraryPaths.lock)
      try? folder.removeFolder(LibraryPaths.folder)
      withExtendedLifetime(lock) {}
    }
    let now = try LibraryRoots.index(in: folder) ?? RootIndex(LibraryRoots())
    // Another process may have added the root in the meantime, or the disk that a symbolic link leads to may have been
    // mounted.
    if let place = try place(of: originals, among: now, isNow: true) { return place }
    let root = try newRoot(for: originals, trees, now)
    try checkApart(root.path, now)
    let alike = now.list.roots.first { FilePath.split($0.path).name == FilePath.split(root.path).name }
    try whileWriting(folder.path(LibraryRoots.file)) {
      try LibraryRoots(roots: (now.list.roots + [root]).sorted { $0.name < $1.name }).write(in: folder)
    }
    let hint =
      alike.map {
        "; if that folder was moved from \($0.path), correct that path in \(folder.path(LibraryRoots.file)) instead"
      } ?? ""
    report("added \(root.path) to the library \(folder.path) as \(root.name)\(hint)")
    return root.place(of: originals)
  }

  /// Returns the new root for a folder of originals, or for the tree that contains it.
  private func newRoot(
    for originals: String, _ trees: [String], _ roots: RootIndex
  ) throws(EditError) -> LibraryRoot {
    let tops = trees.compactMap { try? Self.text(HeldFolder(path: $0).realPath) }
    let path = tops.first { LibraryRoot.relativePath(of: originals, in: $0) != nil } ?? originals
    return LibraryRoot(name: try freeName(path, roots), path: path)
  }

  /// Returns an unused name in the library, based on the last component of a path.
  private func freeName(_ path: String, _ roots: RootIndex) throws(EditError) -> String {
    var base = String(FilePath.split(path).name.drop { $0 == "." })
    while base.utf8.count > ReadingLimit.names.value - 10 { base.removeLast() }
    if base.isEmpty { base = "root" }
    return try whileReading(folder.path) {
      var number = roots.firstNumber(of: base)
      while true {
        let name = RootIndex.name(base, number)
        if name != LibraryRoots.file, !roots.isTaken(name), try !folder.exists(name) { return name }
        number += 1
      }
    }
  }
}
