import Basics

extension MotionPhoto {
  /// The photo and the movie of a Motion Photo.
  package struct Parts: Sendable {
    /// Where the movie's bytes stand in the file.
    package let movie: Range<Int>
    /// The photo's place in the movie in seconds; nil when the file does not say.
    package let stillTime: Double?
    private let photo: Photo

    /// True if the photo is a HEIC.
    package var isHEIF: Bool { photo.kind == .heif }

    /// Finds the parts: by XMP's directory or offset, by Samsung's box or the name of its block.
    ///
    /// - Parameter photo: the file, JPEG or HEIC.
    /// - Throws: ``MediaError`` when it is no Motion Photo.
    package init(_ photo: Photo) throws {
      self.photo = photo
      let source = photo.source
      let none = MediaError("it holds no movie", remedy: "name a Motion Photo, or --photo and --movie")
      guard photo.kind != .other, (try? photo.checkSize()) != nil || photo.kind == .heif else { throw none }
      switch try photo.container {
      case .jpeg(let header):
        let file = try photo.wholeJPEG(header)
        let parts = JPEGParts(file)
        let packets = parts.indices(of: .xmp).compactMap { XMPPacket(parts.list[$0].content) }
        stillTime = packets.lazy.compactMap(\.motionPhotoTime).first
        var starts = packets.flatMap(\.movieLengths).map { source.count - $0 }
        if let name = file.bytes.firstIndex(of: SamsungTrailer.name, in: file.trailer) {
          starts.append(name + SamsungTrailer.name.utf8.count)
        }
        if let type = file.bytes.firstIndex(of: "ftyp", in: file.trailer) { starts.append(type - 4) }
        let trailer = file.trailer
        let start = starts.first { start in
          start >= trailer.lowerBound && start <= trailer.upperBound - 8
            && file.bytes[start + 4..<start + 8].elementsEqual("ftyp".utf8)
        }
        guard let start else { throw none }
        let movie = Slice(source: source, range: start..<source.count)
        let end = try FileAtoms.scan(movie, allowsTrailer: true).last.map { $0.offset + $0.size } ?? 0
        self.movie = start..<start + end
      case .heif(let file):
        guard let box = file.atoms.first(where: { $0.kind == "mpvd" }), box.contentSize > 8 else {
          throw none
        }
        movie = box.contentOffset..<box.offset + box.size
        stillTime = try file.xmpItems.prefix(16).lazy.compactMap {
          XMPPacket(try file.data(of: $0, most: HEIFFile.largestMetadata, from: source))?.motionPhotoTime
        }.first
      }
    }

    /// Writes the photo alone.
    package func writePhoto(to sink: any ByteSink) throws {
      let source = photo.source
      let file: HEIFFile
      switch try photo.container {
      case .heif(let boxes): file = boxes
      case .jpeg(let header):
        let file = try photo.wholeJPEG(header)
        var parts = JPEGParts(file)
        for index in parts.indices(of: .xmp) {
          if let packet = XMPPacket.withoutMotionPhoto(parts.list[index].content) {
            parts.setContent(packet, at: index)
          }
        }
        // Pictures between the first and the movie stay; Samsung's block and directory go.
        var kept = Array(file.bytes[file.trailer.lowerBound..<movie.lowerBound])
        if let name = kept.firstIndex(of: SamsungTrailer.name) { kept = Array(kept[..<max(0, name - 8)]) }
        return try sink.write(parts.assembled(trailer: kept))
      }
      var composition = HEIFComposition(file)
      for item in file.xmpItems.prefix(16) {
        let old = try file.data(of: item, most: HEIFFile.largestMetadata, from: source)
        if let new = XMPPacket.withoutMotionPhoto(old), new != old { composition.replace(item, with: new) }
      }
      composition.dropOthers()
      try composition.writeInPlace(from: source, to: sink)
    }

    /// Writes the movie alone.
    package func writeMovie(to sink: any ByteSink) throws { try photo.source.copy(movie, to: sink) }
  }

  /// Part of a source as a source.
  private struct Slice: ByteSource {
    let source: any ByteSource
    let range: Range<Int>
    var count: Int { range.count }

    func read(at offset: Int, count: Int) throws -> [UInt8] {
      guard offset >= 0, count >= 0, offset <= range.count, count <= range.count - offset else {
        throw MediaError("it ends before all of its parts do", remedy: "copy it again from the phone")
      }
      return try source.read(at: range.lowerBound + offset, count: count)
    }
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
    var lengths: [Int] = []
    for property in properties(in: Namespace.container) {
      guard case .element(let directory) = property else { continue }
      var sum: Int?
      for element in descendants(of: directory) {
        func value(_ local: String) -> String? {
          element.attributes.first { $0.name.namespace == Namespace.containerItem && $0.name.local == local }
            .map { tree.text($0.value) }
        }
        guard let semantic = value("Semantic") else { continue }
        let length = value("Length").flatMap { Int($0) } ?? 0
        guard 0..<1 << 40 ~= length else { return lengths }
        if semantic == "MotionPhoto" { sum = length } else if let so = sum { sum = so + length }
      }
      if let sum { lengths.append(sum) }
    }
    if let offset = text("MicroVideoOffset", in: Namespace.camera).flatMap({ Int($0.text) }),
      0..<1 << 40 ~= offset
    {
      lengths.append(offset)
    }
    return lengths
  }
}
