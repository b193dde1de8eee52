import Basics
import EditModel

/// Arranges the tracks of a movie according to a motion plan.
extension MovieRewrite {
  private static let otherTimeReason: Message = "follows the timeline of the unedited movie"

  /// Rearranges all tracks according to a plan. Frames are placed as planned, audio and timed metadata are cut
  /// accordingly, and the photo's position is moved.
  mutating func follow(_ plan: MotionPlan, of movie: Movie, source: any ByteSource) throws {
    let video = try movie.video
    let length = plan.duration.scaled(from: video.timeScale, to: movie.timeScale)
    let still = movie.stillImageTrack?.header.trackID
    let perChunk = min(max(video.samples.chunks.first?.sampleCount ?? 1, 1), 60)
    tracks = try tracks.compactMap { output in
      let track = output.source
      var output = output
      if track.header.trackID == video.header.trackID {
        guard case .encoded = output.media else {
          let copied = try output.copyFrames(along: plan, of: movie, length: length)
          noteHiddenFrames(copied.hidden)
          name(copied.lostGroups.map { "sample groups “\($0)”" }, "is damaged")
          return output
        }
        let layout = TrackLayout(
          chunks: TrackLayout.chunks(of: plan.frames.count, each: perChunk),
          durations: [SampleTable.Run](plan.frames.map { Int($0.duration) }), timeScale: track.timeScale)
        try output.lay(layout, edits: Track.Edit.showing(length))
      } else if track.handler == "soun" {
        guard
          let heard = try plan.sound.flatMap({
            try track.samples(heardIn: $0, movieTimeScale: movie.timeScale)
          })
        else {
          name(
            ["sound track \(track.header.trackID)"],
            plan.sound == nil ? "removed on request" : "has no audio in the part that was kept")
          return nil
        }
        try output.cut(to: heard)
        noteHiddenSound(of: track, heard)
      } else if track.header.trackID == still {
        guard let time = plan.still else {
          name(["track \(track.header.trackID) (\(Movie.stillImageTimeKey))"], Self.otherTimeReason)
          return nil
        }
        try output.mark(time, in: movie, lasting: length)
      } else if track.metadata != nil, track.samples.sampleCount > 0 {
        guard try output.follow(plan, of: movie, each: perChunk, source: source) else { return nil }
      } else {
        name(["track \(track.header.trackID) “\(track.handler)”"], Self.otherTimeReason)
        return nil
      }
      return output
    }
    try moov.update("mvhd") { try $0.setDuration(length, at: 16, orWideAt: 24) }
  }

  /// Moves the photo's position in a movie whose timing does not change.
  ///
  /// - Parameter seconds: The new position on the movie's timeline.
  mutating func markPhoto(at seconds: Double, in movie: Movie) throws {
    for index in tracks.indices
    where tracks[index].source.header.trackID == movie.stillImageTrack?.header.trackID {
      try tracks[index].mark(seconds, in: movie, lasting: movie.duration)
    }
  }

  /// Adds a note about compressed audio outside the cuts. This audio stays in the file, because audio packets cannot be
  /// split.
  private mutating func noteHiddenSound(of track: Track, _ heard: Track.HeardSamples) {
    let before = heard.leadIn
    let after = track.samples.durations.of(heard.samples).ticks - before - heard.length
    if heard.jumps {
      notes.append(
        "The edit list of audio track \(track.header.trackID) skips parts of the audio: the skipped parts remain in the file, hidden."
      )
    }
    guard before > 0 || after > 0 else { return }
    func seconds(_ ticks: Int) -> String {
      String((Double(ticks) / Double(track.timeScale) * 1000).rounded() / 1000) + " s"
    }
    notes.append(
      "Audio track \(track.header.trackID) can be cut only between packets: \(seconds(before)) before the cut and "
        + "\(seconds(after)) after it remain in the file, hidden by the edit list.")
  }
}

extension MovieRewrite.OutputTrack {
  /// Gives the track a new layout, and an edit list that displays the new layout.
  ///
  /// - Parameter copied: The range of source samples that the layout contains, or nil if the layout contains other
  ///   samples.
  mutating func lay(
    _ layout: TrackLayout, copying copied: Range<Int>? = nil, edits: [Track.Edit]
  ) throws {
    self.layout = layout
    let sizes = try copied.map { try source.samples.sizeTable(of: $0, in: source.atom) }
    try atom.update("mdia", "mdhd") {
      try $0.setDuration(UInt64(max(0, layout.durations.ticks)), at: 16, orWideAt: 24)
    }
    let lasting = edits.reduce(UInt64(0)) { sum, edit in
      let (next, isBeyond) = sum.addingReportingOverflow(edit.duration)
      return isBeyond ? .max : next
    }
    try atom.update("tkhd") { try $0.setDuration(lasting, at: 20, orWideAt: 28) }
    try atom.changeChildren { children in
      children.removeAll { $0.kind == "edts" }
      let place = children.firstIndex { $0.kind == "mdia" } ?? children.count
      children.insert(Atom("edts", children: [Track.Edit.list(edits)]), at: place)
    }
    try atom.update("mdia", "minf", "stbl") { stbl in
      try stbl.remove(SampleTable.perSample)
      try stbl.put(layout.timeToSample)
      try stbl.put(layout.sampleToChunk)
      if let sizes {
        try stbl.put(sizes)
        try stbl.remove(["stz2"])
      }
    }
  }

  /// Cuts an audio track to the audible samples.
  fileprivate mutating func cut(to heard: Track.HeardSamples) throws {
    if case .samples(let packets) = media, packets.count != heard.samples.count {
      throw MediaError("the number of audio packets changed when the volume was lowered")
    }
    let layout = TrackLayout(
      chunks: try source.samples.chunks(of: heard.samples),
      durations: source.samples.durations.of(heard.samples),
      timeScale: source.timeScale, delay: heard.delay)
    try lay(layout, copying: heard.samples, edits: heard.edits)
  }

  /// Moves the single sample that states the photo's position.
  ///
  /// - Parameters:
  ///   - seconds: The new position on the movie's timeline.
  ///   - length: The duration of the new movie, in ticks.
  fileprivate mutating func mark(_ seconds: Double, in movie: Movie, lasting length: UInt64) throws {
    let ticks = (max(0, seconds) * Double(movie.timeScale)).rounded()
    let time = min(UInt64(exactly: ticks) ?? .max, max(length, 1) - 1)
    if case .samples(let samples) = media { media = .samples(Array(samples.prefix(1))) }
    let layout = TrackLayout(
      chunks: try source.samples.chunks(of: 0..<1), durations: source.samples.durations.of(0..<1),
      timeScale: source.timeScale)
    try lay(layout, copying: 0..<1, edits: Track.Edit.showing(1, after: time))
  }

  /// Adapts timed metadata to the new order of frames. Each new frame gets the metadata sample of its source frame. If
  /// a sample is repeated consecutively, the repetitions are merged.
  ///
  /// - Returns: Whether any metadata sample describes the new frames.
  fileprivate mutating func follow(
    _ plan: MotionPlan, of movie: Movie, each perChunk: Int, source bytes: any ByteSource
  ) throws -> Bool {
    var samples = try MovieRewrite.samples(of: source, bytes)
    if case .samples(let changed) = media { samples = changed }
    let starts = source.samples.durations.starts
    let segments = try source.segments(movieTimeScale: movie.timeScale)
    let videoScale = try movie.video.timeScale
    var (shown, ends): ([Int], [Int]) = ([], [])
    var delay: Int64 = 0
    for (frame, time) in zip(plan.frames, plan.times) {
      let moment = plan.source[frame.parts[0].number].seconds + Trim.tolerance
      let number = segments.sample(at: moment, of: starts)
      let end = Int(clamping: (time + frame.duration).scaled(from: videoScale, to: source.timeScale))
      if number < 0, shown.isEmpty {
        delay = time + frame.duration
      } else if shown.isEmpty || (number >= 0 && shown.last != number) {
        shown.append(max(number, 0))
        ends.append(end)
      } else {
        ends[ends.count - 1] = end
      }
    }
    guard !shown.isEmpty else { return false }
    let start = Int(clamping: delay.scaled(from: videoScale, to: source.timeScale))
    let durations = zip(ends, [start] + ends).map { max(0, $0 - $1) }
    media = .samples(shown.map { samples[$0] })
    let seconds = Double(delay) / Double(videoScale)
    let layout = TrackLayout(
      chunks: TrackLayout.chunks(of: shown.count, each: perChunk), durations: [SampleTable.Run](durations),
      timeScale: source.timeScale, delay: seconds)
    let empty = delay.scaled(from: videoScale, to: movie.timeScale)
    let length = plan.duration.scaled(from: videoScale, to: movie.timeScale) - empty
    try lay(layout, edits: Track.Edit.showing(length, after: empty))
    return true
  }
}

extension Track {
  /// The audio samples needed to play part of the movie's timeline.
  struct HeardSamples {
    /// The numbers of the samples, counted from 0.
    var samples: Range<Int>
    /// The duration of the samples before the audible part, in ticks of the media's time scale. These samples are
    /// needed because a packet of compressed audio can be decoded only after the previous packet.
    var leadIn: Int
    /// The duration of the media between the beginning and end of the audible part, in ticks.
    var length: Int
    /// The delay in seconds between the start of the selected part and the start of its audio.
    var delay: Double
    /// The edit list that plays exactly the audible samples at their original times.
    var edits: [Edit]
    /// Whether the samples include inaudible media between audible pieces.
    var jumps: Bool
  }

  /// A continuous piece of audible media.
  private struct HeardPiece {
    /// The time range of the piece, in ticks of the media's time scale.
    let media: Range<Int>
    /// The time range of the piece, in seconds on the movie's timeline.
    let seconds: Range<Double>
    let fixedRate: Int32
  }

  /// Returns the audio samples that are needed for a part of the timeline.
  ///
  /// - Parameters:
  ///   - part: A part of the movie's timeline, in seconds.
  ///   - movieTimeScale: The movie's time scale, in ticks per second.
  /// - Returns: The samples, or nil if the part contains no audio.
  func samples(heardIn part: Range<Double>, movieTimeScale: UInt32) throws -> HeardSamples? {
    let pieces = try segments(movieTimeScale: movieTimeScale).compactMap {
      piece(of: $0, heardIn: part, movieTimeScale: Double(movieTimeScale))
    }
    guard let start = pieces.map(\.media.lowerBound).min(), let end = pieces.map(\.media.upperBound).max()
    else { return nil }
    var first = samples.durations.sample(at: start).number
    if try UncompressedSound(self) == nil { first = max(0, first - 1) }
    let last = samples.durations.sample(at: end - 1).number
    let before = samples.durations.of(0..<first).ticks
    let edits = edits(showing: pieces, from: part.lowerBound, mediaAt: before, Double(movieTimeScale))
    var heard = start
    var jumps = false
    // Durations are rounded to whole ticks of the movie's time scale.
    let rounding = Int(timeScale / max(movieTimeScale, 1)) + 1
    for media in pieces.map(\.media).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      jumps = jumps || media.lowerBound - heard > rounding
      heard = max(heard, media.upperBound)
    }
    let delay = pieces[0].seconds.lowerBound - part.lowerBound
    return HeardSamples(
      samples: first..<last + 1, leadIn: start - before, length: end - start,
      delay: delay * Double(timeScale) < 1 ? 0 : delay, edits: edits, jumps: jumps)
  }

  /// Returns the piece of a segment that is audible in a part of the movie's timeline, or nil if the segment is not
  /// audible in that part.
  private func piece(
    of segment: Segment, heardIn part: Range<Double>, movieTimeScale: Double
  ) -> HeardPiece? {
    let opens = Int(segment.mediaTime)
    guard segment.fixedRate > 0 else {
      let (start, end) = (max(segment.start, part.lowerBound), min(segment.end, part.upperBound))
      guard start < end, opens < samples.duration else { return nil }
      return HeardPiece(media: opens..<opens + 1, seconds: start..<end, fixedRate: 0)
    }
    let (scale, rate) = (Double(timeScale), segment.rate)
    let lasts = segment.duration.map {
      Int(exactly: (Double($0) * scale / movieTimeScale * rate).rounded()) ?? .max
    }
    let closes = min(samples.duration, [opens, lasts ?? samples.duration].clampedSum)
    let origin = segment.seconds(of: 0)
    func ticks(_ seconds: Double) -> Int {
      Int(min(max((seconds - origin) * scale * rate, 0), 1e15).rounded())
    }
    let (start, end) = (max(opens, ticks(part.lowerBound)), min(closes, ticks(part.upperBound)))
    guard start < end else { return nil }
    let begins = segment.seconds(of: Int64(start))
    return HeardPiece(
      media: start..<end, seconds: begins..<max(begins, segment.seconds(of: Int64(end))),
      fixedRate: segment.fixedRate)
  }

  /// Returns an edit list that plays pieces of the media at their original times.
  ///
  /// - Parameters:
  ///   - start: The time on the old timeline that becomes the start of the new timeline.
  ///   - first: The media time that becomes the start of the new media, in ticks.
  ///   - movieTimeScale: The movie's time scale, in ticks per second.
  private func edits(
    showing pieces: [HeardPiece], from start: Double, mediaAt first: Int, _ movieTimeScale: Double
  ) -> [Edit] {
    var edits: [Edit] = []
    var end = start
    var position = 0.0
    for piece in pieces {
      // Pauses shorter than a sample are ignored.
      let pause = ((piece.seconds.lowerBound - start) * movieTimeScale).rounded() - position
      if (piece.seconds.lowerBound - end) * Double(timeScale) >= 1, pause > 0 {
        edits.append(Edit(duration: UInt64(exactly: pause) ?? .max, mediaTime: -1, rate: 1 << 16))
        position += pause
      }
      let length =
        piece.fixedRate == 0
        ? (piece.seconds.upperBound - piece.seconds.lowerBound) * movieTimeScale
        : Double(piece.media.count) * movieTimeScale / Double(timeScale) / (Double(piece.fixedRate) / 65_536)
      edits.append(
        Edit(
          duration: UInt64(exactly: length.rounded()) ?? .max,
          mediaTime: Int64(piece.media.lowerBound - first), rate: piece.fixedRate))
      position += length.rounded()
      end = piece.seconds.upperBound
    }
    return edits
  }
}

extension Atom {
  /// Writes a duration into a header atom.
  ///
  /// - Parameters:
  ///   - ticks: The duration.
  ///   - offset: The offset of the duration in version 0, in which the duration is four bytes wide.
  ///   - wideOffset: The offset of the duration in version 1, in which the duration is eight bytes wide.
  mutating func setDuration(_ ticks: UInt64, at offset: Int, orWideAt wideOffset: Int) throws {
    let isWide = bytes.first == 1
    guard bytes.count >= (isWide ? wideOffset + 8 : offset + 4), isWide || ticks < UInt32.max else {
      throw MediaError("a header has no room for the new duration", isUnsupported: true)
    }
    if isWide {
      bytes.replace(at: wideOffset, bigEndian: ticks)
    } else {
      bytes.replace(at: offset, bigEndian: UInt32(ticks))
    }
  }
}

extension Int64 {
  /// Converts ticks to another time scale, rounded to the nearest tick. Negative values become 0. Values above the
  /// maximum become the maximum.
  fileprivate func scaled(from old: UInt32, to new: UInt32) -> UInt64 {
    UInt64(exactly: Swift.max(0, (Double(self) * Double(new) / Double(Swift.max(old, 1))).rounded())) ?? .max
  }
}
