import EditModel
import Glibc

/// A condition on assets as SQL over an index. Values are bound, never written into it.
///
/// A comparison with a value that an asset does not have is false: every condition is 0 or 1, never NULL, so that `not`
/// turns all of them round.
struct FilterCondition: Hashable, Sendable {
  /// The comparison of two values.
  enum Comparison: String {
    case equal = "="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
  }

  /// A stretch of time: a year, a month, a day, a minute, a second.
  struct Period {
    /// Milliseconds since 1970.
    var start: Int
    /// Milliseconds since 1970, not itself in the period.
    var end: Int
    /// True if a time zone was named; otherwise the times are those of the camera's clock.
    var isMoment: Bool
  }

  let text: String
  var values: [DatabaseValue] = []
  /// The fields among marks and albums that it asks for.
  var marks: Set<AssetField> = []
}

extension FilterCondition {
  /// Conditions that hold together, or of which one holds.
  ///
  /// - Parameter word: `AND` or `OR`.
  init(_ parts: [FilterCondition], joinedBy word: String) {
    self.init(
      text: "(" + parts.map(\.text).joined(separator: " \(word) ") + ")", values: parts.flatMap(\.values),
      marks: parts.reduce(into: []) { $0.formUnion($1.marks) })
  }

  /// The opposite.
  var negated: FilterCondition {
    FilterCondition(text: "(NOT " + text + ")", values: values, marks: marks)
  }

  /// A flag that is set, or a value that an asset has.
  init(has field: AssetField) {
    let isFlag = field.valueKind == .flag
    guard field != .album else {
      self.init(text: "(item.stem IN (SELECT stem FROM album_asset))", marks: [field])
      return
    }
    self.init(
      text: isFlag ? field.column : "(\(field.column) IS NOT NULL)", marks: field.isMark ? [field] : [])
  }

  /// An asset of one kind.
  init(kind word: String) { self.init(text: "(item.kind = ?)", values: [.text(word)]) }

  /// An asset that is one of some subtypes.
  init(subtypes bits: Int64) { self.init(text: "((item.subtypes & ?) != 0)", values: [.integer(bits)]) }

  /// The comparison with a number.
  init(_ field: AssetField, _ comparison: Comparison, _ number: Double) {
    self.init(
      text: "(\(field.column) IS NOT NULL AND \(field.column) \(comparison.rawValue) ?)",
      values: [.real(number)])
  }

  /// A text that is this one; letters of the Latin alphabet match in either case, here and below.
  init(_ field: AssetField, equals text: String) {
    self.init(field, test: "= ? COLLATE NOCASE", text)
  }

  /// A text that this one is in.
  init(_ field: AssetField, contains text: String) {
    self.init(field, test: "LIKE ? ESCAPE '\\'", "%" + Self.escaped(text) + "%")
  }

  /// A text of this form: `*` stands for any characters, `?` for one.
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

  /// A text in which nothing has a meaning for LIKE.
  private static func escaped(_ text: String) -> String {
    String(text.flatMap { "%_\\".contains($0) ? ["\\", $0] : [$0] })
  }

  /// The comparison with a period.
  init(_ field: AssetField, _ comparison: Comparison, _ period: Period) {
    // File times are moments; a capture is compared by its own clock unless a time zone is named.
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

  /// Metres: the mean radius of the Earth.
  private static let earth = 6_371_008.8

  /// A place within some metres of another one.
  ///
  /// The straight line between two points of the globe is `2 r sin(d / 2r)` long, `d` being their distance on it.
  /// The latitudes narrow the search by an index.
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
    // Places a millimetre apart are the same.
    let numbers = [place.latitude - reach, place.latitude + reach] + parts + [chord * chord + 1e-20]
    self.init(text: text, values: numbers.map { .real($0) })
  }
}

extension AssetField {
  /// The SQL expression of a field: NULL where an asset has no such value.
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
  /// True for what a library keeps of an asset, and no file says.
  fileprivate var isMark: Bool { [.favourite, .hidden, .album].contains(self) }
}

extension AssetQuery {
  /// True if the answer depends on marks or albums, other than by leaving hidden assets out.
  var asksForMarks: Bool { order.field.isMark || filter?.condition.marks.isEmpty == false }

  /// The condition that an asset stands for its burst: the first by date and name.
  static let representsBurst = """
    (item.burst IS NOT NULL AND item.id = (SELECT other.id FROM item AS other WHERE other.burst = item.burst
      ORDER BY other.created IS NULL, other.created, other.name LIMIT 1))
    """

  /// The query as SQL over an index: one column, the numbers of the assets.
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
