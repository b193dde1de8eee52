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
      for chunk in track.samples.chunks where chunk.byteCount > 0 {
        let first = start + chunk.offset
        try look(at: first..<first + chunk.byteCount, track.content)
      }
    }
    let end = movie.fileAtoms.last?.range.upperBound ?? 0
    // A movie in fragments can end after any of them; an index at its end shows that no more will come.
    let isOpen = movie.fileAtoms.contains { $0.kind == "moof" } && movie.fileAtoms.last?.kind != "mfra"
    if isOpen || start + end < range.upperBound { doubt() }
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
