import Basics
import EditModel

/// A movie track.
struct Track: Sendable {
  /// An entry in an edit list (`elst`).
  struct Edit: Hashable, Sendable {
    /// The duration in ticks of the movie's time scale.
    var duration: UInt64
    /// The start in ticks of the media's time scale, or -1 for an empty edit.
    var mediaTime: Int64
    /// The playback rate in 16.16 fixed point.
    var rate: Int32

    /// Returns an edit list that displays part of the media once at normal speed.
    ///
    /// - Parameters:
    ///   - duration: The displayed duration of the part, in ticks of the movie's time scale.
    ///   - start: The start of the part, in ticks of the media's time scale.
    ///   - delay: The time before the part is displayed, in ticks of the movie's time scale.
    static func showing(_ duration: UInt64, from start: Int64 = 0, after delay: UInt64 = 0) -> [Edit] {
      let empty = Edit(duration: delay, mediaTime: -1, rate: 1 << 16)
      return (delay > 0 ? [empty] : []) + [Edit(duration: duration, mediaTime: start, rate: 1 << 16)]
    }

    /// Returns an `elst` atom (QuickTime File Format, “Edit List Atoms”).
    static func list(_ edits: [Edit]) -> Atom {
      let isWide = edits.contains { $0.duration > UInt32.max || $0.mediaTime > Int32.max }
      let entries = edits.flatMap { edit in
        let times = [Int(truncatingIfNeeded: edit.duration), Int(edit.mediaTime)]
        return (isWide ? times.flatMap { [$0 >> 32, $0] } : times) + [Int(edit.rate)]
      }
      return Atom("elst", words: [isWide ? 1 << 24 : 0, edits.count] + entries)
    }
  }

  /// The complete `trak` atom.
  let atom: Atom
  let header: TrackHeader
  /// The handler type, such as `vide`, `soun`, `meta` or `auxv`.
  let handler: FourCC
  let media: MediaHeader
  let samples: SampleTable
  /// The `stsd` atom.
  let descriptions: Atom
  let edits: [Edit]
  /// The duration at the beginning of the movie during which the track displays nothing, in ticks of the movie's time
  /// scale.
  private let emptyTicks: Double
  /// The media time at which the displayed part of the track begins.
  private let firstMediaTime: Double
  /// The sample description of a timed metadata track, which contains the keys, or nil for any other track.
  let metadata: MetadataSampleDescription?

  init(_ trak: Atom, fileSize: Int) throws {
    guard let tkhd = try trak.first("tkhd"), let mdhd = try trak.first("mdia", "mdhd"),
      let hdlr = try trak.first("mdia", "hdlr"), let stbl = try trak.first("mdia", "minf", "stbl"),
      let descriptions = try stbl.first("stsd")
    else { throw MediaError("a track has no header or no sample table") }
    atom = trak
    header = try TrackHeader(tkhd)
    media = try MediaHeader(mdhd)
    guard media.timeScale > 0 else { throw MediaError("a track has a time scale of zero") }
    var reader = BigEndianReader(hdlr.bytes)
    try reader.skip(8)
    handler = try reader.fourCC()
    samples = try SampleTable(
      stbl: stbl, sound: handler == "soun" ? try SoundPacket(stsd: descriptions) : nil, fileSize: fileSize)
    try samples.checkLimits(timeScale: media.timeScale)
    self.descriptions = descriptions
    // The sample description determines the meaning of audio sample sizes.
    guard try handler != "soun" || descriptions.sampleDescriptionCount == 1 || !samples.hasConstantSizes
    else {
      throw MediaError(
        "an audio track has several sample descriptions, which is not supported", isUnsupported: true)
    }
    let edits = try trak.first("edts", "elst").map(Self.edits) ?? []
    self.edits = edits
    let shown = edits.firstIndex { $0.mediaTime >= 0 }
    emptyTicks = edits[..<(shown ?? edits.count)].reduce(0) { $0 + Double($1.duration) }
    firstMediaTime = shown.map { Double(edits[$0].mediaTime) } ?? 0
    metadata = handler == "meta" ? try MetadataSampleDescription(stsd: descriptions) : nil
    try Self.checkDataReferences(trak)
  }

  /// The format of the first sample description, such as `avc1`.
  var format: FourCC {
    var reader = BigEndianReader(descriptions.bytes.dropFirst(12))
    return (try? reader.fourCC()) ?? "    "
  }

  /// The media's time scale, in ticks per second.
  var timeScale: UInt32 { media.timeScale }

  /// The sample description of a video track.
  ///
  /// - Throws: The errors that ``VisualSampleDescription/init(stsd:)`` throws.
  var visualDescription: VisualSampleDescription {
    get throws { try VisualSampleDescription(stsd: descriptions) }
  }

  /// Reads the samples in a chunk.
  func samples(in chunk: SampleTable.Chunk, of source: any ByteSource) throws -> [[UInt8]] {
    var bytes = try source.read(at: chunk.offset, count: chunk.byteCount)[...]
    return (chunk.firstSample..<chunk.firstSample + chunk.sampleCount).map { number in
      let sample = bytes.prefix(samples.size(of: number))
      bytes = bytes.dropFirst(sample.count)
      return Array(sample)
    }
  }

  /// The orientation in which the stored frames are displayed.
  ///
  /// - Throws: ``MediaError`` if the matrix is not a combination of 90° rotations and mirroring.
  var orientation: Orientation {
    get throws {
      guard let orientation = header.matrix.orientation else {
        throw MediaError(
          "the video is displayed scaled, sheared or rotated by an angle other than a multiple of 90°",
          isUnsupported: true)
      }
      return orientation
    }
  }

  /// Converts a time in the media to a time on the movie's timeline.
  ///
  /// - Parameters:
  ///   - ticks: A composition time in ticks of the media's time scale.
  ///   - movieTimeScale: The movie's time scale, in ticks per second.
  /// - Returns: The time in seconds.
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

  /// Checks that the media is stored in this file. If the media is in another file (a reference movie), the media
  /// cannot be copied.
  private static func checkDataReferences(_ trak: Atom) throws {
    guard let dref = try trak.first("mdia", "minf", "dinf", "dref"), dref.bytes.count > 8 else { return }
    for entry in try Atom.parseAll(dref.bytes.dropFirst(8)).atoms {
      guard entry.bytes.count >= 4, entry.bytes[3] & 1 == 1 else {
        throw MediaError(
          "the movie refers to media in another file",
          remedy: "save the movie as a self-contained file first",
          isUnsupported: true)
      }
    }
  }
}

extension Atom {
  /// The IDs of the tracks to which a `tref` reference points (QuickTime File Format, “Track Reference Atoms”).
  var referencedTracks: [UInt32] {
    get throws {
      var reader = BigEndianReader(bytes)
      return try (0..<bytes.count / 4).map { _ in try reader.uint32() }
    }
  }
}
