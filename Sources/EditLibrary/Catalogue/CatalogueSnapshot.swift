import Basics
import FileSystem

/// A snapshot of a folder's catalogue, with the values needed to compare it with a later snapshot.
struct CatalogueSnapshot {
  /// An asset in the catalogue. A different value means that the asset was changed.
  struct Asset: Hashable {
    /// The number of the current version.
    var current = 0
    /// The highest version number of the asset.
    var last = 0
    /// The asset's favourite and hidden flags, in that order. Each value is 1 if the flag is set.
    var marks: [Int?] = [0, 0]
    /// The albums that contain the asset.
    var albums: [Int] = []
  }

  private let assets: [String: Asset]
  private let stamp: CatalogueStamp?

  /// Reads the catalogue of a folder, without locking, finishing or undoing anything.
  ///
  /// - Parameters:
  ///   - folder: The assets' folder; empty for the current folder.
  ///   - layout: Where renders are stored.
  ///   - known: An earlier snapshot, reused if the catalogue's file has not changed since.
  /// - Throws: ``EditError`` if the catalogue cannot be read now.
  init(
    of folder: String, _ layout: LibraryLayout, since known: CatalogueSnapshot? = nil
  ) throws(EditError) {
    let home = try AssetFolders(folder, layout).home
    // The stamp is read first, so that a change made in the meantime appears as a different stamp.
    let stamp = CatalogueStamp(home)
    if let known, known.stamp == stamp {
      self = known
    } else {
      self.stamp = stamp
      assets = stamp == nil ? [:] : try Self.read(home)
    }
  }

  private static func read(_ home: HeldFolder) throws(EditError) -> [String: Asset] {
    try whileReading(FilePath.shown(home.path)) {
      let file = DatabaseFile(folder: home, place: LibraryPaths.catalogue)
      let catalogue = try Catalogue(file, .reading)
      return catalogue.isEmptyFile ? [:] : try catalogue.snapshot()
    }
  }

  /// Returns the stems of the assets that differ between this snapshot and another.
  func differences(from other: CatalogueSnapshot) -> Set<String> {
    Set(assets.keys).union(other.assets.keys).filter { assets[$0] != other.assets[$0] }
  }
}

/// The state of a catalogue's file. A different stamp means that the file was written to.
package struct CatalogueStamp: Hashable {
  private let place: FileStatus.Place
  /// SQLite's transaction counter, used because file timestamps are too coarse.
  private let counter: [UInt8]

  /// Reads the state of a folder's catalogue; nil if the folder has no catalogue.
  package init?(_ folder: String, _ layout: LibraryLayout) {
    guard let home = try? AssetFolders(folder, layout).home else { return nil }
    self.init(home)
  }

  /// Reads the state of the catalogue in a library home; nil if the folder has no catalogue.
  init?(_ home: HeldFolder) {
    let file = DatabaseFile(folder: home, place: LibraryPaths.catalogue)
    guard let status = try? file.check(), let counter = try? Database(file, .reading).changeCounter else {
      return nil
    }
    (place, self.counter) = (status.place, counter)
  }
}
