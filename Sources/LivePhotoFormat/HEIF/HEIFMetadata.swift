import Basics
import EditModel

/// An item with Exif (ISO/IEC 23008-12 annex A.2.1): how many bytes come before the TIFF header, those bytes
/// (“Exif” and two zeros as a rule), and the TIFF block.
struct HEIFExif: Sendable {
  /// The bytes before the block, the count included.
  private(set) var head: [UInt8]
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

  private static let usualHead: [UInt8] = [0, 0, 0, 6] + Array("Exif".utf8) + [0, 0]

  /// An item's data with this block.
  init(block: TIFFBlock) {
    head = Self.usualHead
    self.block = block
  }

  /// Removes the pictures besides the thumbnail, before the block and in it.
  ///
  /// - Returns: the names of what was removed.
  mutating func removePreviews() -> [String] {
    let isHeadPicture = head.holdsJPEG
    if isHeadPicture { head = Self.usualHead }
    return ((isHeadPicture ? ["PreviewImage"] : []) + block.removePreviews()).unique
  }
}

/// The facts of a photo that its boxes and metadata items hold.
extension HEIFFile: PhotoContainer {
  /// Major and compatible brands of HEIF still pictures and sequences.
  private static let brands: Set<String> = [
    "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs", "mif1", "mif2", "msf1",
  ]

  static func begins(_ bytes: [UInt8]) -> Bool {
    guard let size = ByteOrder.big.number(bytes, at: 0, width: 4), size >= 16, bytes.count >= 16,
      bytes[4..<8].elementsEqual("ftyp".utf8)
    else { return false }
    return stride(from: 8, through: min(size, bytes.count) - 4, by: 4).contains { at in
      at != 12 && brands.contains(String(decoding: bytes[at..<at + 4], as: UTF8.self))
    }
  }

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

  /// More packets than anybody writes; each is parsed.
  private static let mostPackets = 16

  /// The items with the photo's XMP, to look at each.
  ///
  /// - Throws: ``MediaError`` when there are more than are looked at.
  func xmpPackets() throws -> [UInt32] { try Self.checked(xmpItems) }

  /// Makes sure that no more packets describe a picture than are looked at.
  static func checked(_ packets: [UInt32]) throws -> [UInt32] {
    guard packets.count <= mostPackets else {
      throw MediaError("one of its pictures has more than \(mostPackets) XMP packets", isUnsupported: true)
    }
    return packets
  }

  func exif() throws -> TIFFBlock? { try exifItem.flatMap { HEIFExif(try data(of: $0))?.block } }

  func exifBlocks() throws -> [TIFFBlock] { try exif().map { [$0] } ?? [] }

  func iccProfile() throws -> [UInt8]? { try HEIFPicture(self).iccProfile }

  /// True if a gain map belongs to the photo: as Apple's auxiliary picture, or by a tone map (ISO 21496-1).
  var hasGainMap: Bool {
    sources("auxl", to: primaryItem).contains { auxiliaryName(of: $0) == "gain map" }
      || sources("dimg", to: primaryItem).contains { items[$0]?.type == "tmap" }
  }

  func isMotionPhoto() throws -> Bool {
    if hasEmbeddedMovie { return true }
    // A movie that is announced and lies elsewhere, as behind the photo's boxes.
    return try announcesMovie() && holdsFurtherFile()
  }

  /// True if another ISO base media file begins behind the photo's own `ftyp` box.
  private func holdsFurtherFile() throws -> Bool {
    let bytes = try source.wholePhoto()
    return bytes.firstIndex(of: "ftyp", in: min(8, bytes.count)..<bytes.count) != nil
  }

  func announcesMovie() throws -> Bool {
    try hasEmbeddedMovie
      || xmpPackets().contains { try XMPPacket(try data(of: $0))?.isMotionPhoto ?? false }
  }

  func xmp() throws -> [UInt8]? { try xmpItems.first.map { try data(of: $0) } }

  func metadata() throws -> PhotoMetadata {
    var metadata = try PhotoMetadata(
      exif: try exif(), xmp: try xmp(),
      stored: spatialExtents(of: pixelItem) ?? PixelSize(width: 0, height: 0), shown: shownExtents,
      orientation: photoOrientation,
      hasGainMap: hasGainMap)
    // A mark alone is no movie.
    if hasEmbeddedMovie {
      metadata.subtypes.insert(.motionPhoto)
    } else if try metadata.subtypes.contains(.motionPhoto) && !isMotionPhoto() {
      metadata.subtypes.remove(.motionPhoto)
    }
    return metadata
  }

  func describe(_ facts: PhotoMetadata, in inspection: inout PhotoInspection) throws {
    try inspection.read(self, facts)
  }

  func findings() throws -> [VerificationFinding] {
    var findings: [VerificationFinding] = []
    try findings.checkItems(of: self)
    return findings
  }

  func checkPicture() throws { _ = try HEIFPicture(self) }
}
