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
  /// Keeps the files of a preview as long as it lives; nil for those of a library, which stay without it.
  private let keeper: (any Sendable)?

  /// - Parameters:
  ///   - photoPath: path of the photo; nil when there is none.
  ///   - moviePath: path of the movie; nil when there is none.
  ///   - keeper: removes the files when it goes away; nil for files that stay.
  package init(photoPath: String?, moviePath: String?, keeper: (any Sendable)? = nil) {
    (self.photoPath, self.moviePath, self.keeper) = (photoPath, moviePath, keeper)
  }
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
