package import EditModel
import LivePhotoFormat

/// Determines the half of a Live Photo that a file can be by its extension, as Photos does.
extension HalfKind {
  /// Creates the kind of half that has an extension.
  ///
  /// - Parameter fileExtension: The extension without the dot, in upper or lower case.
  package init?(fileExtension: String) {
    let lowered = fileExtension.lowercased()
    guard let kind = Self.allCases.first(where: { $0.extensions.contains(lowered) }) else { return nil }
    self = kind
  }

  /// Whether a name is that of a stand-alone picture, a PNG. A PNG cannot be a half of a Live Photo. Beside a photo or
  /// a movie of the same stem, it is a picture made from that file, and not an asset.
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
