import EditModel

/// Rules about where a movie's media lies.
extension [VerificationFinding] {
  /// Every sample lies in an `mdat` atom, and the sync sample tables can be true.
  mutating func checkMedia(of movie: Movie) {
    let media = movie.fileAtoms.filter { $0.kind == "mdat" }
    for track in movie.tracks {
      let number = track.header.trackID
      if track.samples.chunks.contains(where: { $0.byteCount > 0 && !Self.lies($0, in: media) }) {
        add(
          .sampleTables, .movie,
          "Samples of the movie's track \(number) lie outside its media, where other data stands.")
      }
      if let sync = track.samples.syncSamples, !Self.isPlausible(sync, count: track.samples.sampleCount) {
        add(
          .syncTable, .movie,
          "The sync sample table of the movie's track \(number) marks samples that do not exist.")
      }
    }
    if movie.duration == 0 { add(.duration, .movie, "The movie lasts no time.") }
    checkDeadMedia(of: movie, media)
  }

  /// True if a chunk lies wholly in one of the atoms, which are in file order.
  private static func lies(_ chunk: SampleTable.Chunk, in media: [FileAtom]) -> Bool {
    let next = media.partitioningIndex { $0.contentOffset > chunk.offset }
    guard let atom = media[..<next].last else { return false }
    return chunk.byteCount <= atom.range.upperBound - chunk.offset
  }

  /// Sample numbers in order, within the track, the first one among them.
  private static func isPlausible(_ sync: [Int], count: Int) -> Bool {
    guard count > 0 else { return sync.isEmpty }
    return sync.first == 1 && (sync.last ?? 0) <= count && zip(sync, sync.dropFirst()).allSatisfy { $0 < $1 }
  }

  /// Media that no sample table refers to can show what an edit took away. What padding there may be is
  /// 4096 bytes or a fiftieth of the file.
  private mutating func checkDeadMedia(of movie: Movie, _ media: [FileAtom]) {
    var used = 0
    var end = 0
    let chunks = movie.tracks.flatMap(\.samples.chunks).sorted { $0.offset < $1.offset }
    for chunk in chunks {
      let start = Swift.max(chunk.offset, end)
      end = Swift.max(end, chunk.offset + chunk.byteCount)
      used += Swift.max(0, end - start)
    }
    let dead = media.reduce(0) { $0 + $1.contentSize } - used
    guard dead >= Swift.max(4096, movie.fileSize / 50) else { return }
    add(.deadMedia, .movie, "The movie holds \(dead) bytes of media that no track refers to.")
  }
}
