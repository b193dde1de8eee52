import Basics
import EditLibrary
import EditModel
import FileSystem
import FoundationEssentials

/// One object of `--json`: the result for one Live Photo, file, folder or thing of another kind (Documentation/JSON.md).
package struct Answer: Encodable {
  /// The version of the schema. It grows when a member changes its meaning or goes away; new ones may come any time.
  package static let schema = 1

  /// The result in one word.
  package enum Status: String, CaseIterable, Encodable {
    // Nothing was changed, and here is what was asked for.
    case listed, shown, inspected, verified, clean, damaged
    // Something was changed.
    case rendered, removed, switched, forgotten, moved, accepted, marked, created, deleted, added, saved,
      paired
    case exported
    // Nothing was changed, because it was asked not to be, or there was nothing to do.
    case planned, unchanged, doneBefore
    // Nothing was changed, though it was asked for.
    case failed, untouched, left
    // The last object of every command.
    case summary
  }

  /// The paths of the originals of a Live Photo, of a photo or of a movie.
  package struct Originals: Encodable, Hashable {
    /// The path of the photo.
    package var photo: String?
    /// The path of the movie.
    package var movie: String?

    /// - Parameters:
    ///   - photo: the path of the photo.
    ///   - movie: the path of the movie.
    package init(photo: String?, movie: String?) { (self.photo, self.movie) = (photo, movie) }
  }

  /// The command; nil where the command line names none.
  package var command: String?
  /// The result in one word.
  package var status: Status
  /// The path of the file that it is about, as it was named.
  package var file: String?
  /// The originals of the asset that it is about.
  package var originals: Originals?
  /// The members that belong to the command.
  package var members: [String: JSONValue]
  /// A value whose members are the answer's.
  package var content: (any Encodable)?

  /// - Parameters:
  ///   - status: the result in one word.
  ///   - file: the path of the file that it is about.
  ///   - originals: the originals of the asset that it is about.
  ///   - members: the members that belong to the command.
  ///   - content: a value whose members are the answer's.
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

  /// The answer as one line, members sorted by name.
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
  /// The originals of an asset.
  package init(_ asset: OriginalFiles) {
    self.init(photo: asset.photo.map(asset.path), movie: asset.movie.map(asset.path))
  }

  /// The originals of an asset in an index.
  package init(_ asset: IndexedAsset) {
    self.init(
      photo: asset.photo.map { FilePath.joined(asset.folder, $0) },
      movie: asset.movie.map { FilePath.joined(asset.folder, $0) })
  }

  /// The originals of an asset as they are recorded.
  package init(_ record: AssetRecord, in folder: String) {
    func path(_ role: FileRole) -> String? {
      record.originals.first { $0.role == role }.map { FilePath.joined(folder, $0.name) }
    }
    self.init(photo: path(.photo), movie: path(.movie))
  }

  /// The originals by their paths.
  package init(_ paths: [String]) {
    func path(_ kind: HalfKind) -> String? {
      paths.first { HalfKind(fileExtension: RenderNames.Parts($0).fileExtension) == kind }
    }
    self.init(photo: path(.photo), movie: path(.movie))
  }
}
