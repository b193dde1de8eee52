import Basics

/// The coded pictures and sounds of a file alone, without how they are turned, coloured or described: what stays the same
/// whoever wrote tags into the file, took some out, or turned it by its flag.
extension Photo {
  /// The coded picture: a JPEG's tables and scans, the items of a HEIC that hold pictures.
  ///
  /// - Throws: ``MediaError`` when it is no photo, or damaged.
  package func codedPicture() throws -> CodedMedia {
    var media = CodedMedia(of: source)
    try container.addCodedPicture(to: &media)
    return media
  }
}

extension JPEGHeader {
  func addCodedPicture(to media: inout CodedMedia) throws {
    for segment in segments where !segment.isMetadata { try media.add("segment", in: [segment.range]) }
    try media.add("scans", in: try scans())
  }
}

extension JPEGHeader {
  /// The bytes of the scans, and of the tables between them, without metadata that stands there.
  func scans() throws -> [Range<Int>] {
    var metadata = RangeSet<Int>()
    let end = try JPEGFile.pictureEnd(in: source, from: scanStart) {
      metadata.insert(contentsOf: $1)
    }
    return Array(RangeSet([scanStart..<end]).subtracting(metadata).ranges)
  }
}

extension HEIFFile {
  func addCodedPicture(to media: inout CodedMedia) throws {
    for id in itemOrder
    where items[id]?.type == "hvc1" || items[id]?.type == "av01" || items[id]?.type == "jpeg" {
      try media.add("data", in: try ranges(of: [id]).flatMap { $0 })
    }
  }
}

extension Movie {
  /// The samples of pictures and sound, in the order of their tracks.
  ///
  /// - Parameter source: the movie's file.
  package func codedSamples(of source: any ByteSource) throws -> CodedMedia {
    var media = CodedMedia(of: source)
    for kind: FourCC in ["vide", "soun"] {
      for track in tracks where track.handler == kind {
        try media.add("samples", in: track.samples.chunks.map { $0.offset..<$0.offset + $0.byteCount })
      }
    }
    return media
  }
}

extension CodedMedia {
  /// The bytes of the parts: files of other sizes have other parts.
  package var byteCount: Int {
    parts.reduce(0) { sum, part in
      switch part {
      case .bytes(let bytes): sum + bytes.count
      case .file(let range): sum + range.count
      }
    }
  }
}
