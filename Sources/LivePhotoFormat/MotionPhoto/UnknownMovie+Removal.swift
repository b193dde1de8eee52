import Basics

/// Finds movies in unknown layouts in each kind of file, and writes the file without them.
extension JPEGHeader {
  func unknownMovies() throws -> [UnknownMovie] {
    var places = RangeSet<Int>()
    for segment in segments where segment.isMetadata {
      let head = try source.read(at: segment.payload.lowerBound, count: min(segment.payload.count, 64))
      if JPEGMetadataKind(marker: segment.marker, payload: head) == nil {
        places.insert(contentsOf: segment.payload)
      }
    }
    let end = try JPEGFile.pictureEnd(in: source, from: scanStart)
    if end < source.count {
      places.insert(contentsOf: end..<source.count)
      if try isMotionPhoto(), let movie = try embeddedMovie() { places.remove(contentsOf: movie.range) }
    }
    return try places.ranges.flatMap { try UnknownMovie.search($0, of: source) }
  }

  func write(withoutUnknown movies: [UnknownMovie], to sink: any ByteSink) throws -> [String] {
    let file = try wholeFile()
    var parts = JPEGParts(file)
    var lost: [String] = []
    for index in parts.list.indices {
      let ranges = parts.list[index].segments.map(\.range)
      guard ranges.contains(where: { range in movies.contains { range.contains($0.offset) } }) else {
        continue
      }
      parts.list[index].isRemoved = true
      lost.append("APP\(parts.list[index].marker & 15)")
    }
    let start = file.trailer.lowerBound
    let pictures = try parts.furtherPictures(parts.listing()).filter { range in
      let head = file.bytes[range].prefix(8)
      return head.starts(with: [0xFF, 0xD8, 0xFF]) || head.elementsEqual(PNGFile.signature)
    }
    // Pictures must keep their positions in the file, so movies between the pictures are overwritten with zeros.
    let end = pictures.map(\.upperBound).max() ?? start
    var trailer = Array(file.bytes[start..<end])
    for movie in movies where movie.offset >= start && movie.offset < end {
      let range = movie.range.clamped(to: start..<end)
      trailer.replaceSubrange(
        range.lowerBound - start..<range.upperBound - start, with: repeatElement(0, count: range.count))
    }
    let rest = try RestWithoutMovies(end..<file.bytes.count, of: MemoryByteSource(file.bytes), movies)
    try sink.write(parts.assembled(trailer: trailer + rest.bytes))
    return lost + rest.lost
  }
}

extension HEIFFile {
  func unknownMovies() throws -> [UnknownMovie] {
    try unknownMovies(beside: embeddedMovie()?.range)
  }

  /// Returns the movies in unknown layouts that lie outside the range of a known movie.
  func unknownMovies(beside known: Range<Int>?) throws -> [UnknownMovie] {
    var places = try unusedMedia()
    for box in atoms where !["ftyp", "meta", "moov", "mdat"].contains(box.kind) && box.contentSize > 0 {
      places.insert(contentsOf: box.contentOffset..<box.range.upperBound)
    }
    let end = atoms.last?.range.upperBound ?? size
    if end < size { places.insert(contentsOf: end..<size) }
    if let known { places.remove(contentsOf: known) }
    return try places.ranges.flatMap { try UnknownMovie.search($0, of: source) }
  }

  /// Returns whether an item's data is in an unknown format, that is, neither a picture nor metadata.
  private func isOpaque(_ id: UInt32) -> Bool {
    items[id].map { !$0.isCodedImage && !$0.isDerivedImage && !$0.isXMP && $0.type != "Exif" } ?? true
  }

  /// Returns the ranges in media data boxes that do not belong to pictures, metadata, or samples of an image sequence.
  private func unusedMedia() throws -> RangeSet<Int> {
    var used: [Range<Int>] = []
    if atoms.contains(where: { $0.kind == "moov" }) {
      // If the tracks cannot be read, the positions of the samples are unknown.
      guard let sequence = try? sequence() else { return RangeSet() }
      used = sequence.chunks
    }
    var left = Self.mostPieces
    for id in itemOrder where !isOpaque(id) { used += (try? ranges(of: id, left: &left)) ?? [] }
    let media = atoms.filter { $0.kind == "mdat" && $0.contentSize > 0 }
      .map { $0.contentOffset..<$0.range.upperBound }
    let order = used.sorted { $0.lowerBound < $1.lowerBound }
    return RangeSet(media).subtracting(RangeSet(order))
  }

  func write(withoutUnknown movies: [UnknownMovie], to sink: any ByteSink) throws -> [String] {
    var composition = HEIFComposition(self)
    var lost: [String] = []
    // Items may share bytes in the original file, but each cleared item gets bytes of its own in the new file.
    var left = size
    for box in atoms where movies.contains(where: { $0.range.overlaps(box.range) }) {
      switch box.kind {
      case "mdat":
        lost += try composition.clear(movies.filter { box.holds($0.range) }.map(\.range), left: &left)
      case "sefd":
        let content = box.contentOffset..<box.range.upperBound
        let rest = try RestWithoutMovies(content, of: source, movies)
        lost += rest.lost
        if rest.bytes.isEmpty {
          composition.droppedAtoms.insert(box.offset)
        } else {
          composition.overwrites.append((content, rest.bytes))
        }
      case "free", "skip", "wide": composition.droppedAtoms.insert(box.offset)
      default:
        composition.droppedAtoms.insert(box.offset)
        lost.append("box \(box.kind)")
      }
    }
    let end = atoms.last?.range.upperBound ?? size
    if movies.contains(where: { $0.range.upperBound > end }) {
      let rest = try RestWithoutMovies(end..<size, of: source, movies)
      lost += rest.lost
      composition.overwrites.append((end..<size, rest.bytes))
    }
    try composition.writeInPlace(to: sink)
    return lost.unique
  }

  /// Returns the items of unknown kinds whose data overlaps any of the given ranges. For each item, also returns the
  /// ranges of the data.
  fileprivate func opaqueItems(at places: [Range<Int>]) -> [(id: UInt32, ranges: [Range<Int>])] {
    var left = Self.mostPieces
    return itemOrder.filter(isOpaque).compactMap { id in
      guard let ranges = try? ranges(of: id, left: &left),
        ranges.contains(where: { range in places.contains { $0.overlaps(range) } })
      else { return nil }
      return (id, ranges)
    }
  }
}

extension HEIFComposition {
  /// Overwrites movies in media data with zeros. If an item's data overlaps a movie, the complete item is overwritten.
  ///
  /// - Parameters:
  ///   - movies: The ranges of the movies.
  ///   - left: The number of item bytes that may still be cleared.
  /// - Returns: The names of the cleared items.
  fileprivate mutating func clear(_ movies: [Range<Int>], left: inout Int) throws -> [String] {
    var lost: [String] = []
    var unused = RangeSet(movies)
    for (id, ranges) in file.opaqueItems(at: movies) {
      for range in ranges { unused.remove(contentsOf: range) }
      let count = ranges.reduce(0) { $0 + $1.count }
      left -= count
      guard left >= 0 else { throw HEIFComposition.entangled }
      replace(id, with: [UInt8](repeating: 0, count: count))
      lost.append("item of type \(item(id)?.type ?? "mime")")
    }
    overwrites += unused.ranges.map { ($0, [UInt8](repeating: 0, count: $0.count)) }
    return lost
  }
}

extension PNGFile {
  /// The chunks of the picture itself. A removable movie cannot be inside these chunks.
  private static let pictureChunks: Set<FourCC> = [
    "IHDR", "PLTE", "IDAT", "IEND", "acTL", "fcTL", "fdAT", "tRNS",
  ]

  func unknownMovies() throws -> [UnknownMovie] {
    let contents = chunks.filter { !Self.pictureChunks.contains($0.kind) }.map(\.content)
    return try (contents + [end..<source.count]).flatMap { try UnknownMovie.search($0, of: source) }
  }

  func write(withoutUnknown movies: [UnknownMovie], to sink: any ByteSink) throws -> [String] {
    var lost: [String] = []
    try sink.write(Self.signature)
    var offsets = movies.map(\.offset).sorted()[...]
    for chunk in chunks {
      offsets = offsets.drop { $0 < chunk.range.lowerBound }
      if let offset = offsets.first, chunk.range.contains(offset) {
        lost.append("chunk \(chunk.kind)")
      } else {
        try source.copy(chunk.range, to: sink)
      }
    }
    let rest = try RestWithoutMovies(end..<source.count, of: source, movies)
    try sink.write(rest.bytes)
    return (lost + rest.lost).unique
  }
}

/// The data after a picture or in a `sefd` box, with movies removed. Samsung's blocks are kept with a new directory,
/// except for blocks that belong to a movie. The other data is kept only up to the first movie.
private struct RestWithoutMovies {
  private(set) var bytes: [UInt8] = []
  /// The names of the parts that are removed along with the movies.
  private(set) var lost: [String] = []

  init(_ part: Range<Int>, of source: any ByteSource, _ movies: [UnknownMovie]) throws {
    let movies = movies.map { $0.range.clamped(to: part) }.filter { !$0.isEmpty }
    guard !movies.isEmpty else {
      bytes = try source.read(at: part.lowerBound, count: part.count)
      return
    }
    let samsung = try SamsungBlocks(endOf: part, of: source)
    let end = samsung?.start ?? part.upperBound
    let start = movies.lazy.map(\.lowerBound).filter { $0 < end }.min() ?? end
    bytes = try source.read(at: part.lowerBound, count: start - part.lowerBound)
    // Removes the header of a block whose directory is missing: the block's type, the length of its name, and the name.
    let name = Array(SamsungTrailer.name.utf8)
    if bytes.count >= name.count + 8, bytes.suffix(name.count).elementsEqual(name) {
      bytes.removeLast(name.count + 8)
    }
    let others = RangeSet([start..<end]).subtracting(RangeSet(movies)).ranges
    for range in others {
      let isBlank = try source.read(at: range.lowerBound, count: range.count).allSatisfy { $0 == 0 }
      if !isBlank { lost = ["data after the picture"] }
    }
    guard let samsung else { return }
    let gone = samsung.blocks.filter { block in
      block.isOfMovie || movies.contains { $0.overlaps(block.range) }
    }
    lost += gone.filter { !$0.name.elementsEqual(name) }.map(\.title)
    bytes += try samsung.serialized(without: gone)
  }
}
