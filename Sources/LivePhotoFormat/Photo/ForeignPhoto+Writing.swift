import Basics
import EditModel

/// Metadata in files of kinds that Live Photos do not hold.
extension ForeignPhoto {
  /// Puts metadata into a PNG file that has none (ISO/IEC 15948 sections 11.3.2.3 and 11.3.3.3).
  ///
  /// - Parameters:
  ///   - exif: an Exif block; nil for none.
  ///   - profile: an ICC profile; nil for none.
  /// - Throws: ``MediaError`` when it is no PNG file.
  package static func png(_ png: [UInt8], exif: [UInt8]?, profile: [UInt8]?) throws -> [UInt8] {
    // The signature and IHDR.
    let head = 33
    guard png.count > head, png[12..<16].elementsEqual("IHDR".utf8) else {
      throw MediaError("the picture could not be encoded")
    }
    var chunks: [UInt8] = []
    if let data = profile.flatMap(Deflate.deflated) {
      chunks += PNGChunks.chunk("iCCP", Array("icc".utf8) + [0, 0] + data)
    }
    let big = ByteOrder.big
    if let width = big.number(png, at: 16, width: 4), let height = big.number(png, at: 20, width: 4),
      let exif = completed(exif, PixelSize(width: width, height: height), profile)
    {
      chunks += PNGChunks.chunk("eXIf", exif)
    }
    return png[..<head] + chunks + png[head...]
  }

  /// Puts metadata into a WebP file that has none (RFC 9649 section 2.7).
  ///
  /// - Parameters:
  ///   - exif: an Exif block; nil for none.
  ///   - profile: an ICC profile; nil for none.
  ///   - width: columns of the picture, up to 16,384.
  ///   - height: its rows, likewise.
  /// - Throws: ``MediaError`` when it is no WebP file of one opaque picture.
  package static func webp(
    _ webp: [UInt8], exif: [UInt8]?, profile: [UInt8]?, width: Int, height: Int
  ) throws -> [UInt8] {
    guard webp.hasPrefix("RIFF"), webp.count > 20, webp[12..<15].elementsEqual("VP8".utf8), webp[15] != 0x58
    else { throw MediaError("the picture could not be encoded") }
    let exif = completed(exif, PixelSize(width: width, height: height), profile)
    guard exif != nil || profile != nil else { return webp }
    let little = ByteOrder.little
    let flags = (profile == nil ? 0 : 0x20) + (exif == nil ? 0 : 0x08)
    var body = Array("WEBP".utf8)
    body += riffChunk(
      "VP8X",
      little.bytes(of: flags, width: 4) + little.bytes(of: width - 1, width: 3)
        + little.bytes(of: height - 1, width: 3))
    if let profile { body += riffChunk("ICCP", profile) }
    body += webp[12...]
    if let exif { body += riffChunk("EXIF", exif) }
    return Array("RIFF".utf8) + little.bytes(of: body.count, width: 4) + body
  }

  /// An Exif block with what Exif requires; nil for none, or for a damaged one.
  private static func completed(_ exif: [UInt8]?, _ size: PixelSize, _ profile: [UInt8]?) -> [UInt8]? {
    guard var block = exif.flatMap({ TIFFBlock(exif: $0) }) else { return nil }
    block.complete(describing: ExifPicture(size: size, isSRGB: ICCProfile.isSRGB(profile)))
    return block.bytes
  }

  private static func riffChunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Array(name.utf8) + ByteOrder.little.bytes(of: content.count, width: 4) + content
      + (content.count % 2 == 0 ? [] : [0])
  }
}
