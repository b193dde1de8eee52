import Basics

/// Apple's maker note: “Apple iOS”, a version, a byte order, and one TIFF directory right after them.
/// Its offsets count from its own first byte.
struct AppleMakerNote: Sendable {
  /// Tag of the identifier that ties the halves of a Live Photo.
  static let contentIdentifierTag = 0x0011
  private static let directoryStart = 14
  private static let signature: [UInt8] = Array("Apple iOS".utf8) + [0]

  /// The note's bytes.
  private(set) var bytes: [UInt8]
  private let order: ByteOrder

  /// - Returns: nil when the bytes are another maker's note, or too short for a directory.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.directoryStart + 2, bytes.starts(with: Self.signature) else { return nil }
    switch (bytes[12], bytes[13]) {
    case (0x4D, 0x4D): order = .big
    case (0x49, 0x49): order = .little
    default: return nil
    }
    self.bytes = bytes
  }

  /// A note that holds an identifier and nothing else: byte for byte what ImageIO writes.
  init(contentIdentifier: String) {
    let value = Array(contentIdentifier.utf8) + [0]
    order = .big
    bytes = Self.signature + [0, 1, 0x4D, 0x4D, 0, 0, 0, 0, 0, 0]
    bytes = Self.rebuilt(bytes, order: .big, entries: [], next: 0, values: [], adding: value)
  }

  private var block: TIFFBlock {
    TIFFBlock(bytes: bytes, order: order, mainLink: nil, mainPosition: Self.directoryStart)
  }

  /// The identifier; nil when the note has none.
  var contentIdentifier: String? { block.text(Self.contentIdentifierTag, in: .main) }

  /// The identifier that the pictures of a burst share: tag 0x000B, BurstUUID.
  var burstIdentifier: String? { block.text(0x000B, in: .main) }

  /// Tag 0x000A, HDRImageType: 3 for the HDR picture, 4 for the original of one.
  var imageType: Int? { signedNumber(0x000A) }

  /// Tag 0x0014, ImageCaptureType: 2 for a portrait.
  var captureType: Int? { signedNumber(0x0014) }

  /// The first number of a tag of type SLONG, which Apple writes for all small numbers.
  private func signedNumber(_ tag: Int) -> Int? {
    guard let entry = block.listing(.main)?.entry(tag), entry.type == 9, entry.count >= 1,
      let value = entry.value, let number = order.number(bytes, at: value.lowerBound, width: 4)
    else { return nil }
    return Int(Int32(truncatingIfNeeded: number))
  }

  /// The tags in file order.
  var tags: [Int] { block.listing(.main)?.entries.map(\.tag) ?? [] }

  /// Sets the identifier; every other tag keeps its type and value.
  ///
  /// - Throws: ``MediaError`` when the note is too damaged to take it.
  mutating func setContentIdentifier(_ identifier: String) throws {
    let damaged = MediaError(
      "its Apple maker note is damaged, so it cannot take the identifier of a Live Photo",
      remedy: "copy it again from the phone")
    let value = Array(identifier.utf8) + [0]
    var block = block
    guard let listing = block.listing(.main) else { throw damaged }
    if listing.entry(Self.contentIdentifierTag) != nil {
      guard
        block.set(Self.contentIdentifierTag, type: 2, count: value.count, data: value, in: .main)
      else { throw damaged }
      bytes = block.bytes
      return
    }
    // The directory has a fixed place, so a new entry moves all that follows it.
    guard listing.nextLink != nil, listing.entries.allSatisfy({ $0.value != nil }),
      listing.entries.allSatisfy({
        $0.isInline || $0.value.map { $0.lowerBound >= listing.range.upperBound } ?? false
      })
    else { throw damaged }
    bytes = Self.rebuilt(
      bytes, order: order, entries: listing.entries, next: listing.next,
      values: Array(bytes[listing.range.upperBound...]), adding: value)
  }

  /// Takes the identifier out; every other tag keeps its type and value.
  mutating func removeContentIdentifier() {
    var block = block
    block.remove(Self.contentIdentifierTag, from: .main)
    bytes = block.bytes
  }

  /// The note with one more entry: header, directory, the old values moved by the entry's twelve bytes, and
  /// the new value.
  private static func rebuilt(
    _ bytes: [UInt8], order: ByteOrder, entries: [TIFFBlock.Entry], next: Int, values: [UInt8],
    adding value: [UInt8]
  ) -> [UInt8] {
    var note = Array(bytes.prefix(directoryStart)) + order.bytes(of: entries.count + 1, width: 2)
    let end = directoryStart + 2 + 12 * (entries.count + 1) + 4 + values.count
    let isInline = value.count <= 4
    let added = order.entry(
      contentIdentifierTag, type: 2, count: value.count,
      value: isInline ? value + [UInt8](repeating: 0, count: 4 - value.count) : order.bytes(of: end, width: 4)
    )
    var moved = entries.map { entry in
      let value =
        entry.value.flatMap { entry.isInline ? nil : order.bytes(of: $0.lowerBound + 12, width: 4) }
        ?? Array(bytes[entry.position + 8..<entry.position + 12])
      return bytes[entry.position..<entry.position + 8] + value
    }
    moved.insert(added[...], at: entries.prefix { $0.tag < contentIdentifierTag }.count)
    note += moved.joined()
    return note + order.bytes(of: next, width: 4) + values + (isInline ? [] : value)
  }
}
