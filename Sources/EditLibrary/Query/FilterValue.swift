import Basics
import EditModel

/// Parses the values in a filter.
enum FilterValue {
  /// The quantity that a number measures, which determines the permitted units.
  enum Unit {
    case plain, degrees, bytes, pixels, seconds, distance

    init(_ field: AssetField) {
      switch field {
      case .size: self = .bytes
      case .pixels: self = .pixels
      case .duration: self = .seconds
      case .altitude: self = .distance
      case .latitude, .longitude: self = .degrees
      default: self = .plain
      }
    }

    /// The units that may follow a number, in lower case, with their factors.
    var factors: [String: Double] {
      switch self {
      case .plain, .degrees: [:]
      case .bytes:
        ["b": 1, "kb": 1e3, "mb": 1e6, "gb": 1e9, "kib": 1024, "mib": 1_048_576, "gib": 1_073_741_824]
      case .pixels: ["mp": 1e6]
      case .seconds: ["s": 1, "ms": 0.001, "min": 60, "h": 3600]
      case .distance: ["m": 1, "km": 1000, "mi": 1609.344, "ft": 0.3048]
      }
    }
  }

  /// Parses a number with its unit.
  static func number(_ token: FilterTokens.Token, unit: Unit) throws(FilterError) -> Double {
    let digits = token.text.prefix { $0.isASCII && ($0.isNumber || "+-.".contains($0)) }
    let letters = token.text.dropFirst(digits.count).lowercased()
    guard let value = Double(digits), value.isFinite else {
      throw FilterError(position: token.position, message: "expected a number, found \(token.name)")
    }
    if letters.isEmpty { return value }
    guard let factor = unit.factors[letters] else {
      let units = unit.factors.sorted { $0.value < $1.value }.map(\.key).joined(separator: ", ")
      let hint: Message =
        units.isEmpty ? "a number without a unit" : "a number, optionally with one of these units: \(units)"
      throw FilterError(position: token.position, message: "expected \(hint), found \(token.name)")
    }
    return value * factor
  }

  /// Parses a word from a fixed set.
  static func word(_ token: FilterTokens.Token, of field: AssetField) throws(FilterError) -> FilterCondition {
    let word = token.text.lowercased().filter { $0 != "-" }
    if field == .kind, let kind = AssetKind(rawValue: word) { return FilterCondition(kind: kind.rawValue) }
    if field == .subtype,
      let subtype = AssetSubtype.allCases.first(where: { $0.rawValue.lowercased() == word })
    {
      return FilterCondition(subtypes: IndexRow.bits([subtype]))
    }
    let known = field == .kind ? AssetKind.allCases.map(\.rawValue) : AssetSubtype.allCases.map(\.rawValue)
    throw FilterError(
      position: token.position,
      message: "\(field.rawValue) must be one of \(known.joined(separator: ", ")), not \(token.name)",
      word: token.text, known: known)
  }

  /// Parses a year, a month, a day, a minute or a second in ISO 8601 form: `2024`, `2024-05`, `2024-05-26`,
  /// `2024-05-26T09:27`, `2024-05-26T09:27:06`. The last two forms may be followed by `Z` or `+02:00`.
  static func period(_ token: FilterTokens.Token) throws(FilterError) -> FilterCondition.Period {
    let wrong = FilterError(
      position: token.position,
      message: "expected a date, such as 2024, 2024-05, 2024-05-26 or 2024-05-26T09:27, found \(token.name)")
    let halves = token.text.uppercased().split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
    let days = try numbers(halves[0], separator: "-", widths: [4, 2, 2], wrong)
    guard halves.count == 2 else {
      guard
        let start = CivilDate(
          year: days[0], month: days.count > 1 ? days[1] : 1, day: days.count > 2 ? days[2] : 1)
      else { throw wrong }
      let first = start.secondsSince1970
      var count = CivilDate.days(inMonth: start.month, of: start.year)
      if days.count == 1 { count = CivilDate.days(inMonth: 2, of: start.year) + 337 }
      if days.count == 3 { count = 1 }
      return FilterCondition.Period(
        start: first * 1000, end: (first + count * 86_400) * 1000, isMoment: false)
    }
    let clock = halves[1].prefix { $0.isNumber || $0 == ":" }
    let zone = Array(halves[1].dropFirst(clock.count).utf8)
    let times = try numbers(clock, separator: ":", widths: [2, 2, 2], wrong)
    guard days.count == 3, times.count >= 2,
      let start = CivilDate(
        year: days[0], month: days[1], day: days[2], hour: times[0], minute: times[1],
        second: times.count > 2 ? times[2] : 0)
    else { throw wrong }
    let offset = CaptureDate.offset(zone)
    guard zone.isEmpty || offset != nil else { throw wrong }
    let first = (start.secondsSince1970 - (offset ?? 0) * 60) * 1000
    return FilterCondition.Period(
      start: first, end: first + (times.count > 2 ? 1000 : 60_000), isMoment: offset != nil)
  }

  /// Returns as many fixed-width numbers as the text contains.
  private static func numbers(
    _ text: Substring, separator: Character, widths: [Int], _ wrong: FilterError
  ) throws(FilterError) -> [Int] {
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    guard parts.count <= widths.count else { throw wrong }
    var numbers: [Int] = []
    for (part, width) in zip(parts, widths) {
      guard part.count == width, part.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(part) else {
        throw wrong
      }
      numbers.append(number)
    }
    return numbers
  }
}
