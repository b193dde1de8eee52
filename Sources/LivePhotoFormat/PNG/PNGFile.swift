import Basics
import EditModel

/// The chunks of a PNG (ISO/IEC 15948). Their contents stay in the file.
package struct PNGFile: Sendable {
  /// One chunk: size, kind, content, checksum.
  struct Chunk: Hashable, Sendable {
    let kind: FourCC
    /// Where it stands in the file.
    let range: Range<Int>

    /// Where its content stands.
    var content: Range<Int> { range.lowerBound + 8..<range.upperBound - 4 }
    /// True if a decoder that does not know it cannot show the picture.
    var isCritical: Bool { kind.bytes[0] & 0x20 == 0 }
    /// True if it stays true whatever happens to the picture.
    var isSafeToCopy: Bool { kind.bytes[3] & 0x20 != 0 }
  }

  /// The file.
  package let source: any ByteSource
  /// The layout of the samples.
  package let layout: PNGLayout
  /// The chunks in file order, IHDR and IEND included.
  let chunks: [Chunk]

  /// Where the picture ends, behind IEND.
  var end: Int { chunks.last?.range.upperBound ?? 0 }

  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  /// Real files have some thousand at most.
  private static let mostChunks = 100_000
  /// No real Exif block, text or profile is larger.
  private static let largestMetadata = 1 << 24

  static let truncated = MediaError(
    "it ends before its picture does", remedy: "copy it again from where it came from")
  static let damaged = MediaError(
    "its PNG chunks are damaged", remedy: "copy it again from where it came from")

  /// Reads the heads of the chunks.
  ///
  /// - Throws: ``MediaError`` when it is no PNG, damaged, or cut off; what `source` throws.
  package init(reading source: any ByteSource) throws {
    self.source = source
    guard source.count >= 8, try source.read(at: 0, count: 8) == Self.signature else {
      throw MediaError("it is not a PNG file", remedy: "name a photo")
    }
    var chunks: [Chunk] = []
    var at = 8
    while chunks.last?.kind != "IEND" {
      guard source.count - at >= 12 else { throw Self.truncated }
      guard chunks.count < Self.mostChunks else {
        throw MediaError("it has more than \(Self.mostChunks) PNG chunks", isUnsupported: true)
      }
      var reader = BigEndianReader(try source.read(at: at, count: 8))
      let size = Int(try reader.uint32())
      let kind = try reader.fourCC()
      guard kind.bytes.allSatisfy({ 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 }) else { throw Self.damaged }
      guard size <= source.count - at - 12 else { throw Self.truncated }
      chunks.append(Chunk(kind: kind, range: at..<at + 12 + size))
      at += 12 + size
    }
    self.chunks = chunks
    guard let first = chunks.first, chunks.filter({ $0.kind == "IHDR" }) == [first],
      let layout = PNGLayout(header: try source.read(at: 16, count: first.content.count))
    else { throw Self.damaged }
    self.layout = layout
  }

  /// Takes the chunks of a photo.
  ///
  /// - Throws: ``MediaError`` when it is no PNG or damaged.
  package init(_ photo: Photo) throws {
    guard let file = try photo.container as? PNGFile else { throw MediaError("it is not a PNG file") }
    self = file
  }

  /// The first chunk of a kind.
  func chunk(_ kind: FourCC) -> Chunk? { chunks.first { $0.kind == kind } }

  /// The content of a chunk.
  ///
  /// - Throws: ``MediaError`` when it is too large, or its checksum is another.
  func content(_ chunk: Chunk) throws -> [UInt8] {
    guard chunk.content.count <= Self.largestMetadata else {
      throw MediaError(
        "its chunk \(chunk.kind) is larger than \(Self.largestMetadata >> 20) MB", isUnsupported: true)
    }
    return try checked(chunk)
  }

  private func checked(_ chunk: Chunk) throws -> [UInt8] {
    let bytes = try source.read(at: chunk.range.lowerBound + 4, count: chunk.range.count - 4)
    guard ByteOrder.big.number(bytes, at: bytes.count - 4, width: 4) == PNGChunks.checksum(bytes.dropLast(4))
    else {
      throw MediaError("its chunk \(chunk.kind) is damaged", remedy: "copy it again from where it came from")
    }
    return Array(bytes[4..<bytes.count - 4])
  }

  /// The coded picture: the contents of all chunks IDAT.
  ///
  /// - Throws: ``MediaError`` when it is damaged, animated, or of a kind that is not handled.
  package func codedPicture() throws -> [UInt8] {
    try checkIsOnePicture()
    try source.checkPhotoSize()
    var data: [UInt8] = []
    for chunk in chunks where chunk.kind == "IDAT" { data += try checked(chunk) }
    return data
  }

  /// - Throws: ``MediaError`` when it is animated, or has parts that a decoder must know and this one does not.
  package func checkIsOnePicture() throws {
    guard chunk("acTL") == nil else {
      throw MediaError(
        "it is an animated PNG, whose further pictures would not be edited",
        remedy: "save its first picture as an ordinary PNG", isUnsupported: true)
    }
    let known: Set<FourCC> = ["IHDR", "PLTE", "IDAT", "IEND"]
    if let other = chunks.first(where: { $0.isCritical && !known.contains($0.kind) }) {
      throw MediaError(
        "it has the chunk \(other.kind), without which its picture cannot be shown and which is not known",
        remedy: "save it again as an ordinary PNG", isUnsupported: true)
    }
    guard layout.colors != .palette || chunk("PLTE") != nil else { throw MediaError("it has no palette") }
  }

  /// The colours that pixels refer to: red, green and blue of each; empty without them.
  package func palette() throws -> [UInt8] { try chunk("PLTE").map(content) ?? [] }

  /// How opaque the colours of the palette are, or the colour that stands for nothing; empty for neither.
  package func transparency() throws -> [UInt8] {
    layout.colors.hasAlpha ? [] : try chunk("tRNS").map(content) ?? []
  }

  /// Primaries and transfer by ITU-T H.273, where the chunk cICP says them for R′G′B′ in full range.
  package func codePoints() throws -> (primaries: Int, transfer: Int)? {
    guard let bytes = try chunk("cICP").flatMap(soundContent), bytes.count == 4, bytes[2] == 0, bytes[3] == 1
    else { return nil }
    return (Int(bytes[0]), Int(bytes[1]))
  }

  /// The content of a chunk; nil where it is damaged.
  ///
  /// - Throws: ``MediaError`` when it is larger than what is read.
  private func soundContent(_ chunk: Chunk) throws -> [UInt8]? {
    do { return try content(chunk) } catch let error as MediaError where !error.isUnsupported { return nil }
  }
}

/// The facts of a PNG that its chunks hold.
extension PNGFile: PhotoContainer {
  static func begins(_ bytes: [UInt8]) -> Bool { bytes.starts(with: signature) }

  /// The Exif block of a chunk eXIf; some programs write Exif's own signature before it.
  static func exif(_ content: [UInt8]) -> TIFFBlock? {
    TIFFBlock(exif: content.hasPrefix("Exif\0\0") ? Array(content[6...]) : content)
  }

  func exif() throws -> TIFFBlock? { try chunk("eXIf").flatMap { Self.exif(try content($0)) } }

  func exifBlocks() throws -> [TIFFBlock] { try exif().map { [$0] } ?? [] }

  /// Behind a name and the method: zlib data (ISO/IEC 15948 section 11.3.3.3).
  func iccProfile() throws -> [UInt8]? {
    // Code points come first (PNG third edition, section 4.3).
    guard try codePoints() == nil, let bytes = try chunk("iCCP").flatMap(soundContent),
      let end = bytes.firstIndex(of: 0), end + 2 < bytes.count
    else { return nil }
    return Deflate.inflated(Array(bytes[(end + 2)...]), limit: Self.largestMetadata, format: .zlib)
  }

  func xmp() throws -> [UInt8]? { try xmpChunk()?.packet }

  /// The most chunks of XMP that are unpacked.
  private static let mostPackets = 16

  /// The chunks of XMP, whether their packets can be unpacked or not. A PNG should have one.
  ///
  /// - Throws: ``MediaError`` when it has too many.
  func xmpChunks() throws -> [Chunk] {
    var found: [Chunk] = []
    for chunk in chunks where chunk.kind == "iTXt" {
      let head = try source.read(at: chunk.content.lowerBound, count: min(chunk.content.count, 80))
      guard PNGChunks.keyword(head) == PNGChunks.xmpKeyword else { continue }
      guard found.count < Self.mostPackets else {
        throw MediaError("it has more than \(Self.mostPackets) XMP packets", isUnsupported: true)
      }
      found.append(chunk)
    }
    return found
  }

  /// The first packet of XMP, and its chunk.
  func xmpChunk() throws -> (chunk: Chunk, packet: [UInt8])? {
    for chunk in try xmpChunks() { if let packet = try xmp(in: chunk) { return (chunk, packet) } }
    return nil
  }

  /// The packet of XMP in a chunk; nil where it cannot be unpacked.
  func xmp(in chunk: Chunk) throws -> [UInt8]? { try soundContent(chunk).flatMap(PNGChunks.xmp) }

  func isMotionPhoto() -> Bool { false }

  func announcesMovie() throws -> Bool { try xmp().flatMap { try XMPPacket($0) }?.isMotionPhoto ?? false }

  func metadata() throws -> PhotoMetadata {
    var metadata = try PhotoMetadata(
      exif: try exif(), xmp: try xmp(), stored: layout.size, orientation: nil, hasGainMap: false)
    metadata.subtypes.remove(.motionPhoto)
    return metadata
  }

  func describe(_ facts: PhotoMetadata, in inspection: inout PhotoInspection) throws {
    try inspection.read(self)
  }

  func findings() -> [VerificationFinding] { [] }

  func addCodedMedia(to media: inout CodedMedia) throws {
    let passedOver: Set<FourCC> = ["eXIf", "iTXt", "tEXt", "zTXt", "tIME", "iDOT", "caBX", "IDAT"]
    for chunk in chunks where !passedOver.contains(chunk.kind) {
      try media.add(chunk.kind.description, in: [chunk.content])
    }
    try addCodedPicture(to: &media)
  }

  func addCodedPicture(to media: inout CodedMedia) throws {
    try media.add("header", layout.header)
    try media.add("data", in: chunks.filter { $0.kind == "IDAT" || $0.kind == "fdAT" }.map(\.content))
  }

  func checkPicture() throws {
    guard chunk("IDAT") != nil else { throw MediaError("it has no picture") }
  }

  func embeddedMovie() -> MotionPhoto.Movie? { nil }

  static let standsAlone = MediaError(
    "it is a PNG, which is no photo of a Live Photo",
    remedy: "make a JPEG of it with liveedit create --photo", isUnsupported: true)

  func write(describing frame: KeyFrame, to sink: any ByteSink) throws -> [Removal] {
    throw Self.standsAlone
  }

  func write(without movie: MotionPhoto.Movie, keepsMakersNames: Bool, to sink: any ByteSink) throws {
    throw Self.standsAlone
  }

  func write(
    announcing movie: MotionPhoto.Announcement, to sink: any ByteSink
  ) throws -> MotionPhoto.Announcement.Written { throw Self.standsAlone }
}
