/// The translations of one language, in a catalogue as `msgfmt` of GNU gettext makes them (“The Format of GNU MO Files” in
/// its manual): two tables of places, of the English texts in the order of their bytes and of the texts in the language.
///
/// Every place is checked against the file before anything is read there.
public struct MessageCatalogue: Sendable {
  private let bytes: [UInt8]
  private let isBigEndian: Bool
  private let count: Int
  private let originals: Int
  private let translations: Int
  private let rule: PluralRule

  /// Reads the head of a catalogue; nil where the bytes are none.
  ///
  /// - Parameter bytes: the file.
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
    // The tables hold a length and a place of four bytes each for a text.
    guard count <= bytes.count / 8, originals <= bytes.count - 8 * count,
      translations <= bytes.count - 8 * count
    else { return nil }
    var rule = PluralRule.english
    // The translation of the empty text, the first one, is the head, in lines as those of a mail.
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

  /// The magic number, the revision, the number of texts, the places of both tables, and those of the hash table.
  private static let headSize = 28

  /// The translation of a text; nil where there is none.
  ///
  /// - Parameters:
  ///   - text: the English text, of the singular where there are plural forms.
  ///   - number: the number that chooses the form; nil where there are none.
  public func translation(of text: String, number: Int? = nil) -> String? {
    let wanted = Array(text.utf8)
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      guard let found = slice(originals, middle) else { return nil }
      // A singular ends with a null byte, and the plural follows.
      let key = found.prefix { $0 != 0 }
      if key.elementsEqual(wanted) { return translation(middle, number: number) }
      if key.lexicographicallyPrecedes(wanted) { low = middle + 1 } else { high = middle }
    }
    return nil
  }

  /// The translations of the texts that have a context (`msgctxt`), by that, each with all of its plural forms. A context has
  /// one text.
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

  /// The byte between a context and its text.
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

  /// A number of four bytes. Its place was checked.
  private static func number(_ bytes: [UInt8], _ place: Int, isBigEndian: Bool) -> Int {
    let four = bytes[place..<place + 4]
    return (isBigEndian ? Array(four) : four.reversed()).reduce(0) { $0 << 8 | Int($1) }
  }
}
