import Basics
import EditLibrary
import EditModel
import FileSystem
import FoundationEssentials

/// One object of the `--json` output: the result for one Live Photo, file, folder or other item
/// (Documentation/JSON.md).
package struct Answer: Encodable {
  /// The version of the schema. The version increases if a member changes its meaning or is removed; new members may be
  /// added at any time.
  package static let schema = 1

  /// The result as one word.
  package enum Status: String, CaseIterable, Encodable {
    // Nothing was changed, and the object contains the requested information.
    case listed, shown, inspected, verified, clean, damaged
    // The asset or file was changed.
    case rendered, removed, switched, forgotten, moved, accepted, marked, created, deleted, added, saved,
      paired
    case exported
    // Nothing was changed, because the command was asked not to change anything or found nothing to do.
    case planned, unchanged, doneBefore
    // A requested change was not made.
    case failed, untouched, left
    // The last object that each command prints.
    case summary
  }

  /// The paths of the originals of a Live Photo, or of a photo or movie on its own.
  package struct Originals: Encodable, Hashable {
    /// The path of the photo.
    package var photo: String?
    /// The path of the movie.
    package var movie: String?

    /// - Parameters:
    ///   - photo: The path of the photo.
    ///   - movie: The path of the movie.
    package init(photo: String?, movie: String?) { (self.photo, self.movie) = (photo, movie) }
  }

  /// The command, or nil if the command line contains no command.
  package var command: String?
  /// The result as one word.
  package var status: Status
  /// The path of the file that the object describes, as the user wrote it.
  package var file: String?
  /// The originals of the asset that the object describes.
  package var originals: Originals?
  /// The members that are specific to the command.
  package var members: [String: JSONValue]
  /// A value whose members are added to the JSON object's own members.
  package var content: (any Encodable)?

  /// - Parameters:
  ///   - status: The result as one word.
  ///   - file: The path of the file that the object describes.
  ///   - originals: The originals of the asset that the object describes.
  ///   - members: The members that are specific to the command.
  ///   - content: A value whose members are added to the JSON object's own members.
  package init(
    _ status: Status, file: String? = nil, originals: Originals? = nil,
    _ members: [String: JSONValue] = [:],
    content: (any Encodable)? = nil
  ) {
    (self.status, self.file, self.originals, self.members, self.content) =
      (status, file, originals, members, content)
  }

  private struct Member: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }

  package func encode(to encoder: any Encoder) throws {
    try content?.encode(to: encoder)
    var container = encoder.container(keyedBy: Member.self)
    for (name, value) in members { try container.encode(value, forKey: Member(name)) }
    try container.encode(Self.schema, forKey: Member("schema"))
    try container.encode(status, forKey: Member("status"))
    try container.encodeIfPresent(command, forKey: Member("command"))
    try container.encodeIfPresent(file, forKey: Member("file"))
    try container.encodeIfPresent(originals, forKey: Member("originals"))
  }

  /// The JSON object as one line, with its members sorted by name.
  package var line: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "infinity", negativeInfinity: "-infinity", nan: "nan")
    guard let data = try? encoder.encode(self) else { return "{}" }
    return String(decoding: data, as: UTF8.self)
  }
}

extension Answer.Originals {
  /// Creates the paths of an asset's originals.
  package init(_ asset: OriginalFiles) {
    self.init(photo: asset.photo.map(asset.path), movie: asset.movie.map(asset.path))
  }

  /// Creates the paths of the originals of an indexed asset.
  package init(_ asset: IndexedAsset) {
    self.init(
      photo: asset.photo.map { FilePath.joined(asset.folder, $0) },
      movie: asset.movie.map { FilePath.joined(asset.folder, $0) })
  }

  /// Creates the paths of an asset's recorded originals.
  package init(_ record: AssetRecord, in folder: String) {
    func path(_ role: FileRole) -> String? {
      record.originals.first { $0.role == role }.map { FilePath.joined(folder, $0.name) }
    }
    self.init(photo: path(.photo), movie: path(.movie))
  }

  /// Creates the originals from their paths.
  package init(_ paths: [String]) {
    func path(_ kind: HalfKind) -> String? {
      paths.first { HalfKind(fileExtension: RenderNames.Parts($0).fileExtension) == kind }
    }
    self.init(photo: path(.photo), movie: path(.movie))
  }
}
