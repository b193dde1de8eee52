import Basics
import EditModel

extension PNGFile {
  /// Writes the photo as a JPEG: Exif, XMP and the colour profile are carried over, and made true of the new picture.
  ///
  /// - Parameters:
  ///   - image: a JPEG that holds the new picture; its metadata is ignored.
  ///   - profile: the ICC profile of its colours; nil for sRGB.
  ///   - transform: how the stored pixels were turned.
  ///   - orientation: how the new picture is displayed.
  ///   - projection: from places of the turned picture to places of the new one, where it is another part.
  ///   - identifier: the content identifier to write into Apple's maker note; nil leaves it as it is.
  ///   - thumbnail: a JPEG to stand in for the thumbnail in Exif.
  /// - Throws: ``MediaError`` when `image` is no whole JPEG, or the metadata does not fit.
  package func jpeg(
    _ image: [UInt8], profile: [UInt8]?, transform: Orientation, orientation: Orientation,
    projection: PictureProjection?,
    identifier: String?, thumbnail: [UInt8]?
  ) throws -> JPEGSurgery.Result {
    let replacement = try JPEGFile(image)
    var parts = JPEGParts(try JPEGFile([0xFF, 0xD8] + replacement.codedPicture))
    var names: [String] = []
    let profile = profile.map(ICCProfile.segments) ?? []
    parts.list.insert(
      contentsOf: profile.map { JPEGParts.Part(marker: 0xE2, kind: nil, content: $0) }, at: 0)
    var removals: [Removal] = []
    if let packet = try xmp().map(XMPPacket.inWrapper) {
      if packet.count <= JPEGMetadataKind.xmp.room {
        parts.insert(packet, as: .xmp, behind: [])
      } else {
        names.append("XMP")
      }
    }
    if var block = try exif() {
      guard let removed = block.fitIntoJPEG(describing: parts.exifPicture) else {
        throw MediaError("its Exif block does not fit into a JPEG", isUnsupported: true)
      }
      names += removed
      parts.insertExif(block.bytes)
    }
    let change = PictureChange(
      transform: transform, projection: projection, orientation: orientation, old: layout.size,
      new: replacement.header.frame.size, isNewPicture: true)
    var rewriter = try JPEGRewriter(parts: parts, change: change)
    try rewriter.rewriteExif(identifier: identifier, thumbnail: thumbnail)
    try rewriter.rewriteXMP()
    let xmpChunk = try xmpChunk()?.chunk
    names += try chunks.filter { ["tEXt", "zTXt", "iTXt"].contains($0.kind) && $0 != xmpChunk }
      .map { PNGChunks.keyword(try content($0)) }
    removals += rewriter.removals
    if chunk("caBX") != nil { removals.append(C2PAManifest.removal(from: .photo)) }
    removals += names.unique.map { Removal(half: .photo, name: $0, reason: "has no place in a JPEG") }
    return JPEGSurgery.Result(
      bytes: try rewriter.parts.assembled(with: replacement, trailer: []), removals: removals)
  }
}
