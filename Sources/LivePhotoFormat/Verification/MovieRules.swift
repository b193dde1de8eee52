import Basics
import EditModel

/// Rules for a movie.
extension [VerificationFinding] {
  /// Checks that every sample is inside an `mdat` atom, and that the sync sample tables are plausible.
  mutating func checkMedia(of movie: Movie) {
    let media = movie.fileAtoms.filter { $0.kind == "mdat" }
    for track in movie.tracks {
      let number = track.header.trackID
      if track.samples.chunks.contains(where: { $0.byteCount > 0 && !Self.lies($0, in: media) }) {
        add(
          .sampleTables, .movie,
          "Samples of track \(number) in the movie lie outside its media data.")
      }
      if let sync = track.samples.syncSamples, !Self.isPlausible(sync, count: track.samples.sampleCount) {
        add(
          .syncTable, .movie,
          "The sync sample table of track \(number) in the movie lists samples that do not exist.")
      }
    }
    if movie.duration == 0 { add(.duration, .movie, "The movie's duration is zero.") }
    if let times = try? MovieTimes(movie.moov), let said = times.contradicted {
      add(
        .headerDurations, .movie,
        "The movie's headers give a duration of \(Self.seconds(said)), but its samples last \(Self.seconds(times.end))."
      )
    }
    checkDeadMedia(of: movie, media)
  }

  /// Returns whether a chunk is completely inside one of the atoms. The atoms must be in file order.
  private static func lies(_ chunk: SampleTable.Chunk, in media: [FileAtom]) -> Bool {
    let next = media.partitioningIndex { $0.contentOffset > chunk.offset }
    guard let atom = media[..<next].last else { return false }
    return chunk.byteCount <= atom.range.upperBound - chunk.offset
  }

  /// Returns whether the sample numbers are in order, lie within the track, and include the first sample.
  private static func isPlausible(_ sync: [Int], count: Int) -> Bool {
    guard count > 0 else { return sync.isEmpty }
    return sync.first == 1 && (sync.last ?? 0) <= count && zip(sync, sync.dropFirst()).allSatisfy { $0 < $1 }
  }

  /// Checks for unused media. Media to which no sample table refers may contain data that an edit has removed. Unused
  /// media counts as padding if it is smaller than 4096 bytes or a fiftieth of the file.
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
    add(.deadMedia, .movie, "The movie contains \(dead) bytes of media that no track uses.")
  }

  /// Checks the video track, and the orientation and position of its frames.
  mutating func checkVideo(of movie: Movie, timedOrientation: Int?) {
    let tracks = movie.tracks.filter { $0.handler == "vide" }
    guard let track = try? movie.video else {
      let count: Message = tracks.isEmpty ? "no video track" : "\(tracks.count) video tracks"
      return add(.oneVideoTrack, .movie, "The movie has \(count), but a Live Photo has exactly one.")
    }
    if tracks.count > 1 {
      add(
        .furtherVideo, .movie,
        "The movie has \(tracks.count) video tracks. Players show track \(track.header.trackID), which has the most frames."
      )
    }
    if track.format != "avc1", track.format != "hvc1" {
      add(
        .videoFormat, .movie,
        "The movie's video is stored as “\(track.format)”, but players expect avc1 or hvc1."
      )
    }
    guard let orientation = track.header.matrix.orientation else {
      return add(
        .matrixTurn, .movie,
        "The movie's matrix scales or shears the picture, or rotates it by an angle other than a multiple of 90°."
      )
    }
    let corner = track.header.displayedCorner
    let shift = track.header.matrix.values[6...7]
    // Android rotates the picture without moving it to the origin, and players compensate for the missing translation.
    // A tolerance of 1.5 pixels is necessary because some programs halve odd sizes.
    if shift.contains(where: { $0 != 0 }), abs(corner.x) >= 1.5 || abs(corner.y) >= 1.5 {
      func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : "\(value)"
      }
      let place = "(\(number(corner.x)), \(number(corner.y)))"
      add(
        .matrixOrigin, .movie, "The movie's matrix places the picture at \(place) instead of the origin.")
    }
    if let timedOrientation, timedOrientation != orientation.rawValue {
      add(
        .videoOrientation, .movie,
        "The movie's timed video-orientation is \(timedOrientation), but its matrix gives \(orientation.rawValue)."
      )
    }
    checkApertures(of: track)
  }

  /// Checks the apertures of a video track, which define the displayed part of its frames.
  private mutating func checkApertures(of track: Track) {
    guard let description = try? track.visualDescription,
      let apertures = try? track.atom.first("tapt")?.children ?? []
    else {
      return add(
        .notChecked, .movie, "The movie's sample description is of an unsupported type and was not checked.")
    }
    let (width, height) = (Double(description.width), Double(description.height))
    if let clap = description.first("clap"), !description.holds(cleanAperture: clap) {
      add(.cleanAperture, .movie, "The movie's clean aperture extends beyond its picture.")
    }
    // The apertures are measured in square pixels, whereas the stored size is measured in stored pixels.
    let aspect = description.pixelAspect
    let isTooLarge = apertures.contains { aperture in
      guard let size = try? TrackAperture.size(aperture) else { return true }
      return size.width > width * Swift.max(1, aspect) + 1
        || size.height > height * Swift.max(1, 1 / aspect) + 1
    }
    if isTooLarge { add(.trackApertures, .movie, "The movie's track apertures are larger than its picture.") }
  }

  /// Checks that the movie records the photo's position on its timeline. Without this position, the key photo cannot be
  /// changed and the motion hint is not played.
  mutating func checkStillTime(of movie: Movie) {
    guard let time = movie.stillImageTime else {
      return add(
        .stillImageTime, .movie, "The movie does not mark the key photo's time: it has no still-image-time.")
    }
    check(stillTime: time, of: movie)
  }

  /// Checks that the photo's position is within the movie.
  ///
  /// - Parameters:
  ///   - time: The position in seconds.
  ///   - tolerance: The maximum distance between the end of the movie and a later position. The default is one
  ///     millisecond, to allow for rounding between time scales.
  mutating func check(stillTime time: Double, of movie: Movie, tolerance: Double = 0.001) {
    guard time < 0 || time > movie.seconds + tolerance, movie.duration > 0 else { return }
    add(
      .stillTimeInMovie, .movie,
      "The key photo's time, \(Self.seconds(time)), lies outside the movie, which lasts \(Self.seconds(movie.seconds))."
    )
  }

  /// Formats a time in seconds with millisecond precision.
  private static func seconds(_ time: Double) -> Message {
    "\(decimal: "\((time * 1000).rounded() / 1000)") s"
  }

  /// Checks that every metadata track states which keys it contains.
  mutating func checkKeys(of movie: Movie) {
    // Other kinds of timed metadata identify their content by a media type, as in Google's files, or by their format.
    for track in movie.tracks
    where track.handler == "meta" && track.format == "mebx" && track.metadata?.keys.isEmpty ?? true {
      add(
        .metadataDescriptions, .movie,
        "Metadata track \(track.header.trackID) in the movie does not declare its keys.")
    }
  }
}
