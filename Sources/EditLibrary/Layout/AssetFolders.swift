import Basics
import FileSystem

/// The two open folders of assets: the originals' folder and the library home. If renders are stored beside their
/// originals, both are the same folder.
struct AssetFolders: Sendable {
  /// The folder of the originals.
  let originals: HeldFolder
  /// The library home, which contains the renders, the adjustment data and `.liveedit`.
  let home: HeldFolder

  /// Whether renders are stored beside their originals.
  var areOne: Bool { originals === home }

  /// Opens the folders without creating anything. A library home that does not exist yet appears as an empty folder.
  ///
  /// - Parameters:
  ///   - folder: The originals' folder; empty for the current folder.
  ///   - layout: Where renders are stored.
  ///   - isBeforeMaking: Whether to throw the same errors as opening the library home for writing would.
  /// - Throws: ``EditError`` if the folder does not exist, or if its assets use the other layout.
  init(
    _ folder: String, _ layout: LibraryLayout, beforeMaking isBeforeMaking: Bool = false
  ) throws(EditError) {
    try self.init(folder, layout, isMade: isBeforeMaking) { library, path throws(EditError) in
      try library.home(of: path, trees: layout.trees)
    }
  }

  /// Opens the folders for writing, and creates the library home.
  ///
  /// - Parameter report: A function that receives a message if a root is added.
  init(making folder: String, _ layout: LibraryLayout, report: Library.Report) throws(EditError) {
    try self.init(folder, layout, isMade: true) { library, path throws(EditError) in
      try library.makeHome(of: path, trees: layout.trees, known: layout.known, report: report)
    }
  }

  /// Checks that a missing library home can be created.
  ///
  /// - Parameter home: The library home's path.
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
        .inTheWay, file: shown, "keeps its versions in its own \(LibraryPaths.folder) folder, not in \(path)",
        remedy: "omit --library")
    }
    try layout.known.checkNone(of: originals, besides: library.realPath)
    self.home = try home(library, tree)
  }
}

extension Library {
  /// Whether a library home contains versions, favourites, hidden assets, albums, or the files of an unfinished edit.
  /// The catalogue is not opened, because the files beside the catalogue contain the same information.
  static func holdsAssets(_ home: HeldFolder) throws -> Bool {
    guard try home.exists(LibraryPaths.folder) else { return false }
    if try holdsVersions(home) || holdsCollections(home) { return true }
    return try home.namesIfAny(in: LibraryPaths.work).contains { name in
      LibraryPaths.isWorkName(name) || LibraryPaths.isRenderFolder(name)
    }
  }

  /// Whether the versions folder contains the description of any version.
  static func holdsVersions(_ home: HeldFolder) throws -> Bool {
    // A folder that liveedit did not create contains no versions.
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

  /// Whether the file beside the catalogue contains favourites, hidden assets or albums, or cannot be parsed.
  static func holdsCollections(_ home: HeldFolder) throws -> Bool {
    guard try home.exists(LibraryPaths.collections) else { return false }
    return try Collections.read(in: home)?.isEmpty != true
  }
}
