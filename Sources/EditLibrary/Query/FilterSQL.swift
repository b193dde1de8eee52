import EditModel
import Glibc

/// A query as SQL over an index: one column, the numbers of the assets. Values are bound, never written into it.
///
/// Every condition is 0 or 1, never NULL, so that `not` turns all of them round.
struct FilterSQL {
  private(set) var text = ""
  private(set) var values: [DatabaseValue] = []

  /// Metres: the mean radius of the Earth.
  private static let earth = 6_371_008.8

  private static func marked(_ mark: String) -> String {
    "(item.stem IN (SELECT stem FROM mark WHERE \(mark) = 1))"
  }

  /// The condition that an asset stands for its burst: the first by date and name.
  static let representsBurst = """
    (item.burst IS NOT NULL AND item.id = (SELECT other.id FROM item AS other WHERE other.burst = item.burst
      ORDER BY other.created IS NULL, other.created, other.name LIMIT 1))
    """

  init(_ query: AssetQuery) {
    var conditions: [String] = []
    if let filter = query.filter { conditions.append(condition(filter.expression)) }
    if !query.includesHidden, query.filter?.expression.mentions(.hidden) != true {
      conditions.append("NOT " + Self.marked("hidden"))
    }
    text = "SELECT item.id FROM item"
    if !conditions.isEmpty { text += " WHERE " + conditions.joined(separator: " AND ") }
    let direction = query.order.isDescending ? " DESC" : ""
    if query.order.field == .name {
      text += " ORDER BY item.name" + direction
    } else {
      text += " ORDER BY \(Self.column(query.order.field))\(direction) NULLS LAST, item.name"
    }
    if let limit = query.limit {
      text += " LIMIT ?"
      values.append(DatabaseValue(max(0, limit)))
    }
  }

  /// The SQL expression of a field: NULL where an asset has no such value.
  private static func column(_ field: AssetField) -> String {
    switch field {
    case .name, .camera, .make, .model, .software, .format, .burst, .kind:
      "item.\(field.rawValue) COLLATE NOCASE"
    case .width, .height, .size, .duration, .latitude, .longitude, .altitude, .modified:
      "item.\(field.rawValue)"
    case .pixels: "(item.width * item.height)"
    case .date: "item.created"
    case .edited: "(item.edited = 1)"
    case .favourite: marked("favourite")
    case .hidden: marked("hidden")
    case .representative: representsBurst
    case .location: "item.latitude"
    case .subtype: "nullif(item.subtypes, 0)"
    case .album: "(SELECT min(album) FROM album_asset WHERE album_asset.stem = item.stem)"
    }
  }

  private mutating func condition(_ expression: FilterExpression) -> String {
    switch expression {
    case .and(let parts): return joined(parts, " AND ")
    case .or(let parts): return joined(parts, " OR ")
    case .not(let part): return "(NOT " + condition(part) + ")"
    case .flag(let field): return Self.column(field)
    case .has(let field):
      switch field.valueKind {
      case .flag: return Self.column(field)
      default: return "(\(Self.column(field)) IS NOT NULL)"
      }
    case .text(let field, let match): return condition(field, match)
    case .kind(let word):
      values.append(.text(word))
      return "(item.kind = ?)"
    case .subtype(let bits):
      values.append(.integer(bits))
      return "((item.subtypes & ?) != 0)"
    case .number(let field, let comparison, let number):
      values.append(.real(number))
      let column = Self.column(field)
      return "(\(column) IS NOT NULL AND \(column) \(comparison.rawValue) ?)"
    case .date(let field, let comparison, let period): return condition(field, comparison, period)
    case .near(let latitude, let longitude, let metres): return near(latitude, longitude, metres)
    }
  }

  private mutating func joined(_ parts: [FilterExpression], _ word: String) -> String {
    var conditions: [String] = []
    for part in parts { conditions.append(condition(part)) }
    return "(" + conditions.joined(separator: word) + ")"
  }

  private mutating func condition(_ field: AssetField, _ match: FilterExpression.TextMatch) -> String {
    let test: String
    switch match {
    case .equal(let text):
      values.append(.text(text))
      test = "= ? COLLATE NOCASE"
    case .contains(let text):
      values.append(.text("%" + Self.escaped(text) + "%"))
      test = "LIKE ? ESCAPE '\\'"
    case .like(let pattern):
      let form = Self.escaped(pattern).map { $0 == "*" ? "%" : $0 == "?" ? "_" : $0 }
      values.append(.text(String(form)))
      test = "LIKE ? ESCAPE '\\'"
    }
    guard field != .album else {
      return """
        (item.stem IN (SELECT album_asset.stem FROM album JOIN album_asset ON album_asset.album = album.id
          WHERE album.name \(test)))
        """
    }
    return "(item.\(field.rawValue) IS NOT NULL AND item.\(field.rawValue) \(test))"
  }

  /// A text in which nothing has a meaning for LIKE.
  private static func escaped(_ text: String) -> String {
    String(text.flatMap { "%_\\".contains($0) ? ["\\", $0] : [$0] })
  }

  private mutating func condition(
    _ field: AssetField, _ comparison: FilterExpression.Comparison, _ period: FilterExpression.Period
  ) -> String {
    // File times are moments; a capture is compared by its own clock unless a time zone is named.
    let column = field == .modified ? "item.modified" : period.isMoment ? "item.created" : "item.wall"
    func bound(_ sign: String, _ limit: Int) -> String {
      values.append(DatabaseValue(limit))
      return "\(column) \(sign) ?"
    }
    let test =
      switch comparison {
      case .equal: bound(">=", period.start) + " AND " + bound("<", period.end)
      case .less: bound("<", period.start)
      case .lessOrEqual: bound("<", period.end)
      case .greater: bound(">=", period.end)
      case .greaterOrEqual: bound(">=", period.start)
      }
    return "(\(column) IS NOT NULL AND \(test))"
  }

  /// The straight line between two points of the globe is `2 r sin(d / 2r)` long, `d` being their distance on it.
  /// The latitudes narrow the search by an index.
  private mutating func near(_ latitude: Double, _ longitude: Double, _ metres: Double) -> String {
    guard let place = GeoLocation(latitude: latitude, longitude: longitude) else { return "0" }
    let angle = min(metres / Self.earth, .pi)
    let point = IndexRow.point(place)
    let chord = 2 * sin(angle / 2)
    let reach = angle * 180 / .pi + 1e-9
    values += [.real(latitude - reach), .real(latitude + reach)]
    for part in [point.x, point.y, point.z] { values += [.real(part), .real(part)] }
    // Places a millimetre apart are the same.
    values.append(.real(chord * chord + 1e-20))
    return """
      (item.latitude IS NOT NULL AND item.latitude BETWEEN ? AND ?
        AND (item.x - ?) * (item.x - ?) + (item.y - ?) * (item.y - ?) + (item.z - ?) * (item.z - ?) <= ?)
      """
  }
}
