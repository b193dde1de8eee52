/// The arrangement of a track's samples in a new movie: the chunks that contain the samples, and the duration of each
/// sample.
struct TrackLayout {
  /// The chunks in order. If the samples are copied, the offset of a chunk is the position of its samples in the source
  /// file.
  private(set) var chunks: [SampleTable.Chunk]
  /// The keys by which the chunks of all tracks are sorted.
  let places: [Int]
  /// The durations of all samples, in ticks of the track's media time scale.
  let durations: [SampleTable.Run]

  var sampleCount: Int { chunks.reduce(0) { $0 + $1.sampleCount } }

  /// Creates a layout with the samples and the chunk order of the source.
  init(_ samples: SampleTable) {
    (chunks, durations) = (samples.chunks, samples.durations)
    places = chunks.map(\.offset)
  }

  /// Creates a layout with samples that differ from the source. The chunks are ordered by time.
  ///
  /// - Parameters:
  ///   - durations: The durations of all samples, in ticks.
  ///   - timeScale: The time scale, in ticks per second.
  ///   - delay: The time at which the first sample is displayed, in seconds on the new movie's timeline.
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

  /// Divides samples into chunks with an equal number of samples. The last chunk may contain fewer samples.
  static func chunks(of count: Int, each: Int) -> [SampleTable.Chunk] {
    stride(from: 0, to: count, by: max(each, 1)).map {
      SampleTable.Chunk(offset: 0, firstSample: $0, sampleCount: min(max(each, 1), count - $0), byteCount: 0)
    }
  }

  /// The `stts` atom, which contains the durations (QuickTime File Format, “Time-to-Sample Atoms”).
  var timeToSample: Atom {
    Atom("stts", words: [0, durations.count] + durations.flatMap { [$0.count, $0.value] })
  }

  /// The `stsc` atom, which contains the number of samples in each chunk and the number of the sample description for
  /// the chunk (QuickTime File Format, “Sample-to-Chunk Atoms”).
  var sampleToChunk: Atom {
    func entry(_ index: Int) -> [Int] { [chunks[index].sampleCount, chunks[index].description] }
    let runs = chunks.indices.filter { $0 == 0 || entry($0) != entry($0 - 1) }
    return Atom("stsc", words: [0, runs.count] + runs.flatMap { [$0 + 1] + entry($0) })
  }

  /// Assigns the first sample description to all samples.
  mutating func uniteDescriptions() {
    for index in chunks.indices { chunks[index].description = 1 }
  }
}
