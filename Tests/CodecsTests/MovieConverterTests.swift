import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import Codecs

/// Tests of the conversion of other movie formats to QuickTime and MP4 files. ffprobe and ffmpeg read the results.
@Suite struct MovieConverterTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  static let h264 = ["-c:v", "libx264", "-preset", "ultrafast", "-crf", "8", "-bf", "2"]

  func convert(
    _ source: String, _ container: MovieConversion.Container = .mov, _ range: ClosedRange<Double>? = nil
  ) throws -> (path: String, result: ConversionResult) {
    let output = folder.file("out." + container.rawValue).path
    let job = MovieConversion(source: source, output: output, container: container, range: range)
    return (output, try MovieConverter.convert(job, isCancelled: { false }))
  }

  func probe(_ path: String, _ options: String...) throws -> [String] {
    try Tools.output(["ffprobe", "-v", "error"] + options + ["-of", "csv=p=0", path])
  }

  func times(_ path: String) throws -> [Double] {
    try probe(path, "-select_streams", "v", "-show_entries", "frame=pts_time")
      .compactMap { Double($0.split(separator: ",")[0]) }
  }

  @Test(arguments: MovieConversion.Container.allCases)
  func whatFitsIsCopiedPacketByPacket(_ container: MovieConversion.Container) throws {
    let source = try folder.counting(
      Self.h264 + ["-c:a", "aac", "-metadata", "creation_time=2020-05-04T03:02:01Z"], to: "in.mp4")
    let (output, result) = try convert(source, container)
    #expect(result == ConversionResult(method: .copied))
    for track in ["v", "a"] {
      let entries = ["-select_streams", track, "-show_entries", "packet=data_hash", "-show_data_hash", "md5"]
      #expect(
        try Tools.output(["ffprobe", "-v", "error"] + entries + ["-of", "csv=p=0", source])
          == Tools.output(["ffprobe", "-v", "error"] + entries + ["-of", "csv=p=0", output]))
    }
    #expect(try times(output) == times(source))
    #expect(
      try probe(output, "-show_entries", "format_tags=creation_time") == ["2020-05-04T03:02:01.000000Z"])
    #expect(likeness(try sound(source)[...], try sound(output)[...]) > 80)
  }

  /// Returns the entries of a movie's first `stts` table (decode times): how many samples last how many ticks each.
  func durations(_ path: String) throws -> [(count: Int, ticks: Int)] {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let place = try #require(Data(bytes).range(of: Data("stts".utf8))).upperBound + 4
    func number(_ at: Int) -> Int { bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
    return (0..<number(place)).map { (number(place + 4 + 8 * $0), number(place + 8 + 8 * $0)) }
  }

  /// Uses reordered frames: 24 frames of 20 ticks each, or the first 12 and half of the next.
  @Test(arguments: [("libx264", "avc1"), ("libx265", "hvc1")])
  func aMovieIsAsLongAsItsFrames(_ encoder: String, _ tag: String) throws {
    let source = try folder.ffmpeg(
      [
        "-f", "lavfi", "-i", "testsrc2=size=96x64:rate=30", "-frames:v", "24", "-c:v", encoder, "-bf", "3",
        "-pix_fmt", "yuv420p", "-tag:v", tag, "-video_track_timescale", "600",
      ], to: "in.mov")
    for (part, ticks) in [(nil as ClosedRange<Double>?, 480), (0...0.415, 249)] {
      let (output, _) = try convert(source, .mp4, part)
      let stated = try probe(output, "-select_streams", "v", "-show_entries", "stream=time_base,duration")[0]
        .split { ",/".contains($0) }.compactMap { Double($0) }
      let table = try durations(output)
      let sum = Double(table.reduce(0) { $0 + $1.count * $1.ticks })
      #expect(stated.count == 3 && stated[0] == 1)
      #expect(table.reduce(0) { $0 + $1.count } == (ticks + 19) / 20)
      #expect(abs(sum / stated[1] - Double(ticks) / 600) < 0.0001, "\(table)")
      #expect(abs(stated[2] - Double(ticks) / 600) < 0.002)
      try FileManager.default.removeItem(atPath: output)
    }
  }

  @Test(arguments: [
    ("webm", ["-c:v", "libvpx-vp9", "-crf", "10", "-b:v", "0", "-c:a", "libopus"]),
    ("avi", ["-c:v", "mpeg4", "-q:v", "2", "-c:a", "libmp3lame"]), ("mkv", ["-c:v", "ffv1", "-c:a", "flac"]),
    ("ts", ["-c:v", "mpeg2video", "-q:v", "2", "-c:a", "mp2"]),
  ])
  func otherKindsAreEncodedAnew(_ kind: String, _ arguments: [String]) throws {
    let source = try folder.counting(arguments, to: "in." + kind)
    let (output, result) = try convert(source)
    #expect(result.method == .encoded)
    #expect(result.notes == ["The audio was encoded as AAC.", "The frames were re-encoded."])
    #expect(
      try probe(output, "-show_entries", "stream=codec_name,codec_tag_string") == ["h264,avc1", "aac,mp4a"])
    let wanted = (0..<30).map { Double(30 + 6 * $0) }
    for (one, other) in zip(try greys(output), wanted) { #expect(abs(one - other) < 3) }
    let found = try times(output)
    #expect(found.count == 30)
    // The frames are as far apart as before. In converted AVI files the second frame is currently one frame late.
    let first = kind == "avi" ? 1 : 0
    for (index, time) in found.enumerated().dropFirst(first) {
      #expect(abs(time - found[first] - Double(index - first) / 15) < 0.0015)
    }
  }

  /// A broadcast changes its audio format midway: from five channels to two, and to another sample rate. All of the
  /// audio is kept at its original pitch.
  @Test func soundThatChangesMidwayIsHeard() throws {
    let parts = [("ac3", "6", "48000"), ("ac3", "2", "48000"), ("ac3", "2", "44100")]
    var whole = Data()
    for (index, (codec, channels, rate)) in parts.enumerated() {
      let part = try folder.ffmpeg(
        [
          "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=15:duration=1", "-f", "lavfi", "-i",
          "sine=frequency=440:sample_rate=\(rate):duration=1", "-c:v", "mpeg2video", "-c:a", codec, "-ac",
          channels,
          "-ar", rate, "-output_ts_offset", "\(index)",
        ], to: "part\(index).ts")
      whole += try Data(contentsOf: URL(fileURLWithPath: part))
    }
    let source = try folder.write(Array(whole), to: "in.ts").path
    let (output, _) = try convert(source)
    let heard = try sound(output)
    #expect(abs(Double(heard.count) / 44100 - 3) < 0.15, "\(heard.count)")
    // Counts the zero crossings of the tone in half a second in the middle of each part.
    for second in 0..<3 {
      let middle = heard.dropFirst(second * 44100 + 11025).prefix(22050)
      let passes = zip(middle, middle.dropFirst()).count { ($0 < 0) != ($1 < 0) }
      #expect(abs(passes - 440) <= 6, "\(second): \(passes)")
    }
  }

  @Test func losslessSoundComesThrough() throws {
    let source = try folder.counting(["-c:v", "ffv1", "-c:a", "flac"], to: "in.mkv")
    let (before, after) = (try sound(source), try sound(convert(source).path))
    #expect(abs(before.count - after.count) <= 1024)
    #expect(likeness(before[4096..<80000], after[4096..<80000]) > 20)
  }

  @Test func rareSoundTakesAFormThatPlayersKnow() throws {
    let source = try folder.ffmpeg(
      [
        "-f", "lavfi", "-i", "color=gray:size=64x48:rate=15:duration=1", "-f", "lavfi", "-i",
        "aevalsrc=0.1*sin(900*t)|0|0|0|0|0:s=96000:c=5.1:d=1", "-c:v", "ffv1", "-c:a", "flac",
      ], to: "in.mkv")
    let (output, _) = try convert(source)
    #expect(
      try probe(output, "-select_streams", "a", "-show_entries", "stream=codec_name,sample_rate,channels")
        == ["aac,48000,2"])
  }

  @Test(arguments: [("mov", "copy", 1), ("mp4", "aac", 1)])
  func numbersAsSoundFitQuickTimeOnly(_ container: String, _ way: String, _ channels: Int) throws {
    let source = try folder.counting(Self.h264 + ["-c:a", "pcm_s16le"], to: "in.mov")
    let (output, result) = try convert(source, try #require(MovieConversion.Container(rawValue: container)))
    #expect(result.method == .copied)
    #expect(result.notes == (way == "copy" ? [] : ["The audio was encoded as AAC."]))
    #expect(
      try probe(output, "-select_streams", "a", "-show_entries", "stream=codec_name,channels")
        == [(way == "copy" ? "pcm_s16le" : "aac") + ",\(channels)"])
    if way == "copy" { #expect(try sound(output) == sound(source)) }
  }

  @Test func highDynamicRangeStays() throws {
    let source = try folder.ffmpeg(
      [
        "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=15:duration=1", "-c:v", "libvpx-vp9", "-pix_fmt",
        "yuv420p10le",
        "-color_trc", "arib-std-b67", "-color_primaries", "bt2020", "-colorspace", "bt2020nc",
      ], to: "in.webm")
    let (output, _) = try convert(source)
    #expect(
      try probe(
        output, "-show_entries", "stream=codec_name,pix_fmt,color_space,color_transfer,color_primaries")
        == ["hevc,yuv420p10le,bt2020nc,arib-std-b67,bt2020"])
  }

  @Test func theTurnStaysInTheFile() throws {
    let source = try folder.counting(Self.h264 + ["-c:a", "aac"], to: "in.mp4")
    let turned = try folder.ffmpeg(
      ["-i", source, "-c", "copy", "-metadata:s:v", "rotate=90"], to: "turned.mp4")
    let told = ["-select_streams", "v", "-show_entries", "stream_side_data=rotation"]
    let (copied, _) = try convert(turned)
    let (encoded, _) = try convert(turned, .mp4, 0...1)
    for output in [copied, encoded] {
      #expect(
        try Tools.output(["ffprobe", "-v", "error"] + told + ["-of", "csv=p=0", output])
          == Tools.output(["ffprobe", "-v", "error"] + told + ["-of", "csv=p=0", turned]))
    }
  }

  // MARK: Parts

  @Test(arguments: [2.5...3, 5...6]) func aPartBeyondTheEndIsRefused(_ range: ClosedRange<Double>) throws {
    let source = try folder.counting(Self.h264 + ["-c:a", "aac"], to: "in.mp4")
    let refused = #expect(throws: MediaError.self) { try convert(source, .mov, range) }
    #expect(refused?.problem.contains("does not contain the part to keep") ?? false)
  }

  @Test func whatIsNoMovieIsRefused() throws {
    let text = try folder.write(Array("hello".utf8), to: "in.mp4").path
    #expect(throws: (any Error).self) { try convert(text) }
    let tone = try folder.ffmpeg(["-f", "lavfi", "-i", "sine=duration=1", "-c:a", "aac"], to: "tone.mp4")
    let refused = #expect(throws: MediaError.self) { try convert(tone) }
    #expect(refused?.problem == "the file contains no video")
  }

  @Test func aStopIsObeyed() throws {
    let source = try folder.counting(Self.h264 + ["-c:a", "aac"], to: "in.mp4")
    let job = MovieConversion(source: source, output: folder.file("out.mov").path, container: .mov)
    var asked = 0
    #expect(throws: CancellationError.self) {
      try MovieConverter.convert(job) {
        asked += 1
        return asked > 5
      }
    }
    #expect(asked == 6)
  }
}

extension Tools {
  /// Returns the lines that a program printed. The program must succeed.
  static func output(_ arguments: [String]) throws -> [String] {
    let answer = try run(arguments)
    guard answer.status == 0 else { throw ToolFailure("\(arguments): \(answer.standardError)") }
    return answer.lines.map { $0.hasSuffix(",") ? String($0.dropLast()) : $0 }
  }
}
