import Basics
import EditModel

/// What becomes of the pictures behind the first one.
extension JPEGRewriter {
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

  /// Why maps are taken out that could not be edited along.
  static let unmapped = "belongs to the picture as it was before the edit"

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
}
