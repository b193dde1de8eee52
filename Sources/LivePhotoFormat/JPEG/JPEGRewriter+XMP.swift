import Basics
import EditModel

/// Rewrites XMP in the main packet and in extended packets.
extension JPEGRewriter {
  private static let untrue: Message = "describes the unedited picture"

  /// Updates the orientation, sizes, regions and other positions in XMP, including extended packets.
  ///
  /// - Throws: ``MediaError`` if a packet that must be changed exceeds a limit.
  mutating func rewriteXMP() throws {
    // Maps the old GUID of each extended packet to its new GUID, or to nil if the packet was removed. The main packet
    // refers to extended packets by GUID.
    var guids: [String: String?] = [:]
    if change.isNewPicture {
      var new: [Int: [JPEGParts.Part]] = [:]
      for packet in parts.extendedPackets {
        if let guid = try rewriteExtended(packet, &new) { guids[packet.guid] = .some(guid) }
      }
      parts.insert(new)
    }
    for index in parts.indices(of: .xmp) {
      guard var packet = try XMPPacket(parts.list[index].content) else {
        let content = parts.list[index].content
        if try !XMPPacket.staleGroups(of: content, pixelsMoved: change.pixelsMoved).isEmpty {
          parts.list[index].isRemoved = true
          name(["XMP"], "is damaged and contains outdated coordinates")
        }
        continue
      }
      var bytes: [UInt8]?
      let old = packet
      // The depth map is a large part of a packet and may grow. If the packet becomes too large, only the depth map is
      // removed.
      for keepsDepth in change.keepsDepth ? [true, false] : [false] where bytes == nil {
        packet = old
        if change.keepsDepth, !keepsDepth {
          dropDepth(&packet)
        }
        rewrite(&packet, keepsDepth: keepsDepth)
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

  /// Removes a depth map that has become too large, together with the focus metadata.
  private mutating func dropDepth(_ packet: inout XMPPacket) {
    for (group, namespace) in [("GDepth", XMPPacket.Google.depth), ("GFocus", XMPPacket.Google.focus)] {
      if packet.removeAll(in: namespace) { name([group], Self.noRoom) }
    }
  }

  /// Updates a packet's references to extended packets. References to removed extended packets are removed.
  private func rename(_ guids: [String: String?], in packet: inout XMPPacket) {
    for property in packet.properties(in: XMPPacket.Namespace.note)
    where property.name.local == "HasExtendedXMP" {
      guard let old = packet.text(of: property), let new = guids[old.text] else { continue }
      if let new { packet.replace(old.range, with: new) } else { packet.remove(property) }
    }
  }

  /// Updates a packet to describe the new picture.
  private mutating func rewrite(_ packet: inout XMPPacket, keepsDepth: Bool) {
    // If no movie remains after the picture, the metadata must not announce a movie.
    if packet.isMotionPhoto, !holdsMovie {
      packet.removeMotionPhoto()
      name(["MotionPhoto"], MotionPhoto.lostMovie)
    }
    if change.isNewPicture, let depth {
      if packet.removeAll(in: XMPPacket.Google.image) { name(["GImage"], PictureChange.stale) }
      if keepsDepth {
        name(packet.setDepth(depth, change, placed: &placedDepth), PictureChange.places)
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
      name(packet.removePictures(), PictureChange.stale)
      if !change.keepsGainMap { _ = packet.removeAll(in: XMPPacket.Namespace.gainMap) }
      if !change.isMap { rewriteDirectories(&packet) }
    }
  }

  /// Rewrites an extended packet. If the packet cannot be rewritten and contains outdated data, the packet is removed.
  ///
  /// - Parameter new: The dictionary to which the rewritten parts are added. The keys are the indices before which the
  ///   parts are inserted.
  /// - Returns: nil if the packet does not change. Otherwise, a nested optional: the packet's new GUID, or nil if the
  ///   packet was removed.
  private mutating func rewriteExtended(
    _ old: JPEGParts.ExtendedPacket, _ new: inout [Int: [JPEGParts.Part]]
  ) throws -> String?? {
    if let md5, let bytes = old.bytes, var packet = try XMPPacket.extended(bytes) {
      rewrite(&packet, keepsDepth: change.keepsDepth)
      if let rewritten = packet.rewritten(limit: Self.longestPacket) {
        guard rewritten != bytes else { return nil }
        for index in old.indices { parts.list[index].isRemoved = true }
        guard try XMPPacket(rewritten)?.properties.isEmpty == false else { return .some(nil) }
        let guid = md5(rewritten).map { byte in
          (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
        if let first = old.indices.first { new[first] = JPEGParts.extended(rewritten, guid: guid) }
        return guid
      }
    }
    let groups = try XMPPacket.staleGroups(of: old.content, pixelsMoved: change.pixelsMoved)
    // If the beginning of the packet is missing, nothing may identify the rest of the packet as a picture.
    guard !groups.isEmpty || old.bytes == nil else { return nil }
    for index in old.indices { parts.list[index].isRemoved = true }
    name(groups, Self.untrue)
    name(
      ["extended XMP"],
      groups.isEmpty
        ? "is incomplete and may describe the unedited picture"
        : "shares a packet with metadata that \(Self.untrue)")
    return .some(nil)
  }

  /// The maximum size of an extended packet in bytes. The size is stored in 32 bits (XMP Specification Part 3, section
  /// 1.1.3.1).
  private static let longestPacket = Int(UInt32.max)

  /// Updates the directories to list the pictures that ``rewriteFurtherPictures(maps:)`` kept, and removes directories
  /// that no longer list any of these pictures.
  private mutating func rewriteDirectories(_ packet: inout XMPPacket) {
    if listing.isOfDepth {
      if change.keepsDynamicDepth {
        let lost = listing.uris.filter { _, range in range == nil || !kept.contains { $0.old == range } }
        name(packet.rewriteDevice(change, without: Set(lost.keys)), PictureChange.places)
      } else if packet.removeAll(in: XMPPacket.DynamicDepth.device) {
        name(["Device"], Self.unmapped)
      }
    }
    var listsNone = false
    for directory in packet.directories where directory.listsPictures {
      if directory.isOfDepth ? change.keepsDynamicDepth : directory.lists(kept, listing) {
        packet.rewrite(directory, listing, kept)
      } else if !directory.isOfDepth {
        listsNone = true
      }
    }
    if listsNone { _ = packet.removeAll(in: XMPPacket.Namespace.container) }
  }
}
