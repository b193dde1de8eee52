import Basics
import EditModel

/// Parses a filter:
///
///     any   = all { "or" all }
///     all   = one { "and" one }
///     one   = "not" one | "(" any ")" | "has" FIELD | "near" LATITUDE "," LONGITUDE "within" DISTANCE
///           | "dates" "disagree" | FLAG | FIELD comparison VALUE | FIELD "in" VALUE ".." VALUE
///     comparison = "=" | "!=" | "<" | "<=" | ">" | ">=" | "contains" | "like"
///
/// Keywords and fields may be written in upper or lower case.
struct FilterParser {
  private let tokens: [FilterTokens.Token]
  private var next = 0
  private var depth = 0
  private var conditions = 0

  // SQLite's parser supports up to a hundred nested brackets and keywords.
  private static let deepest = 24
  // SQLite supports expressions up to a depth of 1000, and each condition in a chain increases the depth by one.
  private static let mostConditions = 250
  private static let keywords: Set<String> = [
    "and", "or", "not", "has", "near", "within", "in", "contains", "like", "dates",
  ]

  init(_ text: String) throws(FilterError) {
    tokens = try FilterTokens.tokens(text)
  }

  private var here: FilterTokens.Token { tokens[min(next, tokens.count - 1)] }

  mutating func parse() throws(FilterError) -> FilterCondition {
    let expression = try any()
    guard here.kind == .end else {
      throw error("expected “and”, “or” or the end of the filter, found \(here.name)")
    }
    return expression
  }

  func error(_ message: Message, at token: FilterTokens.Token? = nil) -> FilterError {
    FilterError(position: (token ?? here).position, message: message)
  }

  private mutating func take(_ keyword: String) -> Bool {
    guard here.kind == .word, here.text.lowercased() == keyword else { return false }
    next += 1
    return true
  }

  private mutating func take(sign: String) -> Bool {
    guard here.kind == .sign, here.text == sign else { return false }
    next += 1
    return true
  }

  private mutating func any() throws(FilterError) -> FilterCondition {
    var parts = [try all()]
    while take("or") { parts.append(try all()) }
    return parts.count == 1 ? parts[0] : FilterCondition(parts, joinedBy: "OR")
  }

  private mutating func all() throws(FilterError) -> FilterCondition {
    var parts = [try one()]
    while take("and") { parts.append(try one()) }
    return parts.count == 1 ? parts[0] : FilterCondition(parts, joinedBy: "AND")
  }

  private mutating func one() throws(FilterError) -> FilterCondition {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else {
      throw error("the filter is nested more than \(Self.deepest) levels deep")
    }
    if take("not") { return try one().negated }
    if take(sign: "(") {
      let inside = try any()
      guard take(sign: ")") else { throw error("expected “)”, found \(here.name)") }
      return inside
    }
    conditions += 1
    guard conditions <= Self.mostConditions else {
      throw error("the filter has more than \(Self.mostConditions) conditions")
    }
    if take("near") { return try near() }
    if take("dates") {
      guard take("disagree") else {
        throw error("expected “disagree” after “dates”, found \(here.name); to filter by date, use “date”")
      }
      return FilterCondition(has: .disagreeing)
    }
    if take("has") { return FilterCondition(has: try field()) }
    return try comparison()
  }

  private mutating func field() throws(FilterError) -> AssetField {
    let token = here
    guard token.kind == .word, !Self.keywords.contains(token.text.lowercased()) else {
      throw error("expected a field, found \(token.name)")
    }
    let name = Spelling.find(token.text.lowercased(), among: AssetField.allCases.map(\.rawValue))
    guard let field = name.flatMap(AssetField.init(rawValue:)) else {
      var unknown = error("there is no field “\(token.text)”")
      unknown.word = token.text.lowercased()
      unknown.known = AssetField.allCases.map(\.rawValue) + Self.keywords.sorted()
      throw unknown
    }
    next += 1
    return field
  }

  private mutating func near() throws(FilterError) -> FilterCondition {
    let start = here
    let latitude = try FilterValue.number(value("a latitude"), unit: .degrees)
    guard take(sign: ",") else { throw error("expected “,” and a longitude, found \(here.name)") }
    let longitude = try FilterValue.number(value("a longitude"), unit: .degrees)
    guard let place = GeoLocation(latitude: latitude, longitude: longitude) else {
      throw error(
        "the location is invalid: latitudes range from -90 to 90, longitudes from -180 to 180", at: start)
    }
    guard take("within") else { throw error("expected “within” and a distance, found \(here.name)") }
    let token = try value("a distance, such as 5km")
    let metres = try FilterValue.number(token, unit: .distance)
    guard metres >= 0 else { throw error("a distance cannot be negative", at: token) }
    return FilterCondition(near: place, within: metres)
  }

  private mutating func value(_ what: Message) throws(FilterError) -> FilterTokens.Token {
    let token = here
    guard token.kind == .word || token.kind == .quoted else {
      throw error("expected \(what), found \(token.name)")
    }
    next += 1
    return token
  }

  private mutating func comparison() throws(FilterError) -> FilterCondition {
    let start = here
    let field = try field()
    let sign = here
    if sign.kind == .sign, sign.text != "(", sign.text != ")", sign.text != "," {
      next += 1
      if sign.text == "!=" { return try compared(field, .equal, sign).negated }
      guard let comparison = FilterCondition.Comparison(rawValue: sign.text) else {
        throw error("expected a comparison", at: sign)
      }
      return try compared(field, comparison, sign)
    }
    if take("in") { return try range(field, sign) }
    for (keyword, isPattern) in [("contains", false), ("like", true)] where take(keyword) {
      guard field.valueKind == .text else {
        throw error("“\(keyword)” requires a text field, but \(field.rawValue) is not a text field", at: sign)
      }
      let text = try value("a text").text
      return isPattern ? FilterCondition(field, like: text) : FilterCondition(field, contains: text)
    }
    if field.valueKind == .flag { return FilterCondition(has: field) }
    if field.valueKind == .place {
      throw error("filter by location with “has location” or “near …”", at: start)
    }
    throw error("expected a comparison after \(field.rawValue), found \(here.name)")
  }

  private mutating func compared(
    _ field: AssetField, _ comparison: FilterCondition.Comparison, _ sign: FilterTokens.Token
  ) throws(FilterError) -> FilterCondition {
    if comparison != .equal, field.valueKind != .number, field.valueKind != .date {
      throw error("\(field.rawValue) can be compared only with = and !=", at: sign)
    }
    switch field.valueKind {
    case .text: return FilterCondition(field, equals: try value("a text").text)
    case .number: return try Self.compared(field, comparison, value("a number"))
    case .date: return try Self.compared(field, comparison, value("a date, such as 2024-05-26"))
    case .word: return try FilterValue.word(value("one of the values that the field allows"), of: field)
    case .flag:
      let token = try value("true or false")
      switch token.text.lowercased() {
      case "true", "yes": return FilterCondition(has: field)
      case "false", "no": return FilterCondition(has: field).negated
      default: throw error("expected true or false, found \(token.name)", at: token)
      }
    case .place: throw error("filter by location with “has location” or “near …”", at: sign)
    }
  }

  /// Parses a comparison with a number or a date.
  private static func compared(
    _ field: AssetField, _ comparison: FilterCondition.Comparison, _ token: FilterTokens.Token
  ) throws(FilterError) -> FilterCondition {
    if field.valueKind == .date { return FilterCondition(field, comparison, try FilterValue.period(token)) }
    let number = try FilterValue.number(token, unit: FilterValue.Unit(field))
    return FilterCondition(field, comparison, number)
  }

  private mutating func range(
    _ field: AssetField, _ sign: FilterTokens.Token
  ) throws(FilterError) -> FilterCondition {
    guard field.valueKind == .number || field.valueKind == .date else {
      throw error("“in” requires a number or date field, and \(field.rawValue) is neither", at: sign)
    }
    let token = try value("two values separated by ..")
    let text = Array(token.text)
    guard let dots = text.indices.dropLast().first(where: { text[$0] == "." && text[$0 + 1] == "." }) else {
      throw error("expected two values separated by .., such as 2024-05..2024-07", at: token)
    }
    func part(_ range: Range<Int>) -> FilterTokens.Token {
      FilterTokens.Token(
        kind: token.kind, text: String(text[range]), position: token.position + range.lowerBound)
    }
    let low = try Self.compared(field, .greaterOrEqual, part(0..<dots))
    let high = try Self.compared(field, .lessOrEqual, part(dots + 2..<text.count))
    return FilterCondition([low, high], joinedBy: "AND")
  }
}
