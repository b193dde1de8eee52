import Basics
import EditModel

/// Rules about a movie.
extension [VerificationFinding] {
  /// Every sample lies in an `mdat` atom, and the sync sample tables can be true.
  mutating func checkMedia(of movie: Movie) {
    let media = movie.fileAtoms.filter { $0.kind == "mdat" }
    for track in movie.tracks {
      let number = track.header.trackID
      if track.samples.chunks.contains(where: { $0.byteCount > 0 && !Self.lies($0, in: media) }) {
        add(
          .sampleTables, .movie,
          "Samples of the movie's track \(number) lie outside its media, where other data stands.")
      }
      if let sync = track.samples.syncSamples, !Self.isPlausible(sync, count: track.samples.sampleCount) {
        add(
          .syncTable, .movie,
          "The sync sample table of the movie's track \(number) marks samples that do not exist.")
      }
    }
    if movie.duration == 0 { add(.duration, .movie, "The movie lasts no time.") }
    if let times = try? MovieTimes(movie.moov), let said = times.contradicted {
      add(
        .headerDurations, .movie,
        "The movie's headers say that it lasts \(Self.seconds(said)), but its samples last \(Self.seconds(times.end))."
      )
    }
    checkDeadMedia(of: movie, media)
  }

  /// True if a chunk lies wholly in one of the atoms, which are in file order.
  private static func lies(_ chunk: SampleTable.Chunk, in media: [FileAtom]) -> Bool {
    let next = media.partitioningIndex { $0.contentOffset > chunk.offset }
    guard let atom = media[..<next].last else { return false }
    return chunk.byteCount <= atom.range.upperBound - chunk.offset
  }

  /// Sample numbers in order, within the track, the first one among them.
  private static func isPlausible(_ sync: [Int], count: Int) -> Bool {
    guard count > 0 else { return sync.isEmpty }
    return sync.first == 1 && (sync.last ?? 0) <= count && zip(sync, sync.dropFirst()).allSatisfy { $0 < $1 }
  }

  /// Media that no sample table refers to can show what an edit took away. What padding there may be is
  /// 4096 bytes or a fiftieth of the file.
  private mutating func checkDeadMedia(of movie: Movie, _ media: [FileAtom]) {
    var used = 0
    var end = 0
    let chunks = movie.tracks.flatMap(\.samples.chunks).sorted { $0.offset < $1.offset }
    for chunk in chunks {
      let start = Swift.max(chunk.offset, end)
      end = Swift.max(end, chunk.offset + chunk.byteCount)
      used += Swift.max(0, end - start)
    }
    let dead = media.reduce(0) { $0 + $1.contentSize } - used
    guard dead >= Swift.max(4096, movie.fileSize / 50) else { return }
    add(.deadMedia, .movie, "The movie holds \(dead) bytes of media that no track refers to.")
  }

  /// The video track, and how it is laid down.
  mutating func checkVideo(of movie: Movie, timedOrientation: Int?) {
    let tracks = movie.tracks.filter { $0.handler == "vide" }
    guard let track = try? movie.video else {
      let count: Message = tracks.isEmpty ? "no video track" : "\(tracks.count) video tracks"
      return add(.oneVideoTrack, .movie, "The movie has \(count); a Live Photo has one.")
    }
    if tracks.count > 1 {
      add(
        .furtherVideo, .movie,
        "The movie has \(tracks.count) video tracks; players show track \(track.header.trackID), which has the most frames."
      )
    }
    if track.format != "avc1", track.format != "hvc1" {
      add(
        .videoFormat, .movie, "The movie's video is stored as “\(track.format)”; players expect avc1 or hvc1."
      )
    }
    guard let orientation = track.header.matrix.orientation else {
      return add(.matrixTurn, .movie, "The movie's matrix scales, shears or turns by an odd angle.")
    }
    let corner = track.header.displayedCorner
    let shift = track.header.matrix.values[6...7]
    // Android's writers turn and do not shift, which players make up for. A pixel and a half of tolerance: odd sizes are halved
    // in some writers.
    if shift.contains(where: { $0 != 0 }), abs(corner.x) >= 1.5 || abs(corner.y) >= 1.5 {
      func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : "\(value)"
      }
      let place = "(\(number(corner.x)), \(number(corner.y)))"
      add(
        .matrixOrigin, .movie, "The movie's matrix lays the picture down at \(place) instead of the origin.")
    }
    if let timedOrientation, timedOrientation != orientation.rawValue {
      add(
        .videoOrientation, .movie,
        "The movie's timed video-orientation is \(timedOrientation), its matrix says \(orientation.rawValue)."
      )
    }
    checkApertures(of: track)
  }

  /// Rules about the parts of a video track's picture that are shown.
  private mutating func checkApertures(of track: Track) {
    guard let description = try? track.visualDescription,
      let apertures = try? track.atom.first("tapt")?.children ?? []
    else {
      return add(.notChecked, .movie, "The movie's sample description is of a kind that was not checked.")
    }
    let (width, height) = (Double(description.width), Double(description.height))
    if let clap = description.first("clap"), !description.holds(cleanAperture: clap) {
      add(.cleanAperture, .movie, "The movie's clean aperture does not lie within its picture.")
    }
    // The apertures count square pixels, the stored size does not.
    let aspect = description.pixelAspect
    let isTooLarge = apertures.contains { aperture in
      guard let size = try? TrackAperture.size(aperture) else { return true }
      return size.width > width * Swift.max(1, aspect) + 1
        || size.height > height * Swift.max(1, 1 / aspect) + 1
    }
    if isTooLarge { add(.trackApertures, .movie, "The movie's track apertures are larger than its picture.") }
  }

  /// The photo's place in the movie. Without it the key photo cannot be changed and the hint of motion is missing.
  mutating func checkStillTime(of movie: Movie) {
    guard let time = movie.stillImageTime else {
      return add(
        .stillImageTime, .movie, "The movie does not mark the photo's place: it has no still-image-time.")
    }
    check(stillTime: time, of: movie)
  }

  /// The photo's place lies in the movie.
  ///
  /// - Parameters:
  ///   - time: the place in seconds.
  ///   - tolerance: how far after the end it may lie: by default a millisecond, for rounding between time scales.
  mutating func check(stillTime time: Double, of movie: Movie, tolerance: Double = 0.001) {
    guard time < 0 || time > movie.seconds + tolerance, movie.duration > 0 else { return }
    add(
      .stillTimeInMovie, .movie,
      "The photo's place at \(Self.seconds(time)) lies outside the movie, which lasts \(Self.seconds(movie.seconds))."
    )
  }

  /// A time in seconds, to the millisecond.
  private static func seconds(_ time: Double) -> Message {
    "\(decimal: "\((time * 1000).rounded() / 1000)") s"
  }

  /// Every metadata track says what it carries.
  mutating func checkKeys(of movie: Movie) {
    // Other kinds of timed metadata say what they carry by a media type, as Google's do, or by their format.
    for track in movie.tracks
    where track.handler == "meta" && track.format == "mebx" && track.metadata?.keys.isEmpty ?? true {
      add(
        .metadataDescriptions, .movie,
        "The movie's metadata track \(track.header.trackID) does not say which keys it carries.")
    }
  }
}
