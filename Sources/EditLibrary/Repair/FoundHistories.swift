import Basics
import FileSystem

/// Finds the sync conflict copies in a library's folder.
struct FoundHistories {
  /// A conflict copy of the catalogue.
  struct OtherCatalogue {
    /// The copy's path.
    let place: String
    /// The open catalogue, or nil if it is damaged.
    let catalogue: Catalogue?
    /// The copy's generation.
    let generation: Int
  }

  /// The conflict copies of the catalogue.
  private(set) var catalogues: [OtherCatalogue] = []
  /// The conflict copies of the catalogue that a newer liveedit wrote.
  private(set) var newerCatalogues: [String] = []
  /// The conflict copies of the file that stores favourites, hidden assets and albums.
  private(set) var collections: [String] = []
  /// The conflict copies in the versions folders.
  private(set) var versionFiles: [String] = []

  /// Searches for conflict copies.
  ///
  /// - Parameter library: A library that is open for writing or for reading.
  init(in library: Library) throws(EditError) {
    let home = library.home
    let names = try whileReading(library.path(LibraryPaths.folder)) {
      try home.namesIfAny(in: LibraryPaths.folder)
    }
    for name in names.sorted() {
      guard let original = ConflictCopy.original(of: name) else { continue }
      let place = LibraryPaths.folder + "/" + name
      if LibraryPaths.folder + "/" + original == LibraryPaths.catalogue {
        try add(DatabaseFile(folder: home, place: place), in: library)
      } else if LibraryPaths.folder + "/" + original == LibraryPaths.collections {
        collections.append(place)
      }
    }
    try whileReading(library.path(LibraryPaths.versions)) {
      for stem in try home.namesIfAny(in: LibraryPaths.versions).sorted() {
        let folder = LibraryPaths.versions(of: stem)
        for number in (try? home.namesIfAny(in: folder)) ?? []
        where LibraryPaths.number(ofFolder: number) != nil {
          for name in (try? home.names(in: folder + "/" + number)) ?? []
          where ConflictCopy.original(of: name) != nil {
            versionFiles.append("\(folder)/\(number)/\(name)")
          }
        }
      }
    }
  }

  private mutating func add(_ file: DatabaseFile, in library: Library) throws(EditError) {
    do throws(EditError) {
      let catalogue = try Catalogue(file, .reading, isStopped: library.isCancelled)
      let isSound = try catalogue.integrityProblems().isEmpty
      catalogues.append(
        OtherCatalogue(
          place: file.place, catalogue: isSound ? catalogue : nil, generation: try catalogue.generation()))
    } catch {
      switch error.code {
      case .unsupported: newerCatalogues.append(file.place)
      case .damagedLibrary:
        catalogues.append(OtherCatalogue(place: file.place, catalogue: nil, generation: 0))
      default: throw error
      }
    }
  }

  /// All conflict copies, each with the problem that `check` reports.
  var conflictCopies: [(place: String, problem: Message)] {
    catalogues.map { ($0.place, "is a sync conflict copy of the catalogue") }
      + collections.map { ($0, "is a sync conflict copy of the marks and albums") }
      + versionFiles.map { ($0, "is a sync conflict copy of a version file") }
  }

  /// The stems of the assets in the conflict copies of the catalogue.
  var stems: [String] { catalogues.flatMap { (try? $0.catalogue?.stems()) ?? [] } }

  /// The greatest generation of the conflict copies of the catalogue.
  var generation: Int { catalogues.map(\.generation).max() ?? 0 }
}

extension Library {
  /// Returns the descriptions of an asset's versions that are stored in the asset's folder under their own numbers.
  func descriptions(of stem: String) throws(EditError) -> [VersionDescription] {
    var found: [VersionDescription] = []
    for number in try versionNumbers(of: stem) {
      if let description = try description(of: number, of: stem) { found.append(description) }
    }
    return found
  }

  /// Returns the numbers of an asset's version folders, in ascending order.
  func versionNumbers(of stem: String) throws(EditError) -> [Int] {
    let folder = LibraryPaths.versions(of: stem)
    return try whileReading(path(folder)) {
      guard try home.statusIfAny(folder)?.kind == .folder else { return [] }
      return try home.namesIfAny(in: folder).compactMap(LibraryPaths.number).sorted()
    }
  }

  /// Whether a newer liveedit described a version of an asset in a format that this build does not support.
  ///
  /// - Parameter described: The descriptions that this build supports.
  func hasNewerVersions(_ stem: String, besides described: [VersionDescription]) throws(EditError) -> Bool {
    let known = Set(described.map(\.number))
    for number in try versionNumbers(of: stem) where !known.contains(number) {
      if try isNewer(number, of: stem) { return true }
    }
    return false
  }

  /// Checks that the catalogue contains all versions of an asset. A catalogue from a backup or another computer can be
  /// older than the versions.
  ///
  /// - Throws: ``EditError`` if a version is missing.
  func checkNotStale(_ record: AssetRecord) throws(EditError) {
    let stem = record.stem
    for number in try versionNumbers(of: stem) where record.version(number) == nil {
      let place = LibraryPaths.description(number, of: stem)
      if try isNewer(number, of: stem) {
        throw EditError(
          .unsupported, file: path(place), "was written by a newer liveedit", remedy: "use the newer liveedit"
        )
      }
      if try description(of: number, of: stem) != nil {
        throw CheckFinding.stale(path(LibraryPaths.catalogue))
      }
    }
    if let last = record.versions.last, let found = try description(of: last.number, of: stem),
      try isLater(found) || !HistoryMerge.areSame(found.version(hasFiles: false), last)
    {
      throw CheckFinding.stale(path(LibraryPaths.catalogue))
    }
  }

  /// Whether a description is newer than the catalogue.
  func isLater(_ description: VersionDescription) throws(EditError) -> Bool {
    try (description.generation ?? 0) > (catalogue?.generation() ?? 0)
  }
}
