package import Basics
package import EditModel
package import FileSystem

/// The originals of one asset: a photo, a movie, or both as a Live Photo.
package struct OriginalFiles: Hashable, Sendable {
  /// The folder as the user wrote it; empty for the current one.
  package var folder: String
  /// The folder's place in the system.
  package var place: FileStatus.Place
  /// The name of the original photo, if there is one.
  package var photo: String?
  /// The name of the original movie, if there is one.
  package var movie: String?
  /// The content identifier: of both halves, or of the only one; nil when it carries none.
  package var identifier: String?
  /// Notes about the pairing for people, one sentence each.
  package var notes: [Message]
  /// Another original of the asset's stem that does not belong to it; nil where there is none.
  package var namesake: Namesake?
  /// The name of its first original, if that whole name is the asset's stem because another asset has the stem without
  /// extension; nil for all other assets.
  package var wholeName: String?

  /// An original of another asset with the same stem.
  package enum Namesake: Hashable, Sendable {
    /// The stem belongs to the asset whose original has this name, unless the other one has versions under it.
    case first(String)
    /// The stem belongs to the asset itself, unless the other one has versions under it.
    case second(String)

    /// The name of the other original.
    package var name: String {
      switch self {
      case .first(let name), .second(let name): name
      }
    }
  }

  /// - Parameters:
  ///   - folder: the folder as the user wrote it; empty for the current one.
  ///   - place: the folder's place in the system.
  ///   - photo: the name of the original photo, if there is one.
  ///   - movie: the name of the original movie, if there is one.
  ///   - identifier: the content identifier; nil when it carries none.
  ///   - notes: notes about the pairing for people, one sentence each.
  ///   - wholeName: the name of its first original, if that is the asset's stem.
  package init(
    folder: String, place: FileStatus.Place, photo: String?, movie: String?, identifier: String? = nil,
    notes: [Message] = [], wholeName: String? = nil
  ) {
    (self.folder, self.place, self.photo, self.movie) = (folder, place, photo, movie)
    (self.identifier, self.notes, self.wholeName) = (identifier, notes, wholeName)
  }

  /// The stem in the names of the versions, the renders and the adjustment data: the photo's, or the movie's without a photo;
  /// ``wholeName`` if there is one.
  package var stem: String { wholeName ?? plainStem }

  /// The name of the photo, or of the movie without a photo, without its extension.
  package var plainStem: String { RenderNames.Parts(photo ?? movie ?? "").stem }

  /// The originals by half.
  package var halves: [(kind: HalfKind, name: String)] {
    [(.photo, photo), (.movie, movie)].compactMap { kind, name in name.map { (kind, $0) } }
  }

  /// A name with the asset's folder before it.
  package func path(_ name: String) -> String { FilePath.joined(folder, name) }

  /// The same for every way to name the asset.
  package var identity: Identity { Identity(place: place, photo: photo, movie: movie) }

  /// The identity of an asset, by which assets are told apart.
  package struct Identity: Hashable, Sendable {
    let place: FileStatus.Place
    let photo: String?
    let movie: String?
  }
}
