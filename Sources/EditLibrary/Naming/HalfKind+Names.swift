package import EditModel
import LivePhotoFormat

/// The half of a Live Photo that a file can be, told by its extension as Photos does.
extension HalfKind {
  /// - Parameter fileExtension: without the dot, in any case.
  package init?(fileExtension: String) {
    let lowered = fileExtension.lowercased()
    guard let kind = Self.allCases.first(where: { $0.extensions.contains(lowered) }) else { return nil }
    self = kind
  }

  /// True if a name is that of a picture that stands alone, a PNG: no half of a Live Photo, and beside a photo or a movie
  /// of its stem a picture made of that, which is no asset.
  package static func standsAlone(_ name: String) -> Bool {
    PhotoKind(fileExtension: RenderNames.Parts(name).fileExtension)?.isOfLivePhotos == false
  }

  /// The extensions that say so, in lower case.
  var extensions: [String] {
    switch self {
    case .photo: PhotoKind.allCases.flatMap(\.extensions)
    case .movie: ["mov", "qt", "mp4", "m4v"]
    }
  }
}
