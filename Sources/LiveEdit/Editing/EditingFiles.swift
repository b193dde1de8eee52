import Basics
import EditLibrary
import Synchronization

/// Rendered files that are not part of the library yet. They are on its file system, in a hidden folder that is locked
/// as long as this value lives, and go away with it; should the process die, the next one to come by removes them.
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

  /// The path at which the file of a half is or will be.
  func path(_ role: FileRole) -> String { role == .photo ? photo : movie }
}
