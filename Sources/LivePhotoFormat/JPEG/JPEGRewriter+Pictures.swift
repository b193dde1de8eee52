import Basics
import EditModel

/// Rewrites the pictures after the first picture.
extension JPEGRewriter {
  /// If the picture is new, removes the further pictures and all references to them. Edited maps are kept, and only
  /// these maps remain in the index.
  ///
  /// - Parameter maps: The edited maps.
  /// - Returns: The remaining data after EOI and after the maps, and Samsung's data blocks, which follow the remaining
  ///   data.
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

  /// Returns the Samsung data blocks that remain valid, together with a new directory of these blocks. The names of all
  /// other blocks are recorded as removed.
  mutating func keptBlocks(_ blocks: SamsungBlocks) throws -> [UInt8] {
    let stale = try blocks.stale(after: change)
    for (block, reason) in stale { name([block.title], reason) }
    return try blocks.serialized(without: stale.map(\.block))
  }

  /// Records the names of removed pictures, using the names from the directories.
  ///
  /// - Parameters:
  ///   - ranges: The ranges of the removed pictures.
  ///   - nameless: The name for pictures that have no name in the directories, or nil to leave these pictures out of
  ///     the record.
  private mutating func nameLost(_ ranges: [Range<Int>], nameless: String?) {
    for range in ranges {
      let kind = listing.items.first { $0.range == range }?.kind
      guard kind != "MotionPhoto" else { continue }
      let own = kind == "GainMap" ? nil : kind
      name([own ?? nameless].compactMap { $0 }, PictureChange.stale)
    }
  }

  private static let unlisted: Message = "refers to pictures that were not edited"

  /// The reason given when maps are removed because the edit could not be applied to them.
  static let unmapped: Message = "belongs to the unedited picture"

  /// Ensures that the file has exactly one index of the picture and its maps. The positions in the index are filled in
  /// later, once they are known.
  ///
  /// - Parameters:
  ///   - count: The number of maps.
  ///   - isListed: Whether the maps correspond to the further pictures of the original, in the same order.
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

  /// Returns the bytes that follow any complete consecutive JPEGs, or no bytes if the remaining bytes also contain a
  /// JPEG.
  private static func withoutPictures(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    var rest = bytes[...]
    for _ in 0..<16 {
      let start = rest.drop { $0 == 0 }
      guard start.starts(with: [0xFF, 0xD8, 0xFF]) else { break }
      // If the end of a JPEG cannot be found, the JPEG and all subsequent data are removed.
      guard let picture = try? JPEGFile(Array(start)) else { return [] }
      rest = start.dropFirst(picture.picture.upperBound)
    }
    // Data that contains a JPEG is removed, because it may no longer be accurate once the JPEG is missing.
    return Array(rest).holdsJPEG ? [] : rest
  }

  private static func looksLikeGainMap(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    let head = range.prefix(65_536)
    return ["HDRGainMap", "hdr-gain-map", "urn:iso:std:iso:ts:21496"].contains {
      bytes.firstIndex(of: $0, in: head) != nil
    }
  }
}
