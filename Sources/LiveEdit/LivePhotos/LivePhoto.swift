import Basics
import EditLibrary
import Synchronization
import Workflows

public import struct FoundationEssentials.URL

/// The files of a Live Photo, or of a photo or movie alone, for showing.
public struct LivePhoto: Sendable {
  /// The photo; nil when there is none.
  public var photo: URL? { photoPath.map { URL(file: $0) } }
  /// The movie; nil when there is none.
  public var movie: URL? { moviePath.map { URL(file: $0) } }

  /// Path of the photo; nil when there is none.
  package let photoPath: String?
  /// Path of the movie; nil when there is none.
  package let moviePath: String?
  /// Keeps the files of a preview; nil for those of a library, which stay without it.
  var files: EditingFiles?
}

/// One of the files that a Live Photo consists of.
public struct LivePhotoResource: Hashable, Sendable {
  /// The purpose of a file.
  public enum Kind: Hashable, Sendable {
    /// The photo.
    case photo
    /// The movie that belongs to a photo.
    case pairedVideo
    /// A movie without a photo.
    case video
  }

  /// Its purpose.
  public let kind: Kind
  /// The file.
  public let url: URL
}

extension LivePhoto {
  /// The files that it consists of, the photo first.
  ///
  ///     for resource in livePhoto.resources { print(resource.kind, resource.url.lastPathComponent) }
  public var resources: [LivePhotoResource] {
    let photo = photo.map { LivePhotoResource(kind: .photo, url: $0) }
    let movie = movie.map { LivePhotoResource(kind: photo == nil ? .video : .pairedVideo, url: $0) }
    return [photo, movie].compactMap { $0 }
  }
}

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
