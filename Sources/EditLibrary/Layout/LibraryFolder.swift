import Basics
import FileSystem

/// A library elsewhere, held open: a folder with a home for each folder of originals, at the name of its root and its
/// relative path in it.
struct LibraryFolder {
  private let folder: HeldFolder
  /// The folder's path without links.
  let realPath: String
  private let roots: RootIndex

  /// Opens a library. Nothing is made.
  ///
  /// - Parameter path: the folder's path.
  /// - Throws: ``EditError`` when there is no such folder, or it holds other things.
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
    // Another job may have made it in between.
    let made = names.isEmpty ? nil : try LibraryRoots.index(in: folder)
    roots = made ?? RootIndex(LibraryRoots())
    let others = names.filter { !$0.hasPrefix(".") && !Self.system.contains($0) }
    if roots.list.roots.isEmpty, let other = others.min() {
      throw EditError(
        .inTheWay, file: path, "is no library of liveedit, and holds other things (\(other))",
        remedy: "name an empty folder with --library")
    }
  }

  /// Names that a file system has by itself.
  private static let system = ["lost+found", LibraryRoots.draft]

  /// A path of the system's as text.
  ///
  /// - Throws: ``EditError`` when it is not UTF-8.
  private static func text(_ path: [UInt8]) throws(EditError) -> String {
    guard let text = String(validating: path, as: UTF8.self) else {
      throw UnusableName.error(TerminalText.repaired(path))
    }
    return text
  }

  /// The path of a folder of originals without links.
  ///
  /// - Throws: ``EditError`` when it and the library are within each other.
  func path(of originals: HeldFolder) throws(EditError) -> String {
    let path = try Self.text(whileReading(FilePath.shown(originals.path)) { try originals.realPath })
    guard !path.split(separator: "/").contains(where: { $0.hasPrefix(HeldFolder.ownPrefix) }) else {
      throw EditError(
        .unsupported, file: path, "is in a folder of liveedit's own", remedy: "name that of the originals")
    }
    try checkApart(path, roots)
    return path
  }

  /// The home of a folder of originals; where nothing was written yet, the folder that it will be, which is not there.
  ///
  /// - Parameters:
  ///   - originals: the folder's path, see ``path(of:)``.
  ///   - trees: the paths of trees of originals; the one with the folder becomes the root, and otherwise the folder does.
  func home(of originals: String, trees: [String]) throws(EditError) -> HeldFolder {
    let known = try place(of: originals, among: roots)
    let place = if let known { known } else { try newRoot(for: originals, trees, roots).place(of: originals) }
    return try whileReading(folder.path(place)) { try HeldFolder(place, in: folder) }
  }

  /// The same, made where it is missing. Where no root is known for it, there is one afterwards.
  ///
  /// - Parameters:
  ///   - trees: the paths of trees of originals; the one with the folder becomes the root, and otherwise the folder does.
  ///   - known: keeps the library among those that the user has made.
  ///   - report: told of a new root.
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

  /// The place of a folder's home in the library; nil when no root is known for it.
  ///
  /// - Parameter isNow: whether the paths of roots are asked anew where they lead, see ``RootIndex``.
  /// - Throws: ``EditError`` when the folder has versions under more than one root.
  private func place(
    of originals: String, among roots: RootIndex, isNow: Bool = false
  ) throws(EditError) -> String? {
    var around = roots.roots(around: originals)
    if around.isEmpty { around = roots.linkedRoots(around: originals, isNow: isNow) }
    let found = try around.map { root throws(EditError) in try presentPlace(of: originals, in: root) }
    guard let first = found.first else { return nil }
    // Of roots within each other the inner one counts. They come about when a folder is edited first, and a tree
    // around it later; not when the file is changed so that what an outer one holds would be lost to sight.
    for other in found.dropFirst() {
      let isUsed = try whileReading(folder.path(other)) {
        try Library.holdsAssets(HeldFolder(other, in: folder))
      }
      guard !isUsed else {
        throw EditError(
          .damagedLibrary, file: originals,
          "has versions under two roots, in \(folder.path(first)) and in \(folder.path(other))",
          remedy: "put the paths of the roots right in \(folder.path(LibraryRoots.file))")
      }
    }
    return first
  }

  /// The place of a folder's home as the library lists it, which may have another spelling.
  ///
  /// - Throws: ``EditError`` when it is that of another folder, whose name the library's file system cannot tell from this one.
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
        "has a name that the library's file system cannot tell from \(other), whose versions the library holds",
        remedy: "give one of the two folders another name")
    }
  }

  /// True if the library has versions, marks or albums of a folder of originals.
  func holdsAssets(of originals: String) throws(EditError) -> Bool {
    guard let place = try place(of: originals, among: roots) else { return false }
    return try whileReading(folder.path(place)) { try Library.holdsAssets(HeldFolder(place, in: folder)) }
  }

  /// True if a folder is the library's own or in it.
  func contains(_ path: String) -> Bool { LibraryRoot.relativePath(of: path, in: realPath) != nil }

  /// The path in a tree of originals whose home is at a path in the library; nil for any other path.
  ///
  /// - Parameter path: of a home, or of a file in one.
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

  /// Makes sure that a tree of originals and the library are not within each other: renders would be taken for
  /// originals.
  private func checkApart(_ tree: String, _ roots: RootIndex) throws(EditError) {
    if contains(tree) {
      throw EditError(
        .inTheWay, file: tree, "is in the library \(realPath)", remedy: "name the folder of the originals")
    }
    let isAround = LibraryRoot.relativePath(of: realPath, in: tree) != nil
    if let top = roots.roots(around: realPath).first?.path ?? (isAround ? tree : nil) {
      throw EditError(
        .inTheWay, file: realPath, "is in \(top), whose originals it would hold the versions of",
        remedy: "choose a folder outside of it for --library")
    }
  }

  /// Makes a folder of originals, or a tree around it, a root.
  ///
  /// - Returns: the place of the folder's home.
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
    // Somebody may have added it in between, or a disk with a link may be there by now.
    if let place = try place(of: originals, among: now, isNow: true) { return place }
    let root = try newRoot(for: originals, trees, now)
    try checkApart(root.path, now)
    let alike = now.list.roots.first { FilePath.split($0.path).name == FilePath.split(root.path).name }
    try whileWriting(folder.path(LibraryRoots.file)) {
      try LibraryRoots(roots: (now.list.roots + [root]).sorted { $0.name < $1.name }).write(in: folder)
    }
    let hint =
      alike.map {
        "; if it is \($0.path), moved, put that path right in \(folder.path(LibraryRoots.file)) instead"
      } ?? ""
    report("\(root.path) is new in the library \(folder.path), as \(root.name)\(hint)")
    return root.place(of: originals)
  }

  /// The root that a folder of originals, or the tree around it, would be.
  private func newRoot(
    for originals: String, _ trees: [String], _ roots: RootIndex
  ) throws(EditError) -> LibraryRoot {
    let tops = trees.compactMap { try? Self.text(HeldFolder(path: $0).realPath) }
    let path = tops.first { LibraryRoot.relativePath(of: originals, in: $0) != nil } ?? originals
    return LibraryRoot(name: try freeName(path, roots), path: path)
  }

  /// A name in the library that nothing has, after the last name of a path.
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
