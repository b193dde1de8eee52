import Basics
import EditModel

/// The changes to the segments of one file, kind by kind.
struct JPEGRewriter: Sendable {
  private(set) var parts: JPEGParts
  let change: PictureChange
  /// The edited depth in XMP; nil where nobody edits it.
  private let depth: [JPEGMap]?
  /// True if the file had some.
  private let hadDepth: Bool
  private let md5: (@Sendable ([UInt8]) -> [UInt8])?
  /// The metadata that was taken out so far.
  private(set) var removals: [Removal] = []

  private static let noRoom = "does not fit into a JPEG segment any more"
  private static let untrue = "describes the picture as it was before the edit"

  /// - Parameters: see ``JPEGSurgery/rewritten(image:transform:projection:orientation:identifier:thumbnail:maps:depth:md5:)``.
  init(
    parts: JPEGParts, change: PictureChange, depth: [JPEGMap]? = nil,
    md5: (@Sendable ([UInt8]) -> [UInt8])? = nil
  ) {
    (self.parts, self.change, self.depth, self.md5) = (parts, change, depth, md5)
    hadDepth = depth != nil && !parts.depthInXMP.isEmpty
  }

  private mutating func name(_ names: [String], _ reason: String) {
    for name in names where !removals.contains(where: { $0.name == name }) {
      removals.append(Removal(half: .photo, name: name, reason: reason))
    }
  }

  /// Takes out what signs the file as it was.
  mutating func removeManifests() { removals += parts.removeManifests() }

  /// Orientation, sizes, places, thumbnail and identifier in Exif.
  mutating func rewriteExif(identifier: String?, thumbnail: [UInt8]?) throws {
    var pending = identifier
    for index in parts.indices(of: .exif) {
      guard let block = TIFFBlock(exif: parts.list[index].content) else { continue }
      var attempt = try rewritten(block, identifier: pending, thumbnail: thumbnail)
      let isTooLarge = attempt.block.bytes.count > parts.list[index].limit
      if isTooLarge {
        attempt = try rewritten(block, identifier: pending, thumbnail: nil, dropsThumbnail: true)
      }
      guard attempt.block.bytes.count <= parts.list[index].limit else {
        throw MediaError(
          "its Exif block has no room for the identifier of a Live Photo", isUnsupported: true)
      }
      parts.setContent(attempt.block.bytes, at: index)
      name(attempt.places, PictureChange.places)
      if attempt.lostThumbnail { name(["ThumbnailImage"], isTooLarge ? Self.noRoom : PictureChange.stale) }
      pending = nil
    }
    let saysOrientation =
      change.orientation == .identity
      || parts.exifBlocks.contains { $0.orientation == change.orientation }
    guard pending != nil || !saysOrientation else { return }
    guard parts.indices(of: .exif).isEmpty else {
      let what = pending == nil ? "an orientation" : "the identifier of a Live Photo"
      throw MediaError(
        "its Exif block is damaged, so it cannot take \(what)", remedy: "copy it again from the phone")
    }
    parts.insertExif(TIFFBlock.minimal(orientation: change.orientation, contentIdentifier: pending).bytes)
  }

  private func rewritten(
    _ original: TIFFBlock, identifier: String?, thumbnail: [UInt8]?, dropsThumbnail: Bool = false
  ) throws -> (block: TIFFBlock, places: [String], lostThumbnail: Bool) {
    var block = original
    var lostThumbnail = false
    if change.isNewPicture || dropsThumbnail { lostThumbnail = block.putThumbnail(thumbnail) }
    var places = block.turn(change)
    if change.isReframed, block.removePreviews() { places.append("MakerNotes") }
    if let identifier { try block.setContentIdentifier(identifier) }
    return (block, places, lostThumbnail)
  }

  /// Takes out the further pictures behind the first one, with what refers to them, if the picture is new. Maps that
  /// were edited along stay in the index, alone if they were not.
  ///
  /// - Parameter maps: the edited maps.
  /// - Returns: what is left behind EOI, and behind the maps.
  mutating func rewriteFurtherPictures(maps: [JPEGMap]) -> [UInt8] {
    let file = parts.file
    let kept = Array(file.bytes[file.trailer])
    guard change.isNewPicture else { return kept }
    let packets = parts.packets
    let semantics = packets.flatMap(\.containerSemantics).filter { $0 != "Primary" && $0 != "MotionPhoto" }
    let old = parts.maps
    var ranges = parts.furtherPictures
    let lost = old.map(\.name).filter { name in !maps.contains { $0.name == name } }
    if maps.isEmpty {
      var hasGainMap =
        semantics.contains("GainMap") || !parts.indices(of: .gainMap).isEmpty
        || packets.contains { !$0.properties(in: XMPPacket.Namespace.gainMap).isEmpty }
      if !semantics.isEmpty { ranges.append(file.trailer) }
      let hasIndex = !parts.indices(of: .multiPicture).isEmpty
      hasGainMap = hasGainMap || ranges.contains { Self.looksLikeGainMap(file.bytes, $0) }
      parts.remove(.multiPicture, .gainMap)
      if hasIndex { name(["MPF"], "refers to pictures that were not edited") }
      if !semantics.isEmpty { name(["GContainer"], "refers to pictures that were not edited") }
      name((hasGainMap ? [JPEGMap.gainMap] : []) + lost, Self.unmapped)
    } else {
      let known = old.map(\.range)
      if ranges.contains(where: { !known.contains($0) }) { name(["picture after EOI"], PictureChange.stale) }
      name(lost, Self.unmapped)
      if !maps.contains(where: \.isGainMap) {
        parts.remove(.gainMap)
        if !semantics.isEmpty { name(["GContainer"], "refers to pictures that were not edited") }
      }
      let listed = ranges.enumerated().filter { !ranges[..<$0].contains($1) }.map(\.element)
      index(maps, isListed: listed == known && lost.isEmpty)
    }
    let left = RangeSet([file.trailer]).subtracting(RangeSet(ranges)).ranges.flatMap { file.bytes[$0] }
    let rest = Self.withoutPictures(left)
    if rest.count < left.count { name(["picture after EOI"], PictureChange.stale) }
    let isUntouched = ranges.isEmpty && rest.count == left.count
    return isUntouched || rest.contains { $0 != 0 } ? Array(rest) : []
  }

  private static let unmapped = "belongs to the picture as it was before the edit"

  /// Makes sure that there is one index of the picture and its maps. Where they stand is said when that is known.
  ///
  /// - Parameter isListed: whether they are the further pictures that there were, in this order.
  private mutating func index(_ maps: [JPEGMap], isListed: Bool) {
    let indices = parts.indices(of: .multiPicture)
    for index in indices.dropFirst() { parts.list[index].isRemoved = true }
    let new = MultiPicture.index(of: maps.count + 1)
    if let index = indices.first {
      let payload = MultiPicture.signature + parts.list[index].content
      if !isListed || MultiPicture(payload)?.pictures.count != maps.count + 1 {
        parts.setContent(new, at: index)
      }
      return
    }
    parts.insert(new, as: .multiPicture, behind: [.exif, .xmp])
  }

  /// The bytes behind whole JPEGs that follow one another.
  private static func withoutPictures(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    var rest = bytes[...]
    for _ in 0..<16 {
      let start = rest.drop { $0 == 0 }
      guard start.starts(with: [0xFF, 0xD8, 0xFF]) else { break }
      // One that cannot be followed to its end goes with all that is behind it.
      guard let picture = try? JPEGFile(Array(start)) else { return [] }
      rest = start.dropFirst(picture.picture.upperBound)
    }
    return rest
  }

  private static func looksLikeGainMap(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    let head = range.prefix(65_536)
    return ["HDRGainMap", "hdr-gain-map", "urn:iso:std:iso:ts:21496"].contains {
      bytes.firstIndex(of: $0, in: head) != nil
    }
  }

  /// Orientation, sizes, regions and what else describes places in XMP, the extended packets included.
  ///
  /// - Parameter gainMap: the edited gain map, whose length a directory says.
  mutating func rewriteXMP(gainMap: [UInt8]?) {
    // By the names that the main packet calls extended ones by: their new names, nil for those that are gone.
    var guids: [String: String?] = [:]
    if change.isNewPicture {
      for guid in parts.extendedPackets.map(\.guid) {
        guard let packet = parts.extendedPackets.first(where: { $0.guid == guid }) else { continue }
        if let new = rewriteExtended(packet, gainMap: gainMap) { guids[guid] = .some(new) }
      }
    }
    for index in parts.indices(of: .xmp) {
      guard var packet = XMPPacket(parts.list[index].content) else {
        let content = parts.list[index].content
        if !XMPPacket.staleGroups(of: content, pixelsMoved: change.pixelsMoved).isEmpty {
          parts.list[index].isRemoved = true
          name(["XMP"], "is damaged and describes places in the picture")
        }
        continue
      }
      var bytes: [UInt8]?
      let old = packet
      // Depth is a large part of a packet, and may grow: what else it says stays.
      for keepsDepth in change.keepsDepth ? [true, false] : [false] where bytes == nil {
        packet = old
        if change.keepsDepth, !keepsDepth {
          dropDepth(&packet)
        }
        rewrite(&packet, gainMap: gainMap, keepsDepth: keepsDepth)
        rename(guids, in: &packet)
        bytes = packet.rewritten(limit: parts.list[index].limit)
      }
      if let bytes {
        parts.setContent(bytes, at: index)
      } else {
        parts.list[index].isRemoved = true
        name(["XMP"], Self.noRoom)
      }
    }
  }

  /// Takes out depth that has grown too large, and what it says of the focus.
  private mutating func dropDepth(_ packet: inout XMPPacket) {
    for (group, namespace) in [("GDepth", XMPPacket.Google.depth), ("GFocus", XMPPacket.Google.focus)] {
      if packet.removeAll(in: namespace) { name([group], Self.noRoom) }
    }
  }

  /// Calls the extended packets by their new names.
  private func rename(_ guids: [String: String?], in packet: inout XMPPacket) {
    for property in packet.properties(in: XMPPacket.Namespace.note)
    where property.name.local == "HasExtendedXMP" {
      guard let old = packet.text(of: property), let new = guids[old.text] else { continue }
      if let new { packet.replace(old.range, with: new) } else { packet.remove(property) }
    }
  }

  /// Makes a packet true of the new picture.
  private mutating func rewrite(_ packet: inout XMPPacket, gainMap: [UInt8]?, keepsDepth: Bool) {
    if change.isNewPicture, let depth {
      if packet.removeAll(in: XMPPacket.Google.image) { name(["GImage"], PictureChange.stale) }
      if keepsDepth {
        name(packet.setDepth(depth, change), PictureChange.places)
      } else if !change.keepsDepth, hadDepth, packet.removeAll(in: XMPPacket.Google.depth) {
        name(["GDepth"], Self.unmapped)
      }
    }
    if change.pixelsMoved {
      name(
        change.isMap ? packet.moveCamera(change.places) : packet.turnPlaces(change), PictureChange.places)
    }
    packet.describe(change)
    if change.isNewPicture {
      if packet.removeThumbnails() { name(["xmp:Thumbnails"], PictureChange.stale) }
      dropPictureProperties(&packet)
      if let gainMap { packet.setGainMapLength(gainMap.count) }
    }
  }

  /// Rewrites an extended packet, or takes it out where that cannot be done and something in it is not true any more.
  ///
  /// - Returns: the packet's new name, in it nil where it is gone; nil where it stays as it is.
  private mutating func rewriteExtended(
    _ old: JPEGParts.ExtendedPacket, gainMap: [UInt8]?
  ) -> String?? {
    if let md5, let bytes = old.bytes, var packet = XMPPacket(bytes) {
      rewrite(&packet, gainMap: gainMap, keepsDepth: change.keepsDepth)
      guard let new = packet.rewritten(limit: Self.longestPacket), new != bytes else { return nil }
      guard XMPPacket(new)?.properties.isEmpty == false else {
        for index in old.indices { parts.list[index].isRemoved = true }
        return .some(nil)
      }
      let guid = md5(new).map { byte in
        (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }.joined()
      parts.replace(old, with: new, guid: guid)
      return guid
    }
    let groups = XMPPacket.staleGroups(of: old.content, pixelsMoved: change.pixelsMoved)
    guard !groups.isEmpty else { return nil }
    for index in old.indices { parts.list[index].isRemoved = true }
    name(groups, Self.untrue)
    name(["extended XMP"], "stands in one packet with what \(Self.untrue)")
    return .some(nil)
  }

  /// Bytes of the longest extended packet.
  private static let longestPacket = 1 << 28

  /// Takes out what refers to pictures that ``rewriteFurtherPictures(maps:)`` took out.
  private func dropPictureProperties(_ packet: inout XMPPacket) {
    guard !change.keepsGainMap else { return }
    let refersToPictures = packet.containerSemantics.contains { $0 != "Primary" && $0 != "MotionPhoto" }
    for property in packet.properties {
      switch property.name.namespace {
      case XMPPacket.Namespace.gainMap: packet.remove(property)
      case XMPPacket.Namespace.container where refersToPictures: packet.remove(property)
      default: break
      }
    }
  }

  /// Takes thumbnails, paths, guides and slices out of Photoshop's resources.
  mutating func rewritePhotoshop() {
    guard change.isNewPicture else { return }
    for index in parts.indices(of: .photoshop) {
      let result = PhotoshopResources.withoutPictures(
        parts.list[index].content, pixelsMoved: change.pixelsMoved)
      guard !result.pictures.isEmpty || !result.places.isEmpty else { continue }
      parts.setContent(result.bytes, at: index)
      if result.bytes.isEmpty { parts.list[index].isRemoved = true }
      name(result.pictures, PictureChange.stale)
      name(result.places, PictureChange.places)
    }
  }

  /// Densities and thumbnails of JFIF (ITU-T T.871 section 10). Behind “JFIF”: version (2 bytes), unit,
  /// densities (2 and 2), thumbnail width and height, thumbnail.
  mutating func rewriteJFIF() {
    guard change.isNewPicture else { return }
    for index in parts.indices(of: .jfif) {
      var content = parts.list[index].content
      guard content.count >= 9 else { continue }
      if change.transform.swapsAxes {
        content.replaceSubrange(3..<7, with: Array(content[5..<7] + content[3..<5]))
      }
      if content[7] != 0, content[8] != 0 {
        content = Array(content[..<7]) + [0, 0]
        name(["JFIF:ThumbnailTIFF"], PictureChange.stale)
      }
      parts.setContent(content, at: index)
    }
    if !parts.indices(of: .jfxx).isEmpty { name(["JFXX:ThumbnailImage"], PictureChange.stale) }
    parts.remove(.jfxx)
  }

  /// Takes out segments that nobody here knows but that hold a picture, if a part of the picture is cut off.
  mutating func removePreviews() {
    guard change.isReframed else { return }
    for index in parts.list.indices where parts.list[index].kind == nil && !parts.list[index].isRemoved {
      let part = parts.list[index]
      guard 0xE0...0xEF ~= part.marker, !part.content.starts(with: Array("ICC_PROFILE".utf8)),
        part.content.holdsJPEG
      else { continue }
      parts.list[index].isRemoved = true
      name(["APP\(part.marker & 15)"], PictureChange.stale)
    }
  }
}
