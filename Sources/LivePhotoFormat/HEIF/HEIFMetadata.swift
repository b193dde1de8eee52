import Basics

/// An item with Exif (ISO/IEC 23008-12 annex A.2.1): how many bytes come before the TIFF header, those bytes
/// (“Exif” and two zeros as a rule), and the TIFF block.
struct HEIFExif: Sendable {
  /// The bytes before the block, the count included.
  let head: [UInt8]
  /// The block.
  var block: TIFFBlock

  /// The item's data.
  var bytes: [UInt8] { head + block.bytes }

  /// - Returns: nil when the item's data is no Exif.
  init?(_ bytes: [UInt8]) {
    guard let skipped = ByteOrder.big.number(bytes, at: 0, width: 4), skipped <= bytes.count - 4,
      let block = TIFFBlock(exif: Array(bytes[(4 + skipped)...]))
    else { return nil }
    head = Array(bytes[..<(4 + skipped)])
    self.block = block
  }

  /// An item's data with this block.
  init(block: TIFFBlock) {
    head = [0, 0, 0, 6] + Array("Exif".utf8) + [0, 0]
    self.block = block
  }
}

/// The photo's metadata items.
extension HEIFFile {
  /// No real metadata item is larger.
  static let largestMetadata = 1 << 24

  /// The items of some sort that describe the photo, or nothing in particular.
  private func describing(_ isOfSort: (HEIFItem) -> Bool) -> [UInt32] {
    let candidates = itemOrder.filter { items[$0].map(isOfSort) ?? false }
    let ofPhoto = candidates.filter { targets("cdsc", from: $0).contains(primaryItem) }
    return ofPhoto.isEmpty ? candidates.filter { targets("cdsc", from: $0).isEmpty } : ofPhoto
  }

  /// The item with the photo's Exif.
  var exifItem: UInt32? { describing { $0.type == "Exif" }.first }

  /// The items with the photo's XMP.
  var xmpItems: [UInt32] { describing(\.isXMP) }

  /// The photo's Exif; nil when it has none, or a damaged one.
  func exif(from source: some ByteSource) throws -> HEIFExif? {
    guard let exifItem else { return nil }
    return HEIFExif(try data(of: exifItem, most: Self.largestMetadata, from: source))
  }

  /// True if a gain map belongs to the photo: as Apple's auxiliary picture, or by a tone map (ISO 21496-1).
  var hasGainMap: Bool {
    sources("auxl", to: primaryItem).contains { auxiliaryName(of: $0) == "gain map" }
      || sources("dimg", to: primaryItem).contains { items[$0]?.type == "tmap" }
  }

  /// True if a movie is embedded in the file: by Samsung's box, or by what XMP says.
  func isMotionPhoto(_ source: some ByteSource) throws -> Bool {
    if hasEmbeddedMovie { return true }
    for item in xmpItems.prefix(16) {
      let packet = XMPPacket(try data(of: item, most: Self.largestMetadata, from: source))
      if packet?.isMotionPhoto ?? false { return true }
    }
    return false
  }
}
