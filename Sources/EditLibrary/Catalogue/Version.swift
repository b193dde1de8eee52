package import EditModel

/// The role of a file in a version.
package enum FileRole: String, Codable, Hashable, Sendable, CaseIterable {
  /// The photo.
  case photo
  /// The movie.
  case movie
  /// The adjustment data.
  case adjustments
  /// The XMP sidecar of the render.
  case sidecar

  /// True for photos and movies.
  package var isHalf: Bool { self == .photo || self == .movie }

  /// The order in which files of a version take their names.
  var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  /// - Parameter half: photo or movie.
  package init(_ half: HalfKind) { self = half == .photo ? .photo : .movie }
}

/// A file of a version, or an original.
package struct VersionFile: Codable, Hashable, Sendable {
  /// Its role.
  package var role: FileRole
  /// Its name, beside the originals and in the versions' folder alike.
  package var name: String
  /// The content that it must have.
  package var fingerprint: Fingerprint
}

/// One version of an asset.
package struct Version: Hashable, Sendable {
  /// The origin of a version.
  package enum Origin: String, Codable, Hashable, Sendable {
    /// liveedit rendered it, and can again.
    case rendered
    /// Another program made it; it was found beside the originals.
    case foreign
    /// Another program made its photo, and liveedit rendered its movie by the edit that it found in it.
    case adopted
    /// A version that another program changed, or took away, behind liveedit's back.
    case changed
  }

  /// The numbers that versions have. Greater ones stand in no library that liveedit made.
  static let numbers = 1...999_999_999

  /// Its number, from 1; 0 is the original.
  package var number: Int
  /// The version that it was made after; `revert` goes there.
  package var previous: Int
  /// The version that its edit is applied to.
  package var base: Int
  /// Its origin.
  package var origin: Origin
  /// The edit; nil when nobody recorded one.
  package var adjustment: AdjustmentData?
  /// The program that made the edit; empty when unknown.
  package var editor: String
  /// The time at which it was recorded, in seconds since 1970.
  package var time: Int
  /// The build that rendered it, see ``RenderResult/build``; empty when it was not liveedit.
  package var build: String
  /// Its files: photo, movie, adjustment data, as far as it has them. None for an edit that changes nothing.
  package var files: [VersionFile]
  /// True if the files exist; those of a version that can be rendered again may have been purged.
  package var hasFiles: Bool
  /// True if it is not on the line of `revert` and `redo`; it can only be asked for by its number.
  package var isAside: Bool
  /// True if the loss of its files was recorded: they are gone, and it cannot be rendered again.
  package var isLost = false
  /// True if its files stand only beside originals that are not written to: the commit that records the version copies
  /// them into the home.
  var isBesideOriginals = false
  /// The identifier of the batch that made it; nil when it was made by itself.
  package var batch: String?

  /// The edit and its settings when liveedit rendered the version and understands every word of them.
  package var ownEdit: (edit: Edit, settings: RenderSettings)? {
    origin == .rendered ? adjustment?.decoded() : nil
  }

  /// The edit and its settings when liveedit recorded them, for what it rendered itself or found in a photo, and
  /// understands every word of them.
  package var recordedEdit: (edit: Edit, settings: RenderSettings)? {
    origin == .rendered || origin == .adopted ? adjustment?.decoded() : nil
  }

  /// The edit that was found in its photo, which another program made; nil for other versions.
  package var adoptedEdit: Edit? { origin == .adopted ? recordedEdit?.edit : nil }

  /// True if it changes nothing, so that the files of its base stand for it.
  package var isIdentity: Bool { files.isEmpty }

  /// True if it has a rendered photo or movie.
  package var hasRender: Bool { files.contains { $0.role.isHalf } }

  /// Its file of a role.
  package func file(_ role: FileRole) -> VersionFile? { files.first { $0.role == role } }
}
