import Basics

/// A movie in a photo's file in a layout that nothing here reads: behind the picture, or in a box of another program. Whoever
/// edits the photo cannot edit it along, and whoever strips the photo cannot strip it.
package struct UnknownMovie: Encodable, Hashable, Sendable {
  /// Offset of its first byte in the file.
  package let offset: Int
  /// Bytes, as far as its boxes can be followed.
  package let size: Int
  /// Its major brand: “mp42”, “qt  ”, …
  package let brand: String

  /// Where it stands in the file.
  var range: Range<Int> { offset..<offset + size }

  /// The name of such movies among what a file does not carry any more.
  static let name = "movie in an unknown layout"
  /// Why edits take them out.
  package static let reason: Message = "would not be edited with the photo"
  /// Why a change of the photo's place takes them out.
  package static var contradiction: Message { FactsRewrite.reason }
}

extension UnknownMovie {
  /// Far above what real files have.
  private static let mostMovies = 16
  /// Boxes `ftyp` that may turn out to be of pictures; from then on each counts as a movie's, as where boxes were followed
  /// for too long.
  private static let mostPictures = 64
  private static let blockSize = 1 << 20

  /// Searches a part of a file for movies, by their first box: size, `ftyp`, the major brand, its version, compatible brands
  /// (ISO/IEC 14496-12 section 4.3). The time it takes grows with the part alone.
  ///
  /// - Throws: what `source` throws.
  static func search(_ part: Range<Int>, of source: any ByteSource) throws -> [UnknownMovie] {
    var found: [UnknownMovie] = []
    var pictures = 0
    // Boxes that begin at many places may go on along one way.
    var left = ReadingLimit.boxes.value
    var at = part.lowerBound
    search: while part.upperBound - at >= 16 {
      let bytes = try source.read(at: at, count: min(blockSize, part.upperBound - at))
      var from = 4
      while let kind = bytes.firstIndex(of: "ftyp", in: from..<bytes.count) {
        from = kind + 1
        let start = at + kind - 4
        guard let brand = try brand(ofTypeAt: start, before: part.upperBound, of: source) else { continue }
        let extent = try extent(at: start, before: part.upperBound, of: source, left: &left)
        if imageBrands.contains(brand), !extent.hasTracks, pictures < mostPictures, left > 0 {
          pictures += 1
          continue
        }
        let isLast = found.count == mostMovies - 1 || pictures == mostPictures || left <= 0
        let end = isLast ? part.upperBound : extent.end
        found.append(UnknownMovie(offset: start, size: end - start, brand: brand))
        at = end
        continue search
      }
      guard bytes.count == blockSize else { break }
      // A box may begin in one block and go on in the next.
      at += blockSize - 7
    }
    return found
  }

  /// Major brands of pictures (ISO/IEC 23008-12 section 10, AVIF, JPEG 2000, JPEG XL, Canon's raw files).
  private static let imageBrands: Set<String> = [
    "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs", "mif1", "mif2", "msf1", "miaf", "avif",
    "avis", "jp2 ", "jpx ", "jxl ", "crx ",
  ]

  /// The major brand of a box `ftyp`; nil where its size or its brand is impossible.
  private static func brand(
    ofTypeAt start: Int, before end: Int, of source: any ByteSource
  ) throws -> String? {
    guard end - start >= 16 else { return nil }
    let head = try source.read(at: start, count: 12)
    guard let size = ByteOrder.big.number(head, at: 0, width: 4), 16...4096 ~= size, size % 4 == 0,
      size <= end - start, head[8...].allSatisfy({ 0x20...0x7E ~= $0 })
    else { return nil }
    return String(decoding: head[8...], as: UTF8.self)
  }

  /// Top-level boxes of movies (ISO/IEC 14496-12 table 1, QuickTime File Format).
  private static let boxes: Set<FourCC> = [
    "ftyp", "moov", "mdat", "moof", "mfra", "sidx", "ssix", "styp", "free", "skip", "wide", "uuid", "meta",
    "udta", "pdin", "emsg", "prft", "pnot",
  ]

  /// Follows the boxes of a movie.
  ///
  /// - Parameters:
  ///   - start: where its first box begins.
  ///   - end: where it ends at the latest.
  ///   - left: how many boxes may still be followed.
  /// - Returns: where it ends: before another movie's first box, or before what is no box; at `end` where one of its
  ///   boxes reaches beyond. And whether it has tracks.
  private static func extent(
    at start: Int, before end: Int, of source: any ByteSource, left: inout Int
  ) throws -> (end: Int, hasTracks: Bool) {
    var (at, hasTracks) = (start, false)
    while left > 0, end - at >= 8 {
      left -= 1
      var reader = BigEndianReader(try source.read(at: at, count: min(16, end - at)))
      guard let atom = try? FileAtom(&reader, at: at, available: end - at), atom.size >= atom.headerSize,
        atom.kind.bytes.allSatisfy({ 0x20...0x7E ~= $0 }), at == start || atom.kind != "ftyp"
      else { break }
      let isKnown = boxes.contains(atom.kind)
      guard isKnown || atom.size <= end - at else { break }
      hasTracks = hasTracks || atom.kind == "moov" || atom.kind == "moof"
      guard atom.size <= end - at else { return (end, hasTracks) }
      at += atom.size
    }
    return (max(at, min(start + 8, end)), hasTracks)
  }

  /// Where a movie ends that begins at some place, and `end` at the latest.
  static func end(of start: Int, before end: Int, in source: any ByteSource) throws -> Int {
    var left = ReadingLimit.boxes.value
    return try extent(at: start, before: end, of: source, left: &left).end
  }
}

extension Photo {
  /// The movies in the file that nothing here reads; see ``UnknownMovie``. None where it is no photo, or so damaged that its
  /// picture is not found.
  ///
  /// - Throws: what its source throws.
  package func unknownMovies() throws -> [UnknownMovie] {
    guard kind != nil else { return [] }
    do { return try container.unknownMovies() } catch is MediaError { return [] }
  }

  /// The photo without the movies that nothing here reads.
  ///
  /// - Returns: the photo itself where there are none, and the names of what the returned one does not carry any more.
  /// - Throws: ``MediaError`` when it is no photo or damaged, or when they cannot be taken out.
  package func withoutUnknownMovies() throws -> (photo: Photo, lost: [String]) {
    let container = try container
    let movies = try container.unknownMovies()
    guard !movies.isEmpty else { return (self, []) }
    let sink = MemoryByteSink()
    let lost = try container.write(withoutUnknown: movies, to: sink)
    return (try Photo(MemoryByteSource(sink.bytes)), ([UnknownMovie.name] + lost).unique)
  }
}
