/// A half of a Live Photo.
public enum HalfKind: String, CaseIterable, Codable, Hashable, Sendable {
  /// The photo.
  case photo
  /// The movie.
  case movie
}
