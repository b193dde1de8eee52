import EditLibrary
import EditModel
import Synchronization

/// The files of a Live Photo, or of a photo or movie alone, for showing.
public struct LivePhoto: Sendable {
  /// Path of the photo; nil when there is none.
  public let photoPath: String?
  /// Path of the movie; nil when there is none.
  public let moviePath: String?
  /// Keeps the files of a preview; those of a library belong to nobody here.
  private let files: EditingFiles?

  init(photoPath: String?, moviePath: String?, files: EditingFiles? = nil) {
    self.photoPath = photoPath
    self.moviePath = moviePath
    self.files = files
  }
}

/// Rendered files that are not part of the library yet. They are on its file system, in a hidden folder that is locked
/// as long as this value lives, and go away with it; should the process die, the next one to come by removes them.
final class EditingFiles: Sendable {
  private let work: Mutex<WorkFolder>
  private let photo: String
  private let movie: String
  private static let made = Atomic<Int>(0)

  /// - Parameters:
  ///   - folder: the assets' folder.
  ///   - stem: the asset's stem.
  init(in folder: String, stem: String) throws(EditError) {
    let number = Self.made.add(1, ordering: .relaxed).newValue
    let work = try WorkFolder(in: folder, stem: "\(stem)-\(WorkFolder.ownMark)-\(number)")
    (photo, movie) = (work.photo, work.movie)
    self.work = Mutex(work)
  }

  /// Where the file of a half is or will be.
  func path(_ role: FileRole) -> String { role == .photo ? photo : movie }
}
