import EditModel
import Foundation
import TestSupport
import Testing

@testable import Codecs

/// Tests with real movies, if a folder of them is available.
@Suite struct SampleMovieTests {
  static let folder = ProcessInfo.processInfo.environment["LIVEEDIT_SAMPLES"]

  /// A clip recorded by an Apple camera, with the required quality of its rotated frames (luma PSNR in dB) and their
  /// size relative to the original.
  struct Clip: Sendable {
    let name: String
    let mean: Double
    let least: Double
    let growth: Double
  }

  /// Two clips of the generation that recorded H.264, and two HEVC clips.
  static let clips = [
    Clip(name: "iphone-6s-jpeg/IMG_0728.MOV", mean: 39.5, least: 37.5, growth: 2.1),
    Clip(name: "iphone-7plus-jpeg/IMG_2016.MOV", mean: 39.5, least: 37.5, growth: 2.1),
    Clip(name: "iphone-15plus-heic/IMG_3853.MOV", mean: 40, least: 37, growth: 1.85),
    Clip(name: "iphone-15pro-heic/IMG_3582.MOV", mean: 40, least: 37, growth: 1.8),
  ]

  /// A quick run uses only the last clip.
  @Test(.enabled(if: folder != nil), arguments: Cases.chosen(clips) { index, _ in index == clips.count - 1 })
  func turnedMoviesAreLikeTheOriginalAndNotMuchLarger(clip: Clip) throws {
    let name = clip.name
    let path = try #require(Self.folder) + "/" + name
    let temporary = try TemporaryFolder()
    let track = try Transcoded(path, .right)
    let output = try temporary.write(
      track.byteStream, to: track.transcoder.codec == .h264 ? "o.h264" : "o.hevc"
    ).path
    let statistics = temporary.file("psnr").path
    try Tools.output(
      "ffmpeg", "-v", "error", "-noautorotate", "-ignore_editlist", "1", "-i", path, "-i", output, "-lavfi",
      "[0:v]transpose=1,settb=1/30,setpts=N[a];[1:v]settb=1/30,setpts=N[b];[a][b]psnr=stats_file=\(statistics)",
      "-vsync", "passthrough", "-f", "null", "-")
    let lines = try String(contentsOfFile: statistics, encoding: .utf8).split(separator: "\n")
    func values(_ key: String) -> [Double] {
      lines.compactMap { line in
        line.split(separator: " ").first { $0.hasPrefix(key + ":") }.flatMap {
          Double($0.dropFirst(key.count + 1))
        }
      }
    }
    let luma = values("psnr_y")
    #expect(luma.count == track.transcoder.frameCount)
    #expect(luma.min() ?? 0 >= clip.least)
    #expect(luma.reduce(0, +) / Double(max(luma.count, 1)) >= clip.mean)
    #expect((values("psnr_u") + values("psnr_v")).min() ?? 0 >= 36)
    let sizes = try Tools.output(
      "ffprobe", "-v", "error", "-ignore_editlist", "1", "-select_streams", "v", "-show_entries",
      "packet=size",
      "-of", "csv=p=0", path
    ).text.split(whereSeparator: { ",\n".contains($0) }).compactMap { Int($0) }
    #expect(
      Double(track.packets.reduce(0) { $0 + $1.data.count }) <= clip.growth * Double(sizes.reduce(0, +)))
  }
}
