import Basics
import EditModel
import FileSystem
import FoundationEssentials

/// The content of a `version.json` in a version's folder, from which a lost catalogue is rebuilt.
struct VersionDescription: Codable {
  /// The number of the description's format. Descriptions in later formats are not read. Format 2 added adopted
  /// versions, and format 3 added sidecars.
  var form: Int
  var stem: String
  var originals: [VersionFile]
  var number: Int
  var previous: Int
  var base: Int
  var origin: Version.Origin
  var format: String?
  var formatVersion: String?
  var data: Data?
  var editor: String
  var time: Int
  var build: String
  var files: [VersionFile]
  var isAside: Bool
  var batch: String?
  /// The catalogue's generation after the change that wrote the description; nil in descriptions written by earlier
  /// builds.
  var generation: Int?
  /// The checksum of the text, see ``SealedJSON``; nil in descriptions written by earlier builds.
  var checksum: String?

  private static let largest = 1 << 25

  /// Creates the description of a version.
  ///
  /// - Parameter generation: The catalogue's generation after the change that writes the description.
  init(_ version: Version, of record: AssetRecord, generation: Int) {
    self.generation = generation
    checksum = SealedJSON.blank
    form = version.file(.sidecar) != nil ? 3 : version.origin == .adopted ? 2 : 1
    stem = record.stem
    originals = record.originals
    number = version.number
    previous = version.previous
    base = version.base
    origin = version.origin
    format = version.adjustment?.formatIdentifier
    formatVersion = version.adjustment?.formatVersion
    data = version.adjustment?.data
    editor = version.editor
    time = version.time
    build = version.build
    files = version.files
    isAside = version.isAside
    batch = version.batch
  }

  /// Whether two states of one version need different descriptions. The files' timestamps are ignored.
  static func differ(_ one: Version, _ other: Version) -> Bool {
    (one.previous, one.isAside, one.build) != (other.previous, other.isAside, other.build)
      || one.files.map(\.name) != other.files.map(\.name)
      || one.files.map(\.fingerprint.sha256) != other.files.map(\.fingerprint.sha256)
  }

  /// Reads the description of a version.
  ///
  /// - Returns: The description, or nil if no description exists that this build supports.
  /// - Throws: An error if the description exists but cannot be read.
  static func read(of number: Int, of stem: String, in folder: HeldFolder) throws -> VersionDescription? {
    let read = try read(LibraryPaths.description(number, of: stem), in: folder)
    guard let read, read.number == number, FileName.areAlike(read.stem, stem) else { return nil }
    return read
  }

  /// Reads the description at a path, for any version of any asset.
  ///
  /// - Returns: The description, or nil if no description exists that this build supports.
  /// - Throws: An error if the description exists but cannot be read.
  static func read(_ place: String, in folder: HeldFolder) throws -> VersionDescription? {
    guard let bytes = try folder.bytes(of: place, atMost: largest), SealedJSON.isWhole(bytes),
      let read = try? JSONText.decode(Self.self, from: bytes), forms ~= read.form,
      AssetRecord(
        stem: read.stem, originals: read.originals, versions: [read.version(hasFiles: false)], current: 0
      ).isSound
    else { return nil }
    return read
  }

  /// Whether a newer liveedit wrote the description at a path, in a format that this build does not support.
  ///
  /// - Throws: An error if the description exists but cannot be read.
  static func isNewer(_ place: String, in folder: HeldFolder) throws -> Bool {
    struct Form: Decodable { var form: Int }
    guard let bytes = try folder.bytes(of: place, atMost: largest),
      let read = try? JSONText.decode(Form.self, from: bytes)
    else { return false }
    return read.form > forms.upperBound
  }

  /// The formats that this build reads.
  private static let forms = 1...3

  /// The description as JSON text.
  var bytes: [UInt8] { SealedJSON.bytes(self) }

  /// Returns a value as readable JSON.
  static func json(_ value: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    return (try? encoder.encode(value)).map { Array($0) } ?? []
  }

  /// Returns the described version, recording whether its files were found.
  func version(hasFiles: Bool) -> Version {
    var adjustment: AdjustmentData?
    if let format, let formatVersion {
      adjustment = AdjustmentData(
        formatIdentifier: format, formatVersion: formatVersion, data: data ?? Data())
    }
    return Version(
      number: number, previous: previous, base: base, origin: origin, adjustment: adjustment, editor: editor,
      time: time, build: build, files: files, hasFiles: hasFiles, isAside: isAside, batch: batch)
  }
}
