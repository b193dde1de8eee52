import Basics
import EditModel

/// Writes metadata into files in formats that Live Photos do not use.
extension ForeignPhoto {
  /// Adds metadata to a PNG file that has no metadata (ISO/IEC 15948 sections 11.3.2.3 and 11.3.3.3).
  ///
  /// - Parameters:
  ///   - exif: The Exif block to add, or nil to add no Exif block.
  ///   - profile: The ICC profile to add, or nil to add no profile.
  /// - Throws: ``MediaError`` if the file is not a PNG file.
  package static func png(_ png: [UInt8], exif: [UInt8]?, profile: [UInt8]?) throws -> [UInt8] {
    // The total size of the signature and IHDR.
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

  /// Adds metadata to a WebP file that has no metadata (RFC 9649 section 2.7).
  ///
  /// - Parameters:
  ///   - exif: The Exif block to add, or nil to add no Exif block.
  ///   - profile: The ICC profile to add, or nil to add no profile.
  ///   - width: The picture's width in pixels, up to 16,384.
  ///   - height: The picture's height in pixels, up to 16,384.
  /// - Throws: ``MediaError`` if the file is not a WebP file with a single opaque picture.
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

  /// Returns an Exif block with all fields that Exif requires, or nil if the given block is missing or damaged.
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
