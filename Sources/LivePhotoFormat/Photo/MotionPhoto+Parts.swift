import Basics

extension MotionPhoto {
  /// The place of a movie in a photo's file.
  struct Movie {
    /// Where its bytes stand.
    let range: Range<Int>
    /// The photo's place in the movie in seconds; nil when the file does not say.
    let stillTime: Double?
  }

  /// The photo and the movie of a Motion Photo.
  package struct Parts {
    private let photo: Photo
    private let movie: Movie

    /// The photo's place in the movie in seconds; nil when the file does not say.
    package var stillTime: Double? { movie.stillTime }

    /// Finds the parts: by XMP's directory or offset, by Samsung's box or the name of its block.
    ///
    /// - Throws: ``MediaError`` when it is no Motion Photo.
    package init(_ photo: Photo) throws {
      guard photo.kind != nil, let movie = try photo.container.embeddedMovie() else {
        throw MediaError("it holds no movie", remedy: "name a Motion Photo, or --photo and --movie")
      }
      (self.photo, self.movie) = (photo, movie)
    }

    /// Writes the photo alone.
    package func writePhoto(to sink: any ByteSink) throws {
      try photo.container.write(without: movie, to: sink)
    }

    /// Writes the movie alone.
    package func writeMovie(to sink: any ByteSink) throws { try photo.source.copy(movie.range, to: sink) }
  }
}

extension JPEGHeader {
  func embeddedMovie() throws -> MotionPhoto.Movie? {
    guard (try? source.checkPhotoSize()) != nil else { return nil }
    let file = try wholeFile()
    let (bytes, trailer) = (file.bytes, file.trailer)
    let packets = JPEGParts(file).packets
    var starts = packets.flatMap(\.movieLengths).map { bytes.count - $0 }
    if let name = bytes.firstIndex(of: SamsungTrailer.name, in: trailer) {
      starts.append(name + SamsungTrailer.name.utf8.count)
    }
    if let type = bytes.firstIndex(of: "ftyp", in: trailer) { starts.append(type - 4) }
    let start = starts.first { start in
      start >= trailer.lowerBound && start <= trailer.upperBound - 8
        && bytes[start + 4..<start + 8].elementsEqual("ftyp".utf8)
    }
    guard let start else { return nil }
    let movie = MemoryByteSource(Array(bytes[start...]))
    let end = try FileAtom.scan(movie, allowsTrailer: true).last?.range.upperBound ?? 0
    return MotionPhoto.Movie(
      range: start..<start + end, stillTime: packets.lazy.compactMap(\.motionPhotoTime).first)
  }

  func write(without movie: MotionPhoto.Movie, to sink: any ByteSink) throws {
    let file = try wholeFile()
    var parts = JPEGParts(file)
    for index in parts.indices(of: .xmp) {
      if let packet = XMPPacket.withoutMotionPhoto(parts.list[index].content) {
        parts.setContent(packet, at: index)
      }
    }
    // Pictures between the first and the movie stay; Samsung's block and directory go.
    var kept = Array(file.bytes[file.trailer.lowerBound..<movie.range.lowerBound])
    if let name = kept.firstIndex(of: SamsungTrailer.name) { kept = Array(kept[..<max(0, name - 8)]) }
    try sink.write(parts.assembled(trailer: kept))
  }
}

extension HEIFFile {
  func embeddedMovie() throws -> MotionPhoto.Movie? {
    guard let box = atoms.first(where: { $0.kind == "mpvd" }), box.contentSize > 8 else { return nil }
    return MotionPhoto.Movie(
      range: box.contentOffset..<box.range.upperBound,
      stillTime: try xmpItems.prefix(16).lazy.compactMap { XMPPacket(try data(of: $0))?.motionPhotoTime }
        .first)
  }

  func write(without movie: MotionPhoto.Movie, to sink: any ByteSink) throws {
    var composition = HEIFComposition(self)
    for item in xmpItems.prefix(16) {
      let old = try data(of: item)
      if let new = XMPPacket.withoutMotionPhoto(old), new != old { composition.replace(item, with: new) }
    }
    composition.dropsOthers = true
    try composition.writeInPlace(to: sink)
  }
}

extension XMPPacket {
  /// The photo's place in the embedded movie in seconds; nil when the packet does not say.
  var motionPhotoTime: Double? {
    for name in ["MotionPhotoPresentationTimestampUs", "MicroVideoPresentationTimestampUs"] {
      if let value = text(name, in: Namespace.camera).flatMap({ Int($0.text) }), value > 0, value < 1 << 40 {
        return Double(value) / 1_000_000
      }
    }
    return nil
  }

  /// How many bytes before the file's end a movie may begin, by the directory and by MicroVideo's offset.
  var movieLengths: [Int] {
    let possible = 0..<1 << 40
    var lengths: [Int] = []
    let items = containerItems
    if let movie = items.lastIndex(where: { $0.semantic == "MotionPhoto" }) {
      // Items follow one another, up to the file's end.
      let sizes = items[movie...].map { $0.length ?? 0 }
      if sizes.allSatisfy(possible.contains) { lengths.append(sizes.reduce(0, +)) }
    }
    let offset = text("MicroVideoOffset", in: Namespace.camera).flatMap { Int($0.text) }
    if let offset, possible.contains(offset) { lengths.append(offset) }
    return lengths
  }
}
