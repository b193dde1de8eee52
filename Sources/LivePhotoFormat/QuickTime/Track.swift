import Basics
import EditModel

/// One track of a movie.
struct Track: Sendable {
  /// An entry of an edit list (`elst`).
  struct Edit: Hashable, Sendable {
    /// Ticks of the movie's time scale.
    var duration: UInt64
    /// Start in ticks of the media's time scale; -1 for an empty edit.
    var mediaTime: Int64
    /// Playback rate in 16.16 fixed point.
    var rate: Int32

    /// The edit list that shows a part of the media once, at its own speed.
    ///
    /// - Parameters:
    ///   - duration: how long it is shown, in ticks of the movie.
    ///   - start: where it begins, in ticks of the media.
    ///   - delay: how long nothing is shown before, in ticks of the movie.
    static func showing(_ duration: UInt64, from start: Int64 = 0, after delay: UInt64 = 0) -> [Edit] {
      let empty = Edit(duration: delay, mediaTime: -1, rate: 1 << 16)
      return (delay > 0 ? [empty] : []) + [Edit(duration: duration, mediaTime: start, rate: 1 << 16)]
    }

    /// `elst` (QuickTime File Format, “Edit List Atoms”).
    static func list(_ edits: [Edit]) -> Atom {
      let isWide = edits.contains { $0.duration > UInt32.max || $0.mediaTime > Int32.max }
      let entries = edits.flatMap { edit in
        let times = [Int(truncatingIfNeeded: edit.duration), Int(edit.mediaTime)]
        return (isWide ? times.flatMap { [$0 >> 32, $0] } : times) + [Int(edit.rate)]
      }
      return Atom("elst", words: [isWide ? 1 << 24 : 0, edits.count] + entries)
    }
  }

  /// The whole `trak` atom.
  let atom: Atom
  let header: TrackHeader
  /// `vide`, `soun`, `meta`, `auxv`, …
  let handler: FourCC
  let media: MediaHeader
  let samples: SampleTable
  /// The `stsd` atom.
  let descriptions: Atom
  let edits: [Edit]
  /// How long nothing is shown at first, in ticks of the movie.
  private let emptyTicks: Double
  /// The time of the media at which the track begins.
  private let firstMediaTime: Double
  /// Keys of a timed metadata track.
  let metadata: MetadataSampleDescription?

  init(_ trak: Atom, fileSize: Int) throws {
    guard let tkhd = try trak.first("tkhd"), let mdhd = try trak.first("mdia", "mdhd"),
      let hdlr = try trak.first("mdia", "hdlr"), let stbl = try trak.first("mdia", "minf", "stbl"),
      let descriptions = try stbl.first("stsd")
    else { throw MediaError("one of its tracks lacks a header or a sample table") }
    atom = trak
    header = try TrackHeader(tkhd)
    media = try MediaHeader(mdhd)
    guard media.timeScale > 0 else { throw MediaError("one of its tracks has a time scale of zero") }
    var reader = BigEndianReader(hdlr.bytes)
    try reader.skip(8)
    handler = try reader.fourCC()
    samples = try SampleTable(
      stbl: stbl, sound: handler == "soun" ? try SoundPacket(stsd: descriptions) : nil, fileSize: fileSize)
    try samples.checkLimits(timeScale: media.timeScale)
    self.descriptions = descriptions
    // What the sizes of sound mean depends on its description.
    guard try handler != "soun" || descriptions.sampleDescriptionCount == 1 || !samples.hasConstantSizes
    else {
      throw MediaError("one of its sound tracks has several sample descriptions", isUnsupported: true)
    }
    let edits = try trak.first("edts", "elst").map(Self.edits) ?? []
    self.edits = edits
    let shown = edits.firstIndex { $0.mediaTime >= 0 }
    emptyTicks = edits[..<(shown ?? edits.count)].reduce(0) { $0 + Double($1.duration) }
    firstMediaTime = shown.map { Double(edits[$0].mediaTime) } ?? 0
    metadata = handler == "meta" ? try MetadataSampleDescription(stsd: descriptions) : nil
    try Self.checkDataReferences(trak)
  }

  /// The format of the first sample description, `avc1` say.
  var format: FourCC {
    var reader = BigEndianReader(descriptions.bytes.dropFirst(12))
    return (try? reader.fourCC()) ?? "    "
  }

  /// Ticks a second of the media.
  var timeScale: UInt32 { media.timeScale }

  /// The description of a video track's frames.
  ///
  /// - Throws: see ``VisualSampleDescription/init(stsd:)``.
  var visualDescription: VisualSampleDescription {
    get throws { try VisualSampleDescription(stsd: descriptions) }
  }

  /// Reads the samples of a chunk.
  func samples(in chunk: SampleTable.Chunk, of source: any ByteSource) throws -> [[UInt8]] {
    var bytes = try source.read(at: chunk.offset, count: chunk.byteCount)[...]
    return (chunk.firstSample..<chunk.firstSample + chunk.sampleCount).map { number in
      let sample = bytes.prefix(samples.size(of: number))
      bytes = bytes.dropFirst(sample.count)
      return Array(sample)
    }
  }

  /// The way in which stored frames are laid down for display.
  ///
  /// - Throws: ``MediaError`` when the matrix is neither a quarter turn nor a mirror image.
  var orientation: Orientation {
    get throws {
      guard let orientation = header.matrix.orientation else {
        throw MediaError(
          "its video is scaled, sheared or turned by an odd angle when shown", isUnsupported: true)
      }
      return orientation
    }
  }

  /// Where the media's time `ticks` lies on the movie's timeline.
  ///
  /// - Parameters:
  ///   - ticks: a composition time in ticks of the media's time scale.
  ///   - movieTimeScale: ticks a second of the movie.
  /// - Returns: seconds.
  func presentationTime(of ticks: Int, movieTimeScale: UInt32) -> Double {
    emptyTicks / Double(movieTimeScale) + (Double(ticks) - firstMediaTime) / Double(timeScale)
  }

  /// Reads an edit list.
  static func edits(_ elst: Atom) throws -> [Edit] {
    let isWide = elst.bytes.first == 1
    return try elst.entries(size: isWide ? 20 : 12) {
      Edit(
        duration: try $0.time(isWide: isWide), mediaTime: isWide ? try $0.integer() : Int64(try $0.int32()),
        rate: try $0.int32())
    }
  }

  /// Media in another file (a reference movie) cannot be carried over.
  private static func checkDataReferences(_ trak: Atom) throws {
    guard let dref = try trak.first("mdia", "minf", "dinf", "dref"), dref.bytes.count > 8 else { return }
    for entry in try Atom.parseAll(dref.bytes.dropFirst(8)).atoms {
      guard entry.bytes.count >= 4, entry.bytes[3] & 1 == 1 else {
        throw MediaError(
          "it refers to media in another file", remedy: "save it as a self-contained movie first",
          isUnsupported: true)
      }
    }
  }
}

extension Atom {
  /// The numbers of tracks in a reference of `tref` (QuickTime File Format, “Track Reference Atoms”).
  var referencedTracks: [UInt32] {
    get throws {
      var reader = BigEndianReader(bytes)
      return try (0..<bytes.count / 4).map { _ in try reader.uint32() }
    }
  }
}
