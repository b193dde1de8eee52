import Basics

/// Access to the coded pictures and audio of a file, without orientation, colour information or metadata. These parts
/// do not change if a program adds tags to the file, removes tags, or rotates the picture by means of a tag.
extension Photo {
  /// Returns the coded picture: a JPEG's tables and scans, or the items of a HEIC photo that contain pictures.
  ///
  /// - Throws: ``MediaError`` if the file is not a photo or is damaged.
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
  /// Returns the byte ranges of the scans and of the tables between the scans, without metadata between the scans.
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
  /// Returns the samples of the video and audio tracks, in track order.
  ///
  /// - Parameter source: The movie's file.
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
  /// The total size of the parts in bytes. If this size differs between two files, their parts differ.
  package var byteCount: Int {
    parts.reduce(0) { sum, part in
      switch part {
      case .bytes(let bytes): sum + bytes.count
      case .file(let range): sum + range.count
      }
    }
  }
}
