import Basics
import EditModel

/// Treatment of the pictures behind the first one.
extension JPEGRewriter {
  /// Takes out the further pictures behind the first one, with what refers to them, if the picture is new. Maps that
  /// were edited along stay in the index, alone if they were not.
  ///
  /// - Parameter maps: the edited maps.
  /// - Returns: what is left behind EOI, and behind the maps; and Samsung's blocks behind that.
  mutating func rewriteFurtherPictures(maps: [JPEGMap]) throws -> (rest: [UInt8], samsung: [UInt8]) {
    let file = parts.file
    guard change.isNewPicture else { return (Array(file.bytes[file.trailer]), []) }
    let samsung = try SamsungBlocks(endOf: file.trailer, of: MemoryByteSource(file.bytes))
    let trailer = file.trailer.lowerBound..<(samsung?.start ?? file.trailer.upperBound)
    let packets = try parts.packets
    let directories = packets.flatMap(\.directories).filter { !$0.isOfDepth && $0.listsPictures }
    let semantics = directories.flatMap(\.items).compactMap(\.semantic)
    let old = try parts.maps(listing)
    var ranges = parts.furtherPictures(listing)
    kept = JPEGListing.Kept.laid(maps)
    let hasIndex = !parts.indices(of: .multiPicture).isEmpty
    let lostDirectory = directories.contains { !$0.lists(kept, listing) }
    let lost = old.map(\.name).filter { name in !maps.contains { $0.name == name } }
    if maps.isEmpty {
      var hasGainMap =
        semantics.contains("GainMap") || !parts.indices(of: .gainMap).isEmpty
        || packets.contains { !$0.properties(in: XMPPacket.Namespace.gainMap).isEmpty }
      if !directories.isEmpty || listing.items.contains(where: { $0.kind != "MotionPhoto" }) {
        ranges.append(trailer)
      }
      hasGainMap = hasGainMap || ranges.contains { Self.looksLikeGainMap(file.bytes, $0) }
      parts.remove(.multiPicture, .gainMap)
      if hasIndex { name(["MPF"], Self.unlisted) }
      if lostDirectory { name(["GContainer"], Self.unlisted) }
      name((hasGainMap ? [JPEGMap.gainMap] : []) + lost, Self.unmapped)
      nameLost(ranges.filter { range in !old.contains { $0.range == range } }, nameless: nil)
    } else {
      nameLost(ranges.filter { range in !old.contains { $0.range == range } }, nameless: "picture after EOI")
      name(lost, Self.unmapped)
      if !maps.contains(where: \.isGainMap) { parts.remove(.gainMap) }
      if lostDirectory { name(["GContainer"], Self.unlisted) }
      let indexed = maps.filter(\.isIndexed)
      if indexed.isEmpty {
        parts.remove(.multiPicture)
        if hasIndex { name(["MPF"], Self.unlisted) }
      } else {
        index(indexed.count, isListed: indexed.map(\.source) == parts.indexedPictures)
      }
    }
    let left = RangeSet([trailer]).subtracting(RangeSet(ranges)).ranges.flatMap { file.bytes[$0] }
    let rest = Self.withoutPictures(left)
    if rest.count < left.count { name(["picture after EOI"], PictureChange.stale) }
    let isUntouched = ranges.isEmpty && rest.count == left.count
    return (
      isUntouched || rest.contains { $0 != 0 } ? Array(rest) : [],
      try samsung.map { try keptBlocks($0) } ?? []
    )
  }

  /// Samsung's blocks that stay true, with a directory of them; names the others.
  mutating func keptBlocks(_ blocks: SamsungBlocks) throws -> [UInt8] {
    let stale = try blocks.stale(after: change)
    for (block, reason) in stale { name([block.title], reason) }
    return try blocks.serialized(without: stale.map(\.block))
  }

  /// Names pictures that are taken out, as directories call them.
  ///
  /// - Parameters:
  ///   - ranges: where they stand.
  ///   - nameless: the name of those without one; nil leaves them unnamed.
  private mutating func nameLost(_ ranges: [Range<Int>], nameless: String?) {
    for range in ranges {
      let kind = listing.items.first { $0.range == range }?.kind
      guard kind != "MotionPhoto" else { continue }
      let own = kind == "GainMap" ? nil : kind
      name([own ?? nameless].compactMap { $0 }, PictureChange.stale)
    }
  }

  private static let unlisted: Message = "refers to pictures that were not edited"

  /// Why maps are taken out that could not be edited along.
  static let unmapped: Message = "belongs to the picture as it was before the edit"

  /// Makes sure that there is one index of the picture and its maps. Where they stand is said when that is known.
  ///
  /// - Parameters:
  ///   - count: how many maps there are.
  ///   - isListed: whether they are the further pictures that there were, in this order.
  private mutating func index(_ count: Int, isListed: Bool) {
    let indices = parts.indices(of: .multiPicture)
    for index in indices.dropFirst() { parts.list[index].isRemoved = true }
    let new = MultiPicture.index(of: count + 1)
    if let index = indices.first {
      let payload = MultiPicture.signature + parts.list[index].content
      if !isListed || MultiPicture(payload)?.pictures.count != count + 1 {
        parts.setContent(new, at: index)
      }
      return
    }
    parts.insert(new, as: .multiPicture, behind: [.jfif, .jfxx, .exif, .xmp])
  }

  /// The bytes after whole JPEGs that follow one another; none if they hold a JPEG as well.
  private static func withoutPictures(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    var rest = bytes[...]
    for _ in 0..<16 {
      let start = rest.drop { $0 == 0 }
      guard start.starts(with: [0xFF, 0xD8, 0xFF]) else { break }
      // One that cannot be followed to its end goes with all that is behind it.
      guard let picture = try? JPEGFile(Array(start)) else { return [] }
      rest = start.dropFirst(picture.picture.upperBound)
    }
    // Nothing says what else would remain true without a picture in it.
    return Array(rest).holdsJPEG ? [] : rest
  }

  private static func looksLikeGainMap(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    let head = range.prefix(65_536)
    return ["HDRGainMap", "hdr-gain-map", "urn:iso:std:iso:ts:21496"].contains {
      bytes.firstIndex(of: $0, in: head) != nil
    }
  }
}
