import Basics

/// The file positions and decoding times of a track's samples: the atoms `stts`, `ctts`, `stss`, `stsc`, `stsz`
/// (`stz2`) and `stco` (`co64`) of a sample table (QuickTime File Format, “Sample Table Atoms”).
struct SampleTable: Sendable {
  /// A run of samples stored contiguously in the file.
  struct Chunk: Hashable, Sendable {
    let offset: Int
    let firstSample: Int
    let sampleCount: Int
    let byteCount: Int
    /// The 1-based number of the sample description that applies to the chunk.
    var description = 1
  }

  /// A run of equal entries in `stts` or `ctts`.
  struct Run: Hashable, Sendable {
    let count: Int
    /// A duration (`stts`) or a composition offset (`ctts`), in ticks of the media's time scale.
    let value: Int
  }

  /// The sizes of samples in bytes.
  private enum Sizes: Sendable {
    case constant(Int)
    /// Audio samples that have no individual sizes. Each packet contains several samples.
    case packets(SoundPacket)
    case each([UInt32])

    /// Returns the number of bytes in a range of samples. If the samples have no individual sizes, returns the size of
    /// the packets that contain the samples.
    func bytes(of samples: Range<Int>) -> Int {
      switch self {
      case .constant(let size): samples.count * size
      case .packets(let packet): (samples.count + packet.samples - 1) / packet.samples * packet.bytes
      case .each(let all): all[samples].reduce(0) { $0 + Int($1) }
      }
    }
  }

  let sampleCount: Int
  let chunks: [Chunk]
  /// The durations between decoding times.
  let durations: [Run]
  /// The presentation time minus the decoding time of each sample, or an empty array if the two times are always equal.
  let compositionOffsets: [Run]
  /// The numbers of the samples that can be decoded independently, counted from 1, or nil if all samples can be decoded
  /// independently.
  let syncSamples: [Int]?
  private let sizes: Sizes

  /// Reads and validates the tables.
  ///
  /// - Parameters:
  ///   - sound: The actual packet sizes if `stsz` does not state them, otherwise nil. In older audio tracks, `stsz`
  ///     states a size of 1.
  ///   - fileSize: The size of the file in bytes. All chunks must end within the file.
  init(stbl: Atom, sound: SoundPacket?, fileSize: Int) throws {
    let (count, sizes) = try Self.readSizes(stbl, sound: sound, fileSize: fileSize)
    let offsets = try Self.readOffsets(stbl)
    chunks = try Self.layOut(stbl, count: count, sizes: sizes, offsets: offsets, fileSize: fileSize)
    sampleCount = count
    self.sizes = sizes

    guard let durations = try Self.runs("stts", of: stbl, isSigned: false) else {
      throw MediaError("a track has no “stts” table")
    }
    self.durations = durations
    guard durations.sampleCount == count else {
      throw MediaError("the sample tables disagree: stts and stsz contain different numbers of samples")
    }
    compositionOffsets = try Self.runs("ctts", of: stbl, isSigned: true) ?? []
    // This limit is far below the maximum value of an Int.
    guard durations.reduce(0, { $0 + Double($1.count) * Double($1.value) }) < 0x1p48 else {
      throw MediaError("a track has an impossibly long duration")
    }
    guard compositionOffsets.isEmpty || compositionOffsets.sampleCount >= count else {
      throw MediaError("the sample tables disagree: ctts has too few entries")
    }
    syncSamples = try stbl.first("stss")?.entries(size: 4) { Int(try $0.uint32()) }
  }

  /// Checks that the track does not exceed the maximum number of samples or the maximum duration.
  ///
  /// - Parameter timeScale: The media's time scale, in ticks per second.
  func checkLimits(timeScale: UInt32) throws {
    let most = ReadingLimit.samples.value
    guard sampleCount <= most else {
      throw MediaError(beyond: .samples, "a track has more than \(most) samples")
    }
    let longest = ReadingLimit.duration.value
    guard duration <= longest * Int(timeScale) else {
      throw MediaError(beyond: .duration, "a track is longer than \(longest) seconds")
    }
  }

  /// Returns the size of a sample in bytes.
  ///
  /// - Parameter index: The 0-based number of the sample, which must be less than `sampleCount`.
  /// - Returns: The size, or 0 if several samples share a packet.
  func size(of index: Int) -> Int {
    switch sizes {
    case .constant(let size): size
    case .packets: 0
    case .each(let all): all.indices.contains(index) ? Int(all[index]) : 0
    }
  }

  /// Whether the table states a single size that applies to all samples.
  var hasConstantSizes: Bool {
    if case .each = sizes { false } else { true }
  }

  /// The total size of all samples in bytes.
  var byteCount: Int { chunks.reduce(0) { $0 + $1.byteCount } }

  /// The total duration of all samples in ticks.
  var duration: Int { durations.ticks }

  /// The presentation times of all samples in ticks, in decoding order, before the edit list is applied.
  var compositionTimes: [Int] {
    if compositionOffsets.isEmpty { return durations.starts }
    let offsets = compositionOffsets.lazy.flatMap { repeatElement($0.value, count: $0.count) }
    return zip(durations.starts, offsets).map(+)
  }

  /// Returns the chunks for a range of samples. The samples in the result are renumbered from 0.
  ///
  /// - Throws: ``MediaError`` if the samples share packets, which cannot be split.
  func chunks(of range: Range<Int>) throws -> [Chunk] {
    if case .packets = sizes {
      throw MediaError("the audio format does not allow trimming", isUnsupported: true)
    }
    return chunks.compactMap { chunk in
      let here = (chunk.firstSample..<chunk.firstSample + chunk.sampleCount).clamped(to: range)
      guard !here.isEmpty else { return nil }
      return Chunk(
        offset: chunk.offset + sizes.bytes(of: chunk.firstSample..<here.lowerBound),
        firstSample: here.lowerBound - range.lowerBound, sampleCount: here.count,
        byteCount: sizes.bytes(of: here), description: chunk.description)
    }
  }

  /// Returns the `stsz` atom for a range of samples (QuickTime File Format, “Sample Size Atoms”).
  ///
  /// - Parameters:
  ///   - range: The numbers of the samples, counted from 0.
  ///   - trak: The track's atom. If the track states a constant size, that size is kept.
  func sizeTable(of range: Range<Int>, in trak: Atom) throws -> Atom {
    if case .constant = sizes, var stsz = try trak.first("mdia", "minf", "stbl", "stsz"),
      stsz.bytes.count >= 12
    {
      stsz.bytes.replace(at: 8, bigEndian: UInt32(truncatingIfNeeded: range.count))
      return stsz
    }
    return Self.sizeTable(range.map(size(of:)))
  }

  /// Returns an `stsz` atom for the given sizes in bytes.
  static func sizeTable(_ sizes: [Int]) -> Atom {
    let first = sizes.first ?? 0
    let isConstant = first > 0 && sizes.allSatisfy { $0 == first }
    return Atom("stsz", words: isConstant ? [0, first, sizes.count] : [0, 0, sizes.count] + sizes)
  }

  /// The kinds of tables that describe individual samples, except for tables of sizes, durations and positions. The
  /// described properties are no longer valid when the samples change.
  static let perSample: Set<FourCC> = [
    "ctts", "cslg", "stss", "stps", "stsh", "sdtp", "sgpd", "sbgp", "subs", "saiz", "saio", "padb", "stdp",
  ]

  // MARK: Reading

  private static func readSizes(
    _ stbl: Atom, sound: SoundPacket?, fileSize: Int
  ) throws -> (count: Int, sizes: Sizes) {
    if let stsz = try stbl.first("stsz") {
      var reader = BigEndianReader(stsz.bytes)
      try reader.skip(4)
      let constant = Int(try reader.uint32())
      if constant != 0 {
        let count = Int(try reader.uint32())
        // If each audio sample lasts a single tick, a sample is a single point in time. The size in `stsz` is then
        // ignored.
        let packet = (try isPerTick(stbl) ? sound : nil) ?? SoundPacket(samples: 1, bytes: constant)
        guard count / packet.samples <= fileSize / packet.bytes else {
          throw MediaError("the sample tables describe more media than the file contains")
        }
        return (count, packet.samples == 1 ? .constant(packet.bytes) : .packets(packet))
      }
      let count = try reader.count(entrySize: 4)
      return (count, .each(try (0..<count).map { _ in try reader.uint32() }))
    }
    if let stz2 = try stbl.first("stz2") {
      var reader = BigEndianReader(stz2.bytes)
      try reader.skip(7)
      let bits = Int(try reader.integer(UInt8.self))
      let count = Int(try reader.uint32())
      guard [4, 8, 16].contains(bits), count <= reader.remaining * 8 / bits else {
        throw MediaError("the compact sample size table is damaged")
      }
      let packed = Array(try reader.read((count * bits + 7) / 8))
      let sizes = (0..<count).map { index -> UInt32 in
        switch bits {
        case 4: UInt32(index % 2 == 0 ? packed[index / 2] >> 4 : packed[index / 2] & 15)
        case 8: UInt32(packed[index])
        default: UInt32(packed[2 * index]) << 8 | UInt32(packed[2 * index + 1])
        }
      }
      return (count, .each(sizes))
    }
    throw MediaError("a track has no sample sizes")
  }

  /// Returns whether a single `stts` entry states that every sample lasts a single tick.
  private static func isPerTick(_ stbl: Atom) throws -> Bool {
    guard let bytes = try stbl.first("stts")?.bytes, bytes.count >= 16 else { return false }
    return Array(bytes[4..<8]) == [0, 0, 0, 1] && Array(bytes[12..<16]) == [0, 0, 0, 1]
  }

  private static func readOffsets(_ stbl: Atom) throws -> [Int] {
    if let stco = try stbl.first("stco") { return try stco.entries(size: 4) { Int(try $0.uint32()) } }
    guard let co64 = try stbl.first("co64") else {
      throw MediaError("a track has no chunk offsets")
    }
    return try co64.entries(size: 8) {
      guard let offset = Int(exactly: try $0.uint64()) else {
        throw MediaError("a chunk offset is impossible")
      }
      return offset
    }
  }

  private static func layOut(
    _ stbl: Atom, count: Int, sizes: Sizes, offsets: [Int], fileSize: Int
  ) throws -> [Chunk] {
    guard let stsc = try stbl.first("stsc") else {
      throw MediaError("a track has no sample-to-chunk table")
    }
    let descriptions = try stbl.first("stsd")?.sampleDescriptionCount ?? 1
    var runs: [(firstChunk: Int, samples: Int, description: Int)] = []
    _ = try stsc.entries(size: 12) { reader in
      let first = Int(try reader.uint32())
      let samples = Int(try reader.uint32())
      // Some old programs count descriptions from 0.
      let description = max(1, Int(try reader.uint32()))
      guard description <= descriptions else {
        throw MediaError("a track has no sample description \(description)")
      }
      guard first > (runs.last?.firstChunk ?? 0) else {
        throw MediaError("the entries of a sample-to-chunk table are out of order")
      }
      runs.append((first, samples, description))
    }
    guard offsets.isEmpty || runs.first?.firstChunk == 1 else {
      throw MediaError("a sample-to-chunk table does not begin with the first chunk")
    }

    var chunks: [Chunk] = []
    chunks.reserveCapacity(offsets.count)
    var sample = 0
    var run = 0
    for (index, offset) in offsets.enumerated() {
      while run + 1 < runs.count, runs[run + 1].firstChunk <= index + 1 { run += 1 }
      let inChunk = min(runs[run].samples, count - sample)
      let bytes = sizes.bytes(of: sample..<sample + inChunk)
      guard offset <= fileSize, bytes <= fileSize - offset else {
        throw MediaError(
          "the file is cut off: some samples extend beyond its end",
          remedy: "copy the file from its source again")
      }
      chunks.append(
        Chunk(
          offset: offset, firstSample: sample, sampleCount: inChunk, byteCount: bytes,
          description: runs[run].description))
      sample += inChunk
    }
    guard sample == count else {
      throw MediaError("the sample tables disagree: \(count - sample) samples belong to no chunk")
    }
    return chunks
  }

  /// Returns the runs in `stts` or `ctts`, or nil if the table is missing.
  static func runs(_ kind: FourCC, of stbl: Atom, isSigned: Bool) throws -> [Run]? {
    try stbl.first(kind)?.entries(size: 8) {
      Run(count: Int(try $0.uint32()), value: isSigned ? Int(try $0.int32()) : Int(try $0.uint32()))
    }
  }
}

extension [SampleTable.Run] {
  /// The number of samples that the runs cover. The sum cannot overflow, because each run covers fewer than 2^32
  /// samples and a `moov` atom contains fewer than 2^31 runs.
  var sampleCount: Int { reduce(0) { $0 + $1.count } }

  /// The sum of the values of all samples, in ticks.
  var ticks: Int { reduce(0) { $0 + $1.count * $1.value } }

  /// The start times of all samples, in ticks from 0.
  var starts: [Int] {
    var times: [Int] = []
    times.reserveCapacity(sampleCount)
    var time = 0
    for run in self {
      for _ in 0..<run.count {
        times.append(time)
        time += run.value
      }
    }
    return times
  }

  /// Returns the number and the start time, in ticks, of the sample that is current at a given time. For times after
  /// the end, returns the last sample.
  func sample(at time: Int) -> (number: Int, start: Int) {
    var (first, start) = (0, 0)
    var found = (number: 0, start: 0)
    for run in self where run.count > 0 {
      let steps = run.value > 0 ? Swift.min(Swift.max(0, time - start) / run.value, run.count - 1) : 0
      found = (first + steps, start + steps * run.value)
      (first, start) = (first + run.count, start + run.count * run.value)
      if time < start { break }
    }
    return found
  }

  /// Returns the runs of values for a range of samples.
  func of(_ range: Range<Int>) -> [SampleTable.Run] {
    var first = 0
    return compactMap { run in
      defer { first += run.count }
      let here = (first..<first + run.count).clamped(to: range)
      return here.isEmpty ? nil : SampleTable.Run(count: here.count, value: run.value)
    }
  }

  /// Groups equal consecutive values into runs.
  init(_ values: some Sequence<Int>) {
    self = []
    for value in values {
      if let last, last.value == value {
        self[count - 1] = SampleTable.Run(count: last.count + 1, value: value)
      } else {
        append(SampleTable.Run(count: 1, value: value))
      }
    }
  }
}
