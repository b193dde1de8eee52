import Basics
import EditModel
import FileSystem
import Foundation
import LivePhotoFormat
import Rendering
import TestSupport
import Testing

@testable import Codecs
@testable import RenderEngine

/// Tests of plans with changed timing through decoder, encoder and movie writer. ffprobe and ffmpeg read the results.
@Suite struct MotionPlanRenderTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Returns the grey level of a frame of the counting movie, which depends on its number.
  static func grey(_ number: Int) -> Double { Double(30 + 6 * number) }

  /// Creates a movie of two seconds whose frames show their number, with groups of ten frames and B-frames.
  func counting(_ video: [String] = OddMovie.h264, sound: [String] = [], named name: String = "in.mov") throws
    -> String
  {
    let path = folder.file(name).path
    let tone = ["-f", "lavfi", "-i", "aevalsrc=0.5*sin(900*t*t):s=44100:d=2"]
    try folder.run(
      "ffmpeg",
      [
        "-v", "error", "-y", "-f", "lavfi", "-i",
        "color=black:size=64x48:rate=15:duration=2,format=yuv420p,geq=lum='30+6*N':cb=128:cr=128",
      ] + (sound.isEmpty ? [] : tone) + video + ["-g", "10"] + (video.contains("mjpeg") ? [] : ["-bf", "3"])
        + (sound.isEmpty ? [] : ["-c:a"] + sound)
        + [path])
    return path
  }

  /// Renders a movie according to a plan.
  func render(
    _ source: String, _ edit: Edit = .identity, settings: RenderSettings = .standard, volume: Double = 1,
    plan: (Movie) throws -> MotionPlan
  ) throws -> (path: String, result: RenderResult) {
    let output = folder.file("out.mov").path
    _ = try? FileManager.default.removeItem(atPath: output)
    let half = RenderJob.Half(source: source, output: output)
    let job = RenderJob(
      photo: nil, movie: half, edit: edit, settings: settings, identifier: nil, audioVolume: volume)
    let result = try withoutActuallyEscaping(plan) { plan in
      try renderMovie(
        half, job, first: edit, geometry: JobGeometry(job, nil),
        placement: PixelPlacement(job, isUpright: false),
        motion: plan,
        stages: [], stop: StopSignal { false }, meter: ProgressMeter(job) { _ in })
    }
    return (output, result)
  }

  /// Returns the average grey of every frame that ffmpeg shows.
  func greys(_ path: String, size: (Int, Int) = (64, 48)) throws -> [Double] {
    let raw = try Tools.output(
      "ffmpeg", "-v", "error", "-i", path, "-map", "0:v", "-fps_mode", "passthrough", "-f", "rawvideo",
      "-pix_fmt",
      "gray", "-vf", "scale=in_range=limited:out_range=limited", "-"
    ).bytes
    let count = size.0 * size.1
    return stride(from: 0, to: raw.count, by: count).map { start in
      let sum = raw[start..<min(start + count, raw.count)].reduce(0) { $0 + Int($1) }
      return Double(sum) / Double(count)
    }
  }

  /// Returns the display time of every frame, read by ffprobe.
  func times(_ path: String) throws -> [Double] {
    try Tools.ffprobe(
      URL(fileURLWithPath: path), "-select_streams", "v", "-show_entries", "frame=pts_time"
    ).compactMap { Double($0.split(separator: ",")[0]) }
  }

  func expectGreys(_ found: [Double], _ wanted: [Double], _ comment: String = "") {
    #expect(found.count == wanted.count, "\(comment)")
    for (index, pair) in zip(found, wanted).enumerated() {
      #expect(abs(pair.0 - pair.1) < 2, "frame \(index) \(comment)")
    }
  }

  @Test(arguments: [RenderSettings.VideoCodec.h264, .hevc])
  func framesAreShownBackwardsAndTwice(_ codec: RenderSettings.VideoCodec) throws {
    let source = try counting(sound: ["pcm_s16le"])
    let order = (10...20).reversed().flatMap { [$0, $0] }
    let (output, result) = try render(
      source, Edit(orientation: .right), settings: RenderSettings(videoCodec: codec)
    ) { movie in
      let frames = try movie.frames
      return try MotionPlan(
        frames: order.enumerated().map { .init($1, duration: frames[$1].duration * Int64($0 % 2 + 1)) },
        of: frames,
        sound: nil, still: nil)
    }
    #expect(result.movie == .encoded)
    #expect(result.removals.map(\.name) == ["sound track 2"])
    expectGreys(try greys(output, size: (48, 64)), order.map(Self.grey))
    // Each frame lasts 1/15 s, and its repetition 2/15 s.
    let wanted = order.indices.map { Double($0 / 2 * 3 + $0 % 2) / 15 }
    let found = try times(output)
    #expect(found.count == wanted.count)
    for (one, other) in zip(found, wanted) { #expect(abs(one - other) < 1e-4) }
    let length = try Tools.ffprobe(
      URL(fileURLWithPath: output), "-show_entries", "stream=duration,codec_name,nb_frames:format=duration")
    #expect(length.count == 2 && length[0].hasPrefix(codec == .h264 ? "h264," : "hevc,"))
    #expect(length[0].contains("2.200") && length[0].hasSuffix(",22") && length[1].hasPrefix("2.2"))
  }

  @Test func aFrameIsBlendedOfMany() throws {
    let (output, _) = try render(try counting()) { movie in
      let all = (0..<30).map { (number: $0, share: 1.0 / 30) }
      return try MotionPlan(
        frames: [
          .init(0, duration: 512), .init(blend: [(29, 0.75), (3, 0.25)], duration: 512),
          .init(blend: all, duration: 512),
        ], of: movie.frames, sound: nil, still: nil)
    }
    expectGreys(
      try greys(output),
      [Self.grey(0), 0.75 * Self.grey(29) + 0.25 * Self.grey(3), (Self.grey(0) + Self.grey(29)) / 2])
  }

  /// The frames of a plan are bit-identical to those that ffmpeg decodes, in any order. This includes open groups of
  /// pictures, where frames are shown before the frame that begins their group.
  @Test(arguments: [
    OddMovie.h264, OddMovie.h264 + ["-x264-params", "open-gop=1:b-pyramid=strict"], OddMovie.hevc,
    OddMovie.h264 + ["-f", "mp4"], ["-c:v", "mjpeg", "-pix_fmt", "yuvj420p"],
  ])
  func everyOrderGivesTheSourcesFrames(_ video: [String]) throws {
    let path = try counting(video)
    let all = try Tools.output(
      "ffmpeg", "-v", "error", "-i", path, "-map", "0:v", "-fps_mode", "passthrough", "-f", "rawvideo", "-"
    ).bytes
    let size = 64 * 48 * 3 / 2
    #expect(all.count == 30 * size)
    let source = try Movie(FileByteSource(path: path)).frames
    var generator = SeededGenerator(seed: 7)
    let orders =
      (0..<30).map { [$0] } + [
        Array(0..<30), Array((0..<30).reversed()), [29, 0, 15, 15, 14, 16, 2, 1, 0],
        (0..<40).map { _ in Int.random(in: 0..<30, using: &generator) },
      ]
    for order in orders {
      let plan = try MotionPlan(
        frames: order.map { .init($0, duration: 7) }, of: source, sound: nil, still: nil)
      let frames = try PlannedFrames(VideoDecoder(path: path, trackID: 1), plan)
      for (place, number) in order.enumerated() {
        let frame = try #require(try frames.next())
        #expect(frame.time == Int64(7 * place))
        let bytes = frame.picture.planes.flatMap { plane in
          (0..<plane.height).flatMap {
            Array(UnsafeRawBufferPointer(start: plane.base + $0 * plane.stride, count: plane.width))
          }
        }
        #expect(bytes == Array(all[number * size..<(number + 1) * size]), "frame \(number) of \(order)")
      }
      #expect(try frames.next() == nil)
    }
  }

  /// Groups of pictures that are not shown are not decoded, so they may be damaged.
  @Test func onlyGroupsThatAreShownAreDecoded() throws {
    let path = try counting()
    let packets = try Tools.ffprobe(
      URL(fileURLWithPath: path), "-select_streams", "v", "-show_entries", "packet=pos,size")
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    // A decoder that reorders frames reads a few packets ahead.
    for packet in packets[..<10] + packets[26...] {
      let numbers = packet.split(separator: ",").compactMap { Int($0) }
      let (size, start) = (numbers[0], numbers[1])
      for index in start + 5..<start + size { bytes[index] = 0xFF }
    }
    try bytes.write(to: URL(fileURLWithPath: path))
    func show(_ numbers: [Int]) throws -> [Double] {
      let (output, _) = try render(path) { movie in
        let frames = try movie.frames
        return try MotionPlan(
          frames: numbers.map { .init($0, duration: frames[$0].duration) }, of: frames, sound: nil, still: nil
        )
      }
      return try greys(output)
    }
    expectGreys(try show([18, 12, 10]), [18, 12, 10].map(Self.grey))
    #expect(throws: (any Error).self) { try show([9]) }
    #expect(throws: (any Error).self) { try show([12, 27]) }
  }

  // MARK: Sound

  /// Returns the audio as ffmpeg decodes it, with edit list and priming applied.
  func samples(_ path: String) throws -> [Int16] {
    let data = try Tools.output("ffmpeg", "-v", "error", "-i", path, "-map", "0:a", "-f", "s16le", "-").bytes
    return stride(from: 0, to: data.count - 1, by: 2).map { Int16(data[$0]) | Int16(data[$0 + 1]) << 8 }
  }

  func trimmed(_ source: String, _ start: Double, _ end: Double, volume: Double = 1) throws -> String {
    try render(source, volume: volume) { movie in
      try MotionPlan(
        keeping: Trim(from: start, to: end), of: movie.shownFrames, from: movie.frames,
        timeScale: MovieSummary(movie).videoTimeScale, still: movie.stillImageTime)
    }.path
  }

  @Test(arguments: [1.0, 0.5]) func uncompressedSoundIsCutToTheSample(_ volume: Double) throws {
    let source = try counting(sound: ["pcm_s16le"])
    let output = try trimmed(source, 0.4, 1.1, volume: volume)
    // From frame 6, at 0.4 s, to the end of frame 16, which begins at 1.0667 s.
    expectGreys(try greys(output), (6...16).map(Self.grey))
    let (first, end) = (Int((44100 * 6.0 / 15).rounded()), Int((44100 * 17.0 / 15).rounded()))
    let wanted = try samples(source)[first..<end].map { Int16((Double($0) * volume).rounded()) }
    #expect(try samples(output) == wanted)
    #expect(Set(wanted).count > 100)
  }

  /// Whole packets are kept, and the edit list hides the rest.
  @Test(arguments: [1.0, 0.5]) func compressedSoundStaysAligned(_ volume: Double) throws {
    let source = try counting(sound: ["aac", "-b:a", "128k"])
    let output = try trimmed(source, 0.4, 1.1, volume: volume)
    let (first, count) = (Int((44100 * 6.0 / 15).rounded()), Int((44100 * 11.0 / 15).rounded()))
    let wanted = try samples(source)[first..<first + count].map { Double($0) * volume }
    let found = try samples(output).map { Double($0) }
    #expect(abs(found.count - wanted.count) <= 1024)
    // The audio is aligned: a shift by one sample would increase the difference.
    func difference(_ shift: Int) -> Double {
      (2048..<count - 2048).reduce(0) { $0 + abs(found[$1 + shift] - wanted[$1]) } / Double(count)
    }
    let level = wanted.reduce(0) { $0 + abs($1) } / Double(count)
    #expect(difference(0) < level / 30)
    #expect(difference(0) < difference(1) && difference(0) < difference(-1))
    let packets = try Tools.ffprobe(
      URL(fileURLWithPath: output), "-select_streams", "a", "-show_entries", "stream=nb_frames")
    #expect(packets == ["\((first + count + 1023 + 1024) / 1024 - (first + 1024) / 1024 + 1)"])
  }

  // MARK: A Live Photo's own tracks

  @Test(arguments: ["IMG_0001.MOV", "IMG_0002.MOV", "IMG_0004.MOV"])
  func everyTrackOfALivePhotoIsCutAlong(_ name: String) throws {
    let source = TestFiles.fixture(name)
    let old = try times(source.path)
    let still = try #require(try Movie(FileByteSource(path: source.path)).stillImageTime)
    let (first, last) = (3, old.count - 4)
    let output = URL(fileURLWithPath: try trimmed(source.path, old[first], old[last + 1]))
    let new = try times(output.path)
    #expect(new.count == last - first + 1)
    for (one, other) in zip(new, old[first...last]) { #expect(abs(one - (other - old[first])) < 0.0006) }
    let moved = try #require(try Movie(FileByteSource(path: output.path)).stillImageTime)
    #expect(abs(moved - (still - old[first])) < 0.002)
    // ffprobe finds the mark at the same time.
    let starts = try Tools.ffprobe(output, "-select_streams", "d", "-show_entries", "stream=start_time")
      .compactMap { Double($0.split(separator: ",")[0]) }
    #expect(starts.contains { abs($0 - moved) < 0.002 })
    // Returns the timed metadata: the samples of the kept frames, in their order.
    func metadata(_ file: URL) throws -> [String: [String]] {
      let lines = try Tools.ffprobe(
        file, "-ignore_editlist", "1", "-select_streams", "d", "-show_entries",
        "packet=stream_index,data_hash",
        "-show_data_hash", "md5")
      return Dictionary(grouping: lines) { String($0.split(separator: ",")[0]) }
    }
    let (before, after) = (try metadata(source), try metadata(output))
    #expect(before.keys == after.keys && !before.isEmpty)
    for (stream, packets) in before {
      let kept = packets.count == old.count ? Array(packets[first...last]) : packets
      #expect(after[stream] == kept, "stream \(stream)")
    }
    // All other metadata is kept.
    let (tags, others) = (try Tools.exiftool(source), try Tools.exiftool(output))
    for (tag, value) in tags where tag.hasPrefix("Keys:") { #expect(others[tag] == value, "\(tag)") }
  }

  // MARK: Edits

  /// Renders an edit like the helper does.
  func rendered(_ source: String, _ motion: Motion, settings: RenderSettings = .standard) throws -> (
    path: String, result: RenderResult
  ) {
    let output = folder.file("out.mov").path
    _ = try? FileManager.default.removeItem(atPath: output)
    let job = RenderJob(
      photo: nil, movie: .init(source: source, output: output), edit: Edit(motion: motion),
      settings: settings, identifier: nil)
    return (output, try RenderEngine.render(job, progress: { _ in }, isCancelled: { false }))
  }

  @Test func anEditTrimsAndMakesQuieter() throws {
    let source = try counting(sound: ["pcm_s16le"])
    let motion = try Motion(trim: Trim(from: 0.4, to: 1.1), volume: 0.25)
    let (output, result) = try rendered(source, motion)
    #expect(result.movie == .encoded && result.removals.isEmpty && result.notes.isEmpty)
    expectGreys(try greys(output), (6...16).map(Self.grey))
    let wanted = try samples(source)[17_640..<49_980].map { Int16((Double($0) * 0.25).rounded()) }
    #expect(try samples(output) == wanted)
  }

  /// Coded frames are copied from the frame at which decoding can begin, whatever the structure of the groups of
  /// pictures.
  @Test(arguments: [
    OddMovie.h264, OddMovie.h264 + ["-x264-params", "open-gop=1:b-pyramid=strict"], OddMovie.hevc,
    OddMovie.h264 + ["-f", "mp4"], ["-c:v", "mjpeg", "-pix_fmt", "yuvj420p"],
  ])
  func copiedFramesAreTheSources(_ video: [String]) throws {
    let source = try counting(video)
    func pictures(_ path: String) throws -> [String] {
      try Tools.output(
        "ffmpeg", "-v", "error", "-i", path, "-map", "0:v", "-fps_mode", "passthrough", "-f", "framemd5", "-"
      ).lines.filter { !$0.hasPrefix("#") }.compactMap { $0.split(separator: ",").last.map(String.init) }
    }
    let all = try pictures(source)
    #expect(all.count == 30)
    for (first, end) in [(0, 29), (1, 30), (9, 12), (10, 20), (13, 14), (19, 30), (25, 27)] {
      let trim = try Trim(from: Double(first) / 15, to: Double(end) / 15)
      let settings = RenderSettings(isLossless: true)
      let (output, result) = try rendered(source, Motion(trim: trim), settings: settings)
      #expect(result.movie == .copied)
      #expect(try pictures(output) == Array(all[first..<end]), "\(first)..<\(end)")
      let shown = try times(output)
      for (place, time) in shown.enumerated() { #expect(abs(time - Double(place) / 15) < 1e-3) }
      let packets = try Tools.ffprobe(
        URL(fileURLWithPath: output), "-ignore_editlist", "1", "-select_streams", "v", "-count_packets",
        "-show_entries", "stream=nb_read_packets"
      ).first.flatMap { Int($0.split(separator: ",")[0]) }
      let isSaid = result.notes.contains { $0.contains("because decoding needs") }
      #expect(isSaid == (packets != end - first), "\(first)..<\(end): \(packets ?? 0) \(result.notes)")
    }
  }

  /// If a tick of the movie lasts longer than a frame, no edit list can end exactly after that frame.
  @Test func coarseTicksHideNoFrame() throws {
    let source = try counting(OddMovie.h264 + ["-movie_timescale", "10"])
    let settings = RenderSettings(isLossless: true)
    let error = #expect(throws: EditError.self) {
      try rendered(source, Motion(trim: Trim(from: 13 / 15, to: 14 / 15)), settings: settings)
    }
    #expect(error?.problem.contains("too coarse") == true && error?.remedy == "omit --lossless")
  }

  @Test func onlySoundIsChanged() throws {
    let source = try counting(sound: ["pcm_s16le"])
    func packets(_ path: String) throws -> [String] {
      try Tools.ffprobe(
        URL(fileURLWithPath: path), "-select_streams", "v", "-show_entries", "packet=pts,dts,data_hash",
        "-show_data_hash", "md5")
    }
    let (output, result) = try rendered(source, try Motion(volume: 0.5))
    #expect(result.movie == .copied)
    #expect(try packets(output) == packets(source))
    #expect(try samples(output) == samples(source).map { Int16((Double($0) * 0.5).rounded()) })
    let silent = try rendered(source, try Motion(volume: 0))
    #expect(silent.result.removals.map(\.name) == ["sound track 2"])
    #expect(try packets(silent.path) == packets(source))
  }

  /// A trim that keeps every frame re-encodes nothing.
  @Test func aTrimOfNothingCopies() throws {
    let source = try counting()
    #expect(try rendered(source, Motion(trim: Trim(from: 0, to: 2))).result.movie == .copied)
  }

  @Test func packetsBeyondTheCutAreNamed() throws {
    let source = try counting(sound: ["aac", "-b:a", "128k"])
    let notes = try rendered(source, Motion(trim: Trim(from: 0.4, to: 1.1))).result.notes
    #expect(notes.count == 1 && notes[0].contains("only between packets"), "\(notes)")
  }

  @Test(arguments: [
    (0.0, 2.1, "ends at 2.1 s"), (2.5, 2.6, "begins at 2.5 s"), (0.41, 0.42, "has no frame from"),
  ])
  func whatTheMovieHasNotGotIsRefused(_ start: Double, _ end: Double, _ words: String) throws {
    let source = try counting()
    let refused = #expect(throws: EditError.self) {
      try rendered(source, Motion(trim: Trim(from: start, to: end)))
    }
    #expect(refused?.code == .invalidEdit && refused?.file == source && refused?.remedy != nil)
    #expect(refused?.problem.contains(words) ?? false, "\(refused?.problem.description ?? "")")
    #expect(try folder.names() == ["in.mov"])
  }

  /// Edits that this version does not support are not ignored silently.
  @Test func otherEditsOfTimeAreRefused() throws {
    for motion in [try Motion(keyPhoto: 0.5), try Motion(isLiveOff: true)] {
      let refused = #expect(throws: EditError.self) {
        try rendered(TestFiles.fixture("IMG_0001.MOV").path, motion)
      }
      #expect(refused?.code == .invalidEdit)
      #expect(refused?.remedy != nil)
      #expect(try folder.names() == [])
    }
  }
}
