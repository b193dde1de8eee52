import Basics
import FileSystem

/// The state of a catalogue's file: another stamp means that somebody wrote to it.
struct CatalogueStamp: Hashable {
  private let place: FileStatus.Place
  /// SQLite's count of transactions. Times of files are too coarse.
  private let counter: [UInt8]

  /// Asks for the state of a catalogue.
  ///
  /// - Parameter folder: the assets' folder.
  /// - Returns: nil when there is no catalogue.
  init?(_ folder: String) {
    guard let root = try? HeldFolder(path: folder) else { return nil }
    let file = DatabaseFile(folder: root, place: LibraryPaths.catalogue)
    guard let status = try? file.check(), let counter = try? Database(file, .reading).changeCounter else {
      return nil
    }
    (place, self.counter) = (status.place, counter)
  }
}
