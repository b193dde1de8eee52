import Basics

/// Apple's maker note, which consists of “Apple iOS”, a version, a byte order, and a TIFF directory. Offsets are
/// counted from the first byte of the note.
struct AppleMakerNote: Sendable {
  /// The tag of the identifier that pairs the two halves of a Live Photo.
  static let contentIdentifierTag = 0x0011
  private static let directoryStart = 14
  private static let signature: [UInt8] = Array("Apple iOS".utf8) + [0]

  /// The bytes of the note.
  private(set) var bytes: [UInt8]
  private let order: ByteOrder

  /// Reads a maker note.
  ///
  /// - Returns: nil if the bytes are another manufacturer's maker note, or if they are too short to contain a
  ///   directory.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.directoryStart + 2, bytes.starts(with: Self.signature) else { return nil }
    switch (bytes[12], bytes[13]) {
    case (0x4D, 0x4D): order = .big
    case (0x49, 0x49): order = .little
    default: return nil
    }
    self.bytes = bytes
  }

  /// Creates a maker note that contains only an identifier. The bytes are identical to the maker note that ImageIO
  /// writes.
  init(contentIdentifier: String) {
    let value = Array(contentIdentifier.utf8) + [0]
    order = .big
    bytes = Self.signature + [0, 1, 0x4D, 0x4D, 0, 0, 0, 0, 0, 0]
    bytes = Self.rebuilt(bytes, order: .big, entries: [], next: 0, values: [], adding: value)
  }

  private var block: TIFFBlock {
    TIFFBlock(bytes: bytes, order: order, mainLink: nil, mainPosition: Self.directoryStart)
  }

  /// The content identifier, or nil if the maker note has no identifier.
  var contentIdentifier: String? { block.text(Self.contentIdentifierTag, in: .main) }

  /// The identifier shared by all pictures in a burst (tag 0x000B, BurstUUID).
  var burstIdentifier: String? { block.text(0x000B, in: .main) }

  /// The HDR image type (tag 0x000A, HDRImageType): 3 for an HDR picture, 4 for the original of an HDR picture.
  var imageType: Int? { signedNumber(0x000A) }

  /// The capture type (tag 0x0014, ImageCaptureType): 2 for a portrait.
  var captureType: Int? { signedNumber(0x0014) }

  /// The accelerometer reading when the photo was taken, in units of gravity (tag 0x0008, AccelerationVector). The
  /// components point towards the right of the screen, towards the top of the screen, and out of the screen. For a
  /// phone that is held upright, the values are 0, -1, 0.
  var acceleration: (right: Double, top: Double, out: Double)? {
    guard let entry = block.listing(.main)?.entry(0x0008), entry.type == 10, entry.count == 3,
      let value = entry.value
    else { return nil }
    let numbers = (0..<6).compactMap { index in
      order.number(bytes, at: value.lowerBound + 4 * index, width: 4).map {
        Double(Int32(truncatingIfNeeded: $0))
      }
    }
    guard numbers.count == 6, numbers[1] != 0, numbers[3] != 0, numbers[5] != 0 else { return nil }
    return (numbers[0] / numbers[1], numbers[2] / numbers[3], numbers[4] / numbers[5])
  }

  /// Returns the first number in a tag of type SLONG, which Apple uses for all small numbers.
  private func signedNumber(_ tag: Int) -> Int? {
    guard let entry = block.listing(.main)?.entry(tag), entry.type == 9, entry.count >= 1,
      let value = entry.value, let number = order.number(bytes, at: value.lowerBound, width: 4)
    else { return nil }
    return Int(Int32(truncatingIfNeeded: number))
  }

  /// The tags in file order.
  var tags: [Int] { block.listing(.main)?.entries.map(\.tag) ?? [] }

  /// Sets the content identifier. All other tags keep their types and values.
  ///
  /// - Throws: ``MediaError`` if the maker note is too damaged to store the identifier.
  mutating func setContentIdentifier(_ identifier: String) throws {
    let damaged = MediaError(
      "the Apple maker note is damaged, so no Live Photo identifier can be written to it",
      remedy: "copy the file from the phone again")
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
    // The directory's position is fixed, so a new entry moves all data after the directory.
    guard listing.nextLink != nil, listing.entries.allSatisfy({ $0.value != nil }),
      listing.entries.allSatisfy({
        $0.isInline || $0.value.map { $0.lowerBound >= listing.range.upperBound } ?? false
      })
    else { throw damaged }
    bytes = Self.rebuilt(
      bytes, order: order, entries: listing.entries, next: listing.next,
      values: Array(bytes[listing.range.upperBound...]), adding: value)
  }

  /// Removes the content identifier. All other tags keep their types and values.
  mutating func removeContentIdentifier() {
    var block = block
    block.remove(Self.contentIdentifierTag, from: .main)
    bytes = block.bytes
  }

  /// Removes the tags that apply only to the photo itself, such as its focus, exposure, processing and subject. Only
  /// tags that are known to apply to the entire Live Photo are kept.
  ///
  /// - Returns: The names of the removed tags.
  mutating func removeTagsOfPhoto() -> [String] {
    var block = block
    let gone = block.remove(from: .main) { !Self.tagsOfLivePhoto.contains($0) }
    bytes = block.bytes
    return gone.map { Self.names[$0] ?? "Apple_0x" + Self.hexadecimal($0) }
  }

  private static func hexadecimal(_ tag: Int) -> String {
    let digits = String(tag, radix: 16)
    return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  }

  /// The tags for the version of the maker note, the burst, the identifiers of the Live Photo and the photo, and the
  /// camera.
  private static let tagsOfLivePhoto: Set<Int> = [0x0001, 0x000B, contentIdentifierTag, 0x002B, 0x002E]

  /// The names of tags, as printed by exiftool.
  private static let names = [
    0x0002: "AEMatrix", 0x0003: "RunTime", 0x0004: "AEStable", 0x0005: "AETarget", 0x0006: "AEAverage",
    0x0007: "AFStable", 0x0008: "AccelerationVector", 0x000A: "HDRImageType", 0x000C: "FocusDistanceRange",
    0x000F: "OISMode", 0x0014: "ImageCaptureType", 0x0015: "ImageUniqueID", 0x0017: "LivePhotoVideoIndex",
    0x0019: "ImageProcessingFlags", 0x001A: "QualityHint", 0x001D: "LuminanceNoiseAmplitude",
    0x001F: "PhotosAppFeatureFlags", 0x0020: "ImageCaptureRequestID", 0x0021: "HDRHeadroom",
    0x0023: "AFPerformance", 0x0025: "SceneFlags", 0x0026: "SignalToNoiseRatioType",
    0x0027: "SignalToNoiseRatio", 0x002D: "ColorTemperature", 0x002F: "FocusPosition", 0x0030: "HDRGain",
    0x0038: "AFMeasuredDepth", 0x003D: "AFConfidence", 0x003E: "ColorCorrectionMatrix",
    0x003F: "GreenGhostMitigationStatus", 0x0040: "SemanticStyle", 0x0041: "SemanticStyleRenderingVer",
    0x0042: "SemanticStylePreset",
  ]

  /// Returns the maker note with an additional entry. The result consists of the header, the directory, the old values
  /// shifted by the twelve bytes of the entry, and the new value.
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
