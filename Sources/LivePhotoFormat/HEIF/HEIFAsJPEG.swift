import Basics
import EditModel

/// A HEIC photo's metadata around a JPEG.
extension HEIFSurgery {
  /// Writes the photo as a JPEG.
  ///
  /// Exif, XMP and the colour profile are carried over, and made true of the upright picture; the gain map becomes a
  /// second picture by MPF. Depth, mattes and whatever else HEIC holds have no place in a JPEG.
  ///
  /// - Parameters:
  ///   - image: a JPEG that holds the picture, upright; its metadata is ignored.
  ///   - profile: the ICC profile of its colours; nil for sRGB.
  ///   - transform: how the stored pixels were turned.
  ///   - orientation: how the picture is displayed.
  ///   - projection: from places of the upright picture to places of the new one, where it is another part.
  ///   - identifier: the content identifier to write into Apple's maker note; nil leaves it as it is.
  ///   - thumbnail: a JPEG to stand in for the thumbnail in Exif.
  ///   - gainMap: a JPEG with the gain map, turned like the picture: see ``gainMapJPEG(_:item:)``.
  /// - Throws: ``MediaError`` when `image` is no whole JPEG, or the metadata does not fit.
  package func jpeg(
    _ image: [UInt8], profile: [UInt8]?, transform: Orientation, orientation: Orientation = .identity,
    projection: PictureProjection? = nil, identifier: String?, thumbnail: [UInt8]?, gainMap: [UInt8]?
  ) throws -> JPEGSurgery.Result {
    try check()
    let replacement = try JPEGFile(image)
    var segments: [UInt8] = [0xFF, 0xD8]
    var removals: [Removal] = []
    func append(_ kind: JPEGMetadataKind, _ content: [UInt8]) -> Bool {
      let payload = kind.signature.prefix + content
      guard payload.count <= JPEGParts.payloadLimit else { return false }
      segments += JPEGSegment.bytes(kind.signature.marker, payload)
      return true
    }
    if let exif = try file.exif(from: source), !append(.exif, exif.block.bytes) {
      // A thumbnail takes most of the room.
      var block = exif.block
      _ = block.removeThumbnail()
      guard append(.exif, block.bytes) else {
        throw MediaError("its Exif block does not fit into a JPEG", isUnsupported: true)
      }
      removals.append(Removal(half: .photo, name: "ThumbnailImage", reason: Self.noRoom))
    }
    for (index, item) in file.xmpItems.prefix(16).enumerated() {
      let packet = try file.data(of: item, most: HEIFFile.largestMetadata, from: source)
      if index > 0 || !append(.xmp, packet) {
        removals.append(Removal(half: .photo, name: "XMP", reason: Self.noRoom))
      }
    }
    if gainMap != nil, try toneMap() != nil { _ = append(.gainMap, [0, 0, 0, 0]) }
    for part in ICCProfile.segments(of: profile ?? []) { segments += JPEGSegment.bytes(0xE2, part) }
    let original = try JPEGFile(segments + image.dropFirst(2))
    let change = PictureChange(
      transform: transform, projection: projection, orientation: orientation,
      old: file.shownExtents ?? PixelSize(replacement.header.frame),
      new: PixelSize(replacement.header.frame), isNewPicture: true, keepsGainMap: gainMap != nil)
    var rewriter = JPEGRewriter(parts: JPEGParts(original), change: change)
    try rewriter.rewriteExif(identifier: identifier, thumbnail: thumbnail)
    _ = gainMap.map { rewriter.rewriteFurtherPictures(gainMap: $0) }
    rewriter.rewriteXMP(gainMap: gainMap)
    let bytes = try rewriter.assembled(with: replacement, gainMap: gainMap, trailer: [])
    for related in file.relatedPictures where related.role != .thumbnail {
      if related.role == .gainMap, gainMap != nil { continue }
      removals += try removal(of: related)
    }
    return JPEGSurgery.Result(bytes: bytes, removals: rewriter.removals + removals)
  }

  /// Names a picture that has no place in a JPEG, and what described it.
  private func removal(of related: HEIFRelatedPicture) throws -> [Removal] {
    var names = [related.name]
    for item in file.sources("cdsc", to: related.item) where file.items[item]?.isXMP ?? false {
      let packet = XMPPacket(try file.data(of: item, most: HEIFFile.largestMetadata, from: source))
      names += packet?.properties.map(\.prefix) ?? ["XMP"]
    }
    return names.unique.map { Removal(half: .photo, name: $0, reason: "has no place in a JPEG") }
  }

  private static let noRoom = "does not fit into a JPEG segment"

  /// How a gain map makes the HDR picture, by ISO 21496-1: the data of the item `tmap` behind its version.
  private func toneMap() throws -> [UInt8]? {
    guard let id = file.sources("dimg", to: file.pixelItem).first(where: { file.items[$0]?.type == "tmap" })
    else { return nil }
    let data = try file.data(of: id, most: 4096, from: source)
    return data.first == 0 ? Array(data.dropFirst()) : nil
  }

  /// A gain map as it stands in JPEGs of iPhones: with Apple's XMP, and with what ISO 21496-1 says where the file
  /// says so.
  ///
  /// - Parameters:
  ///   - image: a JPEG that holds the map; its metadata is ignored.
  ///   - item: the map's item.
  /// - Throws: ``MediaError`` when `image` is no whole JPEG.
  package func gainMapJPEG(_ image: [UInt8], item: UInt32) throws -> [UInt8] {
    let apple = XMPPacket.Namespace.appleGainMap
    var version: String?
    var headroom: String?
    for described in file.sources("cdsc", to: item) where file.items[described]?.isXMP ?? false {
      let packet = XMPPacket(try file.data(of: described, most: HEIFFile.largestMetadata, from: source))
      version = version ?? packet?.text("HDRGainMapVersion", in: apple)?.text
      headroom = headroom ?? packet?.text("HDRGainMapHeadroom", in: apple)?.text
    }
    func attribute(_ name: String, _ value: String?) -> String {
      guard let value, value.allSatisfy({ "0123456789.-".contains($0) }) else { return "" }
      return " HDRGainMap:\(name)=\"\(value)\""
    }
    let packet =
      "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"\(XMPPacket.Namespace.rdf)\">"
      + "<rdf:Description rdf:about=\"\" xmlns:HDRGainMap=\"\(apple)\""
      + " xmlns:apdi=\"http://ns.apple.com/pixeldatainfo/1.0/\""
      + " apdi:AuxiliaryImageType=\"urn:com:apple:photo:2020:aux:hdrgainmap\""
      + attribute("HDRGainMapVersion", version ?? "65536") + attribute("HDRGainMapHeadroom", headroom)
      + "/></rdf:RDF></x:xmpmeta>"
    let picture = try JPEGFile(image)
    let kind = JPEGMetadataKind.xmp.signature
    var bytes: [UInt8] = [0xFF, 0xD8] + JPEGSegment.bytes(kind.marker, kind.prefix + Array(packet.utf8))
    if let toneMap = try toneMap() {
      let kind = JPEGMetadataKind.gainMap.signature
      bytes += JPEGSegment.bytes(kind.marker, kind.prefix + toneMap)
    }
    for segment in picture.header.segments where !segment.isMetadata { bytes += picture.bytes[segment.range] }
    return bytes + picture.bytes[picture.picture]
  }
}
