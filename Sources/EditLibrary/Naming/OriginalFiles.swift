package import Basics
package import EditModel
package import FileSystem

/// The originals of one asset: a photo, a movie, or both as a Live Photo.
package struct OriginalFiles: Hashable, Sendable {
  /// The folder as the user wrote it; empty for the current folder.
  package var folder: String
  /// The folder's identity in the file system.
  package var place: FileStatus.Place
  /// The name of the original photo, or nil if the asset has no photo.
  package var photo: String?
  /// The name of the original movie, or nil if the asset has no movie.
  package var movie: String?
  /// The content identifier of both halves or of the only half, or nil if they have no identifier.
  package var identifier: String?
  /// Notes about the pairing for users, one sentence each.
  package var notes: [Message]
  /// Another original that has the asset's stem but does not belong to the asset, or nil if no such original exists.
  package var namesake: Namesake?
  /// The whole name of the asset's first original if this name serves as the asset's stem, because another asset has
  /// the same name without extension; nil for all other assets.
  package var wholeName: String?

  /// An original of another asset with the same stem.
  package enum Namesake: Hashable, Sendable {
    /// The stem belongs to the asset whose original has this name, unless the current asset has versions under the
    /// stem.
    case first(String)
    /// The stem belongs to the current asset, unless the asset whose original has this name has versions under the
    /// stem.
    case second(String)

    /// The name of the other original.
    package var name: String {
      switch self {
      case .first(let name), .second(let name): name
      }
    }
  }

  /// Creates the originals of an asset.
  ///
  /// - Parameters:
  ///   - folder: The folder as the user wrote it; empty for the current folder.
  ///   - place: The folder's identity in the file system.
  ///   - photo: The name of the original photo, or nil without a photo.
  ///   - movie: The name of the original movie, or nil without a movie.
  ///   - identifier: The content identifier, or nil if the files have none.
  ///   - notes: Notes about the pairing for users, one sentence each.
  ///   - wholeName: The name of the asset's first original, if it is the asset's stem.
  package init(
    folder: String, place: FileStatus.Place, photo: String?, movie: String?, identifier: String? = nil,
    notes: [Message] = [], wholeName: String? = nil
  ) {
    (self.folder, self.place, self.photo, self.movie) = (folder, place, photo, movie)
    (self.identifier, self.notes, self.wholeName) = (identifier, notes, wholeName)
  }

  /// The stem in the names of the versions, the renders and the adjustment data: ``wholeName`` if it is not nil,
  /// otherwise the stem of the photo or, without a photo, of the movie.
  package var stem: String { wholeName ?? plainStem }

  /// The name of the photo or, without a photo, of the movie, without its extension.
  package var plainStem: String { RenderNames.Parts(photo ?? movie ?? "").stem }

  /// The names of the originals, each with its kind of half.
  package var halves: [(kind: HalfKind, name: String)] {
    [(.photo, photo), (.movie, movie)].compactMap { kind, name in name.map { (kind, $0) } }
  }

  /// Returns the path of a name in the asset's folder.
  package func path(_ name: String) -> String { FilePath.joined(folder, name) }

  /// The asset's identity, which is the same for every way to name the asset.
  package var identity: Identity { Identity(place: place, photo: photo, movie: movie) }

  /// The identity of an asset, which distinguishes it from other assets.
  package struct Identity: Hashable, Sendable {
    let place: FileStatus.Place
    let photo: String?
    let movie: String?
  }
}
