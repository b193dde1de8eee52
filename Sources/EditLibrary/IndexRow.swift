import EditModel
import Glibc

/// One asset in the index.
struct IndexRow: Hashable, Sendable {
  var photo: String?
  var movie: String?
  /// The names of the renders and the adjustment data beside the originals.
  var beside: [String]
  /// See ``AssetGroup/stamp(in:)``.
  var stamp: Int64
  /// What ties the halves of a Live Photo.
  var identifier: String?
  var metadata: AssetMetadata

  var name: String { photo ?? movie ?? "" }
  /// The files, to look at them again.
  var group: AssetGroup { AssetGroup(photo: photo, movie: movie, beside: beside) }

  /// The columns that hold a row, in the order of ``values``.
  static let columns = [
    "name", "stem", "photo", "movie", "beside", "stamp", "identifier", "kind", "subtypes", "make", "model",
    "software", "camera", "width", "height", "created", "wall", "zone", "clock", "modified", "latitude",
    "longitude", "altitude", "x", "y", "z", "duration", "burst", "format", "edited", "size", "notes",
  ]

  var values: [DatabaseValue] {
    let created = metadata.created
    let place = metadata.location
    let point = place.map(Self.point)
    return [
      .text(name), .text(RenderNames.Parts(name).stem), DatabaseValue(photo), DatabaseValue(movie),
      .text(beside.joined(separator: "\n")), .integer(stamp), DatabaseValue(identifier),
      .text(metadata.kind.rawValue), .integer(Self.bits(metadata.subtypes)), DatabaseValue(metadata.make),
      DatabaseValue(metadata.model), DatabaseValue(metadata.software), .text(metadata.source),
      DatabaseValue(metadata.width), DatabaseValue(metadata.height), DatabaseValue(created?.instant),
      DatabaseValue(created?.wallClock), DatabaseValue(created?.offset),
      DatabaseValue(created?.source.rawValue), DatabaseValue(metadata.modified),
      DatabaseValue(place?.latitude), DatabaseValue(place?.longitude), DatabaseValue(place?.altitude),
      DatabaseValue(point?.x), DatabaseValue(point?.y), DatabaseValue(point?.z),
      DatabaseValue(metadata.duration), DatabaseValue(metadata.burst),
      DatabaseValue(metadata.adjustmentFormat), DatabaseValue(metadata.isEdited),
      DatabaseValue(metadata.size), .text(metadata.notes.joined(separator: "\n")),
    ]
  }

  /// - Parameter values: of ``columns``.
  /// - Returns: nil when they make no sense.
  init?(_ values: [DatabaseValue]) {
    guard values.count >= Self.columns.count else { return nil }
    var row: [String: DatabaseValue] = [:]
    for (column, value) in zip(Self.columns, values) { row[column] = value }
    func text(_ column: String) -> String? { row[column]?.text }
    func number(_ column: String) -> Int? { row[column]?.int }
    photo = text("photo")
    movie = text("movie")
    beside = (text("beside") ?? "").split(separator: "\n").map { String($0) }
    guard let stamp = row["stamp"]?.integer, let kind = text("kind").flatMap(AssetKind.init),
      photo != nil || movie != nil, let modified = number("modified"), let size = number("size"),
      ([photo, movie].compactMap { $0 } + beside).allSatisfy(Catalogue.isName)
    else { return nil }
    self.stamp = stamp
    identifier = text("identifier")
    metadata = AssetMetadata(kind: kind, modified: modified, size: size)
    metadata.subtypes = Self.subtypes(row["subtypes"]?.integer ?? 0)
    metadata.make = text("make")
    metadata.model = text("model")
    metadata.software = text("software")
    metadata.width = number("width")
    metadata.height = number("height")
    if let wall = number("wall"), abs(wall) < 1 << 53,
      let source = text("clock").flatMap(CaptureDate.Source.init)
    {
      let offset = number("zone").flatMap { abs($0) < 1 << 16 ? $0 : nil }
      metadata.created = CaptureDate(wallClock: wall, offset: offset, source: source)
    }
    if let latitude = row["latitude"]?.real, let longitude = row["longitude"]?.real {
      metadata.location = GeoLocation(
        latitude: latitude, longitude: longitude, altitude: row["altitude"]?.real)
    }
    metadata.duration = row["duration"]?.real
    metadata.burst = text("burst")
    metadata.adjustmentFormat = text("format")
    metadata.isEdited = number("edited") == 1
    metadata.notes = (text("notes") ?? "").split(separator: "\n").map { String($0) }
  }

  init(
    photo: String?, movie: String?, beside: [String], stamp: Int64, identifier: String?,
    metadata: AssetMetadata
  ) {
    self.photo = photo
    self.movie = movie
    self.beside = beside
    self.stamp = stamp
    self.identifier = identifier
    self.metadata = metadata
  }

  /// A set as bits, in the order of the cases.
  static func bits(_ subtypes: Set<AssetSubtype>) -> Int64 {
    AssetSubtype.allCases.enumerated().reduce(0) { bits, one in
      subtypes.contains(one.element) ? bits | 1 << Int64(one.offset) : bits
    }
  }

  private static func subtypes(_ bits: Int64) -> Set<AssetSubtype> {
    Set(AssetSubtype.allCases.enumerated().filter { bits >> Int64($0.offset) & 1 == 1 }.map(\.element))
  }

  /// A place as a point of a sphere with radius 1: distances are then those of points in space.
  static func point(_ place: GeoLocation) -> (x: Double, y: Double, z: Double) {
    let (north, east) = (place.latitude * .pi / 180, place.longitude * .pi / 180)
    return (cos(north) * cos(east), cos(north) * sin(east), sin(north))
  }
}
