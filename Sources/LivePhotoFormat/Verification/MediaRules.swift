/// Rules about where a movie's media lies.
enum MediaRules {
  /// Every sample lies in an `mdat` atom, and the sync sample tables can be true.
  static func findings(_ movie: Movie) -> [VerificationFinding] {
    var findings: [VerificationFinding] = []
    let media = movie.fileAtoms.filter { $0.kind == "mdat" }
    for track in movie.tracks {
      let outside = track.samples.chunks.contains { $0.byteCount > 0 && !lies($0, in: media) }
      if outside {
        findings.append(
          .init(
            .sampleTables, .movie,
            "Samples of the movie's track \(track.header.trackID) lie outside its media, where other data stands."
          ))
      }
      if let sync = track.samples.syncSamples, !isPlausible(sync, count: track.samples.sampleCount) {
        findings.append(
          .init(
            .syncTable, .movie,
            "The sync sample table of the movie's track \(track.header.trackID) marks samples that do not exist."
          ))
      }
    }
    if movie.duration == 0 {
      findings.append(.init(.duration, .movie, "The movie lasts no time."))
    }
    return findings + deadMedia(movie, media)
  }

  /// True if a chunk lies wholly in one of the atoms, which are in file order.
  private static func lies(_ chunk: SampleTable.Chunk, in media: [FileAtom]) -> Bool {
    var candidates = media[...]
    while candidates.count > 1 {
      let middle = candidates.startIndex + candidates.count / 2
      candidates =
        media[middle].contentOffset <= chunk.offset ? candidates[middle...] : candidates[..<middle]
    }
    guard let atom = candidates.first, atom.contentOffset <= chunk.offset else { return false }
    return chunk.byteCount <= atom.offset + atom.size - chunk.offset
  }

  /// Sample numbers in order, within the track, the first one among them.
  private static func isPlausible(_ sync: [Int], count: Int) -> Bool {
    guard count > 0 else { return sync.isEmpty }
    return sync.first == 1 && (sync.last ?? 0) <= count && zip(sync, sync.dropFirst()).allSatisfy { $0 < $1 }
  }

  /// Media that no sample table refers to can show what an edit took away. What padding there may be is
  /// 4096 bytes or a fiftieth of the file.
  private static func deadMedia(_ movie: Movie, _ media: [FileAtom]) -> [VerificationFinding] {
    var used = 0
    var end = 0
    let chunks = movie.tracks.flatMap(\.samples.chunks).sorted { $0.offset < $1.offset }
    for chunk in chunks {
      let start = max(chunk.offset, end)
      end = max(end, chunk.offset + chunk.byteCount)
      used += max(0, end - start)
    }
    let dead = media.reduce(0) { $0 + $1.contentSize } - used
    guard dead >= max(4096, movie.fileSize / 50) else { return [] }
    return [.init(.deadMedia, .movie, "The movie holds \(dead) bytes of media that no track refers to.")]
  }
}
