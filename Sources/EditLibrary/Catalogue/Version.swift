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

  /// Whether the file is a photo or a movie, that is, a half.
  package var isHalf: Bool { self == .photo || self == .movie }

  /// The role's position in the order in which a version's files get their names.
  var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  /// Creates the role of a half.
  ///
  /// - Parameter half: The photo or the movie.
  package init(_ half: HalfKind) { self = half == .photo ? .photo : .movie }
}

/// A file of a version, or an original.
package struct VersionFile: Codable, Hashable, Sendable {
  /// The file's role.
  package var role: FileRole
  /// The file's name, which is the same beside the originals and in the versions folder.
  package var name: String
  /// The fingerprint that the file must match.
  package var fingerprint: Fingerprint
}

/// One version of an asset.
package struct Version: Hashable, Sendable {
  /// How a version was made.
  package enum Origin: String, Codable, Hashable, Sendable {
    /// liveedit rendered the version, and can render it again.
    case rendered
    /// Another program made the version, and liveedit found it beside the originals.
    case foreign
    /// Another program made the version's photo, and liveedit rendered its movie from the edit found in that photo.
    case adopted
    /// Another program changed or removed the version's files.
    case changed
  }

  /// The range of valid version numbers. No library made by liveedit contains higher numbers.
  static let numbers = 1...999_999_999

  /// The version's number, from 1; 0 is the original.
  package var number: Int
  /// The version that was current before this version was made, and to which `revert` returns.
  package var previous: Int
  /// The version to which this version's edit is applied.
  package var base: Int
  /// The version's origin.
  package var origin: Origin
  /// The edit, or nil if none was recorded.
  package var adjustment: AdjustmentData?
  /// The program that made the edit; empty if unknown.
  package var editor: String
  /// The time at which the version was recorded, in seconds since 1970.
  package var time: Int
  /// The build that rendered the version, see ``RenderResult/build``; empty if liveedit did not render it.
  package var build: String
  /// The version's files: photo, movie, adjustment data and sidecar, if present. An edit that changes nothing has no
  /// files.
  package var files: [VersionFile]
  /// Whether the version's files exist. The files of a version that can be rendered again may have been purged.
  package var hasFiles: Bool
  /// Whether the version is set aside: `revert` and `redo` skip the version, and it can be selected only by its number.
  package var isAside: Bool
  /// Whether the loss of the version's files was recorded: the files are missing, and the version cannot be rendered
  /// again.
  package var isLost = false
  /// Whether the version's files exist only beside read-only originals. The commit that records the version copies the
  /// files into the library home.
  var isBesideOriginals = false
  /// The identifier of the batch that made the version, or nil if the version was made individually.
  package var batch: String?

  /// The edit and its settings, if liveedit rendered the version and recognises all of them.
  package var ownEdit: (edit: Edit, settings: RenderSettings)? {
    origin == .rendered ? adjustment?.decoded() : nil
  }

  /// The edit and its settings, if liveedit recorded them and recognises all of them. liveedit records the edits that
  /// it renders itself and the edits that it finds in a photo.
  package var recordedEdit: (edit: Edit, settings: RenderSettings)? {
    origin == .rendered || origin == .adopted ? adjustment?.decoded() : nil
  }

  /// The edit found in a photo that another program made; nil for other versions.
  package var adoptedEdit: Edit? { origin == .adopted ? recordedEdit?.edit : nil }

  /// Whether the version changes nothing, so that its base provides its files.
  package var isIdentity: Bool { files.isEmpty }

  /// Whether the version has a rendered photo or movie.
  package var hasRender: Bool { files.contains { $0.role.isHalf } }

  /// Returns the version's file with the given role.
  package func file(_ role: FileRole) -> VersionFile? { files.first { $0.role == role } }
}
