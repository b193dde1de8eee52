import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import Codecs
@testable import Rendering

/// A transcoded track: its packets, and its stream as read by FFmpeg.
struct Transcoded {
  let transcoder: VideoTranscoder
  let packets: [EncodedPacket]

  init(_ path: String, _ orientation: Orientation, _ settings: RenderSettings = .standard) throws {
    transcoder = try VideoTranscoder(path: path, trackID: 1, orientation: orientation, settings: settings)
    var packets: [EncodedPacket] = []
    try transcoder.run { packets.append($0) }
    self.packets = packets
  }

  /// The parameter sets and pictures, each after a start code, read from the configuration according to ISO/IEC
  /// 14496-15.
  var byteStream: [UInt8] {
    let box = transcoder.configuration
    var stream: [UInt8] = []
    if transcoder.codec == .h264 {
      var at = 6
      stream += takeParameterSets(box, Int(box[5] & 31), &at)
      at += 1
      stream += takeParameterSets(box, Int(box[at - 1]), &at)
    } else {
      stream += parameterSets(hevc: box)
    }
    for packet in packets { for unit in units(packet) { stream += [0, 0, 0, 1] + unit } }
    return stream
  }

  func units(_ packet: EncodedPacket) -> [ArraySlice<UInt8>] { lengthPrefixedUnits(packet.data) }
}

/// Returns the parameter sets of an `hvcC` box, each after a start code.
func parameterSets(hevc box: [UInt8]) -> [UInt8] {
  var stream: [UInt8] = []
  var at = 23
  for _ in 0..<Int(box[22]) {
    at += 3
    stream += takeParameterSets(box, Int(box[at - 2]) << 8 | Int(box[at - 1]), &at)
  }
  return stream
}

private func takeParameterSets(_ box: [UInt8], _ count: Int, _ at: inout Int) -> [UInt8] {
  var stream: [UInt8] = []
  for _ in 0..<count {
    let length = Int(box[at]) << 8 | Int(box[at + 1])
    stream += [0, 0, 0, 1] + box[at + 2..<at + 2 + length]
    at += 2 + length
  }
  return stream
}

/// Returns the NAL units of data in which each unit follows its length in four bytes.
func lengthPrefixedUnits(_ data: [UInt8]) -> [ArraySlice<UInt8>] {
  var units: [ArraySlice<UInt8>] = []
  var at = 0
  while at + 4 <= data.count {
    let length = data[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
    units.append(data[at + 4..<at + 4 + length])
    at += 4 + length
  }
  return units
}

@Suite struct VideoTranscoderTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Creates a QuickTime movie of a moving pattern with ffmpeg.
  func movie(_ size: String, frames: Int = 20, _ options: String, _ container: String = "mov") throws
    -> String
  {
    let path = folder.file(UUID().uuidString + "." + container).path
    try Tools.output(
      "sh", "-c",
      "ffmpeg -v error -f lavfi -i testsrc2=size=\(size):rate=30 -frames:v \(frames) \(options) -video_track_timescale 600 \(path)"
    )
    return path
  }

  static let h264 = "-c:v libx264 -preset ultrafast -crf 12 -pix_fmt yuv420p"
  static let hevc = "-c:v libx265 -preset ultrafast -crf 12 -tag:v hvc1 -x265-params log-level=none"

  /// Returns the pictures of a file as raw video.
  func pictures(_ path: String, _ format: String, _ filter: String = "null") throws -> [UInt8] {
    try Tools.output(
      "ffmpeg", "-v", "error", "-ignore_editlist", "1", "-i", path, "-vsync", "passthrough", "-vf", filter,
      "-f",
      "rawvideo", "-pix_fmt", format, "-"
    ).bytes
  }

  /// Returns the pictures of a transcoded track as raw video.
  func pictures(_ track: Transcoded, _ format: String) throws -> [UInt8] {
    let name = track.transcoder.codec == .h264 ? "h264" : "hevc"
    let path = try folder.write(track.byteStream, to: UUID().uuidString + "." + name).path
    return try Tools.output(
      "ffmpeg", "-v", "error", "-f", name, "-i", path, "-vsync", "passthrough", "-f", "rawvideo", "-pix_fmt",
      format,
      "-"
    ).bytes
  }

  /// Returns the presentation times of all samples, read by ffprobe and sorted.
  func times(_ path: String) throws -> [Int64] {
    try Tools.output(
      "ffprobe", "-v", "error", "-ignore_editlist", "1", "-select_streams", "v", "-show_entries",
      "packet=pts",
      "-of", "csv=p=0", path
    ).text.split(whereSeparator: { ",\n".contains($0) }).compactMap { Int64($0) }.sorted()
  }

  static let filters: [Orientation: String] = [
    .up: "null", .upMirrored: "hflip", .down: "hflip,vflip", .downMirrored: "vflip",
    .leftMirrored: "transpose=0", .right: "transpose=1", .rightMirrored: "transpose=3", .left: "transpose=2",
  ]

  /// Decodes the source and the transcoded track, and compares them frame by frame.
  func compare(_ path: String, _ track: Transcoded, _ orientation: Orientation, _ least: Double = 36) throws {
    let wanted = try pictures(path, "yuv420p", try #require(Self.filters[orientation]))
    let have = try pictures(track, "yuv420p")
    let frame = track.transcoder.format.width * track.transcoder.format.height * 3 / 2
    #expect(have.count == wanted.count)
    #expect(have.count == frame * track.transcoder.frameCount)
    for at in stride(from: 0, to: min(have.count, wanted.count), by: frame) {
      #expect(
        psnr(wanted[at..<at + frame], have[at..<at + frame]) > least, "frame \(at / frame), \(orientation)")
    }
  }

  @Test(arguments: Orientation.allCases)
  func everyOrientationShowsTheTurnedPicture(orientation: Orientation) throws {
    let path = try movie("96x64", frames: 8, Self.h264)
    let track = try Transcoded(path, orientation)
    #expect(track.transcoder.format.width == (orientation.swapsAxes ? 64 : 96))
    try compare(path, track, orientation)
  }

  @Test(arguments: [
    (h264, ""), (h264 + " -bf 3 -preset medium", ""), (hevc, ""), (hevc + " -bf 3", ""),
    (
      h264 + " -bf 2",
      "-vf setpts='N*20+2*(N-7*trunc(N/7))',settb=1/600 -vsync passthrough -enc_time_base 1:600"
    ),
    (h264 + " -ss 0.2", ""),
  ])
  func framesAndTimesAreTheSources(codec: String, options: String) throws {
    let path = try movie("128x96", frames: 40, options + " " + codec)
    let track = try Transcoded(path, .right)
    let wanted = try times(path)
    #expect(wanted.count > 30)
    #expect(track.packets.map(\.presentationTime).sorted() == wanted)
    #expect(track.transcoder.timeScale == 600)
    #expect(track.transcoder.frameCount == wanted.count)
    let decode = track.packets.map(\.decodeTime)
    #expect(zip(decode, decode.dropFirst()).allSatisfy { $0 < $1 })
    #expect(track.packets.allSatisfy { $0.decodeTime <= $0.presentationTime })
    #expect(track.packets.first?.isSync == true)
    try compare(path, track, .right)
  }

  /// All samples are delivered, even if the track's edit list begins late.
  @Test func editListsHideNoSample() throws {
    let whole = try movie("64x48", frames: 30, Self.h264 + " -g 30")
    let cut = folder.file("cut.mov").path
    try Tools.output("ffmpeg", "-v", "error", "-ss", "0.5", "-i", whole, "-c", "copy", cut)
    let all = try times(cut)
    #expect(all.count == 30)
    let track = try Transcoded(cut, .up)
    #expect(track.packets.map(\.presentationTime).sorted() == all)
  }

  @Test(arguments: [
    ("yuv420p10le", "libx264", RenderSettings.VideoCodec.h264), ("yuv420p10le", "libx265", .hevc),
  ])
  func tenBitsStayTenBits(format: String, encoder: String, codec: RenderSettings.VideoCodec) throws {
    let path = try movie("96x64", "-c:v \(encoder) -preset ultrafast -crf 8 -pix_fmt \(format)")
    let track = try Transcoded(path, .right)
    #expect(track.transcoder.codec == codec)
    #expect(track.transcoder.format.bitDepth == 10)
    let name = codec == .h264 ? "h264" : "hevc"
    let output = try folder.write(track.byteStream, to: "o." + name).path
    let probe = try Tools.output(
      "ffprobe", "-v", "error", "-show_entries", "stream=pix_fmt", "-of", "csv=p=0", output
    ).text
    #expect(probe.hasPrefix(format))
    try compare(path, track, .right)
  }

  @Test(arguments: [
    (h264, "pc", "bt709", "smpte432", "smpte170m", "left"), (h264, "tv", "bt709", "bt709", "bt709", "center"),
    (hevc, "pc", "bt709", "smpte432", "smpte170m", "left"),
    (hevc, "tv", "arib-std-b67", "bt2020", "bt2020nc", "topleft"),
  ])
  func coloursAreKept(
    codec: String, range: String, transfer: String, primaries: String, matrix: String, location: String
  ) throws {
    let path = try movie(
      "64x48", frames: 3,
      "\(codec) -pix_fmt \(range == "pc" ? "yuvj420p" : "yuv420p") -color_range \(range) -color_trc \(transfer) "
        + "-color_primaries \(primaries) -colorspace \(matrix) -chroma_sample_location \(location)")
    func colors(_ path: String) throws -> [String] {
      let names = ["color_range", "color_transfer", "color_primaries", "color_space", "chroma_location"]
      let lines = try Tools.output("ffprobe", "-v", "error", "-show_streams", path).text.split(
        separator: "\n")
      return names.map { name in
        lines.first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) } ?? ""
      }
    }
    let source = try colors(path)
    #expect(source == [range, transfer, primaries, matrix, location])
    for (orientation, moved) in [(Orientation.up, location), (.right, location == "left" ? "top" : location)]
    {
      let track = try Transcoded(path, orientation)
      let name = track.transcoder.codec == .h264 ? "h264" : "hevc"
      let turnedLocation = location == "topleft" && orientation == .right ? "top" : moved
      #expect(
        try colors(try folder.write(track.byteStream, to: "c." + name).path)
          == [range, transfer, primaries, matrix, turnedLocation])
    }
  }

  @Test(arguments: [RenderSettings.VideoCodec.h264, .hevc])
  func packetsHoldPicturesOnly(codec: RenderSettings.VideoCodec) throws {
    let path = try movie("64x48", frames: 70, Self.h264)
    let track = try Transcoded(path, .left, RenderSettings(videoCodec: codec))
    for packet in track.packets {
      let types = track.units(packet).map {
        codec == .h264 ? $0[$0.startIndex] & 31 : $0[$0.startIndex] >> 1 & 63
      }
      // In H.264, type 5 is an IDR picture. In HEVC, 16 to 23 are random access pictures, and 19 and 20 are IDR.
      let isIDR = codec == .h264 ? types.contains(5) : types.contains { $0 == 19 || $0 == 20 }
      #expect(packet.isSync == isIDR)
      #expect(types.allSatisfy { codec == .h264 ? $0 == 1 || $0 == 5 || $0 == 6 : $0 < 32 || $0 >= 39 })
    }
    // Every second of 30 frames has at least one keyframe.
    let keys = track.packets.enumerated().filter(\.element.isSync).map(\.offset)
    #expect(zip(keys, keys.dropFirst() + [70]).allSatisfy { $1 - $0 <= 31 })
    try compare(path, track, .left)
  }

  @Test func otherCodecsNeedAChoice() throws {
    let path = try movie("64x48", frames: 4, "-c:v prores -pix_fmt yuv422p10le")
    let error = #expect(throws: MediaError.self) { try Transcoded(path, .right) }
    #expect(error?.remedy == "use --video-codec h264 or hevc")
    let track = try Transcoded(path, .right, RenderSettings(videoCodec: .hevc))
    // A 90° rotation turns 4:2:2 into 4:4:0, which no encoder supports.
    #expect(track.transcoder.format.sampling == .yuv420)
    try compare(path, track, .right, 30)
  }

  @Test func quartersOfFourTwoTwoAreTurned() throws {
    let path = try movie("96x64", frames: 5, "-c:v libx264 -crf 8 -pix_fmt yuv422p")
    #expect(try Transcoded(path, .down).transcoder.format.sampling == .yuv422)
    let track = try Transcoded(path, .right)
    #expect(track.transcoder.format.sampling == .yuv420)
    try compare(path, track, .right, 30)
  }

  @Test func oddSizesAreRefusedInOneSentence() throws {
    let path = try movie("63x47", frames: 3, "-vf format=yuv444p,scale=63:47 -c:v libx264 -pix_fmt yuv444p")
    #expect(try Transcoded(path, .right).transcoder.format.width == 47)
    let grid = try movie("63x47", frames: 3, "-vf format=yuv444p,scale=63:47 -c:v mjpeg -pix_fmt yuvj420p")
    let error = #expect(throws: MediaError.self) {
      try Transcoded(grid, .up, RenderSettings(videoCodec: .h264))
    }
    #expect(error?.description.contains("63x47") == true)
  }

  @Test func damageIsAnError() throws {
    // Uses fast start, so that a truncated file still has its tables.
    let path = try movie("128x96", frames: 30, Self.h264 + " -movflags +faststart")
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let missing = #expect(throws: (any Error).self) {
      try Transcoded(folder.file("missing.mov").path, .right)
    }
    #expect(missing.map { "\($0)" } == "no such file or directory")
    #expect(throws: MediaError.self) { try Transcoded(try folder.write([], to: "empty.mov").path, .right) }
    #expect(throws: MediaError.self) {
      try Transcoded(try folder.write(Array("no movie at all".utf8), to: "text.mov").path, .right)
    }
    for part in [20, bytes.count / 10, bytes.count / 2, bytes.count - 40] {
      let file = try folder.write(Array(bytes.prefix(part)), to: "short.mov").path
      #expect(throws: MediaError.self, "\(part) of \(bytes.count) bytes") { try Transcoded(file, .right) }
    }
    var zeroed = bytes
    zeroed.replaceSubrange(
      bytes.count / 2..<bytes.count * 3 / 4,
      with: [UInt8](repeating: 0, count: bytes.count * 3 / 4 - bytes.count / 2))
    let file = try folder.write(zeroed, to: "zeroed.mov").path
    #expect(throws: MediaError.self) { try Transcoded(file, .right) }
    #expect(throws: MediaError.self) {
      try VideoTranscoder(path: path, trackID: 7, orientation: .right, settings: .standard)
    }
  }

  @Test func stoppingEarlyLeavesNothingBehind() throws {
    struct Stop: Error {}
    let path = try movie("128x96", frames: 60, Self.h264)
    for stop in [0, 1, 5, 30] {
      var seen = 0
      let cancelled = try VideoTranscoder(path: path, trackID: 1, orientation: .right, settings: .standard)
      #expect(throws: CancellationError.self) {
        try cancelled.run(isCancelled: { seen >= stop }, onProgress: { seen = $0 }, onPacket: { _ in })
      }
      #expect(seen == stop)
      var packets = 0
      let failing = try VideoTranscoder(path: path, trackID: 1, orientation: .right, settings: .standard)
      #expect(throws: Stop.self) {
        try failing.run { _ in
          if packets == stop { throw Stop() }
          packets += 1
        }
      }
      #expect(throws: MediaError.self) { try failing.run { _ in } }
    }
    // The transcoder is opened but never run.
    _ = try VideoTranscoder(path: path, trackID: 1, orientation: .right, settings: .standard)
  }

  @Test func progressCountsEveryFrame() throws {
    let path = try movie("64x48", frames: 12, Self.h264)
    let transcoder = try VideoTranscoder(path: path, trackID: 1, orientation: .up, settings: .standard)
    var seen: [Int] = []
    try transcoder.run(onProgress: { seen.append($0) }, onPacket: { _ in })
    #expect(seen == Array(1...12))
  }

  /// Encoding on one core and on all cores produces the same bytes.
  @Test(arguments: [RenderSettings.VideoCodec.h264, .hevc])
  func bytesDoNotDependOnTheMachine(codec: RenderSettings.VideoCodec) throws {
    let path = try movie("320x240", frames: 30, Self.h264)
    let settings = RenderSettings(videoCodec: codec)
    let free = try Transcoded(path, .right, settings)
    let again = try Transcoded(path, .right, settings)
    // New threads inherit the cores of the thread that starts them. taskset changes only this thread's cores.
    let link = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
    let thread = try #require(link.split(separator: "/").last.map(String.init))
    let cores = try Tools.output("taskset", "-p", thread).text.split(separator: " ").last.map {
      $0.trimmingCharacters(in: .newlines)
    }
    let all = try #require(cores)
    try Tools.output("taskset", "-p", "1", thread)
    defer { _ = try? Tools.output("taskset", "-p", all, thread) }
    let bound = try Transcoded(path, .right, settings)
    #expect(bound.byteStream == free.byteStream)
    #expect(again.byteStream == free.byteStream)
    #expect(bound.packets.map(\.decodeTime) == free.packets.map(\.decodeTime))
  }
}
