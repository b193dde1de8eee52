import Basics

/// The times of a video or audio track: the displayed time according to the samples and the edit list, and the
/// durations stated in the headers.
struct TrackTimes: Sendable {
  /// Whether the track is a video track. If false, the track is an audio track.
  let isVideo: Bool
  /// The number of samples in the track.
  let sampleCount: Int
  /// Whether the track has an edit list that does not display any of the media.
  let isNothingShown: Bool
  /// The time at which the track ends, in seconds on the movie's timeline.
  let end: Double
  /// The duration of the track's media in seconds. The movie may display only a part of the media.
  let mediaLength: Double
  /// The longest duration stated in the headers `tkhd` and `mdhd`, in seconds.
  let said: Double

  /// Reads a track's tables. The samples need not exist at the stated positions.
  ///
  /// - Parameters:
  ///   - trak: The track.
  ///   - movieTimeScale: The movie's time scale, in ticks per second.
  /// - Returns: The times, or nil if the track is neither video nor audio, or has no samples.
  /// - Throws: ``MediaError`` if a table is damaged.
  init?(_ trak: Atom, movieTimeScale: UInt32) throws {
    let handler = try trak.first("mdia", "hdlr")?.bytes.dropFirst(8).prefix(4) ?? []
    guard ["vide", "soun"].contains(where: { handler.elementsEqual($0.utf8) }),
      let tkhd = try trak.first("tkhd"), let mdhd = try trak.first("mdia", "mdhd"),
      let stbl = try trak.first("mdia", "minf", "stbl"),
      let durations = try SampleTable.runs("stts", of: stbl, isSigned: false),
      durations.contains(where: { $0.count > 0 })
    else { return nil }
    (isVideo, sampleCount) = (handler.elementsEqual("vide".utf8), durations.sampleCount)
    let header = try MediaHeader(mdhd)
    guard header.timeScale > 0, movieTimeScale > 0 else { return nil }
    let media = (
      ticks: durations.reduce(0) { $0 + Double($1.count) * Double($1.value) },
      latest: Double(try SampleTable.runs("ctts", of: stbl, isSigned: true)?.lazy.map(\.value).max() ?? 0)
    )
    let mediaEnd = media.ticks + max(0, media.latest)
    let edits = try trak.first("edts", "elst").map(Track.edits) ?? []
    // If an entry has no duration and no other entry displays any media, the entry displays the remaining media.
    let isAlone = edits.count { $0.mediaTime >= 0 } == 1
    var (end, isNothingShown) = (0.0, !edits.isEmpty)
    for edit in edits {
      let duration = Double(edit.duration) / Double(movieTimeScale)
      guard edit.mediaTime >= 0 else {
        end += duration
        continue
      }
      let rest = mediaEnd - Double(edit.mediaTime)
      // If a track has only a single sample, the sample may have a duration of 0.
      guard edit.duration > 0 || isAlone, rest > 0 || edit.mediaTime == 0 else { continue }
      isNothingShown = false
      // If the rate is 0, a single sample is displayed throughout.
      let shown =
        edit.rate == 0 ? .infinity : rest / Double(header.timeScale) / abs(Double(edit.rate) / 65_536)
      end += edit.duration == 0 ? (shown.isFinite ? shown : 0) : min(duration, shown)
    }
    self.isNothingShown = isNothingShown
    self.end = edits.isEmpty ? media.ticks / Double(header.timeScale) : end
    mediaLength = mediaEnd / Double(header.timeScale)
    said = max(
      header.isDurationKnown ? header.seconds : 0, try TrackHeader.duration(tkhd) / Double(movieTimeScale))
  }

  /// Returns whether a duration is more than twice another duration and also more than a second longer. Smaller
  /// differences are common, because some programs include additional frames or a pause in the duration.
  fileprivate static func exceeds(_ longer: Double, _ shorter: Double) -> Bool {
    longer > max(2 * shorter, shorter + 1)
  }
}

/// The duration of a movie according to its samples and edit lists, and the durations stated in its headers.
struct MovieTimes: Sendable {
  /// The time at which the movie's video and audio end, in seconds.
  let end: Double
  /// The duration in the movie header, in seconds, or nil if the header does not contain a duration.
  private let header: Double?
  /// The longest duration stated in any of the movie's headers, in seconds.
  private let longest: Double
  /// The longest duration that the samples allow, in seconds.
  private let possible: Double

  /// Calculates the durations of a movie.
  ///
  /// - Parameter moov: The movie's `moov` atom, including the tables of fragments.
  /// - Returns: The durations, or nil if the movie has neither video nor audio.
  /// - Throws: ``MediaError`` if a table is damaged.
  init?(_ moov: Atom) throws {
    guard let mvhd = try moov.first("mvhd").map(MediaHeader.init) else { return nil }
    let tracks = try moov.all("trak").compactMap { try TrackTimes($0, movieTimeScale: mvhd.timeScale) }
    guard let end = tracks.map(\.end).max() else { return nil }
    self.end = end
    possible = max(end, tracks.map(\.mediaLength).max() ?? 0)
    header = mvhd.isDurationKnown && mvhd.duration > 0 ? mvhd.seconds : nil
    longest = max(header ?? 0, tracks.map(\.said).max() ?? 0)
  }

  /// The duration stated in the headers, in seconds, or nil if the samples do not contradict this duration. Two
  /// durations contradict each other if the longer duration is more than twice the shorter and also more than a second
  /// longer.
  var contradicted: Double? {
    if TrackTimes.exceeds(longest, possible) { return longest }
    return header.flatMap { TrackTimes.exceeds(end, $0) ? $0 : nil }
  }
}
