import Basics

/// The fragments of a movie: samples described by `moof` atoms, which follow the samples described by `moov` (ISO/IEC
/// 14496-12, section 8.8). When a fragmented movie is read, its fragments are joined into the tables of an unfragmented
/// movie.
struct MovieFragments {
  /// The kinds of top-level atoms that contain only descriptions of fragments.
  static let kinds: Set<FourCC> = ["moof", "mfra", "sidx", "ssix", "styp", "prft"]

  /// The maximum accepted total size of the fragment tables in bytes, which is far larger than in any Live Photo. Runs
  /// of equal samples need no bytes in the file, so `ReadingLimit.fragmentSamples` also limits the memory.
  private static let mostBytes = 64 << 20

  /// The default values for sample properties that a fragment does not state (`trex`).
  private struct Defaults {
    var description = 1
    var duration = 0
    var size = 0
    var flags = 0
  }

  /// The samples of a track, in decoding order.
  fileprivate struct Samples {
    var sizes: [UInt32] = []
    var durations: [Int32] = []
    var offsets: [Int32] = []
    /// The numbers of the samples that can be decoded independently, counted from 0.
    var syncs: [Int] = []
    var chunks: [(place: Int, samples: Int, description: Int)] = []
    /// The start time of the next sample, in ticks.
    var end = 0
  }

  private var defaults: [Int: Defaults] = [:]
  private var tracks: [Int: Samples] = [:]
  private var sampleCount = 0
  private let fileSize: Int

  /// Joins the fragments of a movie.
  ///
  /// - Parameters:
  ///   - moov: The movie's `moov` atom.
  ///   - atoms: All top-level atoms of the file.
  /// - Returns: A `moov` atom that describes the movie without fragments, or the unchanged atom if the movie is not
  ///   fragmented.
  /// - Throws: ``Basics/MediaError`` if the fragments contradict each other or are of an unsupported kind.
  static func joined(_ moov: Atom, _ atoms: [FileAtom], in source: any ByteSource) throws -> Atom {
    let places = atoms.filter { $0.kind == "moof" }
    guard let mvex = try moov.first("mvex") else {
      guard places.isEmpty else {
        throw MediaError("the movie contains fragments that its moov atom does not declare")
      }
      return moov
    }
    guard places.reduce(0, { $0 + $1.contentSize }) <= mostBytes else {
      throw MediaError("the fragments' tables are larger than \(mostBytes >> 20) MB", isUnsupported: true)
    }
    var fragments = try MovieFragments(moov, mvex.takenApart(), fileSize: source.count)
    for place in places {
      try fragments.add(source.read(at: place.contentOffset, count: place.contentSize), at: place.offset)
    }
    return try fragments.joined(moov)
  }

  private init(_ moov: Atom, _ mvex: Atom, fileSize: Int) throws {
    self.fileSize = fileSize
    for trex in try mvex.all("trex") {
      var reader = BigEndianReader(trex.bytes)
      try reader.skip(4)
      let track = Int(try reader.uint32())
      defaults[track] = Defaults(
        description: Int(try reader.uint32()), duration: Int(try reader.uint32()),
        size: Int(try reader.uint32()), flags: Int(try reader.uint32()))
    }
    for trak in try moov.all("trak") {
      let track = try Track(trak, fileSize: fileSize)
      let number = Int(track.header.trackID)
      guard tracks[number] == nil else { throw MediaError("two tracks have the same number") }
      let table = track.samples
      guard table.sampleCount == 0 || table.chunks.allSatisfy({ $0.byteCount > 0 }) else {
        throw MediaError("the movie begins with empty samples, which is not supported", isUnsupported: true)
      }
      try count(table.sampleCount)
      var samples = Samples()
      samples.sizes = (0..<table.sampleCount).map { UInt32(truncatingIfNeeded: table.size(of: $0)) }
      guard samples.sizes.allSatisfy({ $0 > 0 }) else {
        throw MediaError("the audio format is not supported in a fragmented movie", isUnsupported: true)
      }
      let starts = table.durations.starts
      samples.durations = try zip(starts, starts.dropFirst() + [table.duration]).map {
        try Self.number($1 - $0)
      }
      samples.offsets = try zip(table.compositionTimes, starts).map { try Self.number($0 - $1) }
      guard samples.offsets.allSatisfy({ $0 >= 0 }) else {
        throw MediaError(
          "the first fragment's layout is not supported",
          remedy: "join the fragments first: ffmpeg -i IN -map 0 -c copy OUT.mov", isUnsupported: true)
      }
      samples.syncs = table.syncSamples.map { $0.map { $0 - 1 } } ?? Array(0..<table.sampleCount)
      samples.chunks = table.chunks.map { ($0.offset, $0.sampleCount, $0.description) }
      samples.end = table.duration
      tracks[number] = samples
    }
  }

  private mutating func count(_ samples: Int) throws {
    sampleCount += samples
    let most = ReadingLimit.fragmentSamples.value
    guard sampleCount <= most else {
      throw MediaError(
        "the fragments have more than \(most) samples",
        remedy: "join the fragments first: ffmpeg -i IN -map 0 -c copy OUT.mov", isUnsupported: true)
    }
  }

  private static func number(_ ticks: Int) throws -> Int32 {
    guard let number = Int32(exactly: ticks) else {
      throw MediaError("a sample has an impossibly long duration")
    }
    return number
  }

  // MARK: Reading

  /// Reads a fragment (`moof`) at a given offset in the file.
  private mutating func add(_ bytes: [UInt8], at place: Int) throws {
    // Samples without an offset of their own follow the previous samples.
    var end = place
    for (index, traf) in try Atom.parseAll(bytes[...]).atoms.filter({ $0.kind == "traf" }).enumerated() {
      try add(traf.takenApart(), base: index == 0 ? place : end, of: place, end: &end)
    }
  }

  /// Reads a fragment's description of a track.
  ///
  /// - Parameters:
  ///   - base: The default base offset, from which the offsets of sample runs are counted.
  ///   - place: The offset at which the fragment begins.
  ///   - end: The offset after the last sample, which the function updates.
  private mutating func add(_ traf: Atom, base: Int, of place: Int, end: inout Int) throws {
    guard let tfhd = try traf.first("tfhd") else { throw MediaError("a fragment has no header") }
    var header = BigEndianReader(tfhd.bytes)
    let flags = Int(try header.uint32()) & 0xFF_FFFF
    let number = Int(try header.uint32())
    // The samples are removed from the dictionary while they change. Otherwise, Swift would copy the table.
    guard var samples = tracks.removeValue(forKey: number), var known = defaults[number] else {
      throw MediaError("a fragment refers to track \(number), which does not exist")
    }
    func has(_ flag: Int) -> Bool { flags & flag != 0 }
    var base = has(0x2_0000) ? place : base
    if has(0x01) { base = try Self.place(header.uint64()) }
    if has(0x02) { known.description = Int(try header.uint32()) }
    if has(0x08) { known.duration = Int(try header.uint32()) }
    if has(0x10) { known.size = Int(try header.uint32()) }
    if has(0x20) { known.flags = Int(try header.uint32()) }
    if let tfdt = try traf.first("tfdt") {
      var reader = BigEndianReader(tfdt.bytes)
      let isWide = try reader.uint32() >> 24 == 1
      try samples.begin(at: Self.place(reader.time(isWide: isWide)))
    }
    var next = base
    for trun in try traf.all("trun") {
      next = try add(trun, known, base: base, next: next, to: &samples)
    }
    tracks[number] = samples
    end = next
  }

  /// Reads a run of samples.
  ///
  /// - Parameters:
  ///   - base: The base offset, from which the run's own offset is counted.
  ///   - next: The offset at which the run begins if the run has no offset of its own.
  /// - Returns: The offset at which the run ends.
  private mutating func add(
    _ trun: Atom, _ known: Defaults, base: Int, next: Int, to samples: inout Samples
  ) throws -> Int {
    var reader = BigEndianReader(trun.bytes)
    let word = try reader.uint32()
    let flags = Int(word) & 0xFF_FFFF
    let isSigned = word >> 24 > 0
    let samplesHere = Int(try reader.uint32())
    let start = flags & 0x01 != 0 ? base + Int(try reader.int32()) : next
    let firstFlags = flags & 0x04 != 0 ? Int(try reader.uint32()) : nil
    try count(samplesHere)
    guard samplesHere > 0 else { return start }
    var bytes = 0
    for index in 0..<samplesHere {
      let duration = flags & 0x100 != 0 ? Int(try reader.uint32()) : known.duration
      let size = flags & 0x200 != 0 ? Int(try reader.uint32()) : known.size
      var own = flags & 0x400 != 0 ? Int(try reader.uint32()) : known.flags
      if index == 0, let firstFlags { own = firstFlags }
      let offset =
        flags & 0x800 == 0
        ? 0 : isSigned ? Int(try reader.int32()) : Int(Int32(bitPattern: try reader.uint32()))
      // The specification calls this flag “sample_is_non_sync_sample”.
      if own & 0x1_0000 == 0 { samples.syncs.append(samples.sizes.count) }
      samples.sizes.append(UInt32(truncatingIfNeeded: size))
      samples.durations.append(try Self.number(duration))
      samples.offsets.append(try Self.number(offset))
      samples.end += duration
      bytes += size
    }
    guard start >= 0, start <= fileSize, bytes <= fileSize - start else {
      throw MediaError(
        "the file is cut off: some samples extend beyond its end",
        remedy: "copy the file from its source again")
    }
    samples.chunks.append((start, samplesHere, known.description))
    return start + bytes
  }

  private static func place(_ value: UInt64) throws -> Int {
    guard value < 1 << 47 else { throw MediaError("a fragment contains an impossible offset or time") }
    return Int(value)
  }

  // MARK: Writing

  /// Returns the movie's `moov` atom with tables for all samples.
  private func joined(_ moov: Atom) throws -> Atom {
    guard let mvhd = try moov.first("mvhd").map(MediaHeader.init), mvhd.timeScale > 0 else {
      throw MediaError("the movie has no header")
    }
    var moov = moov
    var length: UInt64 = 0
    try moov.remove(["mvex"])
    try moov.changeAll("trak") { trak in
      guard let number = try trak.first("tkhd").map({ Int(try TrackHeader($0).trackID) }),
        let samples = tracks[number], let mdhd = try trak.first("mdia", "mdhd").map(MediaHeader.init)
      else { return }
      let media = UInt64(samples.end)
      try trak.update("mdia", "mdhd") { try $0.setDuration(media, at: 16, orWideAt: 24) }
      try trak.update("mdia", "minf", "stbl") { try samples.write(into: &$0) }
      let shown = try Self.lasting(
        &trak, media, after: samples.shift, from: mdhd.timeScale, to: mvhd.timeScale)
      try trak.update("tkhd") { try $0.setDuration(shown, at: 20, orWideAt: 28) }
      length = max(length, shown)
    }
    try moov.update("mvhd") { try $0.setDuration(length, at: 16, orWideAt: 24) }
    return moov
  }

  /// Shifts the media times in a track's edit list. Entries without a duration, which were written before the media,
  /// get the duration of the remaining media.
  ///
  /// - Parameters:
  ///   - media: The duration of the media, in ticks of the old time scale.
  ///   - shift: The number of ticks to add to each media time.
  /// - Returns: The displayed duration of the track, in ticks of the new time scale.
  private static func lasting(
    _ trak: inout Atom, _ media: UInt64, after shift: Int, from old: UInt32, to new: UInt32
  ) throws -> UInt64 {
    func scaled(_ ticks: UInt64) -> UInt64 {
      UInt64(clamping: (UInt128(ticks) * UInt128(new) + UInt128(old) / 2) / UInt128(old))
    }
    var edits = try trak.first("edts", "elst").map(Track.edits) ?? []
    if edits.isEmpty, shift == 0 { return scaled(media) }
    if edits.isEmpty { edits = Track.Edit.showing(scaled(media)) }
    for index in edits.indices where edits[index].mediaTime >= 0 {
      let start = UInt64(edits[index].mediaTime)
      if edits[index].duration == 0 { edits[index].duration = scaled(media > start ? media - start : 0) }
      edits[index].mediaTime &+= Int64(shift)
    }
    try trak.remove(["edts"])
    let list = Atom("edts", children: [Track.Edit.list(edits)])
    try trak.changeChildren { children in
      let header = children.firstIndex { $0.kind == "tkhd" } ?? 0
      children.insert(list, at: min(header + 1, children.count))
    }
    return edits.reduce(0) { $0 &+ $1.duration }
  }
}

extension MovieFragments.Samples {
  /// The delay in ticks that prevents samples from being displayed before they are decoded. libavformat calculates the
  /// times of fragments in the same way.
  fileprivate var shift: Int { -Int(min(offsets.min() ?? 0, 0)) }

  /// Starts the next sample at a given time by changing the previous sample's duration.
  fileprivate mutating func begin(at time: Int) throws {
    guard time != end else { return }
    guard let last = durations.indices.last, Int(durations[last]) + time - end >= 0,
      let lasting = Int32(exactly: Int(durations[last]) + time - end)
    else {
      throw MediaError(
        "the first fragment does not begin at the start of the movie, or two fragments overlap",
        remedy: "join the fragments first: ffmpeg -i IN -map 0 -c copy OUT.mov", isUnsupported: true)
    }
    durations[last] = lasting
    end = time
  }

  /// Writes the tables into a sample table atom.
  fileprivate func write(into stbl: inout Atom) throws {
    try stbl.remove(SampleTable.perSample.union(["stts", "stsc", "stsz", "stz2", "stco", "co64"]))
    let layout = TrackLayout(
      chunks: chunks.map {
        SampleTable.Chunk(
          offset: $0.place, firstSample: 0, sampleCount: $0.samples, byteCount: 0, description: $0.description
        )
      },
      durations: [SampleTable.Run](durations.lazy.map { Int($0) }), timeScale: 1)
    try stbl.put(layout.timeToSample)
    let shift = shift
    let runs = [SampleTable.Run](offsets.lazy.map { Int($0) + shift })
    if runs.contains(where: { $0.value != 0 }) {
      try stbl.put(Atom("ctts", words: [0, runs.count] + runs.flatMap { [$0.count, $0.value] }))
    }
    if syncs.count != sizes.count {
      try stbl.put(Atom("stss", words: [0, syncs.count] + syncs.map { $0 + 1 }))
    }
    try stbl.put(layout.sampleToChunk)
    try stbl.put(SampleTable.sizeTable(sizes.map { Int($0) }))
    try stbl.put(Atom("co64", words: [0, chunks.count] + chunks.flatMap { [$0.place >> 32, $0.place] }))
  }
}
