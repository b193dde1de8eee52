import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import Codecs
@testable import Rendering

/// Tests of the frame rate stated in coded video, read by FFmpeg's own parsers of parameter sets.
@Suite struct VideoTimingTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Returns the timing fields in a movie's parameter sets with their values, and the errors for fields that cannot be
  /// read.
  func timing(_ path: String) throws -> [String] {
    // A bare stream of reordered frames has no timestamps, and ffmpeg reports an error after its first packet.
    try Tools.output(
      "sh", "-c", "ffmpeg -v trace -i \(path) -map 0:v:0 -c copy -bsf:v trace_headers -f null - 2>&1 || true"
    ).text.split(separator: "\n").compactMap { line in
      if line.contains("Failed to read") { return String(line) }
      let words = line.split(separator: " ")
      return words.first { $0.hasSuffix("timing_info_present_flag") }.map { "\($0)=\(words.last ?? "")" }
    }
  }

  /// Checks the timing fields of a bit stream and of the same stream in a movie.
  private func check(_ track: Transcoded) throws {
    let name = track.transcoder.codec == .h264 ? "h264" : "hevc"
    let stream = try folder.write(track.byteStream, to: UUID().uuidString + "." + name).path
    let wanted =
      name == "h264"
      ? ["timing_info_present_flag=0"] : ["vps_timing_info_present_flag=0", "vui_timing_info_present_flag=0"]
    #expect(Set(try timing(stream)) == Set(wanted))
    // The rest of the parameter sets is still readable.
    let decoded = try Tools.output(
      "ffprobe", "-v", "error", "-count_frames", "-show_entries",
      "stream=width,height,sample_aspect_ratio,color_range,color_space,color_transfer,color_primaries,nb_read_frames",
      "-of", "default=nw=1:nk=1", stream
    ).lines
    let format = track.transcoder.format
    #expect(decoded.prefix(2) == ["\(format.width)", "\(format.height)"])
    #expect(decoded.last == "\(track.packets.count)")
  }

  @Test(arguments: [
    "-c:v libx264 -pix_fmt yuv420p", "-c:v libx264 -pix_fmt yuv422p10le -vf setsar=40/33",
    "-c:v libx264 -pix_fmt yuv420p -vf setsar=123/77 -color_primaries smpte170m -colorspace smpte170m -color_range pc",
    "-c:v libx265 -tag:v hvc1 -x265-params log-level=none",
  ])
  func editsTellNoFrameRate(_ options: String) throws {
    let path = folder.file("in.mov").path
    try Tools.output(
      "sh", "-c",
      "ffmpeg -v error -f lavfi -i testsrc2=size=100x68:rate=24 -frames:v 5 -preset ultrafast \(options) -video_track_timescale 600 \(path)"
    )
    try check(try Transcoded(path, .down))
  }

  @Test(arguments: ["yuv420p", "yuv422p10le", "yuv444p"])
  func tilesTellNoFrameRate(_ pixels: String) throws {
    let color = ColorDescription(primaries: 12, transfer: 13, matrix: 6, isFullRange: true)
    let picture = try TestTiles(1, width: 90, height: 50, pixels: pixels)
      .coded(columns: 1, rows: 1, width: 90, height: 50, color: color).decode()
    let tiles = try CodedTiles(encoding: picture, tile: nil, quality: .standard)
    let coded = try tiles.tile(0)
    let units = lengthPrefixedUnits(coded).flatMap { [0, 0, 0, 1] + $0 }
    let stream = try folder.write(parameterSets(hevc: tiles.configuration) + units, to: "tile.hevc").path
    #expect(try Set(timing(stream)) == ["vps_timing_info_present_flag=0", "vui_timing_info_present_flag=0"])
  }

  @Test func conversionsTellNoFrameRate() throws {
    let source = try folder.counting(["-c:v", "mpeg4", "-q:v", "2", "-an"], to: "in.avi")
    let output = folder.file("out.mov").path
    _ = try MovieConverter.convert(
      MovieConversion(source: source, output: output, container: .mov), isCancelled: { false })
    #expect(try timing(output) == ["timing_info_present_flag=0"])
    let video = folder.file("out.mp4").path
    _ = try MovieConverter.convert(
      VideoConversion(source: source, output: video, shorterSide: 64), orientation: .identity,
      isCancelled: { false })
    #expect(try timing(video) == ["timing_info_present_flag=0"])
  }
}
