import Basics

/// A movie that is stored in a photo's file in an unknown layout, either after the picture or in a box from another
/// program. Such a movie cannot be edited or stripped of metadata together with the photo.
package struct UnknownMovie: Encodable, Hashable, Sendable {
  /// The offset of the movie's first byte in the file.
  package let offset: Int
  /// The size in bytes of the part of the movie whose boxes can be followed.
  package let size: Int
  /// The movie's major brand, such as “mp42” or “qt  ”.
  package let brand: String

  /// The byte range of the movie in the file.
  var range: Range<Int> { offset..<offset + size }

  /// The name under which the removal of a movie in an unknown layout is reported.
  static let name = "movie in an unknown layout"
  /// The reason given when a movie in an unknown layout is removed because the photo is edited.
  package static let reason: Message = "would not be edited with the photo"
  /// The reason given when a movie in an unknown layout is removed because the photo's location changes.
  package static var contradiction: Message { FactsRewrite.reason }
}

extension UnknownMovie {
  /// The maximum number of movies. Real files have far fewer movies.
  private static let mostMovies = 16
  /// The maximum number of `ftyp` boxes that may count as pictures. After this number, or once the limit for following
  /// boxes is reached, every `ftyp` box counts as a movie.
  private static let mostPictures = 64
  private static let blockSize = 1 << 20

  /// Searches part of a file for movies by their first box, which contains the size, `ftyp`, the major brand and its
  /// version, and compatible brands (ISO/IEC 14496-12 section 4.3). The search time is proportional to the length of
  /// the part.
  ///
  /// - Throws: Any error that `source` throws.
  static func search(_ part: Range<Int>, of source: any ByteSource) throws -> [UnknownMovie] {
    var found: [UnknownMovie] = []
    var pictures = 0
    // Sequences of boxes that begin at different offsets may share later boxes, so the total number of followed boxes
    // is limited.
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
      // A box header may begin in one block and continue in the next block.
      at += blockSize - 7
    }
    return found
  }

  /// The major brands of pictures (ISO/IEC 23008-12 section 10, AVIF, JPEG 2000, JPEG XL, and Canon's raw files).
  private static let imageBrands: Set<String> = [
    "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs", "mif1", "mif2", "msf1", "miaf", "avif",
    "avis", "jp2 ", "jpx ", "jxl ", "crx ",
  ]

  /// Returns the major brand of an `ftyp` box, or nil if the box's size or brand is impossible.
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

  /// The kinds of top-level boxes in movies (ISO/IEC 14496-12 table 1, QuickTime File Format).
  private static let boxes: Set<FourCC> = [
    "ftyp", "moov", "mdat", "moof", "mfra", "sidx", "ssix", "styp", "free", "skip", "wide", "uuid", "meta",
    "udta", "pdin", "emsg", "prft", "pnot",
  ]

  /// Follows the boxes of a movie to find the movie's end.
  ///
  /// - Parameters:
  ///   - start: The offset of the movie's first box.
  ///   - end: The latest possible end of the movie.
  ///   - left: The number of boxes that may still be followed.
  /// - Returns: The end of the movie, and whether the movie has tracks. The movie ends before another movie's first box
  ///   or before data that is not a box. If a box extends beyond `end`, the movie ends at `end`.
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

  /// Returns the end of a movie that begins at offset `start`. The result is at most `end`.
  static func end(of start: Int, before end: Int, in source: any ByteSource) throws -> Int {
    var left = ReadingLimit.boxes.value
    return try extent(at: start, before: end, of: source, left: &left).end
  }
}

extension Photo {
  /// Returns the movies that are stored in the file in an unknown layout. See ``UnknownMovie``. Returns an empty array
  /// if the file is not a photo, or if the file is so damaged that the picture cannot be found.
  ///
  /// - Throws: Any error that the photo's source throws.
  package func unknownMovies() throws -> [UnknownMovie] {
    guard kind != nil else { return [] }
    do { return try container.unknownMovies() } catch is MediaError { return [] }
  }

  /// Removes movies in an unknown layout from the photo.
  ///
  /// - Returns: The photo itself if it does not contain such movies, and otherwise a new photo, together with the names
  ///   of the parts that are missing from the new photo.
  /// - Throws: ``MediaError`` if the file is not a photo or is damaged, or if the movies cannot be removed.
  package func withoutUnknownMovies() throws -> (photo: Photo, lost: [String]) {
    let container = try container
    let movies = try container.unknownMovies()
    guard !movies.isEmpty else { return (self, []) }
    let sink = MemoryByteSink()
    let lost = try container.write(withoutUnknown: movies, to: sink)
    return (try Photo(MemoryByteSource(sink.bytes)), ([UnknownMovie.name] + lost).unique)
  }
}
