import Basics
import EditModel

/// Frames that were compressed anew, to take the place of a movie's own.
package struct EncodedVideo: Hashable, Sendable {
  /// `avc1` or `hvc1`.
  package var format: String
  /// Content of the configuration atom (`avcC`: ISO/IEC 14496-15, 5.3.3; `hvcC`: 8.3.3).
  package var configuration: [UInt8]
  /// Stored size in pixels.
  package var width: Int
  /// Stored size in pixels.
  package var height: Int
  /// How the stored pixels of the source were turned to make these frames.
  package var pixelTransform: Orientation
  /// True if these frames have other colours than the source's.
  package var hasOtherColors: Bool
  /// True if these frames show another part of the scene, straightened or not.
  package var isReframed: Bool

  /// - Parameters: see the properties.
  package init(
    format: String, configuration: [UInt8], width: Int, height: Int, pixelTransform: Orientation,
    hasOtherColors: Bool = false, isReframed: Bool = false
  ) {
    self.format = format
    self.configuration = configuration
    self.width = width
    self.height = height
    self.pixelTransform = pixelTransform
    self.hasOtherColors = hasOtherColors
    self.isReframed = isReframed
  }
}

/// The tracks of a movie that is written with other frames, another matrix or another identifier. Everything that stays true keeps its bytes; what does not is changed or dropped and named.
struct MovieRewrite {
  /// Where a track's samples come from.
  enum Media {
    /// The source file, chunk by chunk.
    case copied
    /// The encoder, in decode order.
    case encoded
    /// Changed samples, in decode order.
    case samples([[UInt8]])
    /// The source file, its sound made quieter.
    case scaled(UncompressedSound, Double)
  }

  struct OutputTrack {
    let source: Track
    var atom: Atom
    var media: Media
    /// Its samples: the source's, unless a plan of time makes others.
    var layout: TrackLayout

    init(source: Track, atom: Atom, media: Media) {
      (self.source, self.atom, self.media) = (source, atom, media)
      layout = TrackLayout(source.samples)
    }
  }

  var tracks: [OutputTrack] = []
  /// The `moov` atom without its tracks, as it will be written.
  var moov: Atom
  var removals: [Removal] = []
  /// Further remarks for people.
  var notes: [Message] = []
  /// Where the atoms beside `moov` begin that are not carried over.
  private(set) var dropped: Set<Int> = []
  /// The content of the `ftyp` atom, where it is another one.
  private(set) var fileType: [UInt8]?

  private let orientation: Orientation
  private let video: EncodedVideo?
  private let sound: SoundChange
  /// True if a plan of time says which samples are kept.
  private let isRetimed: Bool
  /// True if the photo is made of a frame of the movie.
  private let hasOtherPhoto: Bool
  /// True if the stored frames have another shape than before, or are laid down in another way.
  private var isLaidDownAnew = false
  private var pixelTransform: Orientation { video?.pixelTransform ?? .identity }
  private var hasOtherColors: Bool { video?.hasOtherColors ?? false }
  private var isReframed: Bool { video?.isReframed ?? false }
  /// True if descriptions of places in the stored frames are not true any more.
  private var placesMoved: Bool { pixelTransform != .identity || isReframed }

  /// Most bytes of a timed metadata track that must be rewritten, which happens in memory. An hour of faces has
  /// about 50 MB.
  static let largestMetadata = 64 << 20

  private var placeReason: Message {
    isReframed ? "describes places in the uncropped picture" : "describes places in the unturned picture"
  }
  private var previewReason: Message {
    isReframed ? "shows the uncropped picture" : "shows the unturned picture"
  }
  private static let colorReason: Message = "describes colours as they were before the edit"
  private static let compressionReason: Message = "describes the original's compression"
  private static let viewReason: Message =
    "tells of a second picture in each frame, for the other eye, which is lost where frames are encoded anew"

  /// Plans a rewrite; for the parameters see ``MovieWriter``.
  init(
    of movie: Movie, source: any ByteSource, video: EncodedVideo?, orientation: Orientation,
    identifier: String?, sound: SoundChange, plan: MotionPlan? = nil, still: Double? = nil
  ) throws {
    self.video = video
    self.sound = sound
    isRetimed = plan != nil
    hasOtherPhoto = still != nil
    removals = movie.removals
    dropped = movie.manifests
    self.orientation = orientation
    moov = movie.moov
    // Padding has no meaning, and may hold what an editor once overwrote.
    try moov.remove(["free", "skip"])
    if let identifier { try moov.setIdentifier(identifier) }
    if hasOtherColors {
      var keys: [String] = []
      try moov.update("meta") {
        keys = try MetadataItems.remove(from: &$0, where: PictureMetadata.describesColors)
      }
      name(keys, Self.colorReason)
    }
    let videoHeader = try movie.video.header
    let videoID = videoHeader.trackID
    let shown = pixelTransform.then(orientation)
    // Where neither pixels nor matrix changed, nothing is said anew.
    isLaidDownAnew = placesMoved || orientation != videoHeader.matrix.orientation
    var user = UserMetadata(dropsPictures: isReframed, dropsPlaces: placesMoved)
    try user.rewrite(&moov)
    for track in movie.tracks {
      let output =
        track.header.trackID == videoID ? try rewriteVideo(track) : try rewrite(track, source: source)
      guard var output else { continue }
      try user.rewrite(&output.atom)
      tracks.append(output)
    }
    if let plan {
      try follow(plan, of: movie, source: source)
    } else if let still {
      try markPhoto(at: still, in: movie)
    }
    name(user.pictures, previewReason)
    name(user.places, placeReason)
    try dropUserAtoms(movie, source: source)
    if shown != videoHeader.matrix.orientation || hasOtherColors || isReframed { dropPreview(movie) }
    if isReframed || shown.swapsAxes != videoHeader.matrix.orientation?.swapsAxes {
      noteLayout(besides: videoID)
    }
    try dropReferences(
      to: Set(movie.tracks.map(\.header.trackID)).subtracting(tracks.map(\.source.header.trackID)))
  }

  /// Plans a movie whose frames and sound stay as they are.
  ///
  /// - Parameters:
  ///   - moov: what the movie shall say of itself, with its tracks in their order.
  ///   - tracks: those tracks, with where their samples come from.
  ///   - gone: the numbers of tracks that are left out.
  ///   - dropped: where the atoms beside `moov` begin that are not carried over.
  ///   - type: the content of another `ftyp` atom; nil keeps the movie's own.
  init(
    moov: Atom, tracks: [OutputTrack], without gone: Set<UInt32>, dropped: Set<Int>, type: [UInt8]?
  ) throws {
    (self.moov, self.tracks, self.dropped, fileType) = (moov, tracks, dropped, type)
    (video, sound, orientation, isRetimed, hasOtherPhoto) = (nil, .none, .identity, false, false)
    try dropReferences(to: gone)
  }

  mutating func name(_ names: [String], _ reason: Message) {
    removals += names.map { Removal(half: .movie, name: $0, reason: reason) }
  }

  /// Drops atoms of others beside `moov` that show what is cut off, or describe places in an XMP packet.
  private mutating func dropUserAtoms(_ movie: Movie, source: any ByteSource) throws {
    guard placesMoved else { return }
    let structure: Set<FourCC> = ["ftyp", "moov", "mdat", "wide", "free", "skip", "pnot", "PICT"]
    for atom in movie.fileAtoms
    where !structure.contains(atom.kind) && atom.contentSize <= Self.largestMetadata {
      let bytes = try source.read(at: atom.contentOffset, count: atom.contentSize)
      let showsPicture = isReframed && bytes.holdsPicture
      // Behind the 16 bytes of its number.
      let groups = atom.kind == "uuid" ? try UserMetadata.placeGroups(of: Array(bytes.dropFirst(16))) : []
      guard showsPicture || !groups.isEmpty else { continue }
      let isFirst = !removals.contains { $0.name == atom.kind.description }
      dropped.insert(atom.offset)
      if isFirst { name([atom.kind.description], showsPicture ? previewReason : placeReason) }
    }
  }

  /// Drops the preview of old QuickTime files (QuickTime File Format, “Preview Atom”): `pnot`, and the picture
  /// that it names.
  private mutating func dropPreview(_ movie: Movie) {
    guard movie.fileAtoms.contains(where: { $0.kind == "pnot" }) else { return }
    dropped.formUnion(movie.fileAtoms.filter { ["pnot", "PICT"].contains($0.kind) }.map(\.offset))
    name(["preview (pnot)"], previewReason)
  }

  /// Tells of tracks that are laid over or beside the picture, subtitles as a rule, when its width and height
  /// change places. Text stays upright, so no turn of its box would be right: it is kept as it is.
  private mutating func noteLayout(besides videoID: UInt32) {
    for track in tracks.map(\.source) where track.header.trackID != videoID && track.handler != "auxv" {
      guard track.header.isEnabled, track.header.width > 0, track.header.height > 0 else { continue }
      notes.append(
        "Track \(track.header.trackID) of the movie (“\(track.handler)”) keeps the place and size that it has"
          + " beside the unturned picture.")
    }
  }

  // MARK: Video

  private mutating func rewriteVideo(_ track: Track) throws -> OutputTrack {
    var output = OutputTrack(source: track, atom: track.atom, media: video == nil ? .copied : .encoded)
    let header = track.header
    var (width, height) =
      pixelTransform.swapsAxes ? (header.height, header.width) : (header.width, header.height)
    let isResized = try video.map { try !hasSize($0, of: track) } ?? false
    if let video, isResized || isReframed {
      let shape = isReframed ? try pixelAspect(of: track) : 1
      width = UInt32(clamping: Int((Double(video.width) * shape * 65_536).rounded()))
      height = UInt32(clamping: video.height << 16)
    }
    let matrix = TrackHeader.Matrix(orientation, width: width, height: height)
    try output.atom.update("tkhd") { tkhd in
      try TrackHeader.rewrite(&tkhd, matrix: matrix, width: width, height: height)
    }
    guard let video else { return output }
    if hasOtherColors {
      try output.atom.update("meta") {
        name(try MetadataItems.remove(from: &$0, where: PictureMetadata.describesColors), Self.colorReason)
      }
    }

    var description = try track.visualDescription
    try description.checkIsUniform()
    let format = FourCC(stringLiteral: video.format)
    let configuration = Atom(format == "avc1" ? "avcC" : "hvcC", video.configuration)
    guard let storedWidth = UInt16(exactly: video.width), let storedHeight = UInt16(exactly: video.height)
    else {
      throw MediaError("its frames are larger than 65,535 pixels", isUnsupported: true)
    }
    let untrue = description.recompress(
      format: format, configuration: configuration, width: storedWidth, height: storedHeight)
    name(untrue, Self.compressionReason)
    let views = description.keepOneView()
    name(views, Self.viewReason)
    if !views.isEmpty {
      var keys: [String] = []
      func remove(_ meta: inout Atom) throws {
        keys += try MetadataItems.remove(from: &meta, where: PictureMetadata.describesViews)
      }
      try moov.update("meta", change: remove)
      try output.atom.update("meta", change: remove)
      name(keys.unique, Self.viewReason)
    }
    if let fields = description.first("fiel")?.bytes.first, fields > 1 {
      throw MediaError(
        "its video is interlaced", remedy: "deinterlace it first, or turn it with --lossless",
        isUnsupported: true)
    }
    try description.turn(by: pixelTransform)
    // The horizontal field of view is that of the whole picture, laid down as it was.
    if isReframed || pixelTransform.swapsAxes, description.first("hfov") != nil {
      description.extensions.removeAll { $0.kind == "hfov" }
      name(["hfov"], placeReason)
    }
    if isReframed {
      description.extensions.removeAll { $0.kind == "clap" }
      try output.atom.update("tapt") {
        try TrackAperture.set(&$0, width: width, height: height, of: description)
      }
    } else if isResized {
      // Apertures are in pixels of the full picture.
      description.extensions.removeAll { $0.kind == "clap" }
      try output.atom.remove(["tapt"])
    }
    output.layout.uniteDescriptions()
    try output.atom.update("mdia", "minf", "stbl") { stbl in
      try stbl.put(description.stsd)
      try stbl.put(output.layout.sampleToChunk)
    }

    if placesMoved {
      for kind: FourCC in ["clip", "matt"] where try output.atom.first(kind) != nil {
        try output.atom.remove([kind])
        name([kind.description], placeReason)
      }
    }
    if pixelTransform.swapsAxes, !isReframed {
      try output.atom.update("tapt") { tapt in
        try tapt.changeChildren { apertures in
          for index in apertures.indices where apertures[index].bytes.count >= 12 {
            let bytes = apertures[index].bytes
            apertures[index].bytes = Array(bytes[..<4] + bytes[8..<12] + bytes[4..<8] + bytes[12...])
          }
        }
      }
    }
    return output
  }

  /// The width to the height of a pixel of the new frames.
  private func pixelAspect(of track: Track) throws -> Double {
    let aspect = try track.visualDescription.pixelAspect
    // Beyond these no picture is meant.
    guard 0.1...10 ~= aspect else { return 1 }
    return pixelTransform.swapsAxes ? 1 / aspect : aspect
  }

  /// True if new frames are as large as a track's own after their turn.
  private func hasSize(_ video: EncodedVideo, of track: Track) throws -> Bool {
    let old = try track.visualDescription
    let (width, height) = (Int(old.width), Int(old.height))
    return (video.width, video.height) == (pixelTransform.swapsAxes ? (height, width) : (width, height))
  }

  // MARK: Other tracks

  private mutating func rewriteSound(_ output: OutputTrack) throws -> OutputTrack? {
    let number = Int(output.source.header.trackID)
    var output = output
    switch sound {
    case .none: break
    case .removed:
      name(["sound track \(number)"], "was to be silent")
      return nil
    case .scaled(let factor, let recoded):
      guard try output.source.descriptions.sampleDescriptionCount == 1 else {
        throw MediaError("one of its sound tracks has several sample descriptions", isUnsupported: true)
      }
      if let uncompressed = try UncompressedSound(output.source) {
        output.media = .scaled(uncompressed, factor)
      } else if output.source.samples.sampleCount > 0 {
        let packets = recoded[number] ?? []
        guard isRetimed || packets.count == output.source.samples.sampleCount else {
          throw MediaError("its sound was not made quieter packet by packet")
        }
        output.media = .samples(packets)
      }
    }
    return output
  }

  private mutating func rewrite(_ track: Track, source: any ByteSource) throws -> OutputTrack? {
    let output = OutputTrack(source: track, atom: track.atom, media: .copied)
    if track.handler == "auxv", placesMoved || hasOtherColors {
      name(
        ["auxv track \(track.header.trackID)"], placesMoved ? placeReason : Self.colorReason)
      return nil
    }
    if track.handler == "vide", video != nil || isLaidDownAnew {
      name(["video track \(track.header.trackID)"], "shows single frames as they were before the edit")
      return nil
    }
    if track.handler == "soun" { return try rewriteSound(output) }
    guard let description = track.metadata else {
      // Samples of several descriptions may mean different things by one number.
      guard track.format == "mebx", isLaidDownAnew || hasOtherColors || hasOtherPhoto else { return output }
      name(
        ["timed metadata track \(track.header.trackID)"],
        "changes its keys midway, so what it says of the picture is not known")
      return nil
    }
    let places =
      placesMoved ? description.keys.filter { PictureMetadata.describesPlaces($0.name) } : []
    name(places.map(\.name), placeReason)
    let photo =
      hasOtherPhoto && !placesMoved
      ? description.keys.filter { PictureMetadata.describesPhoto($0.name) } : []
    name(photo.map(\.name), "describes the photo that the camera took")
    let colors = hasOtherColors ? description.keys.filter { PictureMetadata.describesColors($0.name) } : []
    name(colors.map(\.name), Self.colorReason)
    let untrue = places + photo + colors
    if !untrue.isEmpty && untrue.count == description.keys.count { return nil }
    let orientationKey =
      isLaidDownAnew ? description.keys.first { $0.name == PictureMetadata.videoOrientation } : nil
    if untrue.isEmpty && orientationKey == nil { return output }
    return try rewriteMetadata(
      output, description: description, dropping: Set(untrue.map(\.localID)),
      orientationID: orientationKey?.localID, source: source)
  }

  private func rewriteMetadata(
    _ track: OutputTrack, description: MetadataSampleDescription, dropping dropped: Set<UInt32>,
    orientationID: UInt32?, source: any ByteSource
  ) throws -> OutputTrack {
    var output = track
    if !dropped.isEmpty {
      var kept = description
      kept.keys.removeAll { dropped.contains($0.localID) }
      try output.atom.update("mdia", "minf", "stbl", "stsd") { $0 = kept.stsd }
    }
    output.media = .samples(
      try Self.samples(of: track.source, source).map { sample in
        var items = try MetadataSampleDescription.items(of: sample)
        items.removeAll { dropped.contains($0.localID) }
        for item in items.indices where items[item].localID == orientationID {
          items[item].payload = PictureMetadata.orientationPayload(
            orientation, like: items[item].payload)
        }
        return MetadataSampleDescription.sample(of: items)
      })
    return output
  }

  /// Reads all samples of a metadata track.
  static func samples(of track: Track, _ source: any ByteSource) throws -> [[UInt8]] {
    guard track.samples.byteCount <= largestMetadata else {
      throw MediaError(
        "its metadata track \(track.header.trackID) is larger than \(largestMetadata >> 20) MB",
        isUnsupported: true)
    }
    return try track.samples.chunks.flatMap { try track.samples(in: $0, of: source) }
  }

  /// Takes tracks that are gone out of the reference lists of those that stay.
  private mutating func dropReferences(to gone: Set<UInt32>) throws {
    guard !gone.isEmpty else { return }
    for index in tracks.indices {
      try tracks[index].atom.update("tref") { tref in
        try tref.changeChildren { references in
          references = try references.compactMap { reference in
            let left = try reference.referencedTracks.filter { !gone.contains($0) }
            return left.isEmpty ? nil : Atom(reference.kind, words: left.map { Int($0) })
          }
        }
      }
      if let tref = try tracks[index].atom.first("tref"), try tref.children.isEmpty {
        try tracks[index].atom.remove(["tref"])
      }
    }
  }
}
