import Basics
import FileSystem

/// What tells one state of a catalogue's file from another.
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

extension Library {
  /// Rounds in which somebody may commit in the midst of a reading, and milliseconds between them.
  private static let readings = 200
  private static let pause: UInt32 = 20

  /// Looks at a library, at the catalogue and the files together, as they were at one moment: when somebody commits
  /// in the meantime, what was read or thrown is forgotten, and `body` is called again.
  ///
  /// - Parameters:
  ///   - folder: the assets' folder; empty for the current one.
  ///   - report: told what people should know.
  ///   - body: looks; must change nothing.
  /// - Throws: ``EditError``, see ``forReading(_:report:)``, or what `body` throws.
  public static func reading<Value>(
    _ folder: String, report: Report = { _ in }, _ body: (Library) throws(EditError) -> Value
  ) throws(EditError) -> Value {
    var rounds = 0
    while true {
      let before = CatalogueStamp(folder)
      let result: Result<Value, EditError>
      do throws(EditError) {
        result = .success(try body(try forReading(folder, report: report)))
      } catch {
        result = .failure(error)
      }
      rounds += 1
      if rounds == readings || CatalogueStamp(folder) == before { return try result.get() }
      HostSystem.sleep(milliseconds: pause)
    }
  }
}
