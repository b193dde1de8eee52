import Basics

/// When a video or sound track is shown, as its samples and its edit list tell, and what its headers say of that.
struct TrackTimes: Sendable {
  /// True for video, false for sound.
  let isVideo: Bool
  /// The number of its samples.
  let sampleCount: Int
  /// True if the track has an edit list, and no entry of it shows any of the media.
  let isNothingShown: Bool
  /// The time until which something is shown, in seconds of the movie's timeline.
  let end: Double
  /// How long its media lasts, in seconds, of which a movie may show a part.
  let mediaLength: Double
  /// The longest duration that its headers `tkhd` and `mdhd` say, in seconds.
  let said: Double

  /// Reads the tables of a track; its samples need not be where they say.
  ///
  /// - Parameters:
  ///   - trak: the track.
  ///   - movieTimeScale: ticks a second of the movie.
  /// - Returns: nil for a track that is neither video nor sound, and for one without samples.
  /// - Throws: ``MediaError`` when a table is broken.
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
    // An entry without a duration shows the rest of the media where no other shows any.
    let isAlone = edits.count { $0.mediaTime >= 0 } == 1
    var (end, isNothingShown) = (0.0, !edits.isEmpty)
    for edit in edits {
      let duration = Double(edit.duration) / Double(movieTimeScale)
      guard edit.mediaTime >= 0 else {
        end += duration
        continue
      }
      let rest = mediaEnd - Double(edit.mediaTime)
      // The only sample of a track may last no time.
      guard edit.duration > 0 || isAlone, rest > 0 || edit.mediaTime == 0 else { continue }
      isNothingShown = false
      // A rate of 0 shows one sample all along.
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

  /// True if a duration is longer than another one by more than programs that write movies err, who count in some frames, or a pause: by
  /// half of it, and by a second.
  fileprivate static func exceeds(_ longer: Double, _ shorter: Double) -> Bool {
    longer > max(2 * shorter, shorter + 1)
  }
}

/// How long a movie lasts, as its samples and edit lists tell, and as its headers say.
struct MovieTimes: Sendable {
  /// The time until which its video and sound are shown, in seconds.
  let end: Double
  /// The duration that its header says, in seconds; nil where it says none.
  private let header: Double?
  /// The longest duration that any of its headers says, in seconds.
  private let longest: Double
  /// The longest duration that its samples allow, in seconds.
  private let possible: Double

  /// - Parameter moov: the movie's tables, those of fragments among them.
  /// - Returns: nil for a movie without video and sound, which has nothing to tell by.
  /// - Throws: ``MediaError`` when a table is broken.
  init?(_ moov: Atom) throws {
    guard let mvhd = try moov.first("mvhd").map(MediaHeader.init) else { return nil }
    let tracks = try moov.all("trak").compactMap { try TrackTimes($0, movieTimeScale: mvhd.timeScale) }
    guard let end = tracks.map(\.end).max() else { return nil }
    self.end = end
    possible = max(end, tracks.map(\.mediaLength).max() ?? 0)
    header = mvhd.isDurationKnown && mvhd.duration > 0 ? mvhd.seconds : nil
    longest = max(header ?? 0, tracks.map(\.said).max() ?? 0)
  }

  /// The duration in the headers, in seconds, where it is at least twice or half of what the samples last, and differs by more than a
  /// second; nil otherwise.
  var contradicted: Double? {
    if TrackTimes.exceeds(longest, possible) { return longest }
    return header.flatMap { TrackTimes.exceeds(end, $0) ? $0 : nil }
  }
}
