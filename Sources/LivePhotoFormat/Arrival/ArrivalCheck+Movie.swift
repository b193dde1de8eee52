import Basics

extension ArrivalCheck {
  /// Looks at a movie: at its tables and at the samples of all tracks.
  ///
  /// - Parameter range: its bytes, which are the whole file or the part of a photo's file.
  /// - Throws: ``MediaError`` when its structure is damaged or cut off; what the source throws.
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
    // A movie in fragments can end after any of them; an index at its end shows that no more will come.
    let isOpen = movie.fileAtoms.contains { $0.kind == "moof" } && movie.fileAtoms.last?.kind != "mfra"
    if isOpen || start + end < range.upperBound { doubt() }
  }

  /// The samples of a track that are looked at for padding.
  private static let mostSamples = 64
  /// Samples are filled up to a multiple of this, as a Pixel 4 does.
  private static let alignment = 16

  /// The zeros that a track's samples end with as a rule, by those before the file's last zeros.
  ///
  /// - Parameter start: where the movie begins in the file.
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
  /// The kind of data in its samples.
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
