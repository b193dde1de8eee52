import Basics
import EditModel

/// The capture of a movie, as its file describes it. Only headers are read, and fewer rules are asked for than an edit
/// needs: an odd movie is described as far as it goes.
package struct MovieMetadata: Hashable, Sendable {
  /// Width as displayed, in pixels; nil without a video track.
  package var width: Int?
  /// Height as displayed, in pixels; nil without a video track.
  package var height: Int?
  /// Seconds: those of the movie's header, or of the samples where they contradict it.
  package var duration: Double
  /// The identifier that ties it to its photo.
  package var contentIdentifier: String?
  /// When it was taken.
  package var created: CaptureDate?
  /// The camera's maker.
  package var make: String?
  /// The camera's model.
  package var model: String?
  /// The program or system that wrote it.
  package var software: String?
  /// Where it was taken.
  package var location: GeoLocation?
  /// The subtypes that it belongs to.
  package var subtypes: Set<AssetSubtype>

  /// From this rate on, frames a second, a movie is one of high frame rate.
  static let highFrameRate = 100.0

  /// Reads a movie's headers.
  ///
  /// - Throws: ``MediaError`` when it is no movie or broken; what `source` throws.
  package init(reading source: any ByteSource) throws {
    guard source.count > 0 else { throw MediaError("it is empty") }
    let atoms = try FileAtom.scan(source)
    guard let place = atoms.first(where: { $0.kind == "moov" }) else {
      throw MediaError("it is not a movie, or it was never finished")
    }
    var moov = try MovieFragments.joined(Movie.moov(at: place, in: source), atoms, in: source)
    try moov.uniteSampleDescriptions()
    guard let header = try moov.first("mvhd").map(MediaHeader.init) else {
      throw MediaError("it has no movie header")
    }
    let times = try? MovieTimes(moov)
    duration = times.flatMap { $0.contradicted == nil ? nil : $0.end } ?? header.seconds
    let keys = try MovieKeys(moov)
    contentIdentifier = keys.text(MetadataItems.contentIdentifier)
    created = keys.created ?? header.dates.created.flatMap { CaptureDate($0, source: .movieHeader) }
    make = keys.texts(MovieKeys.make).first
    model = keys.texts(MovieKeys.model).first
    software = keys.texts(MovieKeys.software).first
    location =
      try keys.location
      ?? moov.first("udta").flatMap { try? $0.takenApart().first("loci") }.flatMap {
        try? Self.location(loci: $0)
      }
    subtypes = []
    guard let track = try moov.all("trak").compactMap({ try? Video($0) }).first else { return }
    (width, height) = track.swapsAxes ? (track.height, track.width) : (track.width, track.height)
    if track.isHDR { subtypes.insert(.hdr) }
    subtypes.formUnion(Self.speed(keys.items, rate: track.frameRate))
  }

  /// Tells a movie that was shot faster or slower than it is meant to be shown. Android says how fast, and stores
  /// frames at the rate of playing; Apple stores them as they were shot, and says in newer systems
  /// whether a high rate is meant to be played.
  private static func speed(_ items: [MetadataItems.Item], rate: Double) -> Set<AssetSubtype> {
    func value(_ name: String) -> MetadataValue? {
      items.first { $0.name == name }.map { MetadataValue(type: $0.type, bytes: $0.value) }
    }
    if case .float(let captured) = value("com.android.capture.fps"), captured > 0 {
      if captured >= highFrameRate { return [.slowMotion] }
      return captured < rate / 2 ? [.timeLapse] : []
    }
    switch value("com.apple.quicktime.full-frame-rate-playback-intent") {
    case .signed(1), .unsigned(1): return []
    default: return rate >= highFrameRate ? [.slowMotion] : []
    }
  }

  /// The place in `loci` (3GPP TS 26.244 section 8.10): version and flags, language, a name in UTF-8 or UTF-16, a role, and
  /// longitude, latitude and altitude in 16.16 fixed point. ffmpeg writes an altitude of 0 where none is known.
  private static func location(loci: Atom) throws -> GeoLocation? {
    var reader = BigEndianReader(loci.bytes)
    try reader.skip(6)
    var peek = reader
    if try peek.uint16() == 0xFEFF {
      while try reader.uint16() != 0 {}
    } else {
      while try reader.integer(UInt8.self) != 0 {}
    }
    try reader.skip(1)
    let numbers = try (0..<3).map { _ in Double(try reader.int32()) / 65_536 }
    return GeoLocation(
      latitude: numbers[1], longitude: numbers[0], altitude: numbers[2] == 0 ? nil : numbers[2])
  }

  /// A video track.
  private struct Video {
    let swapsAxes: Bool
    let width: Int
    let height: Int
    let frameRate: Double
    let isHDR: Bool

    /// - Returns: nil for a track of another kind.
    init?(_ trak: Atom) throws {
      let handler = try trak.first("mdia", "hdlr")?.bytes.dropFirst(8).prefix(4) ?? []
      guard handler.elementsEqual("vide".utf8), let tkhd = try trak.first("tkhd") else { return nil }
      let header = try TrackHeader(tkhd)
      swapsAxes = header.matrix.orientation?.swapsAxes ?? false
      let stbl = try trak.first("mdia", "minf", "stbl")
      if let stsd = try stbl?.first("stsd"), let description = try? VisualSampleDescription(stsd: stsd) {
        width = Int(description.width)
        height = Int(description.height)
        // ISO/IEC 23091-2: transfer characteristics 16 are PQ, 18 are HLG.
        let transfer = try description.first("colr").map(VideoColor.init)?.transfer
        isHDR = transfer == 16 || transfer == 18
      } else {
        width = Int(header.width >> 16)
        height = Int(header.height >> 16)
        isHDR = false
      }
      guard let mdhd = try trak.first("mdia", "mdhd"),
        let runs = try stbl.flatMap({ try SampleTable.runs("stts", of: $0, isSigned: false) })
      else {
        frameRate = 0
        return
      }
      let ticks = runs.reduce(0) { $0 + Double($1.count) * Double($1.value) }
      let scale = Double(try MediaHeader(mdhd).timeScale)
      frameRate = ticks > 0 ? Double(runs.sampleCount) * scale / ticks : 0
    }
  }
}
