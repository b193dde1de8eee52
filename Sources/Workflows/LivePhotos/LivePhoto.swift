public import struct FoundationEssentials.URL

/// The files of a Live Photo, or of a photo or movie alone, for display.
public struct LivePhoto: Sendable {
  /// The photo, or nil if there is none.
  public var photo: URL? { photoPath.map { URL(file: $0) } }
  /// The movie, or nil if there is none.
  public var movie: URL? { moviePath.map { URL(file: $0) } }

  /// The path of the photo, or nil if there is none.
  package let photoPath: String?
  /// The path of the movie, or nil if there is none.
  package let moviePath: String?
  /// An object that keeps the temporary files of a preview until it is released, or nil for files in a library.
  private let keeper: (any Sendable)?

  /// - Parameters:
  ///   - photoPath: The path of the photo, or nil if there is none.
  ///   - moviePath: The path of the movie, or nil if there is none.
  ///   - keeper: An object that removes the files when it is released, or nil for permanent files.
  package init(photoPath: String?, moviePath: String?, keeper: (any Sendable)? = nil) {
    (self.photoPath, self.moviePath, self.keeper) = (photoPath, moviePath, keeper)
  }
}

/// One of the files that make up a Live Photo.
public struct LivePhotoResource: Hashable, Sendable {
  /// The purpose of a file.
  public enum Kind: Hashable, Sendable {
    /// The photo of a Live Photo, or a photo alone.
    case photo
    /// The movie that belongs to a photo.
    case pairedVideo
    /// A movie without a photo.
    case video
  }

  /// The purpose of the file.
  public let kind: Kind
  /// The URL of the file.
  public let url: URL
}

extension LivePhoto {
  /// The files that make up the Live Photo, the photo first.
  ///
  ///     for resource in livePhoto.resources { print(resource.kind, resource.url.lastPathComponent) }
  public var resources: [LivePhotoResource] {
    let photo = photo.map { LivePhotoResource(kind: .photo, url: $0) }
    let movie = movie.map { LivePhotoResource(kind: photo == nil ? .video : .pairedVideo, url: $0) }
    return [photo, movie].compactMap { $0 }
  }
}
