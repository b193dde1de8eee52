/// A rule that selects the plural form of a message based on a number, such as `nplurals=2; plural=(n != 1);`. The rule
/// is a C expression with one variable, as in GNU gettext (“Additional functions for plural forms” in the gettext
/// manual).
public struct PluralRule: Sendable {
  /// The rule for English and German: one form for the number 1, and another form for all other numbers.
  public static let english = PluralRule(count: 2, expression: .binary("!=", .number, .constant(1)))

  /// The number of plural forms.
  public let count: Int
  private let expression: Expression

  private init(count: Int, expression: Expression) { (self.count, self.expression) = (count, expression) }

  /// Reads a rule. Returns nil if the text is not a valid rule.
  ///
  /// - Parameter text: The rule. At most 1000 bytes of the rule are used.
  public init?(_ text: String) {
    guard text.utf8.count <= 1000 else { return nil }
    var values: [String: String] = [:]
    for part in text.split(separator: ";") {
      let sides = part.split(separator: "=", maxSplits: 1).map { $0.filter { !$0.isWhitespace } }
      if sides.count == 2 { values[sides[0]] = sides[1] }
    }
    guard let count = values["nplurals"].flatMap({ Int($0) }), 1...10 ~= count,
      let plural = values["plural"]
    else { return nil }
    var parser = Parser(plural)
    guard let expression = parser.whole() else { return nil }
    self.init(count: count, expression: expression)
  }

  /// Returns the index, counted from 0, of the plural form for a number.
  ///
  /// - Parameter number: The number. Its sign is ignored.
  public func form(_ number: Int) -> Int {
    let form = expression.value(UInt(number.magnitude)) ?? 0
    return form < UInt(count) ? Int(form) : 0
  }

  private indirect enum Expression: Sendable {
    case number
    case constant(UInt)
    case not(Expression)
    case binary(String, Expression, Expression)
    case choice(Expression, Expression, Expression)

    /// Returns the value of the expression; nil if the expression divides by zero.
    func value(_ number: UInt) -> UInt? {
      switch self {
      case .number: return number
      case .constant(let value): return value
      case .not(let inner): return inner.value(number).map { $0 == 0 ? 1 : 0 }
      case .choice(let condition, let yes, let no):
        return condition.value(number).flatMap { ($0 != 0 ? yes : no).value(number) }
      case .binary(let sign, let left, let right):
        guard let left = left.value(number), let right = right.value(number) else { return nil }
        return Self.value(sign, left, right)
      }
    }

    private static func value(_ sign: String, _ left: UInt, _ right: UInt) -> UInt? {
      switch sign {
      case "||": left != 0 || right != 0 ? 1 : 0
      case "&&": left != 0 && right != 0 ? 1 : 0
      case "==": left == right ? 1 : 0
      case "!=": left != right ? 1 : 0
      case "<": left < right ? 1 : 0
      case ">": left > right ? 1 : 0
      case "<=": left <= right ? 1 : 0
      case ">=": left >= right ? 1 : 0
      case "+": left &+ right
      case "-": left &- right
      case "*": left &* right
      case "/": right == 0 ? nil : left / right
      case "%": right == 0 ? nil : left % right
      default: nil
      }
    }
  }

  /// A parser for expressions with the operator precedence of C. Expressions nested more deeply than any real rule are
  /// rejected.
  private struct Parser {
    private static let levels = [
      ["||"], ["&&"], ["==", "!="], ["<=", ">=", "<", ">"], ["+", "-"], ["*", "/", "%"],
    ]
    private static let deepest = 50
    private var rest: Substring
    private var depth = 0

    init(_ text: String) { rest = text[...] }

    mutating func whole() -> Expression? {
      guard let expression = choice(), rest.isEmpty else { return nil }
      return expression
    }

    private mutating func take(_ sign: String) -> Bool {
      guard rest.hasPrefix(sign) else { return false }
      rest = rest.dropFirst(sign.count)
      return true
    }

    private mutating func choice() -> Expression? {
      depth += 1
      defer { depth -= 1 }
      guard depth < Self.deepest, let condition = binary(0) else { return nil }
      guard take("?") else { return condition }
      guard let yes = choice(), take(":"), let no = choice() else { return nil }
      return .choice(condition, yes, no)
    }

    private mutating func binary(_ level: Int) -> Expression? {
      guard level < Self.levels.count else { return unary() }
      guard var left = binary(level + 1) else { return nil }
      while let sign = Self.levels[level].first(where: { rest.hasPrefix($0) }), take(sign) {
        guard let right = binary(level + 1) else { return nil }
        left = .binary(sign, left, right)
      }
      return left
    }

    private mutating func unary() -> Expression? {
      if rest.hasPrefix("!"), take("!") {
        depth += 1
        defer { depth -= 1 }
        return depth < Self.deepest ? unary().map { .not($0) } : nil
      }
      if take("(") {
        guard let inner = choice(), take(")") else { return nil }
        return inner
      }
      if take("n") { return .number }
      let digits = rest.prefix { "0"..."9" ~= $0 }
      rest = rest[digits.endIndex...]
      return UInt(digits).map { .constant($0) }
    }
  }
}
