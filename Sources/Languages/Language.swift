/// A language that liveedit speaks, and how it writes numbers.
public struct Language: Hashable, Sendable {
  /// The languages.
  public enum Name: String, CaseIterable, Sendable {
    /// German.
    case german = "de"
    /// English, in which the messages are written.
    case english = "en"
    /// Spanish.
    case spanish = "es"
    /// Italian.
    case italian = "it"
    /// Russian.
    case russian = "ru"
  }

  /// The language.
  public var name: Name
  /// The decimal separator.
  public var point: String

  /// English as it is without any choice.
  public static let english = Language(name: .english, point: ".")

  /// - Parameters:
  ///   - name: the language.
  ///   - point: the decimal separator.
  public init(name: Name, point: String) { (self.name, self.point) = (name, point) }

  /// Chooses the language of an environment by the rules of GNU gettext: `LC_ALL`, else `LC_MESSAGES`, else `LANG` names a
  /// locale, and where that is not `C`, the list `LANGUAGE` counts before it. The system need not have the locale.
  ///
  /// - Parameter environment: the variables with their values.
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

  /// Chooses the language of a browser: the first one that liveedit speaks of those that it prefers (RFC 9110, 12.5.4).
  ///
  /// - Parameter accepted: the value of `Accept-Language`; at most 1000 bytes of it count.
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

  /// The parts of a locale's name: `de_AT.UTF-8@euro` is language, territory, encoding and modifier.
  private static func parts(_ locale: String) -> (language: String, territory: String) {
    let plain = locale.prefix { $0 != "." && $0 != "@" }.split(separator: "_", maxSplits: 1)
    return (plain.first.map { $0.lowercased() } ?? "", plain.count > 1 ? plain[1].uppercased() : "")
  }

  private static func isC(_ locale: String) -> Bool { ["c", "posix"].contains(parts(locale).language) }

  private static func name(_ locale: String) -> Name? { Name(rawValue: parts(locale).language) }

  /// The territories in which a language of ours has a decimal point (CLDR 46, “decimal” of the symbols of numbers).
  private static let withPoint: [String: Set<String>] = [
    "de": ["CH", "LI"], "it": ["CH"],
    "es": ["419", "DO", "GT", "HN", "MX", "NI", "PA", "PE", "PR", "SV", "US"],
  ]

  /// The decimal separator of a locale of any language: a comma in those that we speak but English.
  private static func point(_ locale: String) -> String {
    let (language, territory) = parts(locale)
    guard let name = Name(rawValue: language), name != .english else { return "." }
    return withPoint[language]?.contains(territory) ?? false ? "." : ","
  }
}
