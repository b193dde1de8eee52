import Basics
import EditModel

/// A HEIC photo's metadata around a JPEG.
extension HEIFFile {
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
    try checkIsOnePicture()
    let replacement = try JPEGFile(image)
    var segments: [UInt8] = [0xFF, 0xD8]
    var removals =
      try C2PAManifest.atoms(among: atoms, of: source).isEmpty ? [] : [C2PAManifest.removal(from: .photo)]
    func append(_ kind: JPEGMetadataKind, _ content: [UInt8]) -> Bool {
      guard kind.signature.prefix.count + content.count <= JPEGParts.payloadLimit else { return false }
      segments += kind.segment(content)
      return true
    }
    if var block = try exif(), !append(.exif, block.bytes) {
      // A thumbnail takes most of the room.
      _ = block.removeThumbnail()
      guard append(.exif, block.bytes) else {
        throw MediaError("its Exif block does not fit into a JPEG", isUnsupported: true)
      }
      removals.append(Removal(half: .photo, name: "ThumbnailImage", reason: Self.noRoom))
    }
    for (index, item) in xmpItems.prefix(16).enumerated() {
      let packet = try data(of: item)
      if index > 0 || !append(.xmp, packet) {
        removals.append(Removal(half: .photo, name: "XMP", reason: Self.noRoom))
      }
    }
    if gainMap != nil, try toneMap() != nil { _ = append(.gainMap, [0, 0, 0, 0]) }
    for part in ICCProfile.segments(of: profile ?? []) { segments += JPEGSegment.bytes(0xE2, part) }
    let original = try JPEGFile(segments + image.dropFirst(2))
    let change = PictureChange(
      transform: transform, projection: projection, orientation: orientation,
      old: shownExtents ?? replacement.header.frame.size,
      new: replacement.header.frame.size, isNewPicture: true, keepsGainMap: gainMap != nil)
    var rewriter = JPEGRewriter(parts: JPEGParts(original), change: change)
    try rewriter.rewriteExif(identifier: identifier, thumbnail: thumbnail)
    let maps = gainMap.map { [JPEGMap(bytes: $0, name: JPEGMap.gainMap)] } ?? []
    if !maps.isEmpty { _ = rewriter.rewriteFurtherPictures(maps: maps) }
    rewriter.rewriteXMP(gainMap: gainMap)
    let bytes = try rewriter.parts.assembled(with: replacement, maps: maps.map(\.bytes), trailer: [])
    for related in relatedPictures where related.role != .thumbnail {
      if related.role == .gainMap, gainMap != nil { continue }
      removals += try removal(of: related)
    }
    if let pair = stereoPair {
      removals.append(
        Removal(half: .photo, name: groups[pair].kind.description, reason: "has no place in a JPEG"))
    }
    return JPEGSurgery.Result(bytes: bytes, removals: rewriter.removals + removals)
  }

  /// Names a picture that has no place in a JPEG, and what described it.
  private func removal(of related: HEIFRelatedPicture) throws -> [Removal] {
    let packets = sources("cdsc", to: related.item).filter { items[$0]?.isXMP ?? false }
    let names = try [related.name] + packets.flatMap(groups)
    return names.unique.map { Removal(half: .photo, name: $0, reason: "has no place in a JPEG") }
  }

  private static let noRoom = "does not fit into a JPEG segment"

  /// How a gain map makes the HDR picture, by ISO 21496-1: the data of the item `tmap` behind its version.
  private func toneMap() throws -> [UInt8]? {
    guard let id = sources("dimg", to: pixelItem).first(where: { items[$0]?.type == "tmap" })
    else { return nil }
    let data = try data(of: id, most: 4096)
    return data.first == 0 ? Array(data.dropFirst()) : nil
  }

  /// A gain map as it stands in JPEGs of iPhones: with Apple's XMP, and with what ISO 21496-1 says where the file
  /// says so.
  ///
  /// - Parameter image: a JPEG that holds the map; its metadata is ignored.
  /// - Throws: ``MediaError`` when `image` is no whole JPEG.
  package func gainMapJPEG(_ image: [UInt8], item: UInt32) throws -> [UInt8] {
    let apple = XMPPacket.Namespace.appleGainMap
    var version: String?
    var headroom: String?
    for described in sources("cdsc", to: item) where items[described]?.isXMP ?? false {
      let packet = XMPPacket(try data(of: described))
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
    var bytes: [UInt8] = [0xFF, 0xD8] + JPEGMetadataKind.xmp.segment(Array(packet.utf8))
    if let toneMap = try toneMap() { bytes += JPEGMetadataKind.gainMap.segment(toneMap) }
    return bytes + picture.codedPicture
  }
}
