import Basics
import EditModel
import FileSystem
import FoundationEssentials
import Glibc

/// One asset in the index.
struct IndexRow: Hashable, Sendable {
  var photo: String?
  var movie: String?
  /// The renders and the adjustment data of the current version.
  var current: CurrentFiles
  /// The name of the XMP sidecar beside the originals.
  var sidecar: String?
  /// The stamp of the asset's files, see ``FileGroup/stamp(in:)``.
  var stamp: Int64
  /// The stamp that matches no files, so that the files of a row with this stamp are read again.
  static let unknownStamp: Int64 = 0
  /// The content identifier that both halves of a Live Photo contain.
  var identifier: String?
  var metadata: AssetMetadata
  /// The whole name that identifies the asset, see ``OriginalFiles/wholeName``.
  var wholeName: String?
  /// The inode of the file that represents the asset, or nil if it is unknown.
  var inode: UInt64?

  var name: String { photo ?? movie ?? "" }
  /// The row's files as a group, used to check them again.
  var group: FileGroup {
    FileGroup(
      photo: photo, movie: movie, current: current, sidecars: [sidecar].compactMap { $0 },
      wholeName: wholeName)
  }
}

extension IndexRow {
  /// The columns that store a row, in the order of ``values`` and of the indices in ``init(_:)``.
  static let columns = [
    "name", "stem", "photo", "movie", "beside", "stamp", "identifier", "kind", "subtypes", "make", "model",
    "software", "camera", "width", "height", "created", "wall", "zone", "clock", "modified", "latitude",
    "longitude", "altitude", "x", "y", "z", "duration", "burst", "format", "edited", "size", "notes",
    "in_home", "disagreeing", "sidecar", "inode",
  ]

  var values: [DatabaseValue] {
    let created = metadata.created
    let place = metadata.location
    let point = place.map(Self.point)
    return [
      .text(name), .text(group.stem), DatabaseValue(photo), DatabaseValue(movie),
      .text(current.names.joined(separator: "/")), .integer(stamp), DatabaseValue(identifier),
      .text(metadata.kind.rawValue), .integer(Self.bits(metadata.subtypes)), DatabaseValue(metadata.make),
      DatabaseValue(metadata.model), DatabaseValue(metadata.software), .text(metadata.source),
      DatabaseValue(metadata.width), DatabaseValue(metadata.height), DatabaseValue(created?.instant),
      DatabaseValue(created?.wallClock), DatabaseValue(created?.offset),
      DatabaseValue(created?.source.rawValue), DatabaseValue(metadata.modified),
      DatabaseValue(place?.latitude), DatabaseValue(place?.longitude), DatabaseValue(place?.altitude),
      DatabaseValue(point?.x), DatabaseValue(point?.y), DatabaseValue(point?.z),
      DatabaseValue(metadata.duration), DatabaseValue(metadata.burst),
      DatabaseValue(metadata.adjustmentFormat), DatabaseValue(metadata.isEdited),
      DatabaseValue(metadata.size), .text(metadata.notes.map(Self.line).joined(separator: "\n")),
      DatabaseValue(current.areInHome), DatabaseValue(metadata.isDisagreeing), DatabaseValue(sidecar),
      inode.map { .integer(Int64(bitPattern: $0)) } ?? .null,
    ]
  }

  /// Creates a row from a database row.
  ///
  /// - Parameter values: The values of the ``columns``.
  /// - Returns: The row, or nil if the values are invalid.
  init?(_ values: [DatabaseValue]) {
    guard values.count >= Self.columns.count, let stamp = values[5].integer,
      let kind = values[7].text.flatMap(AssetKind.init), let modified = values[19].int,
      modified.magnitude < 1 << 53, let size = values[30].int, size >= 0
    else { return nil }
    photo = values[2].text
    movie = values[3].text
    current = CurrentFiles(names: Self.parts(values[4], "/"), areInHome: values[32].int == 1)
    sidecar = values[34].text
    inode = values[35].integer.map { UInt64(bitPattern: $0) }
    self.stamp = stamp
    identifier = values[6].text
    metadata = AssetMetadata(kind: kind, modified: modified, size: size)
    if let stem = values[1].text, stem != RenderNames.Parts(name).stem { wholeName = stem }
    guard photo != nil || movie != nil,
      ([photo, movie, sidecar, wholeName].compactMap { $0 } + current.names).allSatisfy({
        FileName.isPlain($0)
      })
    else { return nil }
    metadata.subtypes = Self.subtypes(values[8].integer ?? 0)
    metadata.make = values[9].text
    metadata.model = values[10].text
    metadata.software = values[11].text
    metadata.width = values[13].int.flatMap { 0..<1 << 32 ~= $0 ? $0 : nil }
    metadata.height = values[14].int.flatMap { 0..<1 << 32 ~= $0 ? $0 : nil }
    if let wall = values[16].int, wall.magnitude < 1 << 53,
      let source = values[18].text.flatMap(CaptureDate.Source.init)
    {
      let offset = values[17].int.flatMap { $0.magnitude < 1 << 16 ? $0 : nil }
      metadata.created = CaptureDate(wallClock: wall, offset: offset, source: source)
    }
    if let latitude = values[20].real, let longitude = values[21].real {
      metadata.location = GeoLocation(
        latitude: latitude, longitude: longitude, altitude: values[22].real)
    }
    metadata.duration = values[26].real
    metadata.burst = values[27].text
    metadata.adjustmentFormat = values[28].text
    metadata.isEdited = values[29].int == 1
    metadata.isDisagreeing = values[33].int == 1
    metadata.notes = Self.parts(values[31], "\n").map(Self.note)
  }

  /// Returns a note as one line: its English text, or JSON if a message catalogue cannot translate that text.
  private static func line(_ note: Message) -> String {
    guard let json = try? JSONEncoder().encode(note), json.first == UInt8(ascii: "{") else {
      return note.description
    }
    return String(decoding: json, as: UTF8.self)
  }

  private static func note(_ line: String) -> Message {
    let note = line.hasPrefix("{") ? try? JSONText.decode(Message.self, from: line.utf8) : nil
    return note ?? Message(line)
  }

  private static func parts(_ value: DatabaseValue, _ separator: Character) -> [String] {
    guard let text = value.text, !text.isEmpty else { return [] }
    return text.split(separator: separator).map { String($0) }
  }

  /// Returns a set as bits, in the order of the cases.
  static func bits(_ subtypes: Set<AssetSubtype>) -> Int64 {
    AssetSubtype.allCases.enumerated().reduce(0) { bits, one in
      subtypes.contains(one.element) ? bits | 1 << Int64(one.offset) : bits
    }
  }

  private static func subtypes(_ bits: Int64) -> Set<AssetSubtype> {
    bits == 0
      ? []
      : Set(AssetSubtype.allCases.enumerated().filter { bits >> Int64($0.offset) & 1 == 1 }.map(\.element))
  }

  /// Returns a location as a point on a sphere with radius 1, so that distances can be compared in space.
  static func point(_ place: GeoLocation) -> (x: Double, y: Double, z: Double) {
    let (north, east) = (place.latitude * .pi / 180, place.longitude * .pi / 180)
    return (cos(north) * cos(east), cos(north) * sin(east), sin(north))
  }
}
