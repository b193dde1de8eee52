import Basics
import EditLibrary
import Synchronization

/// Rendered files that are not part of the library yet. The files are in a hidden folder on the library's file system.
/// The folder stays locked while this object exists, and is deleted with the object. If the process crashes, the folder
/// is deleted by the next process that cleans up abandoned folders.
final class EditingFiles: Sendable {
  private let work: Mutex<WorkFolder>
  private let photo: String
  private let movie: String
  private static let made = Atomic<Int>(0)

  init(in library: PhotoLibrary, stem: String) throws(EditError) {
    let folder = try Library.home(of: library.path, layout: library.layout, report: library.report)
    let number = Self.made.add(1, ordering: .relaxed).newValue
    let work = try WorkFolder(in: folder, name: "\(stem)-\(WorkFolder.ownMark)-\(number)")
    (photo, movie) = (work.path("photo"), work.path("movie"))
    self.work = Mutex(work)
  }

  /// Returns the path for the file of a half. The file may not exist yet.
  func path(_ role: FileRole) -> String { role == .photo ? photo : movie }
}
