import Basics

extension ArrivalCheck {
  /// Checks a photo.
  ///
  /// - Throws: ``MediaError`` if the file is not a photo, or if the photo's structure is damaged or cut off, or any
  ///   error that the source throws.
  mutating func lookAtPhoto() throws {
    let container = try Photo(source).container
    switch container {
    case let jpeg as JPEGHeader: try look(at: jpeg)
    case let heif as HEIFFile: try look(at: heif)
    case let png as PNGFile: try look(at: png)
    default: break
    }
  }

  // MARK: HEIC

  private mutating func look(at file: HEIFFile) throws {
    for id in file.itemOrder where file.location(of: id) != nil {
      guard let item = file.items[id] else { continue }
      for range in try file.ranges(of: [id]).joined() { try look(at: range, item.content) }
      if item.type == "Exif" { try lookAtExif(id, of: file) }
    }
    for atom in file.atoms {
      guard atom.kind == "mpvd" else {
        try look(at: atom)
        continue
      }
      let (start, end) = (atom.contentOffset, atom.range.upperBound)
      try lookAtEmbedded(start..<UnknownMovie.end(of: start, before: end, in: source))
    }
    let end = file.atoms.last?.range.upperBound ?? 0
    guard end < source.count else {
      if try file.announcesMovie(), try !file.isMotionPhoto() { doubt() }
      return
    }
    try lookAtTrailer(end..<source.count)
  }

  /// Checks an Exif block that overlaps the run of zeros at the file's end. The block's directories show where the
  /// block's data must end.
  private mutating func lookAtExif(_ id: UInt32, of file: HEIFFile) throws {
    guard let last = try file.ranges(of: [id])[0].last, last.upperBound > written else { return }
    let data = try file.data(of: id)
    let zeros = last.upperBound - max(last.lowerBound, written)
    guard let exif = HEIFExif(data) else { return missEnd() }
    if exif.head.count + exif.block.dataEnd > data.count - zeros + Self.mostPadding { missEnd() }
  }

  // MARK: JPEG

  private mutating func look(at header: JPEGHeader) throws {
    let end = try JPEGFile.pictureEnd(in: source, from: header.scanStart)
    // With custom Huffman tables, a single-colour picture can be encoded entirely as zeros.
    if try hole(in: header.scanStart..<end) != nil { doubt() }
    guard (try? source.checkPhotoSize()) != nil else { return }
    var last = 0
    for segment in header.segments where segment.marker == 0xE2 {
      let payload = try source.read(at: segment.payload.lowerBound, count: segment.payload.count)
      for picture in MultiPicture(payload)?.pictures ?? [] where picture.offset > 0 {
        last = max(last, segment.payload.lowerBound + 4 + picture.offset + picture.size)
      }
    }
    if end < source.count {
      try lookAtTrailer(end..<source.count, lastPicture: last, movie: header.embeddedMovie())
    } else if try last > end || header.announcesMovie() {
      doubt()
    }
  }

  /// Checks the data after a picture: further pictures, a movie, and a phone's data blocks.
  ///
  /// - Parameters:
  ///   - range: The bytes from the end of the picture to the end of the file.
  ///   - lastPicture: The offset at which the last picture ends according to the file's picture index, or 0 if the file
  ///     has no index.
  ///   - movie: The movie embedded in the range.
  private mutating func lookAtTrailer(
    _ range: Range<Int>, lastPicture: Int = 0, movie: MotionPhoto.Movie? = nil
  ) throws {
    if range.lowerBound >= written {
      // A program that removes the further pictures but keeps their index shortens the file, so that the index points
      // beyond the file's end.
      if (range.lowerBound + 1...range.upperBound).contains(lastPicture) { missEnd() } else { doubt() }
      return
    }
    var at = range.lowerBound
    while at < range.upperBound {
      let head = try source.read(at: at, count: min(8, range.upperBound - at))
      if head.starts(with: [0xFF, 0xD8, 0xFF]) {
        do {
          let picture = PartByteSource(at..<range.upperBound, of: source)
          at += try JPEGFile.pictureEnd(in: picture, from: JPEGHeader(reading: picture).scanStart)
        } catch let error as MediaError where !error.isUnsupported {
          return miss(error)
        }
      } else if let movie, at <= movie.range.lowerBound {
        try lookAtEmbedded(movie.range)
        at = max(movie.range.upperBound, at + 1)
      } else {
        break
      }
    }
    let rest = at..<range.upperBound
    let blocks = try SamsungBlocks(endOf: range, of: source)
    if rest.isEmpty || blocks != nil { return }
    doubt()
  }

  /// Checks a movie in the photo's file. If a damaged movie is followed by other data, the missing part of the movie is
  /// not expected to arrive.
  private mutating func lookAtEmbedded(_ range: Range<Int>) throws {
    do {
      try lookAtMovie(range)
    } catch let error as MediaError {
      if !error.isUnsupported, range.upperBound >= min(written, source.count) { miss(error) } else { doubt() }
    }
  }

  // MARK: PNG

  private mutating func look(at file: PNGFile) throws {
    let most = source.largestPhoto
    for chunk in file.chunks where chunk.isCritical && chunk.range.count <= most {
      let bytes = try source.read(at: chunk.range.lowerBound + 4, count: chunk.range.count - 4)
      if ByteOrder.big.number(bytes, at: bytes.count - 4, width: 4) != PNGChunks.checksum(bytes.dropLast(4)) {
        return miss(
          MediaError("the \(chunk.kind) chunk is damaged", remedy: "copy the file from its source again"))
      }
    }
    if file.end < source.count { doubt() }
  }
}

extension TIFFBlock {
  /// The end of the last value that must have been written. Because a value of unknown meaning, such as a maker note,
  /// may consist mostly of zeros, only its first byte counts.
  fileprivate var dataEnd: Int {
    var end = 0
    for listing in Directory.allCases.compactMap(listing) {
      end = max(end, listing.ownRange.upperBound)
      for entry in listing.entries {
        guard let value = entry.value else { continue }
        end = max(
          end, [1, 7].contains(entry.type) ? min(value.lowerBound + 1, value.upperBound) : value.upperBound)
      }
    }
    func number(_ tag: Int) -> Int? {
      let value = listing(.thumbnail)?.entry(tag)?.value
      return value.flatMap { order.number(bytes, at: $0.lowerBound, width: 4) }
    }
    // The tag JPEGInterchangeFormat and the tag for its length (TIFF 6.0 section 22).
    guard let start = number(0x201), let length = number(0x202) else { return end }
    return max(end, min(start + length, bytes.count))
  }
}

extension HEIFItem {
  /// The kind of data in the item.
  fileprivate var content: ArrivalCheck.Content {
    switch type {
    case "hvc1", "hev1", "lhv1", "avc1", "vvc1": .nalUnits
    case "jpeg", "av01", "j2k1": .compressed
    case "unci": .plain
    default: .headed
    }
  }
}
