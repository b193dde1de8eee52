import Basics
import EditModel
import Synchronization

/// A QuickTime movie: its atoms, and its tracks with their sample tables. The media itself stays in the
/// file.
package struct Movie: Sendable {
  /// No real movie has a larger `moov` (an hour of video makes about 3 MB).
  private static var largestMoov: Int { ReadingLimit.tables.value << 20 }

  /// The file's atoms side by side.
  let fileAtoms: [FileAtom]
  /// The `moov` atom.
  let moov: Atom
  /// The `mvhd` atom's fields.
  let header: MediaHeader
  let tracks: [Track]
  let fileSize: Int
  /// Where the atoms begin that hold C2PA's manifests.
  let manifests: Set<Int>
  /// The major brand; nil in old files.
  let brand: FourCC?
  /// The metadata that it does not carry any more when it is written: what its facts contradict, and C2PA's manifests.
  let removals: [Removal]
  /// Where the photo lies on the timeline, as what is around the movie says it.
  let saidPlace: StillPlace?
  private let known = KnownFrames()

  /// Reads a movie's structure.
  ///
  /// - Parameters:
  ///   - source: the file's bytes; only the headers and the `moov` atom are read.
  ///   - facts: what the movie shall say otherwise than its file, when it is written.
  ///   - place: where the photo lies on the movie's timeline, where it is not the movie that marks it.
  /// - Throws: ``MediaError`` when it is no movie, is broken, or of a kind that is not handled;
  ///   whatever `source` throws.
  package init(_ source: any ByteSource, stating facts: Facts = .neutral, photoAt place: StillPlace? = nil)
    throws
  {
    guard source.count > 0 else { throw MediaError("it is empty") }
    saidPlace = place
    fileSize = source.count
    var fileAtoms = try FileAtom.scan(source)
    brand = try fileAtoms.first { $0.kind == "ftyp" && $0.contentSize >= 4 }.map {
      var reader = BigEndianReader(try source.read(at: $0.contentOffset, count: 4))
      return try reader.fourCC()
    }
    let movies = fileAtoms.filter { $0.kind == "moov" }
    guard let place = movies.first else {
      throw MediaError(
        fileAtoms.contains { ["ftyp", "mdat", "wide"].contains($0.kind) }
          ? "it has no moov atom, so it was cut off or never finished" : "it is not a QuickTime or MP4 movie",
        remedy: "copy it again from where it came from")
    }
    guard movies.count == 1 else {
      throw MediaError("it has \(movies.count) moov atoms", isUnsupported: true)
    }
    var moov = try MovieFragments.joined(Self.moov(at: place, in: source), fileAtoms, in: source)
    try moov.uniteSampleDescriptions()

    var removals: [Removal] = []
    if !facts.isNeutral {
      let names = try Self.state(facts, in: &moov)
      let gone = try Self.contradictions(facts, among: fileAtoms, of: source)
      fileAtoms.removeAll { atom in gone.contains { $0.offset == atom.offset } }
      removals = (names + gone.map(\.kind.description)).unique.map {
        Removal(half: .movie, name: $0, reason: FactsRewrite.reason)
      }
    }
    manifests = Set(try C2PAManifest.atoms(among: fileAtoms, of: source).map(\.offset))
    if !manifests.isEmpty { removals.append(C2PAManifest.removal(from: .movie)) }
    (self.moov, self.fileAtoms, self.removals) = (moov, fileAtoms, removals)

    guard let mvhd = try moov.first("mvhd") else { throw MediaError("it has no movie header") }
    header = try MediaHeader(mvhd)
    guard header.timeScale > 0 else { throw MediaError("its time scale is zero") }
    var rest = header.rest
    try rest.skip(16)
    let matrix = TrackHeader.Matrix(entries: try (0..<9).map { _ in try rest.int32() })
    guard matrix.orientation == .up else {
      throw MediaError("its movie header has a matrix of its own", isUnsupported: true)
    }

    let atoms = try moov.all("trak")
    // iPhones write eight; each track's like may be looked for among all.
    guard atoms.count <= ReadingLimit.tracks.value else {
      throw MediaError(beyond: .tracks, "it has \(atoms.count) tracks")
    }
    tracks = try atoms.map { try Track($0, fileSize: source.count) }
    try Self.checkEditLists(in: moov)
    // Chunks may lie over each other, but not more than two deep on average.
    var left = fileSize.multipliedReportingOverflow(by: 2).overflow ? Int.max : 2 * fileSize
    for chunk in tracks.lazy.flatMap(\.samples.chunks) {
      left -= chunk.byteCount
      guard left >= 0 else {
        throw MediaError("its sample tables describe more media than the file holds")
      }
    }
    guard Set(tracks.map(\.header.trackID)).count == tracks.count else {
      throw MediaError("two of its tracks have the same number")
    }
  }

  /// Makes sure that a movie's edit lists show something, and are short enough for decoders, which begin each entry at a sync sample.
  ///
  /// - Parameter source: a file, which need not be a movie.
  /// - Throws: ``MediaError`` when they are not; what `source` throws.
  package static func checkEditLists(of source: any ByteSource) throws {
    guard let place = try? FileAtom.scan(source, allowsTrailer: true).first(where: { $0.kind == "moov" }),
      let moov = try? moov(at: place, in: source)
    else { return }
    try checkEditLists(in: moov)
  }

  private static func checkEditLists(in moov: Atom) throws {
    guard let mvhd = try moov.first("mvhd").map(MediaHeader.init) else { return }
    let tracks = try moov.all("trak")
    let times = tracks.compactMap { try? TrackTimes($0, movieTimeScale: mvhd.timeScale) }
    if times.filter(\.isVideo).max(by: { $0.sampleCount < $1.sampleCount })?.isNothingShown == true {
      throw MediaError(
        "its edit list shows nothing of its video", remedy: "copy it again from where it came from")
    }
    let most = ReadingLimit.edits.value
    for list in try tracks.compactMap({ try $0.first("edts", "elst") })
    where try Track.edits(list).count > most {
      throw MediaError(beyond: .edits, "the edit list of one of its tracks has more than \(most) entries")
    }
  }

  /// True if QuickTime's own rules hold.
  var isQuickTime: Bool { brand ?? "qt  " == "qt  " }
  /// Ticks a second of the movie's timeline.
  var timeScale: UInt32 { header.timeScale }
  /// Ticks of the movie's timeline.
  var duration: UInt64 { header.duration }
  /// Seconds of the movie's timeline.
  package var seconds: Double { header.seconds }

  /// Reads a `moov` atom, a compressed one too.
  ///
  /// - Throws: ``MediaError`` when it is broken, or too large.
  static func moov(at place: FileAtom, in source: any ByteSource) throws -> Atom {
    guard place.contentSize <= largestMoov else {
      throw MediaError("its moov atom is larger than \(largestMoov >> 20) MB", isUnsupported: true)
    }
    let content = try source.read(at: place.contentOffset, count: place.contentSize)
    let (children, tail) = try Atom.parseAll(content[...])
    if let packed = children.first(where: { $0.kind == "cmov" }) { return try unpacked(packed) }
    return Atom("moov", children: children, tail: tail)
  }

  /// Tables of real movies are packed to a half or a tenth.
  private static let largestRatio = 32

  /// The `moov` atom that an atom holds packed (QuickTime File Format, “Allowing for Compressed Movie Resources”).
  private static func unpacked(_ cmov: Atom) throws -> Atom {
    let parts = try cmov.takenApart()
    guard let algorithm = try parts.first("dcom"), let data = try parts.first("cmvd"), data.bytes.count > 4,
      algorithm.bytes.elementsEqual("zlib".utf8)
    else {
      throw MediaError(
        "its moov atom is compressed in a way that is not known",
        remedy: "save it again uncompressed, with QuickTime Player say", isUnsupported: true)
    }
    var reader = BigEndianReader(data.bytes)
    let size = Int(try reader.uint32())
    guard size <= largestRatio * (data.bytes.count + 2048) else {
      throw MediaError(
        "its compressed moov atom unpacks to more than \(largestRatio) times its size", isUnsupported: true)
    }
    guard size <= largestMoov,
      let bytes = Deflate.inflated(Array(data.bytes.dropFirst(4)), limit: size, format: .zlib),
      let moov = try Atom.parseAll(bytes[...]).atoms.first(where: { $0.kind == "moov" })
    else { throw MediaError("its compressed moov atom is damaged") }
    return moov
  }

  /// The video track: of several that with the most frames.
  ///
  /// - Throws: ``MediaError`` when there is none, or when several have as many frames.
  var video: Track {
    get throws {
      let (track, all) = (try shownVideo, tracks.filter { $0.handler == "vide" })
      guard all.count(where: { $0.samples.sampleCount == track.samples.sampleCount }) == 1 else {
        throw MediaError("it has \(all.count) video tracks; a Live Photo has one", isUnsupported: true)
      }
      return track
    }
  }

  /// The way in which the stored frames of the track that players show are laid down.
  ///
  /// - Throws: ``MediaError`` when there is no video track, or its matrix is neither a quarter turn nor a mirror image.
  package var shownOrientation: Orientation { get throws { try shownVideo.orientation } }

  /// The way in which players show the stored frames of the track that they show.
  ///
  /// - Throws: ``MediaError`` as ``shownOrientation``, or when its sample description is broken.
  package var shownLayout: FrameLayout { get throws { try FrameLayout(shownVideo) } }

  /// The track that players show: of several that with the most frames. Google's Motion Photos may have another one, with
  /// single frames in the photo's size.
  var shownVideo: Track {
    get throws {
      let all = tracks.filter { $0.handler == "vide" }
      guard let track = all.max(by: { $0.samples.sampleCount < $1.samples.sampleCount }) else {
        throw MediaError("it has no video track")
      }
      return track
    }
  }

  /// The frames of the video track in the order of showing.
  ///
  /// - Throws: ``MediaError`` when there is not exactly one video track, or when it has more frames than can be listed.
  package var frames: [SourceFrame] {
    get throws { try known.frames { try listedFrames } }
  }

  /// 38 hours at 30 a second.
  private static let mostFrames = 1 << 22

  private var listedFrames: [SourceFrame] {
    get throws {
      let track = try video
      guard track.samples.sampleCount <= Self.mostFrames else {
        throw MediaError("it has more than \(Self.mostFrames) frames", isUnsupported: true)
      }
      let times = track.samples.compositionTimes
      let order = times.indices.sorted { (times[$0], $0) < (times[$1], $1) }
      let ends =
        order.dropFirst().map { times[$0] } + [(order.first.map { times[$0] } ?? 0) + track.samples.duration]
      var syncs = track.samples.syncSamples.map { $0.map { $0 - 1 }.filter(times.indices.contains).sorted() }
      // Decoders of HEVC leave out what is shown before an open group of pictures and needs the one before it; those
      // of H.264 fail at it.
      if let all = syncs, !["hvc1", "hev1"].contains(track.format) {
        syncs = zip(all, all.dropFirst() + [times.count]).filter { sync, next in
          times[sync..<max(sync, next)].allSatisfy { $0 >= times[sync] }
        }.map(\.0)
      }
      return zip(order, ends).map { sample, end in
        // Such a frame is decoded with the group before.
        let before = syncs.map { $0[..<$0.partitioningIndex { $0 > sample }] } ?? [sample]
        let sync = before.suffix(2).last { times[$0] <= times[sample] }
        return SourceFrame(
          time: Int64(times[sample]), duration: Int64(max(0, end - times[sample])),
          seconds: track.presentationTime(of: times[sample], movieTimeScale: timeScale), syncSample: sync ?? 0
        )
      }
    }
  }

  /// Where a moment of the video's media lies on the movie's timeline.
  ///
  /// - Parameter ticks: in ticks of the video track's time scale.
  /// - Returns: seconds, edit list applied.
  package func videoTime(of ticks: Int64) throws -> Double {
    try video.presentationTime(of: Int(ticks), movieTimeScale: timeScale)
  }

  /// The metadata of the whole movie.
  var keys: MovieKeys { get throws { try MovieKeys(moov) } }

  /// The identifier that ties it to its photo where Photos looks for it: in typed metadata in `moov` that begins with its
  /// handler. Photos passes over metadata that begins with version and flags (ISO/IEC 14496-12 section 8.11.1), and over
  /// that in `udta`.
  package var identifierForPhotos: String? {
    get throws {
      try moov.first("meta").flatMap { try MetadataItems($0) }?.text(MetadataItems.contentIdentifier)
    }
  }

  /// The key that marks the photo's place in the movie.
  static let stillImageTimeKey = "com.apple.quicktime.still-image-time"

  /// The track that marks the photo's place.
  var stillImageTrack: Track? {
    tracks.first { $0.metadata?.keys.contains { $0.name == Self.stillImageTimeKey } ?? false }
  }

  /// Where the photo lies on the movie's timeline, in seconds, through the edit list of its track; without such a track,
  /// or without a sample in it, as it was said when the movie was opened.
  package var stillImageTime: Double? {
    guard let track = stillImageTrack, track.samples.sampleCount > 0 else { return saidPlace?.seconds }
    let offset = track.samples.compositionOffsets.first?.value ?? 0
    return track.presentationTime(of: offset, movieTimeScale: timeScale)
  }
}

/// The frames of a movie, which are listed when they are first asked for.
private final class KnownFrames: Sendable {
  private let listed = Mutex<[SourceFrame]?>(nil)

  func frames(_ list: () throws -> [SourceFrame]) throws -> [SourceFrame] {
    try listed.withLock { known in
      if let known { return known }
      let frames = try list()
      known = frames
      return frames
    }
  }
}

/// The facts of a movie file that other rooms ask for.
package struct MovieSummary: Sendable {
  private let movie: Movie
  private let track: Track
  private let description: VisualSampleDescription
  private let keys: MovieKeys
  /// The way in which players show the stored frames.
  package let layout: FrameLayout

  /// Reads a movie's structure.
  ///
  /// - Throws: see ``Movie/init(_:)``; further when there is not exactly one video track, or its matrix
  ///   is neither a quarter turn nor a mirror image.
  package init(_ source: any ByteSource) throws {
    try self.init(Movie(source))
  }

  /// - Parameter movie: a movie that was read.
  package init(_ movie: Movie) throws {
    self.movie = movie
    track = try movie.video
    layout = try FrameLayout(track)
    description = try track.visualDescription
    keys = try movie.keys
  }

  /// The identifier that ties it to its photo: an upper-case UUID as a rule.
  package var contentIdentifier: String? { keys.text(MetadataItems.contentIdentifier) }
  /// `com.apple.quicktime.creationdate`: ISO 8601 with the time zone.
  package var creationDate: String? { keys.texts(MetadataItems.creationDate).first }
  /// The camera's maker.
  package var make: String? { keys.texts(MovieKeys.make).first }
  /// The camera's model.
  package var model: String? { keys.texts(MovieKeys.model).first }
  /// Size of the stored frames in pixels.
  package var storedWidth: Int { Int(description.width) }
  /// Size of the stored frames in pixels.
  package var storedHeight: Int { Int(description.height) }
  /// How the stored frames are laid down for display.
  package var orientation: Orientation { layout.orientation }
  /// The part of the stored frames that is shown; nil when it is all of them.
  package var cleanAperture: FrameAperture? { layout.cleanAperture }
  /// A stored pixel's width to its height.
  package var pixelAspect: Double { layout.pixelAspect }
  /// How many frames the video track has.
  package var frameCount: Int { track.samples.sampleCount }
  /// Seconds.
  package var duration: Double { movie.seconds }
  /// The number of the video track.
  package var videoTrackID: Int { Int(track.header.trackID) }
  /// Ticks a second of the video track's times.
  package var videoTimeScale: Int { Int(track.timeScale) }
  /// The four-character code of the video's compression: `avc1`, `hvc1`, …
  package var videoFormat: String { description.format.description }
}
