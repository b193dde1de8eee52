import Basics
import EditModel

/// Changes the dates in a movie's atoms.
extension Atom {
  /// Changes all dates in a `moov` atom: in the headers of the movie and its tracks, and in metadata. If the change
  /// sets a capture date or time zone and the capture date key is missing, the key is added.
  mutating func change(dates exact: DateRewrite) throws {
    let rewrite = exact.inWholeSeconds
    try update("mvhd") { $0.changeHeaderDates(rewrite) }
    try changeMetadataDates(rewrite)
    try changeAll("trak") { track in
      try track.update("tkhd") { $0.changeHeaderDates(rewrite) }
      try track.update("mdia", "mdhd") { $0.changeHeaderDates(rewrite) }
      try track.changeMetadataDates(rewrite)
    }
    let key = MetadataItems.creationDate
    let isSaid = try MovieKeys(self).text(key) != nil
    guard !isSaid, rewrite.isSet || rewrite.change.offset != nil, let date = rewrite.newCapture else {
      return
    }
    var facts = CaptureFacts()
    facts.created = date
    if let text = facts.quickTimeDate { try setText(key, to: text) }
  }

  /// Changes the creation and modification dates in `mvhd`, `tkhd` or `mdhd`. The dates follow the version and flags.
  /// Each date is four or eight bytes wide and counts seconds since the beginning of 1904 in UTC (QuickTime File
  /// Format, “Movie Header Atoms”). 0 means “unknown”.
  private mutating func changeHeaderDates(_ rewrite: DateRewrite) {
    let width = bytes.first == 1 ? 8 : 4
    guard bytes.count >= 4 + 2 * width else { return }
    for at in [4, 4 + width] {
      let old = bytes[at..<at + width].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      guard old > 0, let seconds = Int(exactly: old), seconds < 1 << 40 else { continue }
      let new = rewrite.moved(instant: seconds - HeaderDates.epoch) + HeaderDates.epoch
      let known = new > 0 && (width == 8 || new <= Int(UInt32.max)) ? new : 0
      let parts = (0..<width).map { UInt8(truncatingIfNeeded: known >> (8 * (width - 1 - $0))) }
      bytes.replaceSubrange(at..<at + width, with: parts)
    }
  }

  /// Changes dates in typed metadata, in metadata identified by codes, in user data and in XMP.
  private mutating func changeMetadataDates(_ rewrite: DateRewrite) throws {
    try changeAll("meta") { $0.changeMetadata(dates: rewrite) }
    try changeAll("udta") { udta in
      guard var user = try? udta.takenApart() else { return }
      try user.changeChildren { entries in
        for index in entries.indices {
          switch entries[index].kind {
          case .userDataDay:
            entries[index].bytes = try UserText(entries[index].bytes).changed { rewrite.moved($0) ?? $0 }
          case "meta": entries[index].changeMetadata(dates: rewrite)
          case "XMP_":
            guard var packet = try XMPPacket(entries[index].bytes) else { continue }
            packet.change(dates: rewrite)
            entries[index].bytes = packet.rewritten()
          default: continue
          }
        }
      }
      udta = user
    }
  }

  private mutating func changeMetadata(dates rewrite: DateRewrite) {
    if let items = try? MetadataItems(plainMetadata) {
      // The keys used by QuickTime and by ffmpeg.
      let keys = [
        (MetadataItems.creationDate, false), ("com.apple.quicktime.location.date", false),
        ("date", true), ("creation_time", true),
      ]
      var texts: [String: String] = [:]
      for (key, keepsUTC) in keys {
        texts[key] = items.text(key).flatMap { rewrite.moved($0, keepsUTC: keepsUTC) }
      }
      return changeTexts(texts)
    }
    changeCodes { entries in
      for index in entries.indices where entries[index].kind == .userDataDay {
        entries[index].changeCodedText { rewrite.moved($0) ?? $0 }
      }
    }
  }
}

/// The strings in a user data entry. For each language, the entry contains the string's length, the language code and
/// the string (QuickTime File Format, “User Data Text Strings and Language Codes”).
struct UserText {
  private var texts: [(language: ArraySlice<UInt8>, text: ArraySlice<UInt8>)] = []
  private var rest: ArraySlice<UInt8>

  /// The maximum number of strings in an entry, which is larger than the number of languages. The limit matters because
  /// each string may grow to 64 KiB.
  private static let most = 1024

  /// Reads the strings in an entry.
  ///
  /// - Parameter bytes: The entry's content.
  /// - Throws: ``MediaError`` if the number of strings exceeds the limit.
  init(_ bytes: [UInt8]) throws {
    var at = 0
    while let count = ByteOrder.big.number(bytes, at: at, width: 2), count <= bytes.count - at - 4, count > 0
    {
      guard texts.count < Self.most else {
        throw MediaError("an entry in the user data has more than \(Self.most) texts")
      }
      texts.append((bytes[at + 2..<at + 4], bytes[at + 4..<at + 4 + count]))
      at += 4 + count
    }
    rest = bytes[at...]
  }

  /// The bytes of the strings.
  var all: [ArraySlice<UInt8>] { texts.map(\.text) }

  /// Returns the entry's content after applying a change to every string.
  func changed(_ change: (String) -> String) -> [UInt8] {
    texts.flatMap { language, old -> [UInt8] in
      let text = Array(change(String(decoding: old, as: UTF8.self)).utf8.prefix(0xFFFF))
      return ByteOrder.big.bytes(of: text.count, width: 2) + language + text
    } + rest
  }
}
