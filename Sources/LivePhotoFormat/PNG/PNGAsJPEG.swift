import Basics
import EditModel

extension PNGFile {
  /// Writes the photo as a JPEG. Exif, XMP and the colour profile are carried over and updated to describe the new
  /// picture.
  ///
  /// - Parameters:
  ///   - image: A JPEG that contains the new picture. The metadata of `image` is ignored.
  ///   - profile: The ICC profile of the picture's colours, or nil for sRGB.
  ///   - transform: The rotation and mirroring applied to the stored pixels.
  ///   - orientation: The orientation in which the new picture is displayed.
  ///   - projection: The mapping from positions in the rotated picture to positions in the new picture, or nil if the
  ///     edit does not change the framing.
  ///   - identifier: The content identifier to write into Apple's maker note, or nil to keep the existing identifier.
  ///   - thumbnail: A JPEG that replaces the Exif thumbnail.
  /// - Throws: ``MediaError`` if `image` is not a complete JPEG, or if the metadata does not fit.
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
        throw MediaError("the Exif block does not fit into a JPEG", isUnsupported: true)
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
    removals += names.unique.map { Removal(half: .photo, name: $0, reason: "cannot be stored in a JPEG") }
    return JPEGSurgery.Result(
      bytes: try rewriter.parts.assembled(with: replacement, trailer: []), removals: removals)
  }
}
