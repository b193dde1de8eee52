import Basics

extension ArrivalCheck {
  /// Checks a movie's tables and the samples in all of its tracks.
  ///
  /// - Parameter range: The bytes of the movie: the complete file, or part of a photo's file.
  /// - Throws: ``MediaError`` if the movie's structure is damaged or cut off, or any error that the source throws.
  mutating func lookAtMovie(_ range: Range<Int>) throws {
    let start = range.lowerBound
    let movie = try Movie(PartByteSource(range, of: source))
    for var atom in movie.fileAtoms {
      atom.offset += start
      try look(at: atom)
    }
    for track in movie.tracks {
      let padding = try padding(of: track, from: start)
      for chunk in track.samples.chunks where chunk.byteCount > 0 {
        let first = start + chunk.offset
        try look(at: first..<first + chunk.byteCount, track.content, padding: padding)
      }
    }
    let end = movie.fileAtoms.last?.range.upperBound ?? 0
    // A fragmented movie can end after any fragment. An index at its end shows that the movie is complete.
    let isOpen = movie.fileAtoms.contains { $0.kind == "moof" } && movie.fileAtoms.last?.kind != "mfra"
    if isOpen || start + end < range.upperBound { doubt() }
  }

  /// The maximum number of samples per track that are checked for padding.
  private static let mostSamples = 64
  /// The alignment in bytes to which some cameras, for example the Pixel 4, pad samples.
  private static let alignment = 16

  /// Returns the number of padding zeros at the end of a track's typical sample. Samples in the run of zeros at the
  /// file's end are not considered.
  ///
  /// - Parameter start: The offset at which the movie begins in the file.
  private func padding(of track: Track, from start: Int) throws -> Int {
    let chunks = track.samples.chunks
    guard case .nalUnits = track.content,
      chunks.contains(where: { start + $0.offset + $0.byteCount > written })
    else { return 0 }
    var counts: [Int] = []
    for chunk in chunks where counts.count < Self.mostSamples {
      var end = start + chunk.offset
      for number in chunk.firstSample..<chunk.firstSample + chunk.sampleCount {
        let size = track.samples.size(of: number)
        end += size
        guard size >= Self.alignment, end <= written else { continue }
        let tail = try source.read(at: end - Self.alignment, count: Self.alignment)
        counts.append(tail.reversed().prefix { $0 == 0 }.count)
      }
    }
    return counts.count { $0 > 0 } > counts.count / 2 ? counts.max() ?? 0 : 0
  }
}

extension Track {
  /// The kind of data in the track's samples.
  fileprivate var content: ArrivalCheck.Content {
    switch (handler, format) {
    case ("vide", "hvc1"), ("vide", "hev1"), ("vide", "avc1"), ("vide", "avc3"), ("vide", "dvh1"),
      ("auxv", "hvc1"):
      .nalUnits
    case ("soun", "mp4a"), ("soun", "alac"): .compressed
    case ("soun", _), ("tmcd", _): .plain
    default: .headed
    }
  }
}
