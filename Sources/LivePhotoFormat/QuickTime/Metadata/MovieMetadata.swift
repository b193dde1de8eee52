import Basics
import EditModel

/// The capture metadata stated in a movie file. Only headers are read. The requirements are less strict than for an
/// edit, so that even an unusual movie can be described as completely as possible.
package struct MovieMetadata: Hashable, Sendable {
  /// The displayed width in pixels, or nil if the movie has no video track.
  package var width: Int?
  /// The displayed height in pixels, or nil if the movie has no video track.
  package var height: Int?
  /// The duration in seconds. The value comes from the movie's header, or from the samples if the samples contradict
  /// the header.
  package var duration: Double
  /// The identifier that pairs the movie with its photo.
  package var contentIdentifier: String?
  /// The capture date.
  package var created: CaptureDate?
  /// The camera's manufacturer.
  package var make: String?
  /// The camera's model.
  package var model: String?
  /// The program or system that wrote the movie.
  package var software: String?
  /// The capture location.
  package var location: GeoLocation?
  /// The subtypes that apply to the movie.
  package var subtypes: Set<AssetSubtype>

  /// The lowest frame rate at which a movie counts as high-frame-rate, in frames per second.
  static let highFrameRate = 100.0

  /// Reads a movie's headers.
  ///
  /// - Throws: ``MediaError`` if the file is not a movie or is damaged, or any error that `source` throws.
  package init(reading source: any ByteSource) throws {
    guard source.count > 0 else { throw MediaError("the file is empty") }
    let atoms = try FileAtom.scan(source)
    guard let place = atoms.first(where: { $0.kind == "moov" }) else {
      throw MediaError("the file is not a movie, or was never finished")
    }
    var moov = try MovieFragments.joined(Movie.moov(at: place, in: source), atoms, in: source)
    try moov.uniteSampleDescriptions()
    guard let header = try moov.first("mvhd").map(MediaHeader.init) else {
      throw MediaError("the movie has no header")
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

  /// Returns whether a movie was recorded faster or slower than its intended playback speed. Android states the
  /// recording rate and stores frames at the playback rate. Apple stores frames at the recording rate. Newer Apple
  /// systems also state whether a high rate is intended for playback.
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

  /// Reads the location in `loci` (3GPP TS 26.244 section 8.10). The atom contains the version and flags, the language,
  /// a name in UTF-8 or UTF-16, a role, and the longitude, latitude and altitude in 16.16 fixed point. If the altitude
  /// is unknown, ffmpeg writes 0.
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

  /// The properties of a video track.
  private struct Video {
    let swapsAxes: Bool
    let width: Int
    let height: Int
    let frameRate: Double
    let isHDR: Bool

    /// Reads a video track.
    ///
    /// - Returns: The properties, or nil if the track is of another kind.
    init?(_ trak: Atom) throws {
      let handler = try trak.first("mdia", "hdlr")?.bytes.dropFirst(8).prefix(4) ?? []
      guard handler.elementsEqual("vide".utf8), let tkhd = try trak.first("tkhd") else { return nil }
      let header = try TrackHeader(tkhd)
      swapsAxes = header.matrix.orientation?.swapsAxes ?? false
      let stbl = try trak.first("mdia", "minf", "stbl")
      if let stsd = try stbl?.first("stsd"), let description = try? VisualSampleDescription(stsd: stsd) {
        width = Int(description.width)
        height = Int(description.height)
        // In ISO/IEC 23091-2, transfer characteristics 16 means PQ, and 18 means HLG.
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
