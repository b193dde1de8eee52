import EditModel
import Glibc

/// A condition on assets as SQL for an index. Values are bound, and never written into the SQL text.
///
/// A comparison with a value that an asset does not have is false. Every condition is 0 or 1 and never NULL, so `not`
/// inverts every condition.
struct FilterCondition: Hashable, Sendable {
  /// A way to compare two values.
  enum Comparison: String {
    case equal = "="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
  }

  /// A period of time: a year, a month, a day, a minute or a second.
  struct Period {
    /// The start in milliseconds since 1970.
    var start: Int
    /// The end of the period, in milliseconds since 1970. The end itself does not belong to the period.
    var end: Int
    /// Whether a time zone was specified. Otherwise the times are read from the camera's clock.
    var isMoment: Bool
  }

  let text: String
  var values: [DatabaseValue] = []
  /// The favourite, hidden and album fields that the condition uses.
  var marks: Set<AssetField> = []
}

extension FilterCondition {
  /// Creates a condition that requires either all of several conditions or at least one of them.
  ///
  /// - Parameter word: `AND` or `OR`.
  init(_ parts: [FilterCondition], joinedBy word: String) {
    self.init(
      text: "(" + parts.map(\.text).joined(separator: " \(word) ") + ")", values: parts.flatMap(\.values),
      marks: parts.reduce(into: []) { $0.formUnion($1.marks) })
  }

  /// The opposite condition.
  var negated: FilterCondition {
    FilterCondition(text: "(NOT " + text + ")", values: values, marks: marks)
  }

  /// Creates a condition that is true if a flag is set or an asset has a value for a field.
  init(has field: AssetField) {
    let isFlag = field.valueKind == .flag
    guard field != .album else {
      self.init(text: "(item.stem IN (SELECT stem FROM album_asset))", marks: [field])
      return
    }
    self.init(
      text: isFlag ? field.column : "(\(field.column) IS NOT NULL)", marks: field.isMark ? [field] : [])
  }

  /// Creates a condition that selects assets of one kind.
  init(kind word: String) { self.init(text: "(item.kind = ?)", values: [.text(word)]) }

  /// Creates a condition that selects assets with any of several subtypes.
  init(subtypes bits: Int64) { self.init(text: "((item.subtypes & ?) != 0)", values: [.integer(bits)]) }

  /// Creates a comparison with a number.
  init(_ field: AssetField, _ comparison: Comparison, _ number: Double) {
    self.init(
      text: "(\(field.column) IS NOT NULL AND \(field.column) \(comparison.rawValue) ?)",
      values: [.real(number)])
  }

  /// Creates a condition that is true if a field's text equals a given text. Here and in the text conditions below, the
  /// case of Latin letters is ignored.
  init(_ field: AssetField, equals text: String) {
    self.init(field, test: "= ? COLLATE NOCASE", text)
  }

  /// Creates a condition that is true if a field's text contains a given text.
  init(_ field: AssetField, contains text: String) {
    self.init(field, test: "LIKE ? ESCAPE '\\'", "%" + Self.escaped(text) + "%")
  }

  /// Creates a condition that is true if a field's text matches a pattern: `*` stands for any sequence of characters,
  /// and `?` for a single character.
  init(_ field: AssetField, like pattern: String) {
    let form = Self.escaped(pattern).map { $0 == "*" ? "%" : $0 == "?" ? "_" : $0 }
    self.init(field, test: "LIKE ? ESCAPE '\\'", String(form))
  }

  private init(_ field: AssetField, test: String, _ value: String) {
    let inAlbum = """
      (item.stem IN (SELECT album_asset.stem FROM album JOIN album_asset ON album_asset.album = album.id
        WHERE album.name \(test)))
      """
    let ofItem = "(item.\(field.rawValue) IS NOT NULL AND item.\(field.rawValue) \(test))"
    self.init(
      text: field == .album ? inAlbum : ofItem, values: [.text(value)], marks: field.isMark ? [field] : [])
  }

  /// Returns a string in which the special characters of LIKE are escaped.
  private static func escaped(_ text: String) -> String {
    String(text.flatMap { "%_\\".contains($0) ? ["\\", $0] : [$0] })
  }

  /// Creates a comparison with a period of time.
  init(_ field: AssetField, _ comparison: Comparison, _ period: Period) {
    // File times are moments. Capture times are compared by the camera's clock unless a time zone is specified.
    let column = field == .modified ? "item.modified" : period.isMoment ? "item.created" : "item.wall"
    let bounds: [(sign: String, limit: Int)] =
      switch comparison {
      case .equal: [(">=", period.start), ("<", period.end)]
      case .less: [("<", period.start)]
      case .lessOrEqual: [("<", period.end)]
      case .greater: [(">=", period.end)]
      case .greaterOrEqual: [(">=", period.start)]
      }
    let tests = bounds.map { " AND \(column) \($0.sign) ?" }.joined()
    self.init(text: "(\(column) IS NOT NULL\(tests))", values: bounds.map { DatabaseValue($0.limit) })
  }

  /// The mean radius of the Earth in metres.
  private static let earth = 6_371_008.8

  /// Creates a condition that is true if a location is within a given distance of another location, in metres.
  ///
  /// The straight line between two points on the globe has the length `2 r sin(d / 2r)`, where `d` is the distance
  /// between the points on the surface. An index on the latitudes narrows the search.
  init(near place: GeoLocation, within metres: Double) {
    let angle = min(metres / Self.earth, .pi)
    let point = IndexRow.point(place)
    let chord = 2 * sin(angle / 2)
    let reach = angle * 180 / .pi + 1e-9
    let text = """
      (item.latitude IS NOT NULL AND item.latitude BETWEEN ? AND ?
        AND (item.x - ?) * (item.x - ?) + (item.y - ?) * (item.y - ?) + (item.z - ?) * (item.z - ?) <= ?)
      """
    let parts = [point.x, point.x, point.y, point.y, point.z, point.z]
    // Locations 1 mm apart count as equal.
    let numbers = [place.latitude - reach, place.latitude + reach] + parts + [chord * chord + 1e-20]
    self.init(text: text, values: numbers.map { .real($0) })
  }
}

extension AssetField {
  /// The SQL expression for a field, which is NULL if an asset has no value.
  fileprivate var column: String {
    switch self {
    case .name, .camera, .make, .model, .software, .format, .burst, .kind: "item.\(rawValue) COLLATE NOCASE"
    case .width, .height, .size, .duration, .latitude, .longitude, .altitude, .modified: "item.\(rawValue)"
    case .pixels: "(item.width * item.height)"
    case .date: "item.created"
    case .edited: "(item.edited = 1)"
    case .disagreeing: "(item.disagreeing = 1)"
    case .favourite, .hidden: "(item.stem IN (SELECT stem FROM mark WHERE \(rawValue) = 1))"
    case .representative: AssetQuery.representsBurst
    case .location: "item.latitude"
    case .subtype: "nullif(item.subtypes, 0)"
    case .album: "(SELECT min(album) FROM album_asset WHERE album_asset.stem = item.stem)"
    }
  }
}

extension AssetField {
  /// Whether a field is stored only in a library, and not in an asset's files.
  fileprivate var isMark: Bool { [.favourite, .hidden, .album].contains(self) }
}

extension AssetQuery {
  /// Whether the result depends on favourites, hidden assets or albums in any way other than leaving out hidden assets.
  var asksForMarks: Bool { order.field.isMark || filter?.condition.marks.isEmpty == false }

  /// The condition that an asset represents its burst, that is, comes first in the burst by date and name.
  static let representsBurst = """
    (item.burst IS NOT NULL AND item.id = (SELECT other.id FROM item AS other WHERE other.burst = item.burst
      ORDER BY other.created IS NULL, other.created, other.name LIMIT 1))
    """

  /// The query as SQL for an index, with one column that contains the row numbers of the assets.
  var sql: (text: String, values: [DatabaseValue]) {
    var conditions = filter.map { [$0.condition] } ?? []
    if !includesHidden, filter?.condition.marks.contains(.hidden) != true {
      conditions.append(FilterCondition(has: .hidden).negated)
    }
    var text = "SELECT item.id FROM item"
    var values = conditions.flatMap(\.values)
    if !conditions.isEmpty { text += " WHERE " + conditions.map(\.text).joined(separator: " AND ") }
    let direction = order.isDescending ? " DESC" : ""
    if order.field == .name {
      text += " ORDER BY item.name" + direction
    } else {
      text += " ORDER BY \(order.field.column)\(direction) NULLS LAST, item.name"
    }
    if let limit {
      text += " LIMIT ?"
      values.append(DatabaseValue(max(0, limit)))
    }
    return (text, values)
  }
}
