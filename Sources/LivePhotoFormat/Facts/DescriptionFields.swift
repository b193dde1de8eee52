import Basics
import EditModel

/// Changes a photo's description in an Exif block: title, caption, keywords and rating. Only existing fields are
/// changed, because descriptions are normally stored in XMP.
extension TIFFBlock {
  private static let imageDescription = 0x010E
  private static let stars = 0x4746
  private static let hundredths = 0x4749
  /// The tags that Windows uses for the title, the comment and the keywords, stored in little-endian UTF-16.
  private static let (windowsTitle, windowsComment, windowsKeywords) = (0x9C9B, 0x9C9C, 0x9C9E)

  /// Changes the description.
  mutating func change(description change: DescriptionChange) {
    if let caption = change.caption {
      setIfPresent(caption, Self.imageDescription)
      setWide(caption, Self.windowsComment)
    }
    if let title = change.title { setWide(title, Self.windowsTitle) }
    if !change.keywords.isNeutral, let old = wideText(Self.windowsKeywords) {
      let words = old.split(separator: ";").map(String.init)
      setWide(change.keywords.applied(to: words).joined(separator: ";"), Self.windowsKeywords)
    }
    if let rating = change.rating {
      setNumber(rating, Self.stars, in: .main)
      setNumber([0, 1, 25, 50, 75, 99][min(max(rating, 0), 5)], Self.hundredths, in: .main)
    }
  }

  private mutating func setIfPresent(_ text: String, _ tag: Int) {
    guard listing(.main)?.entry(tag) != nil else { return }
    if text.isEmpty { remove(tag, from: .main) } else { putText(text, tag, in: .main) }
  }

  private func wideText(_ tag: Int) -> String? {
    guard let data = data(tag, in: .main) else { return nil }
    let units = stride(from: 0, to: data.count - 1, by: 2).map {
      UInt16(data[$0]) | UInt16(data[$0 + 1]) << 8
    }
    return String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
  }

  private mutating func setWide(_ text: String, _ tag: Int) {
    guard listing(.main)?.entry(tag) != nil else { return }
    if text.isEmpty { return remove(tag, from: .main) }
    let data = (Array(text.utf16) + [0]).flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    _ = set(tag, type: 1, count: data.count, data: data, in: .main)
  }
}

/// Changes a photo's description in IPTC datasets. Only existing datasets are changed.
extension IPTCDatasets {
  private static let (objectName, keyword, caption): (UInt8, UInt8, UInt8) = (5, 25, 120)
  /// The escape sequence that declares UTF-8 (section 5.6).
  private static let utf8: [UInt8] = [0x1B, 0x25, 0x47]

  private var isUTF8: Bool {
    list.contains { $0.record == 1 && $0.number == 90 && $0.value.starts(with: Self.utf8) }
  }

  private func text(_ value: [UInt8], _ isUTF8: Bool) -> String {
    isUTF8 || String(validating: value, as: UTF8.self) != nil
      ? String(decoding: value, as: UTF8.self)
      : String(String.UnicodeScalarView(value.map { Unicode.Scalar($0) }))
  }

  /// The keywords in the datasets.
  var keywords: [String] {
    let isUTF8 = isUTF8
    return list.filter { $0.record == 2 && $0.number == Self.keyword }.map { text($0.value, isUTF8) }
  }

  /// Changes the description.
  mutating func change(description change: DescriptionChange) {
    let isPlain = [change.title ?? "", change.caption ?? ""].appending(change.keywords.added).allSatisfy {
      $0.utf8.allSatisfy { $0 < 0x80 }
    }
    if !isPlain, !isUTF8 {
      // Strings that are not encoded in UTF-8 are usually encoded in Latin-1.
      for index in list.indices where list[index].record == 2 {
        if String(validating: list[index].value, as: UTF8.self) == nil {
          list[index].value = Array(text(list[index].value, false).utf8)
        }
      }
      list.removeAll { $0.record == 1 && $0.number == 90 }
      list.insert(Dataset(record: 1, number: 90, value: Self.utf8), at: 0)
    }
    replace(Self.objectName, with: change.title, limit: 64)
    replace(Self.caption, with: change.caption, limit: 2000)
    guard !change.keywords.isNeutral, let place = index(Self.keyword) else { return }
    let words = change.keywords.applied(to: keywords)
    list.removeAll { $0.record == 2 && $0.number == Self.keyword }
    list.insert(
      contentsOf: words.map { Dataset(record: 2, number: Self.keyword, value: Self.cut($0, to: 64)) },
      at: min(place, list.count))
  }

  private mutating func replace(_ number: UInt8, with text: String?, limit: Int) {
    guard let text, let index = index(number) else { return }
    if text.isEmpty { list.remove(at: index) } else { list[index].value = Self.cut(text, to: limit) }
  }

  /// Returns the bytes of a string, truncated at a character boundary to fit the limit.
  private static func cut(_ text: String, to limit: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    for character in text where bytes.count + character.utf8.count <= limit { bytes += character.utf8 }
    return bytes
  }
}

extension [String] {
  fileprivate func appending(_ more: [String]) -> [String] { self + more }
}

/// Changes a movie's description in the movie's metadata. No metadata key exists for the names of people in a movie.
extension Atom {
  /// Changes the description in a `moov` atom, both under QuickTime's keys and in the copies stored in user data.
  ///
  /// - Throws: ``MediaError`` if the atom contains so many copies that the total size of the new strings would exceed
  ///   the limit.
  mutating func change(description change: DescriptionChange) throws {
    var room = TextRoom()
    let items = try first("meta").flatMap { try MetadataItems($0) }
    let prefix = "com.apple.quicktime."
    func put(_ name: String, _ text: String?) throws {
      guard let text else { return }
      if text.isEmpty {
        try changeAll("meta") { _ = try? MetadataItems.remove(from: &$0) { $0 == prefix + name } }
      } else {
        let copies = try first("meta").flatMap {
          try? MetadataItems.keyCount(of: prefix + name, in: $0.plainMetadata)
        }
        guard room.take(text, times: copies ?? 0) else { return }
        try setText(prefix + name, to: text)
      }
    }
    try put("title", change.title)
    try put("description", change.caption)
    if !change.keywords.isNeutral {
      let old = (items?.text(prefix + "keywords") ?? "").split(separator: ",").map {
        String($0.drop { $0 == " " })
      }
      try put("keywords", change.keywords.applied(to: old).joined(separator: ","))
    }
    if let rating = change.rating {
      let bits = Float(rating).bitPattern
      try setValue(
        prefix + "rating.user", type: 23, to: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: bits >> $0) })
    }
    let common: [(FourCC, String?)] = [
      ("©nam", change.title), ("©des", change.caption), ("©cmt", change.caption),
    ]
    // The codes for a description and a long description, which only iTunes uses.
    let coded = common + [("desc", change.caption), ("ldes", change.caption)]
    // The keys used by ffmpeg.
    var keyed: [String: String] = [:]
    for name in ["title", prefix + "title"] { keyed[name] = change.title }
    for name in ["description", "comment", "synopsis", prefix + "description"] {
      keyed[name] = change.caption
    }
    try changeAll("udta") { udta in
      guard var user = try? udta.takenApart() else { return }
      try user.changeChildren { entries in
        try Self.set(common, in: &entries) { entry, text in
          entry.bytes = try UserText(entry.bytes).changed { room.take(text) ? text : $0 }
        }
        for index in entries.indices where entries[index].kind == "meta" {
          let plain = entries[index].plainMetadata
          let hasRoom = keyed.allSatisfy { key, text in
            room.take(text, times: (try? MetadataItems.keyCount(of: key, in: plain)) ?? 0)
          }
          if hasRoom { entries[index].changeTexts(keyed) }
          entries[index].changeCodes { codes in
            Self.set(coded, in: &codes) { entry, text in
              entry.changeCodedText { room.take(text) ? text : $0 }
            }
          }
        }
        for index in entries.indices where entries[index].kind == "XMP_" {
          try room.check()
          let old = entries[index].bytes
          guard var packet = try XMPPacket(old) else { continue }
          packet.change(description: packet.known(of: change), keywords: [])
          let new = packet.rewritten()
          if room.take(max(0, new.count - old.count)) { entries[index].bytes = new }
        }
      }
      udta = user
    }
    try room.check()
  }

  /// Sets the text of existing entries. If the new text is empty, the entries are removed.
  private static func set(
    _ texts: [(kind: FourCC, text: String?)], in entries: inout [Atom],
    _ write: (inout Atom, String) throws -> Void
  ) rethrows {
    for (kind, text) in texts {
      guard let text else { continue }
      if text.isEmpty { entries.removeAll { $0.kind == kind } }
      for index in entries.indices where entries[index].kind == kind { try write(&entries[index], text) }
    }
  }
}

/// The limit on the total size of new strings in a movie's metadata. Without a limit, many short strings could be
/// replaced with long strings.
private struct TextRoom {
  /// The maximum total size in bytes, which allows 3355 copies of the longest string.
  private static let most = 64 << 20
  /// The number of bytes left, or a negative number if the calls requested more bytes than were available.
  private var left = Self.most

  /// Reserves space for new text.
  ///
  /// - Returns: False if the remaining space is insufficient. After that, every call returns false, and no more text
  ///   may be written.
  mutating func take(_ bytes: Int) -> Bool {
    if left >= 0 { left -= bytes }
    return left >= 0
  }

  /// Reserves space for one or more copies of a string.
  mutating func take(_ text: String, times copies: Int = 1) -> Bool {
    let (bytes, isBeyond) = text.utf8.count.multipliedReportingOverflow(by: copies)
    return take(isBeyond ? .max : bytes)
  }

  /// Checks that all requested space was available.
  ///
  /// - Throws: ``MediaError`` if the space was insufficient.
  func check() throws(MediaError) {
    guard left < 0 else { return }
    throw MediaError(
      "the new titles, captions and keywords would exceed 64 MB")
  }
}
