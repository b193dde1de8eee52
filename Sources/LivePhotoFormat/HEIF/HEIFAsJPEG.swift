import Basics
import EditModel

/// A HEIC photo's metadata around a JPEG.
extension HEIFFile {
  /// Writes the photo as a JPEG.
  ///
  /// Exif, XMP and the colour profile are carried over, and made true of the upright picture; gain map, depth and mattes
  /// become further pictures by MPF. Whatever else HEIC holds has no place in a JPEG.
  ///
  /// - Parameters:
  ///   - image: a JPEG that holds the picture, upright; its metadata is ignored.
  ///   - profile: the ICC profile of its colours; nil for sRGB.
  ///   - transform: how the stored pixels were turned.
  ///   - orientation: how the picture is displayed.
  ///   - projection: from places of the upright picture to places of the new one, where it is another part.
  ///   - identifier: the content identifier to write into Apple's maker note; nil leaves it as it is.
  ///   - thumbnail: a JPEG to stand in for the thumbnail in Exif.
  ///   - maps: JPEGs with the gain map, depth and mattes, turned like the picture, by item: see
  ///     ``gainMapJPEG(_:item:)`` and ``mapJPEG(_:item:projection:)``.
  /// - Throws: ``MediaError`` when `image` is no whole JPEG, or the metadata does not fit.
  package func jpeg(
    _ image: [UInt8], profile: [UInt8]?, transform: Orientation, orientation: Orientation = .identity,
    projection: PictureProjection? = nil, identifier: String?, thumbnail: [UInt8]?,
    maps made: [UInt32: [UInt8]]
  ) throws -> JPEGSurgery.Result {
    try checkIsOnePicture()
    let replacement = try JPEGFile(image)
    var segments: [UInt8] = [0xFF, 0xD8]
    var removals =
      try C2PAManifest.atoms(among: atoms, of: source).isEmpty ? [] : [C2PAManifest.removal(from: .photo)]
    func append(_ kind: JPEGMetadataKind, _ content: [UInt8]) -> Bool {
      guard content.count <= kind.room else { return false }
      segments += kind.segment(content)
      return true
    }
    if var block = try exif() {
      var picture = JPEGParts(replacement).exifPicture
      picture.isSRGB = ICCProfile.isSRGB(profile)
      guard let removed = block.fitIntoJPEG(describing: picture), append(.exif, block.bytes) else {
        throw MediaError("its Exif block does not fit into a JPEG", isUnsupported: true)
      }
      removals += removed.map { Removal(half: .photo, name: $0, reason: Self.noRoom) }
    }
    for (index, item) in try xmpPackets().enumerated() {
      let packet = XMPPacket.inWrapper(try data(of: item))
      if index > 0 || !append(.xmp, packet) {
        removals.append(Removal(half: .photo, name: "XMP", reason: Self.noRoom))
      }
    }
    // Some readers take the second picture for the gain map.
    let relatedPictures = try relatedPictures
    let carried = relatedPictures.filter { made[$0.item] != nil }
      .sorted { $0.role == .gainMap && $1.role != .gainMap }
    let maps = carried.compactMap { related in
      made[related.item].map { JPEGMap(bytes: $0, name: related.name) }
    }
    let gainMap = maps.first(where: \.isGainMap)?.bytes
    if gainMap != nil, try toneMap() != nil { _ = append(.gainMap, [0, 0, 0, 0]) }
    for part in ICCProfile.segments(of: profile ?? []) { segments += JPEGSegment.bytes(0xE2, part) }
    let original = try JPEGFile(segments + replacement.codedPicture)
    let change = PictureChange(
      transform: transform, projection: projection, orientation: orientation,
      old: shownExtents ?? replacement.header.frame.size,
      new: replacement.header.frame.size, isNewPicture: true, keepsGainMap: gainMap != nil)
    var rewriter = try JPEGRewriter(parts: JPEGParts(original), change: change)
    try rewriter.rewriteExif(identifier: identifier, thumbnail: thumbnail)
    if !maps.isEmpty { _ = try rewriter.rewriteFurtherPictures(maps: maps) }
    try rewriter.rewriteXMP()
    let samsung = try samsungBlocks.flatMap { try rewriter.keptBlocks($0) }
    let bytes = try rewriter.parts.assembled(with: replacement, maps: maps, trailer: samsung)
    let lost = relatedPictures.filter { $0.role != .thumbnail && made[$0.item] == nil }
    removals += try self.removals(of: lost)
    if let pair = stereoPair {
      removals.append(
        Removal(half: .photo, name: groups[pair].kind.description, reason: "has no place in a JPEG"))
    }
    return JPEGSurgery.Result(bytes: bytes, removals: rewriter.removals + removals)
  }

  /// Names pictures that have no place in a JPEG, and what described each.
  private func removals(of pictures: [HEIFRelatedPicture]) throws -> [Removal] {
    var packets: [UInt32: [UInt32]] = [:]
    for reference in references where reference.kind == "cdsc" && items[reference.from]?.isXMP ?? false {
      for id in Set(reference.to) { packets[id, default: []].append(reference.from) }
    }
    // Packets may describe many pictures, and lie at the same bytes.
    var known: [UInt32: [String]] = [:]
    var left = size
    return try pictures.flatMap { picture in
      var names = [picture.name]
      for packet in packets[picture.item] ?? [] {
        if known[packet] == nil, left >= 0 {
          left -= try ranges(of: [packet]).joined().reduce(0) { $0 + $1.count }
          if left >= 0 { known[packet] = try groups(ofXMP: packet) }
        }
        names += known[packet] ?? ["XMP"]
      }
      return names.unique.map { Removal(half: .photo, name: $0, reason: "has no place in a JPEG") }
    }
  }

  private static let noRoom: Message = "does not fit into a JPEG segment"

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
      let packet = try XMPPacket(data(of: described))
      version = version ?? packet?.text("HDRGainMapVersion", in: apple)?.text
      headroom = headroom ?? packet?.text("HDRGainMapHeadroom", in: apple)?.text
    }
    func attribute(_ name: String, _ value: String?) -> String {
      guard let value, value.allSatisfy({ "0123456789.-".contains($0) }) else { return "" }
      return " HDRGainMap:\(name)=\"\(value)\""
    }
    let packet = XMPPacket.wrapped(
      "<rdf:Description rdf:about=\"\" xmlns:HDRGainMap=\"\(apple)\""
        + " xmlns:apdi=\"http://ns.apple.com/pixeldatainfo/1.0/\""
        + " apdi:AuxiliaryImageType=\"urn:com:apple:photo:2020:aux:hdrgainmap\""
        + attribute("HDRGainMapVersion", version ?? "65536") + attribute("HDRGainMapHeadroom", headroom)
        + "/>")
    let picture = try JPEGFile(image)
    var bytes: [UInt8] = [0xFF, 0xD8] + JPEGMetadataKind.xmp.segment(packet)
    if let toneMap = try toneMap() { bytes += JPEGMetadataKind.gainMap.segment(toneMap) }
    return bytes + picture.codedPicture
  }

  /// Depth or a matte as it stands in JPEGs of iPhones: with its XMP, which says what it is.
  ///
  /// - Parameters:
  ///   - image: a JPEG that holds its samples; its metadata is ignored.
  ///   - item: the picture.
  ///   - projection: from places of the stored picture to those of `image`, in fractions; nil where they are the same.
  /// - Returns: the JPEG, and what of its description cannot follow.
  /// - Throws: ``MediaError`` when nothing says in Apple's words what it is, or when `image` is no whole JPEG.
  package func mapJPEG(
    _ image: [UInt8], item: UInt32, projection: PictureProjection?
  ) throws -> JPEGSurgery.Result {
    let said = sources("cdsc", to: item).first { items[$0]?.isXMP ?? false }
    guard let said, var packet = try XMPPacket(data(of: said)) else {
      throw MediaError("nothing says what its item \(item) is", isUnsupported: true)
    }
    let kind = "AuxiliaryImageType"
    if packet.text(kind, in: XMPPacket.Namespace.pixelData) == nil {
      let urn = properties(of: item).lazy.compactMap(\.auxiliaryType).first ?? ""
      guard urn.hasPrefix("urn:com:apple:"),
        urn.utf8.allSatisfy({ $0 > 0x20 && !"<>&\"'".utf8.contains($0) }),
        let subject = packet.tree.elements.first(where: { $0.name == .rdf("Description") })
      else { throw MediaError("nothing says what its item \(item) is", isUnsupported: true) }
      // Behind the name of the start tag.
      let place = subject.range.lowerBound + "<\(subject.prefix):Description".utf8.count
      packet.insert(" xmlns:auxi=\"\(XMPPacket.Namespace.pixelData)\" auxi:\(kind)=\"\(urn)\"", at: place)
    }
    let lost = projection.map { packet.moveCamera($0) } ?? []
    let picture = try JPEGFile(image)
    let room = JPEGMetadataKind.xmp.room
    guard let text = packet.rewritten(limit: room) else {
      throw MediaError("what describes its item \(item) does not fit into a JPEG", isUnsupported: true)
    }
    return JPEGSurgery.Result(
      bytes: [0xFF, 0xD8] + JPEGMetadataKind.xmp.segment(text) + picture.codedPicture,
      removals: lost.map { Removal(half: .photo, name: $0, reason: PictureChange.places) })
  }
}
