/// A language for liveedit's messages, and its decimal separator.
public struct Language: Hashable, Sendable {
  /// The supported languages.
  public enum Name: String, CaseIterable, Sendable {
    /// German.
    case german = "de"
    /// English, the language in which the messages are written.
    case english = "en"
    /// Spanish.
    case spanish = "es"
    /// Italian.
    case italian = "it"
    /// Russian.
    case russian = "ru"
  }

  /// The name of the language.
  public var name: Name
  /// The decimal separator.
  public var point: String

  /// English, the default language.
  public static let english = Language(name: .english, point: ".")

  /// - Parameters:
  ///   - name: The name of the language.
  ///   - point: The decimal separator.
  public init(name: Name, point: String) { (self.name, self.point) = (name, point) }

  /// Chooses the language from environment variables, following the rules of GNU gettext. The first variable that is
  /// set among `LC_ALL`, `LC_MESSAGES` and `LANG` names the locale. If the locale is not `C`, the list in `LANGUAGE`
  /// takes precedence. The locale does not have to be installed.
  ///
  /// - Parameter environment: The variables and their values.
  public init(environment: [String: String]) {
    func locale(_ category: String) -> String {
      ["LC_ALL", category, "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
    }
    let messages = locale("LC_MESSAGES")
    guard !Self.isC(messages) else {
      self = .english
      return
    }
    let list = (environment["LANGUAGE"] ?? "").split(separator: ":").map(String.init)
    let chosen = (list.isEmpty ? [messages] : list).lazy.compactMap(Self.name).first
    guard let chosen, chosen != .english else {
      self = .english
      return
    }
    self.init(name: chosen, point: Self.point(locale("LC_NUMERIC")))
  }

  /// Chooses the language for a browser: the most preferred language that liveedit supports (RFC 9110, 12.5.4).
  ///
  /// - Parameter accepted: The value of `Accept-Language`. At most 1000 bytes of the value are used.
  public init(accepted: String) {
    let ranges = String(decoding: accepted.utf8.prefix(1000), as: UTF8.self).split(separator: ",")
    var best: (language: Language, weight: Double)?
    for range in ranges {
      let parts = range.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
      guard let tag = parts.first, let name = Self.name(tag.replacing("-", with: "_")) else { continue }
      let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
      guard weight > best?.weight ?? 0 else { continue }
      let point = name == .english ? "." : Self.point(tag.replacing("-", with: "_"))
      best = (Language(name: name, point: point), weight)
    }
    self = best?.language ?? .english
  }

  /// Splits the name of a locale into language and territory. For example, `de_AT.UTF-8@euro` consists of a language, a
  /// territory, an encoding and a modifier.
  private static func parts(_ locale: String) -> (language: String, territory: String) {
    let plain = locale.prefix { $0 != "." && $0 != "@" }.split(separator: "_", maxSplits: 1)
    return (plain.first.map { $0.lowercased() } ?? "", plain.count > 1 ? plain[1].uppercased() : "")
  }

  private static func isC(_ locale: String) -> Bool { ["c", "posix"].contains(parts(locale).language) }

  private static func name(_ locale: String) -> Name? { Name(rawValue: parts(locale).language) }

  /// The territories in which each supported language uses a decimal point (CLDR 46, “decimal” in the number symbols).
  private static let withPoint: [String: Set<String>] = [
    "de": ["CH", "LI"], "it": ["CH"],
    "es": ["419", "DO", "GT", "HN", "MX", "NI", "PA", "PE", "PR", "SV", "US"],
  ]

  /// Returns the decimal separator of a locale. The supported languages use a comma, except English and some
  /// territories.
  private static func point(_ locale: String) -> String {
    let (language, territory) = parts(locale)
    guard let name = Name(rawValue: language), name != .english else { return "." }
    return withPoint[language]?.contains(territory) ?? false ? "." : ","
  }
}
