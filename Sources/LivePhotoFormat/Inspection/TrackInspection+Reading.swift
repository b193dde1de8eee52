import Basics

extension TrackInspection {
  /// Reads a track's headers and its timed metadata.
  init(_ track: Track, of movie: Movie, _ source: any ByteSource) throws {
    number = track.header.trackID
    handler = track.handler.description
    handlerName = try Self.handlerName(track.atom.first("mdia", "hdlr"))
    format = track.format.description
    isEnabled = track.header.isEnabled
    created = track.header.dates.created
    modified = track.header.dates.modified
    language = try Self.language(track.media)
    duration = track.media.duration
    timeScale = track.timeScale
    seconds = track.media.seconds
    sampleCount = track.samples.sampleCount
    mediaBytes = track.samples.byteCount
    editList = track.edits.map {
      EditEntry(duration: $0.duration, mediaTime: $0.mediaTime, rate: Double($0.rate) / 65_536)
    }
    references = try (track.atom.first("tref")?.children ?? []).map {
      Reference(type: $0.kind.description, tracks: try $0.referencedTracks)
    }
    keys = try track.atom.first("meta").flatMap { try MetadataItems($0) }?.items.map(KeyInspection.init) ?? []
    video = track.handler == "vide" || track.handler == "auxv" ? try VideoInspection(track) : nil
    sound = track.handler == "soun" ? try SoundInspection(track) : nil
    timedKeys = try Self.timedKeys(track, source)
    unknownAtoms = KnownAtoms.unknown(in: track.atom, path: "trak")
  }

  /// Returns the name in a handler atom, which is a Pascal string in QuickTime files and a C string in ISO files.
  private static func handlerName(_ hdlr: Atom?) -> String {
    let name = (hdlr?.bytes ?? []).dropFirst(24)
    guard let first = name.first else { return "" }
    let text = Int(first) == name.count - 1 ? name.dropFirst() : name
    return String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
  }

  private static func language(_ media: MediaHeader) throws -> String {
    var rest = media.rest
    let code = try rest.uint16()
    // The code consists of three letters with five bits each, counted from 0x60 (ISO/IEC 14496-12 section 8.4.2.3).
    guard code >= 0x400, code != 0x7FFF else { return String(code) }
    let letters = [10, 5, 0].map { UInt8(truncatingIfNeeded: code >> $0 & 31) + 0x60 }
    return String(decoding: letters, as: UTF8.self)
  }

  /// The maximum size in bytes of a metadata track that is read. The metadata tracks of Live Photos are much smaller.
  /// For comparison, an hour of per-frame values needs about 30 MB.
  private static let largestMetadata = 4 << 20

  private static func timedKeys(_ track: Track, _ source: any ByteSource) throws -> [TimedKey] {
    guard let description = track.metadata else { return [] }
    let isReadable = track.samples.byteCount <= largestMetadata
    var counts: [UInt32: Int] = [:]
    var first: [UInt32: [UInt8]] = [:]
    for chunk in isReadable ? track.samples.chunks : [] {
      for sample in try track.samples(in: chunk, of: source) {
        let items = (try? MetadataSampleDescription.items(of: sample)) ?? []
        for localID in Set(items.map(\.localID)) { counts[localID, default: 0] += 1 }
        for item in items where first[item.localID] == nil { first[item.localID] = item.payload }
      }
    }
    return try description.keys.map { key in
      let type = try dataType(key)
      return TimedKey(
        localID: key.localID, name: key.name, dataType: type.name,
        sampleCount: isReadable ? counts[key.localID] ?? 0 : nil,
        firstValue: type.number.flatMap { number in
          first[key.localID].map { MetadataValue(type: number, bytes: $0) }
        })
    }
  }

  /// Returns the type declared for a key in `dtyp`. Namespace 0 contains the well-known types, and namespace 1 contains
  /// reverse-DNS names.
  private static func dataType(
    _ key: MetadataSampleDescription.Key
  ) throws -> (name: String, number: UInt32?) {
    guard let dtyp = try key.atom.takenApart().first("dtyp") else { return ("undeclared", nil) }
    var reader = BigEndianReader(dtyp.bytes)
    let namespace = try reader.uint32()
    guard namespace == 0 else {
      return (String(decoding: try reader.read(reader.remaining), as: UTF8.self), nil)
    }
    let number = try reader.uint32()
    return (MetadataValue.name(ofType: number), number)
  }
}

extension VideoInspection {
  /// Reads the properties of a video track's frames from the track's headers.
  init(_ track: Track) throws {
    let description = try track.visualDescription
    storedSize = Size(width: Double(description.width), height: Double(description.height))
    let header = track.header
    trackSize = Size(width: Double(header.width) / 65_536, height: Double(header.height) / 65_536)
    orientation = header.matrix.orientation?.rawValue
    matrix = header.matrix.values
    let corner = header.displayedCorner
    origin = [corner.x, corner.y]
    cleanAperture = try description.first("clap").map { FrameAperture(try CleanAperture($0)) }
    let apertures = try track.atom.first("tapt")?.children ?? []
    trackApertures = try Dictionary(apertures.map { ($0.kind.description, try TrackAperture.size($0)) }) {
      $1
    }
    color = try description.first("colr").map(VideoColor.init)
    pixelAspect = try description.first("pasp").map { atom in
      var reader = BigEndianReader(atom.bytes)
      return [try reader.uint32(), try reader.uint32()]
    }
    extensions = description.extensions.map(\.kind.description)
    let samples = track.samples
    let runs = samples.durations.filter { $0.count > 0 && $0.value > 0 }
    func rate(_ ticks: Int?) -> Double { ticks.map { Double(track.timeScale) / Double($0) } ?? 0 }
    frameRate =
      samples.duration > 0 ? Double(samples.sampleCount) * rate(1) / Double(samples.duration) : 0
    leastFrameRate = rate(runs.map(\.value).max())
    greatestFrameRate = rate(runs.map(\.value).min())
    syncFrameCount = samples.syncSamples?.count ?? samples.sampleCount
    isReordered = Set(samples.compositionOffsets.filter { $0.count > 0 }.map(\.value)).count > 1
  }
}

extension SoundInspection {
  /// Reads an audio track's sample description (QuickTime File Format, “Sound Sample Descriptions”, versions 0 to 2).
  init?(_ track: Track) throws {
    var reader = BigEndianReader(track.descriptions.bytes)
    guard reader.remaining >= 16 + 28 else { return nil }
    try reader.skip(8 + 16)
    version = Int(try reader.uint16())
    try reader.skip(6)
    let (count, width) = (Int(try reader.uint16()), Int(try reader.uint16()))
    try reader.skip(4)
    let rate = Double(try reader.uint32()) / 65_536
    guard version == 2 else {
      (channels, bits, sampleRate) = (count, width, rate)
      return
    }
    try reader.skip(4)
    let exactRate = Double(bitPattern: try reader.uint64())
    // The field may contain any bit pattern, but JSON supports only finite numbers.
    sampleRate = exactRate.isFinite ? exactRate : 0
    channels = Int(try reader.uint32())
    try reader.skip(4)
    bits = Int(try reader.uint32())
  }
}
