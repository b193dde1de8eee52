import Basics
import EditModel

extension MotionPhoto {
  /// The position of a movie in a photo's file.
  struct Movie {
    /// The byte range of the movie.
    let range: Range<Int>
    /// The offset at which the photo ends. The movie and the data stored around it begin at this offset.
    let photoEnd: Int
    /// The metadata format in which the file declares its movie.
    let dialect: Dialect
    /// The distances from the movie's start to the end of the file, as declared by the directory and the offset in XMP.
    let announcedLengths: [Int]
    /// The parts that neither the photo nor the movie keeps when the file is split.
    var lost: [Removal] = []

    /// The photo's position in the movie in seconds, or nil if the file does not state the position.
    var stillTime: Double? {
      dialect.timestamp.flatMap { 0..<1 << 40 ~= $0 ? Double($0) / 1_000_000 : nil }
    }
  }

  /// The photo and the movie of a Motion Photo.
  package struct Parts {
    private let photo: Photo
    private let movie: Movie

    /// The photo's position in the movie in seconds, or nil if the file does not state the position.
    package var stillTime: Double? { movie.stillTime }
    /// The metadata format in which the file declares its movie.
    package var dialect: Dialect { movie.dialect }

    /// The parts that neither the photo nor the movie keeps: additional movies, and unknown data after the movie.
    package var lost: [Removal] { movie.lost }

    /// The distance from the movie's start to the end of the file, in bytes.
    package var length: Int { photo.source.count - movie.range.lowerBound }
    /// The distances from the movie's start to the end of the file that XMP declares, in its directory and in
    /// MicroVideo's offset.
    package var announcedLengths: [Int] { movie.announcedLengths }

    /// Returns whether a length declared by XMP refers to Samsung's data block about the movie, as in Samsung HEIC
    /// photos from 2020 to 2022. In that data block, the name is followed by 12 bytes that state the movie's position.
    /// In the four files examined, the length is 32 bytes plus 12 bytes for each block.
    func isOfSamsungsBlock(_ length: Int) -> Bool {
      let name = Array(SamsungTrailer.name.utf8)
      let start = photo.source.count - length - name.count
      guard length >= 12, start >= 0,
        let head = try? photo.source.read(at: start, count: name.count + 4)
      else { return false }
      return head.elementsEqual(name + Array("mpv2".utf8))
    }

    /// Finds the photo and the movie by means of the directory or offset in XMP, or by the name of Samsung's box or
    /// block.
    ///
    /// - Throws: ``MediaError`` if the photo is not a Motion Photo.
    package init(_ photo: Photo) throws {
      guard photo.kind != nil, let movie = try photo.container.embeddedMovie() else {
        let isMarked = try photo.kind != nil && photo.container.announcesMovie()
        throw isMarked
          ? MediaError(
            "the photo is marked as a Motion Photo, but its movie is missing",
            remedy: "specify --photo and --movie")
          : MediaError("the file contains no movie", remedy: "specify a Motion Photo, or --photo and --movie")
      }
      (self.photo, self.movie) = (photo, movie)
    }

    /// Writes the photo without the movie.
    ///
    /// - Parameter keepsMakersNames: Whether to keep the manufacturer's own properties that describe the movie. Pass
    ///   true if another movie will follow the photo.
    package func writePhoto(keepsMakersNames: Bool = false, to sink: any ByteSink) throws {
      try photo.container.write(without: movie, keepsMakersNames: keepsMakersNames, to: sink)
    }

    /// A source for the bytes of the movie alone.
    package var movieSource: any ByteSource { PartByteSource(movie.range, of: photo.source) }

    /// Writes the movie without the photo.
    package func writeMovie(to sink: any ByteSink) throws { try photo.source.copy(movie.range, to: sink) }
  }
}

extension JPEGHeader {
  func embeddedMovie() throws -> MotionPhoto.Movie? {
    guard (try? source.checkPhotoSize()) != nil else { return nil }
    let file = try wholeFile()
    let (bytes, trailer) = (file.bytes, file.trailer)
    let packets = try JPEGParts(file).packets
    for packet in packets { try packet.checkDirectories() }
    let whole = MemoryByteSource(bytes)
    let samsung = try SamsungTrailer.read(trailer, of: whole)
    var starts = packets.flatMap(\.movieLengths).map { bytes.count - $0 }
    let name = bytes.firstIndex(of: SamsungTrailer.name, in: trailer)
    if let name { starts.append(name + SamsungTrailer.name.utf8.count) }
    if let type = bytes.firstIndex(of: "ftyp", in: trailer) { starts.append(type - 4) }
    let start = starts.first { start in
      start >= trailer.lowerBound && start <= trailer.upperBound - 8
        && bytes[start + 4..<start + 8].elementsEqual("ftyp".utf8)
    }
    guard let start else { return nil }
    let end = try UnknownMovie.end(of: start, before: bytes.count, in: whole)
    // Samsung's blocks begin before the movie. If the trailer is damaged, the movie's block can still be found by its
    // name.
    let photoEnd = samsung?.start ?? name.map { $0 - 8 } ?? start
    let lost = try samsung?.trailer.lost ?? Self.lost(behind: end, of: whole)
    return MotionPhoto.Movie(
      range: start..<end, photoEnd: max(trailer.lowerBound, min(photoEnd, start)),
      dialect: MotionPhoto.Dialect(
        packets, trailer: samsung?.trailer ?? (name == nil ? nil : SamsungTrailer())),
      announcedLengths: packets.flatMap(\.movieLengths),
      lost: lost.map { Removal(half: .photo, name: $0, reason: UnknownMovie.reason) })
  }

  /// Returns the names of the parts that follow a movie.
  private static func lost(behind end: Int, of source: MemoryByteSource) throws -> [String] {
    let rest = end..<source.count
    let movies = try UnknownMovie.search(rest, of: source)
    let others = RangeSet([rest]).subtracting(RangeSet(movies.map(\.range)))
    let isBlank = try others.ranges.allSatisfy { range in
      try source.read(at: range.lowerBound, count: range.count).allSatisfy { $0 == 0 }
    }
    return (movies.isEmpty ? [] : [UnknownMovie.name]) + (isBlank ? [] : ["data after the movie"])
  }

  func write(
    without movie: MotionPhoto.Movie, keepsMakersNames: Bool, to sink: any ByteSink
  ) throws {
    let file = try wholeFile()
    var parts = JPEGParts(file)
    _ = try parts.removeMotionPhoto(keepsMakersNames: keepsMakersNames)
    // Pictures between the main picture and the movie are kept. Samsung's block and directory are removed.
    let kept = Array(file.bytes[file.trailer.lowerBound..<movie.photoEnd])
    try sink.write(parts.assembled(trailer: kept))
  }
}

extension HEIFFile {
  func embeddedMovie() throws -> MotionPhoto.Movie? {
    guard let box = atoms.first(where: { $0.kind == "mpvd" }), box.contentSize > 8 else { return nil }
    let samsung = try atoms.first { $0.kind == "sefd" }
      .flatMap { try SamsungTrailer.read($0.contentOffset..<$0.range.upperBound, of: source) }
    let end = try UnknownMovie.end(of: box.contentOffset, before: box.range.upperBound, in: source)
    let packets = try xmpPackets().compactMap { try XMPPacket(data(of: $0)) }
    for packet in packets { try packet.checkDirectories() }
    var movie = MotionPhoto.Movie(
      range: box.contentOffset..<end, photoEnd: box.offset,
      dialect: MotionPhoto.Dialect(packets, trailer: samsung?.trailer),
      announcedLengths: packets.flatMap(\.movieLengths))
    movie.lost = try lost(beside: movie)
    return movie
  }

  /// Returns the parts that ``write(without:to:)`` removes in addition to the movie.
  private func lost(beside movie: MotionPhoto.Movie) throws -> [Removal] {
    let manifests = try C2PAManifest.atoms(among: atoms, of: source)
    let known: Set<FourCC> = ["ftyp", "meta", "mdat", "mpvd", "sefd", "free", "skip", "wide"]
    let others = atoms.filter { !known.contains($0.kind) && !manifests.contains($0) }
    let hasMovies = try !unknownMovies(beside: movie.range).isEmpty
    let names =
      (hasMovies ? [UnknownMovie.name] : []) + (movie.dialect.trailer?.lost ?? [])
      + others.map { "box \($0.kind)" }
    return (manifests.isEmpty ? [] : [C2PAManifest.removal(from: .photo)])
      + names.unique.map { Removal(half: .photo, name: $0, reason: UnknownMovie.reason) }
  }

  func write(
    without movie: MotionPhoto.Movie, keepsMakersNames: Bool, to sink: any ByteSink
  ) throws {
    var composition = HEIFComposition(self)
    _ = try composition.removeMotionPhoto(keepsMakersNames: keepsMakersNames)
    composition.dropsOthers = true
    try composition.writeInPlace(to: sink)
  }
}

extension JPEGParts {
  /// Removes the declaration of a movie from all packets.
  ///
  /// - Parameter keepsMakersNames: Whether to keep the manufacturer's own properties that describe the movie.
  /// - Returns: Whether a packet declared a movie.
  mutating func removeMotionPhoto(keepsMakersNames: Bool = false) throws -> Bool {
    var isAnnounced = false
    for index in indices(of: .xmp) {
      guard var packet = try XMPPacket(list[index].content) else { continue }
      isAnnounced = isAnnounced || packet.isMotionPhoto
      packet.removeMotionPhoto(keepsMakersNames: keepsMakersNames)
      setContent(packet.rewritten(), at: index)
    }
    return isAnnounced
  }
}

extension HEIFComposition {
  /// Removes the declaration of a movie from all packets.
  ///
  /// - Parameter keepsMakersNames: Whether to keep the manufacturer's own properties that describe the movie.
  /// - Returns: Whether a packet declared a movie.
  mutating func removeMotionPhoto(keepsMakersNames: Bool = false) throws -> Bool {
    var isAnnounced = false
    for item in try file.xmpPackets() {
      let old = try file.data(of: item)
      guard var packet = try XMPPacket(old) else { continue }
      isAnnounced = isAnnounced || packet.isMotionPhoto
      packet.removeMotionPhoto(keepsMakersNames: keepsMakersNames)
      let new = packet.rewritten()
      if new != old { replace(item, with: new) }
    }
    return isAnnounced
  }
}

extension MotionPhoto.Dialect {
  /// Determines the metadata format in which a file declares its movie.
  ///
  /// - Parameters:
  ///   - packets: The file's XMP packets.
  ///   - trailer: Samsung's trailer.
  fileprivate init(_ packets: [XMPPacket], trailer: SamsungTrailer?) {
    self.init(trailer: trailer)
    isRetimed = false
    func says(_ name: String) -> Bool {
      packets.contains { ($0.text(name, in: XMPPacket.Namespace.camera)?.text ?? "0") != "0" }
    }
    hasMotionPhoto = says("MotionPhoto") || packets.contains { $0.containerSemantics.contains("MotionPhoto") }
    hasMicroVideo = says("MicroVideo")
    timestamp = packets.lazy.compactMap(\.motionPhotoTime).first
    saysPhotoLength = packets.contains { packet in
      packet.containerItems.contains { $0.semantic == "Primary" && ($0.length ?? 0) > 0 }
    }
  }
}

extension XMPPacket {
  /// The possible distances in bytes from the movie's start to the end of the file, according to XMP's directory and
  /// MicroVideo's offset.
  var movieLengths: [Int] {
    let possible = 0..<1 << 40
    var lengths: [Int] = []
    let items = containerItems
    if let movie = items.lastIndex(where: { $0.semantic == "MotionPhoto" }) {
      // Items are stored one after another up to the end of the file.
      let sizes = items[movie...].map { $0.length ?? 0 }
      if sizes.allSatisfy(possible.contains) { lengths.append(sizes.reduce(0, +)) }
    }
    let offset = text("MicroVideoOffset", in: Namespace.camera).flatMap { Int($0.text) }
    if let offset, possible.contains(offset) { lengths.append(offset) }
    return lengths
  }
}
