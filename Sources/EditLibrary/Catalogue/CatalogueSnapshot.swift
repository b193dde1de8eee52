import Basics
import FileSystem

/// The catalogue of a folder at one moment, as far as a later moment is compared with it.
struct CatalogueSnapshot {
  /// An asset in the catalogue. Another value means that the asset was changed.
  struct Asset: Hashable {
    /// The number of the current version.
    var current = 0
    /// The greatest number of a version.
    var last = 0
    /// 1 for a favourite, and for a hidden asset.
    var marks: [Int?] = [0, 0]
    /// The albums that it is in.
    var albums: [Int] = []
  }

  private let assets: [String: Asset]
  private let stamp: CatalogueStamp?

  /// Reads the catalogue of a folder; nothing is locked, finished or undone.
  ///
  /// - Parameters:
  ///   - folder: the assets' folder; empty for the current one.
  ///   - layout: the place of the renders.
  ///   - known: that of an earlier moment, which is taken over when the catalogue's file is as it was.
  /// - Throws: ``EditError`` when the catalogue cannot be read now.
  init(
    of folder: String, _ layout: LibraryLayout, since known: CatalogueSnapshot? = nil
  ) throws(EditError) {
    let home = try AssetFolders(folder, layout).home
    // The stamp comes first: a change in between then shows as another one.
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

  /// The stems of the assets that differ between this snapshot and another.
  func differences(from other: CatalogueSnapshot) -> Set<String> {
    Set(assets.keys).union(other.assets.keys).filter { assets[$0] != other.assets[$0] }
  }
}

/// The state of a catalogue's file: another stamp means that somebody wrote to it.
package struct CatalogueStamp: Hashable {
  private let place: FileStatus.Place
  /// SQLite's count of transactions. Times of files are too coarse.
  private let counter: [UInt8]

  /// Asks for the state of the catalogue of a folder; nil when there is none.
  package init?(_ folder: String, _ layout: LibraryLayout) {
    guard let home = try? AssetFolders(folder, layout).home else { return nil }
    self.init(home)
  }

  /// Asks for the state of the catalogue of a home.
  init?(_ home: HeldFolder) {
    let file = DatabaseFile(folder: home, place: LibraryPaths.catalogue)
    guard let status = try? file.check(), let counter = try? Database(file, .reading).changeCounter else {
      return nil
    }
    (place, self.counter) = (status.place, counter)
  }
}
