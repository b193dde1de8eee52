/// The samples of a track as they are laid down in a new movie: in which chunks, and for how long each is shown.
struct TrackLayout {
  /// The chunks, in their order. Samples that are copied lie in the source where a chunk says.
  private(set) var chunks: [SampleTable.Chunk]
  /// Numbers by which the chunks of all tracks are put in order.
  let places: [Int]
  /// Durations of all samples, in ticks of the track's media.
  let durations: [SampleTable.Run]

  var sampleCount: Int { chunks.reduce(0) { $0 + $1.sampleCount } }

  /// The source's own samples, chunks in the source's order.
  init(_ samples: SampleTable) {
    (chunks, durations) = (samples.chunks, samples.durations)
    places = chunks.map(\.offset)
  }

  /// Other samples; chunks are put in order by time.
  ///
  /// - Parameters:
  ///   - durations: durations of all samples, in ticks.
  ///   - timeScale: ticks a second.
  ///   - delay: when the first sample is shown, in seconds of the new movie.
  init(chunks: [SampleTable.Chunk], durations: [SampleTable.Run], timeScale: UInt32, delay: Double = 0) {
    (self.chunks, self.durations) = (chunks, durations)
    var runs = durations[...]
    var (first, start) = (0, 0)
    places = chunks.map { chunk in
      while let run = runs.first, first + run.count <= chunk.firstSample {
        (first, start) = (first + run.count, start + run.count * run.value)
        runs.removeFirst()
      }
      let ticks = start + (chunk.firstSample - first) * (runs.first?.value ?? 0)
      return Int((delay + Double(ticks) / Double(timeScale)) * 1_000_000)
    }
  }

  /// Chunks of equal numbers of samples, of which the last may hold fewer.
  static func chunks(of count: Int, each: Int) -> [SampleTable.Chunk] {
    stride(from: 0, to: count, by: max(each, 1)).map {
      SampleTable.Chunk(offset: 0, firstSample: $0, sampleCount: min(max(each, 1), count - $0), byteCount: 0)
    }
  }

  /// `stts`: the durations (QuickTime File Format, “Time-to-Sample Atoms”).
  var timeToSample: Atom {
    Atom("stts", words: [0, durations.count] + durations.flatMap { [$0.count, $0.value] })
  }

  /// `stsc`: how many samples each chunk holds, and which description tells of them (QuickTime File Format,
  /// “Sample-to-Chunk Atoms”).
  var sampleToChunk: Atom {
    func entry(_ index: Int) -> [Int] { [chunks[index].sampleCount, chunks[index].description] }
    let runs = chunks.indices.filter { $0 == 0 || entry($0) != entry($0 - 1) }
    return Atom("stsc", words: [0, runs.count] + runs.flatMap { [$0 + 1] + entry($0) })
  }

  /// Lets the first description tell of all samples.
  mutating func uniteDescriptions() {
    for index in chunks.indices { chunks[index].description = 1 }
  }
}
