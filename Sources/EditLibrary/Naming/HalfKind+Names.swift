package import EditModel
import LivePhotoFormat

/// Determines by a file's extension which half of a Live Photo the file can be, as Photos does.
extension HalfKind {
  /// Creates the kind of half that a file extension indicates.
  ///
  /// - Parameter fileExtension: The extension without the dot, in upper or lower case.
  package init?(fileExtension: String) {
    let lowered = fileExtension.lowercased()
    guard let kind = Self.allCases.first(where: { $0.extensions.contains(lowered) }) else { return nil }
    self = kind
  }

  /// Whether a name belongs to a PNG, which cannot be a half of a Live Photo. A PNG beside a photo or a movie with the
  /// same stem counts as a picture made from that file, not as an asset.
  package static func standsAlone(_ name: String) -> Bool {
    PhotoKind(fileExtension: RenderNames.Parts(name).fileExtension)?.isOfLivePhotos == false
  }

  /// The extensions of this kind of half, in lower case.
  var extensions: [String] {
    switch self {
    case .photo: PhotoKind.allCases.flatMap(\.extensions)
    case .movie: ["mov", "qt", "mp4", "m4v"]
    }
  }
}
