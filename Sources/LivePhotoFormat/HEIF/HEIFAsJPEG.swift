import Basics
import EditModel

/// Writes a JPEG that carries a HEIC photo's metadata.
extension HEIFFile {
  /// Writes the photo as a JPEG.
  ///
  /// Exif, XMP and the colour profile are carried over and updated to describe the upright picture. The gain map, the
  /// depth map and mattes become further pictures in Multi-Picture Format (MPF). A JPEG cannot contain a HEIC's other
  /// data.
  ///
  /// - Parameters:
  ///   - image: A JPEG that contains the upright picture. The metadata of `image` is ignored.
  ///   - profile: The ICC profile of the picture's colours, or nil for sRGB.
  ///   - transform: The rotation and mirroring applied to the stored pixels.
  ///   - orientation: The orientation in which the picture is displayed.
  ///   - projection: The mapping from positions in the upright picture to positions in `image`, if `image` shows only a
  ///     part of the picture.
  ///   - identifier: The content identifier to write into Apple's maker note, or nil to keep the existing identifier.
  ///   - thumbnail: A JPEG that replaces the Exif thumbnail.
  ///   - maps: JPEGs of the gain map, the depth map and the mattes, keyed by item ID and rotated like the photo. See
  ///     ``gainMapJPEG(_:item:)`` and ``mapJPEG(_:item:projection:)``.
  /// - Throws: ``MediaError`` if `image` is not a complete JPEG, or if the metadata does not fit.
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
        throw MediaError("the Exif block does not fit into a JPEG", isUnsupported: true)
      }
      removals += removed.map { Removal(half: .photo, name: $0, reason: Self.noRoom) }
    }
    for (index, item) in try xmpPackets().enumerated() {
      let packet = XMPPacket.inWrapper(try data(of: item))
      if index > 0 || !append(.xmp, packet) {
        removals.append(Removal(half: .photo, name: "XMP", reason: Self.noRoom))
      }
    }
    // Some readers assume that the second picture is the gain map.
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
        Removal(half: .photo, name: groups[pair].kind.description, reason: "cannot be stored in a JPEG"))
    }
    return JPEGSurgery.Result(bytes: bytes, removals: rewriter.removals + removals)
  }

  /// Returns removal entries for the pictures that a JPEG cannot contain, together with the metadata that describes
  /// each picture.
  private func removals(of pictures: [HEIFRelatedPicture]) throws -> [Removal] {
    var packets: [UInt32: [UInt32]] = [:]
    for reference in references where reference.kind == "cdsc" && items[reference.from]?.isXMP ?? false {
      for id in Set(reference.to) { packets[id, default: []].append(reference.from) }
    }
    // Each packet may describe many pictures, and several packets may share the same bytes.
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
      return names.unique.map { Removal(half: .photo, name: $0, reason: "cannot be stored in a JPEG") }
    }
  }

  private static let noRoom: Message = "does not fit into a JPEG segment"

  /// Returns the ISO 21496-1 metadata that is needed to produce the HDR picture from a gain map. The metadata follows
  /// the version in the data of the `tmap` item.
  private func toneMap() throws -> [UInt8]? {
    guard let id = sources("dimg", to: pixelItem).first(where: { items[$0]?.type == "tmap" })
    else { return nil }
    let data = try data(of: id, most: 4096)
    return data.first == 0 ? Array(data.dropFirst()) : nil
  }

  /// Returns a gain map as iPhone JPEGs store it: with Apple's XMP, and with ISO 21496-1 metadata if the HEIC photo has
  /// any.
  ///
  /// - Parameter image: A JPEG that contains the gain map. The metadata of `image` is ignored.
  /// - Throws: ``MediaError`` if `image` is not a complete JPEG.
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

  /// Returns a depth map or a matte as iPhone JPEGs store it: with XMP that states the map's type.
  ///
  /// - Parameters:
  ///   - image: A JPEG that contains the map's samples. The metadata of `image` is ignored.
  ///   - item: The ID of the map's item.
  ///   - projection: The mapping from positions in the stored picture to positions in `image`, in fractions of width
  ///     and height, or nil if the positions are equal.
  /// - Returns: The JPEG, and the parts of the map's description that could not be updated.
  /// - Throws: ``MediaError`` if the file does not state the map's type in Apple's terms, or if `image` is not a
  ///   complete JPEG.
  package func mapJPEG(
    _ image: [UInt8], item: UInt32, projection: PictureProjection?
  ) throws -> JPEGSurgery.Result {
    let said = sources("cdsc", to: item).first { items[$0]?.isXMP ?? false }
    guard let said, var packet = try XMPPacket(data(of: said)) else {
      throw MediaError("the type of item \(item) is not declared", isUnsupported: true)
    }
    let kind = "AuxiliaryImageType"
    if packet.text(kind, in: XMPPacket.Namespace.pixelData) == nil {
      let urn = properties(of: item).lazy.compactMap(\.auxiliaryType).first ?? ""
      guard urn.hasPrefix("urn:com:apple:"),
        urn.utf8.allSatisfy({ $0 > 0x20 && !"<>&\"'".utf8.contains($0) }),
        let subject = packet.tree.elements.first(where: { $0.name == .rdf("Description") })
      else { throw MediaError("the type of item \(item) is not declared", isUnsupported: true) }
      // The position after the name of the start tag.
      let place = subject.range.lowerBound + "<\(subject.prefix):Description".utf8.count
      packet.insert(" xmlns:auxi=\"\(XMPPacket.Namespace.pixelData)\" auxi:\(kind)=\"\(urn)\"", at: place)
    }
    let lost = projection.map { packet.moveCamera($0) } ?? []
    let picture = try JPEGFile(image)
    let room = JPEGMetadataKind.xmp.room
    guard let text = packet.rewritten(limit: room) else {
      throw MediaError("the description of item \(item) does not fit into a JPEG", isUnsupported: true)
    }
    return JPEGSurgery.Result(
      bytes: [0xFF, 0xD8] + JPEGMetadataKind.xmp.segment(text) + picture.codedPicture,
      removals: lost.map { Removal(half: .photo, name: $0, reason: PictureChange.places) })
  }
}
