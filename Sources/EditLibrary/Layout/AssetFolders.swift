import Basics
import FileSystem

/// The two folders of assets, held open. In the layout beside the originals both are the same.
struct AssetFolders: Sendable {
  /// The folder of the originals.
  let originals: HeldFolder
  /// The folder of the renders, the adjustment data and `.liveedit`.
  let home: HeldFolder

  /// True if renders stand beside their originals.
  var areOne: Bool { originals === home }

  /// Opens the folders. Nothing is made: a home that is not there yet is a folder without files.
  ///
  /// - Parameters:
  ///   - folder: the originals' folder; empty for the current one.
  ///   - layout: the place of the renders.
  ///   - isBeforeMaking: whether it is refused as if they were opened to write in the home.
  /// - Throws: ``EditError`` when there is no such folder, or its assets have the other layout.
  init(
    _ folder: String, _ layout: LibraryLayout, beforeMaking isBeforeMaking: Bool = false
  ) throws(EditError) {
    try self.init(folder, layout, isMade: isBeforeMaking) { library, path throws(EditError) in
      try library.home(of: path, trees: layout.trees)
    }
  }

  /// Opens the folders to write in the home, which is made.
  ///
  /// - Parameter report: told of a new root.
  init(making folder: String, _ layout: LibraryLayout, report: Library.Report) throws(EditError) {
    try self.init(folder, layout, isMade: true) { library, path throws(EditError) in
      try library.makeHome(of: path, trees: layout.trees, known: layout.known, report: report)
    }
  }

  /// Makes sure that a home that is not there can be made.
  ///
  /// - Parameter home: its path.
  static func checkCanMake(_ home: String) throws(EditError) {
    var folder = home
    repeat {
      folder = FilePath.split(folder).folder
    } while !folder.isEmpty && (try? FileStatus.exists(folder)) != true
    try whileWriting(FilePath.shown(folder)) { try HeldFolder(path: folder).checkWritable() }
  }

  private init(
    _ folder: String, _ layout: LibraryLayout, isMade: Bool = false,
    home: (LibraryFolder, String) throws(EditError) -> HeldFolder
  ) throws(EditError) {
    let shown = FilePath.shown(folder)
    let originals = try whileReading(shown) { try HeldFolder(path: folder) }
    self.originals = originals
    guard let path = layout.library else {
      self.home = originals
      try layout.known.checkNone(of: originals, beforeMaking: isMade)
      return
    }
    let library = try LibraryFolder(path)
    let tree = try library.path(of: originals)
    guard try !whileReading(shown, { try Library.holdsAssets(originals) }) else {
      throw EditError(
        .inTheWay, file: shown, "has its versions in its own \(LibraryPaths.folder), not in \(path)",
        remedy: "leave out --library")
    }
    try layout.known.checkNone(of: originals, besides: library.realPath)
    self.home = try home(library, tree)
  }
}

extension Library {
  /// True if a home holds versions, marks or albums, or the files of an edit that is not finished. The catalogue is not
  /// opened: all that is recorded stands beside it too.
  static func holdsAssets(_ home: HeldFolder) throws -> Bool {
    guard try home.exists(LibraryPaths.folder) else { return false }
    if try holdsVersions(home) || holdsCollections(home) { return true }
    return try home.namesIfAny(in: LibraryPaths.work).contains { name in
      LibraryPaths.isWorkName(name) || LibraryPaths.isRenderFolder(name)
    }
  }

  /// True if the folders of versions describe any.
  static func holdsVersions(_ home: HeldFolder) throws -> Bool {
    // What is no folder of liveedit's holds none.
    func unlessStrange(_ holds: () throws -> Bool) throws -> Bool {
      do { return try holds() } catch is EditError { return false }
    }
    return try home.namesIfAny(in: LibraryPaths.versions).contains { stem in
      try unlessStrange {
        try home.namesIfAny(in: LibraryPaths.versions(of: stem)).contains { name in
          guard let number = LibraryPaths.number(ofFolder: name) else { return false }
          return try unlessStrange { try VersionDescription.read(of: number, of: stem, in: home) != nil }
        }
      }
    }
  }

  /// True if the file beside the catalogue holds marks or albums, or cannot be understood.
  static func holdsCollections(_ home: HeldFolder) throws -> Bool {
    guard try home.exists(LibraryPaths.collections) else { return false }
    return try Collections.read(in: home)?.isEmpty != true
  }
}
