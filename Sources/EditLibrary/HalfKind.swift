/// Which half of a Live Photo a file can be, told by its extension as Photos does.
public enum HalfKind: Hashable, Sendable {
  /// A still picture.
  case photo
  /// A movie.
  case movie

  /// - Parameter fileExtension: without the dot, in any case.
  public init?(fileExtension: String) {
    switch fileExtension.lowercased() {
    case "jpg", "jpeg", "jpe", "heic", "heif", "hif": self = .photo
    case "mov", "qt", "mp4", "m4v": self = .movie
    default: return nil
    }
  }

  /// «photo» or «movie».
  public var word: String { self == .photo ? "photo" : "movie" }
}
