import Basics
import EditModel
import Synchronization

/// A QuickTime movie: its atoms, and its tracks with their sample tables. The media data remains in the file.
package struct Movie: Sendable {
  /// The maximum accepted size of `moov` in bytes. Real movies have smaller `moov` atoms: an hour of video needs about
  /// 3 MB.
  private static var largestMoov: Int { ReadingLimit.tables.value << 20 }

  /// The file's top-level atoms.
  let fileAtoms: [FileAtom]
  /// The `moov` atom.
  let moov: Atom
  /// The fields of the `mvhd` atom.
  let header: MediaHeader
  let tracks: [Track]
  let fileSize: Int
  /// The offsets of the atoms that contain C2PA manifests.
  let manifests: Set<Int>
  /// The major brand, or nil for old files that have no major brand.
  let brand: FourCC?
  /// The metadata that is not carried over when the movie is written: metadata that contradicts a changed date,
  /// location or description, and C2PA manifests.
  let removals: [Removal]
  /// The photo's position on the timeline, as stated outside the movie.
  let saidPlace: StillPlace?
  private let known = KnownFrames()

  /// Reads a movie's structure.
  ///
  /// - Parameters:
  ///   - source: The file's bytes. Only the headers and the `moov` atom are read.
  ///   - facts: The changes to the date, location and description that are applied when the movie is written.
  ///   - place: The photo's position on the movie's timeline, if a source other than the movie states this position.
  /// - Throws: ``MediaError`` if the file is not a movie, is damaged, or is of an unsupported kind, or any error that
  ///   `source` throws.
  package init(_ source: any ByteSource, stating facts: Facts = .neutral, photoAt place: StillPlace? = nil)
    throws
  {
    guard source.count > 0 else { throw MediaError("the file is empty") }
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
          ? "the file has no moov atom, so it was cut off or never finished"
          : "the file is not a QuickTime or MP4 movie",
        remedy: "copy the file from its source again")
    }
    guard movies.count == 1 else {
      throw MediaError("the file has \(movies.count) moov atoms", isUnsupported: true)
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

    guard let mvhd = try moov.first("mvhd") else { throw MediaError("the movie has no header") }
    header = try MediaHeader(mvhd)
    guard header.timeScale > 0 else { throw MediaError("the movie's time scale is zero") }
    var rest = header.rest
    try rest.skip(16)
    let matrix = TrackHeader.Matrix(entries: try (0..<9).map { _ in try rest.int32() })
    guard matrix.orientation == .up else {
      throw MediaError(
        "the movie header contains a transformation matrix, which is not supported", isUnsupported: true)
    }

    let atoms = try moov.all("trak")
    // iPhones write eight tracks. The limit matters because every track may be compared with every other track.
    guard atoms.count <= ReadingLimit.tracks.value else {
      throw MediaError(beyond: .tracks, "the movie has \(atoms.count) tracks, more than the limit")
    }
    tracks = try atoms.map { try Track($0, fileSize: source.count) }
    try Self.checkEditLists(in: moov)
    // Chunks may overlap, but on average each byte may belong to at most two chunks.
    var left = fileSize.multipliedReportingOverflow(by: 2).overflow ? Int.max : 2 * fileSize
    for chunk in tracks.lazy.flatMap(\.samples.chunks) {
      left -= chunk.byteCount
      guard left >= 0 else {
        throw MediaError("the sample tables describe more media than the file contains")
      }
    }
    guard Set(tracks.map(\.header.trackID)).count == tracks.count else {
      throw MediaError("two tracks have the same number")
    }
  }

  /// Checks that a movie's edit lists do not hide the complete video, and that the lists are not too long. The length
  /// matters because decoders start each entry at a sync sample.
  ///
  /// - Parameter source: A file, which need not be a movie.
  /// - Throws: ``MediaError`` if an edit list fails the check, or any error that `source` throws.
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
        "the edit list hides the whole video", remedy: "copy the file from its source again")
    }
    let most = ReadingLimit.edits.value
    for list in try tracks.compactMap({ try $0.first("edts", "elst") })
    where try Track.edits(list).count > most {
      throw MediaError(beyond: .edits, "a track's edit list has more than \(most) entries")
    }
  }

  /// Whether the file follows the rules of the QuickTime format instead of the MP4 rules.
  var isQuickTime: Bool { brand ?? "qt  " == "qt  " }
  /// The time scale of the movie's timeline, in ticks per second.
  var timeScale: UInt32 { header.timeScale }
  /// The duration of the movie's timeline, in ticks.
  var duration: UInt64 { header.duration }
  /// The duration of the movie's timeline, in seconds.
  package var seconds: Double { header.seconds }

  /// Reads a `moov` atom, whether compressed or uncompressed.
  ///
  /// - Throws: ``MediaError`` if the atom is damaged or too large.
  static func moov(at place: FileAtom, in source: any ByteSource) throws -> Atom {
    guard place.contentSize <= largestMoov else {
      throw MediaError("the moov atom is larger than \(largestMoov >> 20) MB", isUnsupported: true)
    }
    let content = try source.read(at: place.contentOffset, count: place.contentSize)
    let (children, tail) = try Atom.parseAll(content[...])
    if let packed = children.first(where: { $0.kind == "cmov" }) { return try unpacked(packed) }
    return Atom("moov", children: children, tail: tail)
  }

  /// The highest accepted compression ratio. In real movies, compression reduces the tables to between a half and a
  /// tenth of their size.
  private static let largestRatio = 32

  /// Decompresses the `moov` atom inside a `cmov` atom (QuickTime File Format, “Allowing for Compressed Movie
  /// Resources”).
  private static func unpacked(_ cmov: Atom) throws -> Atom {
    let parts = try cmov.takenApart()
    guard let algorithm = try parts.first("dcom"), let data = try parts.first("cmvd"), data.bytes.count > 4,
      algorithm.bytes.elementsEqual("zlib".utf8)
    else {
      throw MediaError(
        "the moov atom is compressed with an unknown method",
        remedy: "save the movie again uncompressed, for example with QuickTime Player", isUnsupported: true)
    }
    var reader = BigEndianReader(data.bytes)
    let size = Int(try reader.uint32())
    guard size <= largestRatio * (data.bytes.count + 2048) else {
      throw MediaError(
        "the compressed moov atom expands to more than \(largestRatio) times its size", isUnsupported: true)
    }
    guard size <= largestMoov,
      let bytes = Deflate.inflated(Array(data.bytes.dropFirst(4)), limit: size, format: .zlib),
      let moov = try Atom.parseAll(bytes[...]).atoms.first(where: { $0.kind == "moov" })
    else { throw MediaError("the compressed moov atom is damaged") }
    return moov
  }

  /// The video track. If the movie has several video tracks, this is the video track with the most frames.
  ///
  /// - Throws: ``MediaError`` if the movie has no video track, or if several video tracks share the highest number of
  ///   frames.
  var video: Track {
    get throws {
      let (track, all) = (try shownVideo, tracks.filter { $0.handler == "vide" })
      guard all.count(where: { $0.samples.sampleCount == track.samples.sampleCount }) == 1 else {
        throw MediaError(
          "the movie has \(all.count) video tracks, but a Live Photo has only one", isUnsupported: true)
      }
      return track
    }
  }

  /// The orientation in which the stored frames of ``shownVideo`` are displayed.
  ///
  /// - Throws: ``MediaError`` if the movie has no video track, or if the track's matrix is not a combination of 90°
  ///   rotations and mirroring.
  package var shownOrientation: Orientation { get throws { try shownVideo.orientation } }

  /// The layout of the stored frames in ``shownVideo``.
  ///
  /// - Throws: ``MediaError`` under the same conditions as ``shownOrientation``, or if the track's sample description
  ///   is damaged.
  package var shownLayout: FrameLayout { get throws { try FrameLayout(shownVideo) } }

  /// The video track that players display. If several video tracks exist, players display the track with the most
  /// frames. For example, Google's Motion Photos may have a second video track that contains single frames at the
  /// photo's size.
  var shownVideo: Track {
    get throws {
      let all = tracks.filter { $0.handler == "vide" }
      guard let track = all.max(by: { $0.samples.sampleCount < $1.samples.sampleCount }) else {
        throw MediaError("the movie has no video track")
      }
      return track
    }
  }

  /// The frames of the video track, in display order.
  ///
  /// - Throws: ``MediaError`` if the movie does not have exactly one video track, or if the track has too many frames.
  package var frames: [SourceFrame] {
    get throws { try known.frames { try listedFrames } }
  }

  /// The maximum number of frames: 38 hours at 30 frames per second.
  private static let mostFrames = 1 << 22

  private var listedFrames: [SourceFrame] {
    get throws {
      let track = try video
      guard track.samples.sampleCount <= Self.mostFrames else {
        throw MediaError("the movie has more than \(Self.mostFrames) frames", isUnsupported: true)
      }
      let times = track.samples.compositionTimes
      let order = times.indices.sorted { (times[$0], $0) < (times[$1], $1) }
      let ends =
        order.dropFirst().map { times[$0] } + [(order.first.map { times[$0] } ?? 0) + track.samples.duration]
      var syncs = track.samples.syncSamples.map { $0.map { $0 - 1 }.filter(times.indices.contains).sorted() }
      // The leading frames of an open group of pictures depend on the previous group. If decoding starts at the open
      // group, HEVC decoders skip these frames, whereas H.264 decoders fail.
      if let all = syncs, !["hvc1", "hev1"].contains(track.format) {
        syncs = zip(all, all.dropFirst() + [times.count]).filter { sync, next in
          times[sync..<max(sync, next)].allSatisfy { $0 >= times[sync] }
        }.map(\.0)
      }
      return zip(order, ends).map { sample, end in
        // A leading frame must be decoded together with the previous group.
        let before = syncs.map { $0[..<$0.partitioningIndex { $0 > sample }] } ?? [sample]
        let sync = before.suffix(2).last { times[$0] <= times[sample] }
        return SourceFrame(
          time: Int64(times[sample]), duration: Int64(max(0, end - times[sample])),
          seconds: track.presentationTime(of: times[sample], movieTimeScale: timeScale), syncSample: sync ?? 0
        )
      }
    }
  }

  /// Converts a time in the video's media to a time on the movie's timeline.
  ///
  /// - Parameter ticks: A media time in ticks of the video track's time scale.
  /// - Returns: The time in seconds, with the edit list applied.
  package func videoTime(of ticks: Int64) throws -> Double {
    try video.presentationTime(of: Int(ticks), movieTimeScale: timeScale)
  }

  /// The metadata of the entire movie.
  var keys: MovieKeys { get throws { try MovieKeys(moov) } }

  /// The identifier that pairs the movie with its photo, as found by Photos. Photos reads typed metadata in `moov` if
  /// it begins with a handler, but ignores metadata that begins with a version and flags (ISO/IEC 14496-12 section
  /// 8.11.1), and metadata in `udta`.
  package var identifierForPhotos: String? {
    get throws {
      try moov.first("meta").flatMap { try MetadataItems($0) }?.text(MetadataItems.contentIdentifier)
    }
  }

  /// The key that states the photo's position in the movie.
  static let stillImageTimeKey = "com.apple.quicktime.still-image-time"

  /// The track that states the photo's position in the movie.
  var stillImageTrack: Track? {
    tracks.first { $0.metadata?.keys.contains { $0.name == Self.stillImageTimeKey } ?? false }
  }

  /// The photo's position on the movie's timeline in seconds, with the edit list of the still-image-time track applied.
  /// If that track or its sample is missing, this is the position that was passed to the initialiser.
  package var stillImageTime: Double? {
    guard let track = stillImageTrack, track.samples.sampleCount > 0 else { return saidPlace?.seconds }
    let offset = track.samples.compositionOffsets.first?.value ?? 0
    return track.presentationTime(of: offset, movieTimeScale: timeScale)
  }
}

/// A cache of a movie's frames, which are listed when they are first requested.
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

/// A summary of a movie file for other modules.
package struct MovieSummary: Sendable {
  private let movie: Movie
  private let track: Track
  private let description: VisualSampleDescription
  private let keys: MovieKeys
  /// How players display the stored frames.
  package let layout: FrameLayout

  /// Reads a movie's structure.
  ///
  /// - Throws: The errors of ``Movie/init(_:)``, or ``MediaError`` if the movie does not have exactly one video track,
  ///   or if the track's matrix is not a combination of 90° rotations and mirroring.
  package init(_ source: any ByteSource) throws {
    try self.init(Movie(source))
  }

  /// Summarises a movie that has already been read.
  ///
  /// - Parameter movie: The movie.
  package init(_ movie: Movie) throws {
    self.movie = movie
    track = try movie.video
    layout = try FrameLayout(track)
    description = try track.visualDescription
    keys = try movie.keys
  }

  /// The identifier that pairs the movie with its photo. The identifier is usually an uppercase UUID.
  package var contentIdentifier: String? { keys.text(MetadataItems.contentIdentifier) }
  /// The creation date from `com.apple.quicktime.creationdate`, as ISO 8601 with the time zone.
  package var creationDate: String? { keys.texts(MetadataItems.creationDate).first }
  /// The camera's manufacturer.
  package var make: String? { keys.texts(MovieKeys.make).first }
  /// The camera's model.
  package var model: String? { keys.texts(MovieKeys.model).first }
  /// The width or height of the stored frames, in pixels.
  package var storedWidth: Int { Int(description.width) }
  /// The width or height of the stored frames, in pixels.
  package var storedHeight: Int { Int(description.height) }
  /// The orientation in which the stored frames are displayed.
  package var orientation: Orientation { layout.orientation }
  /// The displayed part of the stored frames, or nil if the frames are displayed without cropping.
  package var cleanAperture: FrameAperture? { layout.cleanAperture }
  /// The ratio of a stored pixel's width to its height.
  package var pixelAspect: Double { layout.pixelAspect }
  /// The number of frames in the video track.
  package var frameCount: Int { track.samples.sampleCount }
  /// The duration in seconds.
  package var duration: Double { movie.seconds }
  /// The ID of the video track.
  package var videoTrackID: Int { Int(track.header.trackID) }
  /// The video track's time scale, in ticks per second.
  package var videoTimeScale: Int { Int(track.timeScale) }
  /// The four-character code of the video's compression, such as `avc1` or `hvc1`.
  package var videoFormat: String { description.format.description }
}
