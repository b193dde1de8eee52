import EditModel
import FileSystem

/// What tells one state of a catalogue's file from another.
struct CatalogueStamp: Hashable {
  private let place: FileStatus.Place
  /// SQLite's count of transactions (SQLite file format, «File change counter»). Times of files are too coarse.
  private let counter: [UInt8]

  /// - Returns: nil when there is no catalogue.
  init?(_ path: String) {
    guard let status = try? FileStatus(path: path), let file = try? FileByteSource(path: path),
      let counter = try? file.read(at: 24, count: 4)
    else { return nil }
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
    let catalogue = FolderListing.path(folder, LibraryPaths.catalogue)
    var rounds = 0
    while true {
      let before = CatalogueStamp(catalogue)
      let result: Result<Value, EditError>
      do throws(EditError) {
        result = .success(try body(try forReading(folder, report: report)))
      } catch {
        result = .failure(error)
      }
      rounds += 1
      if rounds == readings || CatalogueStamp(catalogue) == before { return try result.get() }
      HostSystem.sleep(milliseconds: pause)
    }
  }
}
