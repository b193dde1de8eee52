/// The translations for one language, in the catalogue format of GNU gettext's `msgfmt` (“The Format of GNU MO Files”
/// in the gettext manual). A catalogue has two tables of offsets: one for the English strings, sorted by their bytes,
/// and one for the translations.
///
/// Every offset is checked against the file's size before it is used.
public struct MessageCatalogue: Sendable {
  private let bytes: [UInt8]
  private let isBigEndian: Bool
  private let count: Int
  private let originals: Int
  private let translations: Int
  private let rule: PluralRule

  /// Reads the header of a catalogue. Returns nil if the bytes are not a catalogue.
  ///
  /// - Parameter bytes: The content of the file.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.headSize else { return nil }
    let isBigEndian: Bool
    switch Array(bytes[..<4]) {
    case [0xde, 0x12, 0x04, 0x95]: isBigEndian = false
    case [0x95, 0x04, 0x12, 0xde]: isBigEndian = true
    default: return nil
    }
    let count = Self.number(bytes, 8, isBigEndian: isBigEndian)
    let originals = Self.number(bytes, 12, isBigEndian: isBigEndian)
    let translations = Self.number(bytes, 16, isBigEndian: isBigEndian)
    // For each string, the tables contain a four-byte length and a four-byte offset.
    guard count <= bytes.count / 8, originals <= bytes.count - 8 * count,
      translations <= bytes.count - 8 * count
    else { return nil }
    var rule = PluralRule.english
    // The first string is empty. Its translation is the header, which has the form of an email header.
    if count > 0, let first = Self.slice(bytes, originals, 0, isBigEndian), first.isEmpty,
      let head = Self.slice(bytes, translations, 0, isBigEndian),
      let line = String(decoding: head, as: UTF8.self).split(separator: "\n").first(where: {
        $0.hasPrefix("Plural-Forms:")
      })
    {
      guard let found = PluralRule(String(line.dropFirst("Plural-Forms:".count))) else { return nil }
      rule = found
    }
    self.bytes = bytes
    self.isBigEndian = isBigEndian
    self.count = count
    self.originals = originals
    self.translations = translations
    self.rule = rule
  }

  /// The size of the magic number, the revision, the number of strings, the offsets of both tables, and the size and
  /// offset of the hash table.
  private static let headSize = 28

  /// Returns the translation of a text; nil if the catalogue contains no translation.
  ///
  /// - Parameters:
  ///   - text: The English text, in the singular if the text has plural forms.
  ///   - number: The number that selects the plural form; nil if the text has no plural forms.
  public func translation(of text: String, number: Int? = nil) -> String? {
    let wanted = Array(text.utf8)
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      guard let found = slice(originals, middle) else { return nil }
      // The singular ends with a null byte, and the plural follows the null byte.
      let key = found.prefix { $0 != 0 }
      if key.elementsEqual(wanted) { return translation(middle, number: number) }
      if key.lexicographicallyPrecedes(wanted) { low = middle + 1 } else { high = middle }
    }
    return nil
  }

  /// The translations of strings that have a context (`msgctxt`), keyed by context. Each translation includes all of
  /// its plural forms. Each context contains only one string.
  public var named: [String: [String]] {
    var all: [String: [String]] = [:]
    for index in 0..<count {
      guard let key = slice(originals, index), let end = key.firstIndex(of: Self.endOfContext),
        let forms = slice(translations, index)?.split(separator: 0, omittingEmptySubsequences: false),
        let name = String(validating: key[..<end], as: UTF8.self)
      else { continue }
      let texts = forms.compactMap { String(validating: $0, as: UTF8.self) }
      if texts.count == forms.count, !texts.contains("") { all[name] = texts }
    }
    return all
  }

  /// The byte that separates a context from its string.
  private static let endOfContext: UInt8 = 4

  private func translation(_ index: Int, number: Int?) -> String? {
    guard let found = slice(translations, index) else { return nil }
    let forms = found.split(separator: 0, omittingEmptySubsequences: false)
    let form = number.map(rule.form) ?? 0
    guard forms.indices.contains(form), !forms[form].isEmpty else { return nil }
    return String(validating: forms[form], as: UTF8.self)
  }

  private func slice(_ table: Int, _ index: Int) -> ArraySlice<UInt8>? {
    Self.slice(bytes, table, index, isBigEndian)
  }

  private static func slice(
    _ bytes: [UInt8], _ table: Int, _ index: Int, _ isBigEndian: Bool
  ) -> ArraySlice<UInt8>? {
    let length = number(bytes, table + 8 * index, isBigEndian: isBigEndian)
    let place = number(bytes, table + 8 * index + 4, isBigEndian: isBigEndian)
    guard place <= bytes.count, length <= bytes.count - place else { return nil }
    return bytes[place..<place + length]
  }

  /// Returns a four-byte number. The caller has checked its offset.
  private static func number(_ bytes: [UInt8], _ place: Int, isBigEndian: Bool) -> Int {
    let four = bytes[place..<place + 4]
    return (isBigEndian ? Array(four) : four.reversed()).reduce(0) { $0 << 8 | Int($1) }
  }
}
