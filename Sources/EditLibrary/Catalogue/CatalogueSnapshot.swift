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
  /// - Parameter known: that of an earlier moment, which is taken over when the catalogue's file is as it was.
  /// - Throws: ``EditError`` when the catalogue cannot be read now.
  init(of folder: String, since known: CatalogueSnapshot? = nil) throws(EditError) {
    // The stamp comes first: a change in between then shows as another one.
    let stamp = CatalogueStamp(folder)
    if let known, known.stamp == stamp {
      self = known
    } else {
      self.stamp = stamp
      assets = stamp == nil ? [:] : try Self.read(folder)
    }
  }

  private static func read(_ folder: String) throws(EditError) -> [String: Asset] {
    try whileReading(FilePath.shown(folder)) {
      let file = DatabaseFile(folder: try HeldFolder(path: folder), place: LibraryPaths.catalogue)
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
struct CatalogueStamp: Hashable {
  private let place: FileStatus.Place
  /// SQLite's count of transactions. Times of files are too coarse.
  private let counter: [UInt8]

  /// Asks for the state of the catalogue of a folder; nil when there is none.
  init?(_ folder: String) {
    guard let root = try? HeldFolder(path: folder) else { return nil }
    let file = DatabaseFile(folder: root, place: LibraryPaths.catalogue)
    guard let status = try? file.check(), let counter = try? Database(file, .reading).changeCounter else {
      return nil
    }
    (place, self.counter) = (status.place, counter)
  }
}
