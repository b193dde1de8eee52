import Basics
import EditModel

/// The chunks of a PNG (ISO/IEC 15948). The contents of the chunks remain in the file.
package struct PNGFile: Sendable {
  /// A chunk, which consists of a size, a kind, content and a checksum.
  struct Chunk: Hashable, Sendable {
    let kind: FourCC
    /// The range of the chunk in the file.
    let range: Range<Int>

    /// The range of the chunk's content in the file.
    var content: Range<Int> { range.lowerBound + 8..<range.upperBound - 4 }
    /// Whether a decoder must support the chunk to be able to display the picture.
    var isCritical: Bool { kind.bytes[0] & 0x20 == 0 }
    /// Whether the chunk remains valid when the picture changes.
    var isSafeToCopy: Bool { kind.bytes[3] & 0x20 != 0 }
  }

  /// The source of the file's bytes.
  package let source: any ByteSource
  /// The layout of the samples.
  package let layout: PNGLayout
  /// The chunks in file order, including IHDR and IEND.
  let chunks: [Chunk]

  /// The offset after IEND, at which the picture ends.
  var end: Int { chunks.last?.range.upperBound ?? 0 }

  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  /// The maximum number of chunks. Real files have at most a few thousand chunks.
  private static let mostChunks = 100_000
  /// The maximum size in bytes of metadata in a chunk. Real Exif blocks, texts and profiles are smaller.
  private static let largestMetadata = 1 << 24

  static let truncated = MediaError(
    "the file ends before its picture is complete", remedy: "copy the file from its source again")
  static let damaged = MediaError(
    "the PNG chunks are damaged", remedy: "copy the file from its source again")

  /// Reads the chunk headers.
  ///
  /// - Throws: ``MediaError`` if the file is not a PNG, is damaged or is cut off, or any error that `source` throws.
  package init(reading source: any ByteSource) throws {
    self.source = source
    guard source.count >= 8, try source.read(at: 0, count: 8) == Self.signature else {
      throw MediaError("the file is not a PNG", remedy: "specify a photo")
    }
    var chunks: [Chunk] = []
    var at = 8
    while chunks.last?.kind != "IEND" {
      guard source.count - at >= 12 else { throw Self.truncated }
      guard chunks.count < Self.mostChunks else {
        throw MediaError("the file has more than \(Self.mostChunks) PNG chunks", isUnsupported: true)
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

  /// Reads the chunks of a photo.
  ///
  /// - Throws: ``MediaError`` if the photo is not a PNG or if the file is damaged.
  package init(_ photo: Photo) throws {
    guard let file = try photo.container as? PNGFile else { throw MediaError("the file is not a PNG") }
    self = file
  }

  /// Returns the first chunk of a given kind.
  func chunk(_ kind: FourCC) -> Chunk? { chunks.first { $0.kind == kind } }

  /// Returns the content of a chunk.
  ///
  /// - Throws: ``MediaError`` if the chunk is too large or if the chunk's checksum does not match.
  func content(_ chunk: Chunk) throws -> [UInt8] {
    guard chunk.content.count <= Self.largestMetadata else {
      throw MediaError(
        "the \(chunk.kind) chunk is larger than \(Self.largestMetadata >> 20) MB", isUnsupported: true)
    }
    return try checked(chunk)
  }

  private func checked(_ chunk: Chunk) throws -> [UInt8] {
    let bytes = try source.read(at: chunk.range.lowerBound + 4, count: chunk.range.count - 4)
    guard ByteOrder.big.number(bytes, at: bytes.count - 4, width: 4) == PNGChunks.checksum(bytes.dropLast(4))
    else {
      throw MediaError("the \(chunk.kind) chunk is damaged", remedy: "copy the file from its source again")
    }
    return Array(bytes[4..<bytes.count - 4])
  }

  /// Returns the coded picture: the joined contents of all IDAT chunks.
  ///
  /// - Throws: ``MediaError`` if the picture is damaged, animated or of an unsupported kind.
  package func codedPicture() throws -> [UInt8] {
    try checkIsOnePicture()
    try source.checkPhotoSize()
    var data: [UInt8] = []
    for chunk in chunks where chunk.kind == "IDAT" { data += try checked(chunk) }
    return data
  }

  /// Checks that the file contains a single picture.
  ///
  /// - Throws: ``MediaError`` if the picture is animated or contains unsupported critical chunks.
  package func checkIsOnePicture() throws {
    guard chunk("acTL") == nil else {
      throw MediaError(
        "the file is an animated PNG, and only its first picture would be edited",
        remedy: "save the first picture as an ordinary PNG", isUnsupported: true)
    }
    let known: Set<FourCC> = ["IHDR", "PLTE", "IDAT", "IEND"]
    if let other = chunks.first(where: { $0.isCritical && !known.contains($0.kind) }) {
      throw MediaError(
        "the file contains the chunk \(other.kind), which is required to display the picture but is not supported",
        remedy: "save the picture again as an ordinary PNG", isUnsupported: true)
    }
    guard layout.colors != .palette || chunk("PLTE") != nil else {
      throw MediaError("the file has no palette")
    }
  }

  /// Returns the palette, which consists of red, green and blue values for each colour, or an empty array if the
  /// picture has no palette.
  package func palette() throws -> [UInt8] { try chunk("PLTE").map(content) ?? [] }

  /// Returns the opacity of each palette colour, or the colour that represents transparent pixels. The array is empty
  /// if the file does not define transparency.
  package func transparency() throws -> [UInt8] {
    layout.colors.hasAlpha ? [] : try chunk("tRNS").map(content) ?? []
  }

  /// Returns the primaries and the transfer function (ITU-T H.273) in the cICP chunk, or nil if the chunk is missing or
  /// does not describe full-range R′G′B′.
  package func codePoints() throws -> (primaries: Int, transfer: Int)? {
    guard let bytes = try chunk("cICP").flatMap(soundContent), bytes.count == 4, bytes[2] == 0, bytes[3] == 1
    else { return nil }
    return (Int(bytes[0]), Int(bytes[1]))
  }

  /// Returns the content of a chunk, or nil if the chunk is damaged.
  ///
  /// - Throws: ``MediaError`` if the chunk exceeds the size limit.
  private func soundContent(_ chunk: Chunk) throws -> [UInt8]? {
    do { return try content(chunk) } catch let error as MediaError where !error.isUnsupported { return nil }
  }
}

/// Reads a photo's date, location and other metadata from PNG chunks.
extension PNGFile: PhotoContainer {
  static func begins(_ bytes: [UInt8]) -> Bool { bytes.starts(with: signature) }

  /// Returns the Exif block in an eXIf chunk. Some programs write Exif's signature before the block.
  static func exif(_ content: [UInt8]) -> TIFFBlock? {
    TIFFBlock(exif: content.hasPrefix("Exif\0\0") ? Array(content[6...]) : content)
  }

  func exif() throws -> TIFFBlock? { try chunk("eXIf").flatMap { Self.exif(try content($0)) } }

  func exifBlocks() throws -> [TIFFBlock] { try exif().map { [$0] } ?? [] }

  /// Returns the ICC profile. In the chunk, the zlib data follows a name and the compression method (ISO/IEC 15948
  /// section 11.3.3.3).
  func iccProfile() throws -> [UInt8]? {
    // Code points take precedence over an ICC profile (PNG third edition, section 4.3).
    guard try codePoints() == nil, let bytes = try chunk("iCCP").flatMap(soundContent),
      let end = bytes.firstIndex(of: 0), end + 2 < bytes.count
    else { return nil }
    return Deflate.inflated(Array(bytes[(end + 2)...]), limit: Self.largestMetadata, format: .zlib)
  }

  func xmp() throws -> [UInt8]? { try xmpChunk()?.packet }

  /// The maximum number of XMP chunks that are decompressed.
  private static let mostPackets = 16

  /// Returns the XMP chunks, including those that cannot be decompressed. A PNG should have only one XMP chunk.
  ///
  /// - Throws: ``MediaError`` if the file has too many XMP chunks.
  func xmpChunks() throws -> [Chunk] {
    var found: [Chunk] = []
    for chunk in chunks where chunk.kind == "iTXt" {
      let head = try source.read(at: chunk.content.lowerBound, count: min(chunk.content.count, 80))
      guard PNGChunks.keyword(head) == PNGChunks.xmpKeyword else { continue }
      guard found.count < Self.mostPackets else {
        throw MediaError("the file has more than \(Self.mostPackets) XMP packets", isUnsupported: true)
      }
      found.append(chunk)
    }
    return found
  }

  /// Returns the first XMP packet and its chunk.
  func xmpChunk() throws -> (chunk: Chunk, packet: [UInt8])? {
    for chunk in try xmpChunks() { if let packet = try xmp(in: chunk) { return (chunk, packet) } }
    return nil
  }

  /// Returns the XMP packet in a chunk, or nil if the packet cannot be decompressed.
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
    guard chunk("IDAT") != nil else { throw MediaError("the file contains no picture") }
  }

  func embeddedMovie() -> MotionPhoto.Movie? { nil }

  static let standsAlone = MediaError(
    "the file is a PNG, which cannot be the photo of a Live Photo",
    remedy: "convert it to JPEG with liveedit create --photo", isUnsupported: true)

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
