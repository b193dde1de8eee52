import Basics
import EditModel

/// An Exif item (ISO/IEC 23008-12 annex A.2.1). The item consists of the length of a prefix, the prefix (usually “Exif”
/// and two zeros), and the TIFF block.
struct HEIFExif: Sendable {
  /// The prefix before the TIFF block, including its length field.
  private(set) var head: [UInt8]
  /// The TIFF block.
  var block: TIFFBlock

  /// The complete data of the Exif item.
  var bytes: [UInt8] { head + block.bytes }

  /// Reads the data of an Exif item.
  ///
  /// - Returns: nil if the data is not Exif.
  init?(_ bytes: [UInt8]) {
    guard let skipped = ByteOrder.big.number(bytes, at: 0, width: 4), skipped <= bytes.count - 4,
      let block = TIFFBlock(exif: Array(bytes[(4 + skipped)...]))
    else { return nil }
    head = Array(bytes[..<(4 + skipped)])
    self.block = block
  }

  private static let usualHead: [UInt8] = [0, 0, 0, 6] + Array("Exif".utf8) + [0, 0]

  /// Creates the data of an Exif item from a TIFF block.
  init(block: TIFFBlock) {
    head = Self.usualHead
    self.block = block
  }

  /// Removes all embedded pictures except the thumbnail, both in the TIFF block and in the bytes before the block.
  ///
  /// - Returns: The names of the removed parts.
  mutating func removePreviews() -> [String] {
    let isHeadPicture = head.holdsJPEG
    if isHeadPicture { head = Self.usualHead }
    return ((isHeadPicture ? ["PreviewImage"] : []) + block.removePreviews()).unique
  }
}

/// Reads a photo's date, location and other metadata from the file's boxes and metadata items.
extension HEIFFile: PhotoContainer {
  /// The major and compatible brands of HEIF still pictures and sequences.
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

  /// Returns the metadata items of a given kind that describe the photo. If no such item describes the photo, returns
  /// the items of that kind that do not describe any particular item.
  private func describing(_ isOfSort: (HEIFItem) -> Bool) -> [UInt32] {
    let candidates = itemOrder.filter { items[$0].map(isOfSort) ?? false }
    let ofPhoto = candidates.filter { targets("cdsc", from: $0).contains(primaryItem) }
    return ofPhoto.isEmpty ? candidates.filter { targets("cdsc", from: $0).isEmpty } : ofPhoto
  }

  /// The item that contains the photo's Exif metadata.
  var exifItem: UInt32? { describing { $0.type == "Exif" }.first }

  /// The items that contain the photo's XMP packets.
  var xmpItems: [UInt32] { describing(\.isXMP) }

  /// The maximum number of XMP packets, each of which is parsed. No known program writes this many packets.
  private static let mostPackets = 16

  /// Returns the items that contain the photo's XMP packets, after checking that their number does not exceed the
  /// limit.
  ///
  /// - Throws: ``MediaError`` if the photo has more XMP packets than the limit.
  func xmpPackets() throws -> [UInt32] { try Self.checked(xmpItems) }

  /// Returns the XMP packets that describe a picture, after checking that their number does not exceed the limit.
  static func checked(_ packets: [UInt32]) throws -> [UInt32] {
    guard packets.count <= mostPackets else {
      throw MediaError("a picture in the file has more than \(mostPackets) XMP packets", isUnsupported: true)
    }
    return packets
  }

  func exif() throws -> TIFFBlock? { try exifItem.flatMap { HEIFExif(try data(of: $0))?.block } }

  func exifBlocks() throws -> [TIFFBlock] { try exif().map { [$0] } ?? [] }

  func iccProfile() throws -> [UInt8]? { try HEIFPicture(self).iccProfile }

  /// Whether the photo has a gain map, either as Apple's auxiliary image or as part of a tone map (ISO 21496-1).
  var hasGainMap: Bool {
    sources("auxl", to: primaryItem).contains { auxiliaryName(of: $0) == "gain map" }
      || sources("dimg", to: primaryItem).contains { items[$0]?.type == "tmap" }
  }

  func isMotionPhoto() throws -> Bool {
    if hasEmbeddedMovie { return true }
    // A movie that the metadata announces may be stored elsewhere, for example after the photo's boxes.
    return try announcesMovie() && holdsFurtherFile()
  }

  /// Returns whether another ISO base media file begins after the photo's own `ftyp` box.
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
    // Motion Photo metadata alone does not prove that the file contains a movie.
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
