import Basics
import EditModel

/// Re-encoded frames that replace a movie's own frames.
package struct EncodedVideo: Hashable, Sendable {
  /// The format: `avc1` or `hvc1`.
  package var format: String
  /// The content of the configuration atom, which is either `avcC` (ISO/IEC 14496-15, 5.3.3) or `hvcC` (ISO/IEC
  /// 14496-15, 8.3.3).
  package var configuration: [UInt8]
  /// The stored width or height in pixels.
  package var width: Int
  /// The stored width or height in pixels.
  package var height: Int
  /// The rotation or mirroring applied to the source's stored pixels to create these frames.
  package var pixelTransform: Orientation
  /// Whether the colours of these frames differ from the colours of the source.
  package var hasOtherColors: Bool
  /// Whether these frames show a different part of the scene because of cropping or straightening.
  package var isReframed: Bool

  /// Creates a description of re-encoded frames.
  ///
  /// - Parameters: See the properties.
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

/// The tracks of a movie that is written with new frames, a new matrix or a new identifier. All content that remains
/// valid is kept byte for byte. All other content is updated, or is removed and reported.
struct MovieRewrite {
  /// The origin of a track's samples.
  enum Media {
    /// Samples copied from the source file, chunk by chunk.
    case copied
    /// Samples from the encoder, in decoding order.
    case encoded
    /// Changed samples, in decoding order.
    case samples([[UInt8]])
    /// Uncompressed audio copied from the source file with reduced volume.
    case scaled(UncompressedSound, Double)
  }

  struct OutputTrack {
    let source: Track
    var atom: Atom
    var media: Media
    /// The layout of the track's samples. This is the source's layout, unless a motion plan creates a new layout.
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
  /// Additional notes to show to the user.
  var notes: [Message] = []
  /// The offsets of omitted top-level atoms other than `moov`.
  private(set) var dropped: Set<Int> = []
  /// The content of the new `ftyp` atom, or nil if the movie keeps its own `ftyp` atom.
  private(set) var fileType: [UInt8]?

  private let orientation: Orientation
  private let video: EncodedVideo?
  private let sound: SoundChange
  /// Whether a motion plan determines which samples are kept.
  private let isRetimed: Bool
  /// Whether a frame of the movie is used as the key photo.
  private let hasOtherPhoto: Bool
  /// Whether the stored frames have a new shape or a new orientation.
  private var isLaidDownAnew = false
  private var pixelTransform: Orientation { video?.pixelTransform ?? .identity }
  private var hasOtherColors: Bool { video?.hasOtherColors ?? false }
  private var isReframed: Bool { video?.isReframed ?? false }
  /// Whether descriptions of positions in the stored frames are no longer valid.
  private var placesMoved: Bool { pixelTransform != .identity || isReframed }

  /// The maximum size in bytes of a timed metadata track that must be rewritten. The limit is needed because the track
  /// is rewritten in memory. An hour of face metadata needs about 50 MB.
  static let largestMetadata = 64 << 20

  private var placeReason: Message {
    isReframed
      ? "contains coordinates that are no longer valid after cropping"
      : "contains coordinates that are no longer valid after rotation"
  }
  private var previewReason: Message {
    isReframed ? "shows the uncropped picture" : "shows the picture before rotation"
  }
  private static let colorReason: Message = "describes the unedited colours"
  private static let compressionReason: Message = "describes the original's compression"
  private static let viewReason: Message =
    "describes the picture for the other eye, which re-encoding removes"

  /// Plans a rewrite. The parameters are documented in ``MovieWriter``.
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
    // Padding is meaningless, and may contain data that an editor meant to remove.
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
    // If neither the pixels nor the matrix changed, the metadata about the frame layout does not change.
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

  /// Plans the rewrite of a movie whose frames and audio do not change.
  ///
  /// - Parameters:
  ///   - moov: The `moov` atom to write, with its tracks in order.
  ///   - tracks: The tracks, each with the origin of its samples.
  ///   - gone: The IDs of the removed tracks.
  ///   - dropped: The offsets of omitted top-level atoms other than `moov`.
  ///   - type: The content of a new `ftyp` atom, or nil to keep the movie's `ftyp` atom.
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

  /// Removes top-level atoms written by other programs if they show parts that have been cropped away, or if they
  /// contain an XMP packet that describes positions.
  private mutating func dropUserAtoms(_ movie: Movie, source: any ByteSource) throws {
    guard placesMoved else { return }
    let structure: Set<FourCC> = ["ftyp", "moov", "mdat", "wide", "free", "skip", "pnot", "PICT"]
    for atom in movie.fileAtoms
    where !structure.contains(atom.kind) && atom.contentSize <= Self.largestMetadata {
      let bytes = try source.read(at: atom.contentOffset, count: atom.contentSize)
      let showsPicture = isReframed && bytes.holdsPicture
      // Skips the 16 bytes of the UUID.
      let groups = atom.kind == "uuid" ? try UserMetadata.placeGroups(of: Array(bytes.dropFirst(16))) : []
      guard showsPicture || !groups.isEmpty else { continue }
      let isFirst = !removals.contains { $0.name == atom.kind.description }
      dropped.insert(atom.offset)
      if isFirst { name([atom.kind.description], showsPicture ? previewReason : placeReason) }
    }
  }

  /// Removes the preview in old QuickTime files (QuickTime File Format, “Preview Atom”): the `pnot` atom and the
  /// picture to which it refers.
  private mutating func dropPreview(_ movie: Movie) {
    guard movie.fileAtoms.contains(where: { $0.kind == "pnot" }) else { return }
    dropped.formUnion(movie.fileAtoms.filter { ["pnot", "PICT"].contains($0.kind) }.map(\.offset))
    name(["preview (pnot)"], previewReason)
  }

  /// Adds notes about tracks that are displayed over or next to the picture, usually subtitles, if the picture's width
  /// and height are swapped. These tracks are kept unchanged. Because text stays upright, a rotated text box would not
  /// be correct.
  private mutating func noteLayout(besides videoID: UInt32) {
    for track in tracks.map(\.source) where track.header.trackID != videoID && track.handler != "auxv" {
      guard track.header.isEnabled, track.header.width > 0, track.header.height > 0 else { continue }
      notes.append(
        "Track \(track.header.trackID) of the movie (“\(track.handler)”) keeps the position and size"
          + " that it had before the rotation.")
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
      throw MediaError("the frames are larger than 65,535 pixels", isUnsupported: true)
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
        "the video is interlaced", remedy: "deinterlace the movie first, or rotate it with --lossless",
        isUnsupported: true)
    }
    try description.turn(by: pixelTransform)
    // The horizontal field of view refers to the complete picture in its old orientation.
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
      // Clean apertures are stated in pixels of the complete picture.
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

  /// Returns the ratio of a pixel's width to its height in the new frames.
  private func pixelAspect(of track: Track) throws -> Double {
    let aspect = try track.visualDescription.pixelAspect
    // Ratios outside this range are assumed to be mistakes and are ignored.
    guard 0.1...10 ~= aspect else { return 1 }
    return pixelTransform.swapsAxes ? 1 / aspect : aspect
  }

  /// Returns whether the new frames have the same size as the track's original frames after rotation.
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
      name(["sound track \(number)"], "removed on request")
      return nil
    case .scaled(let factor, let recoded):
      guard try output.source.descriptions.sampleDescriptionCount == 1 else {
        throw MediaError(
          "an audio track has several sample descriptions, which is not supported", isUnsupported: true)
      }
      if let uncompressed = try UncompressedSound(output.source) {
        output.media = .scaled(uncompressed, factor)
      } else if output.source.samples.sampleCount > 0 {
        let packets = recoded[number] ?? []
        guard isRetimed || packets.count == output.source.samples.sampleCount else {
          throw MediaError("the number of audio packets changed when the volume was lowered")
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
      name(["video track \(track.header.trackID)"], "shows unedited frames")
      return nil
    }
    if track.handler == "soun" { return try rewriteSound(output) }
    guard let description = track.metadata else {
      // In tracks with several sample descriptions, the same number may refer to different keys.
      guard track.format == "mebx", isLaidDownAnew || hasOtherColors || hasOtherPhoto else { return output }
      name(
        ["timed metadata track \(track.header.trackID)"],
        "changes its keys partway through, so its effect on the picture is unknown")
      return nil
    }
    let places =
      placesMoved ? description.keys.filter { PictureMetadata.describesPlaces($0.name) } : []
    name(places.map(\.name), placeReason)
    let photo =
      hasOtherPhoto && !placesMoved
      ? description.keys.filter { PictureMetadata.describesPhoto($0.name) } : []
    name(photo.map(\.name), "describes the original key photo")
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
        "metadata track \(track.header.trackID) is larger than \(largestMetadata >> 20) MB",
        isUnsupported: true)
    }
    return try track.samples.chunks.flatMap { try track.samples(in: $0, of: source) }
  }

  /// Removes deleted tracks from the reference lists of the remaining tracks.
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
