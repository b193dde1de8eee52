public import EditModel

/// What a file of a version is for.
public enum FileRole: String, Codable, Hashable, Sendable, CaseIterable {
  /// The photo.
  case photo
  /// The movie.
  case movie
  /// The adjustment data.
  case adjustments

  /// - Parameter half: photo or movie.
  public init(_ half: HalfKind) { self = half == .photo ? .photo : .movie }
}

/// A file of a version, or an original.
public struct VersionFile: Codable, Hashable, Sendable {
  /// What it is for.
  public var role: FileRole
  /// Its name, beside the originals and in the versions' folder alike.
  public var name: String
  /// What it must be.
  public var fingerprint: Fingerprint
}

/// One version of an asset.
public struct Version: Hashable, Sendable {
  /// Where a version comes from.
  public enum Origin: String, Codable, Hashable, Sendable {
    /// liveedit rendered it, and can again.
    case rendered
    /// Another program made it; it was found beside the originals.
    case foreign
    /// A version that another program changed, or took away, behind liveedit's back.
    case changed
  }

  /// The numbers that versions have. Greater ones stand in no library that liveedit made.
  static let numbers = 1...999_999_999

  /// Its number, from 1; 0 is the original.
  public var number: Int
  /// The version that it was made after; `revert` goes there.
  public var previous: Int
  /// The version that its edit is applied to.
  public var base: Int
  /// Where it comes from.
  public var origin: Origin
  /// The edit; nil when nobody recorded one.
  public var adjustment: AdjustmentData?
  /// The program that made the edit; empty when unknown.
  public var editor: String
  /// When it was recorded, in seconds since 1970.
  public var time: Int
  /// The build that rendered it, see ``RenderResult/build``; empty when it was not liveedit.
  public var build: String
  /// Its files: photo, movie, adjustment data, as far as it has them. None for an edit that changes nothing.
  public var files: [VersionFile]
  /// Whether the files exist; a version that can be rendered again may have given them up.
  public var hasFiles: Bool
  /// Whether it has left the line of `revert` and `redo`; it can only be asked for by its number.
  public var isAside: Bool
  /// Whether the loss of its files was recorded: they are gone, and it cannot be rendered again.
  public var isLost = false

  /// The edit and its settings when liveedit rendered the version and understands every word of them.
  public var ownEdit: (edit: Edit, settings: RenderSettings)? {
    origin == .rendered ? adjustment?.decoded() : nil
  }

  /// Whether it changes nothing, so that the files of its base stand for it.
  public var isIdentity: Bool { files.isEmpty }

  /// Whether it has a rendered photo or movie.
  public var hasRender: Bool { files.contains { $0.role != .adjustments } }

  /// Its file of a role.
  public func file(_ role: FileRole) -> VersionFile? { files.first { $0.role == role } }
}
