/// A condition on assets, written in a small language: `kind = live and date >= 2024-05`.
///
///     let filter = try AssetFilter("favourite and near 48.137,11.575 within 5km")
public struct AssetFilter: Hashable, Sendable {
  /// The expression as it was written.
  public let text: String
  let expression: FilterExpression

  /// Reads an expression.
  ///
  /// - Parameter text: the expression.
  /// - Throws: ``FilterError``, which says where and what was expected.
  public init(_ text: String) throws(FilterError) {
    self.text = text
    var parser = try FilterParser(text)
    expression = try parser.parse()
  }
}

/// The error that says why a filter cannot be understood.
public struct FilterError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The characters before the place where reading stopped.
  public var position: Int
  /// The problem there and what was expected, as a clause.
  public var message: String
  /// The unknown word, if the problem is one.
  public var word: String?
  /// The words that would have been right in its place.
  public var known: [String] = []

  /// The place, counted from 1, and what is wrong there.
  public var description: String { "at character \(position + 1): \(message)" }
}

/// A filter taken apart. A comparison with a value that an asset does not have is false.
indirect enum FilterExpression: Hashable, Sendable {
  /// The comparison of two values.
  enum Comparison: String, Hashable, Sendable {
    case equal = "="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
  }

  /// The test of a text; letters of the Latin alphabet match in either case.
  enum TextMatch: Hashable, Sendable {
    /// It is this text.
    case equal(String)
    /// This text is in it.
    case contains(String)
    /// It has this form: `*` stands for any characters, `?` for one.
    case like(String)
  }

  /// A stretch of time: a year, a month, a day, a minute, a second.
  struct Period: Hashable, Sendable {
    /// Milliseconds since 1970.
    var start: Int
    /// Milliseconds since 1970, not itself in the period.
    var end: Int
    /// True if a time zone was named; otherwise the times are those of the camera's clock.
    var isMoment: Bool
  }

  case and([FilterExpression])
  case or([FilterExpression])
  case not(FilterExpression)
  case flag(AssetField)
  case has(AssetField)
  case text(AssetField, TextMatch)
  case kind(String)
  case subtype(Int64)
  case number(AssetField, Comparison, Double)
  case date(AssetField, Comparison, Period)
  case near(latitude: Double, longitude: Double, metres: Double)

  /// True if the expression asks for a field anywhere.
  func mentions(_ field: AssetField) -> Bool {
    switch self {
    case .and(let parts), .or(let parts): parts.contains { $0.mentions(field) }
    case .not(let part): part.mentions(field)
    case .flag(let one), .has(let one), .text(let one, _), .number(let one, _, _), .date(let one, _, _):
      one == field
    case .kind: field == .kind
    case .subtype: field == .subtype
    case .near: field == .location
    }
  }
}
