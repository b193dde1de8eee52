import EditModel
import Foundation
import TestSupport
import Testing

@testable import RenderEngine

/// Tests that movies unlike those of iPhones are rotated in the same way, and keep all data that the rotation does not
/// invalidate.
@Suite struct OddMovieTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Returns the lowest luma PSNR over all frames as displayed.
  func leastPSNR(_ output: URL, _ reference: URL) throws -> Double {
    let log = folder.file("psnr.log")
    let answer = try Tools.run(
      [
        "ffmpeg", "-v", "error", "-i", output.path, "-i", reference.path, "-lavfi",
        "[0:v]format=yuv444p10,setsar=1,setpts=N[a];[1:v]transpose=clock,format=yuv444p10,setsar=1,setpts=N[b];"
          + "[a][b]psnr=stats_file=psnr.log", "-f", "null", "-",
      ], in: folder.url)
    try #require(answer.status == 0, "\(answer.standardError)")
    let lines = try String(contentsOf: log, encoding: .utf8).split(separator: "\n")
    return lines.map { line -> Double in
      let field = line.split(separator: " ").first { $0.hasPrefix("psnr_y:") }?.dropFirst(7) ?? "-1"
      return field == "inf" ? 99 : Double(field) ?? -1
    }.min() ?? -1
  }

  /// Movies in codecs that cannot be encoded here are converted if another codec is requested. No description of the
  /// old codec remains.
  @Test(arguments: [
    ("vpcC", ["-c:v", "libvpx-vp9"]), ("av1C", ["-c:v", "libaom-av1", "-cpu-used", "8"]),
    ("esds", ["-c:v", "mpeg4"]),
  ])
  func otherCodecsBecomeH264(_ configuration: String, _ encoder: [String]) throws {
    let folder = try TemporaryFolder()
    let odd = OddMovie("another codec", encoder + ["-pix_fmt", "yuv420p"], suffix: "mp4")
    let movie = try odd.make(in: folder)
    let output = folder.file("out.mp4")
    _ = try OddMovie.turn(movie, to: output, lossless: false, codec: .h264)
    let (before, after) = (try ProbedMovie(movie).video, try ProbedMovie(output).video)
    #expect(after["codec_name"] == "h264" && after["pix_fmt"] == "yuv420p")
    #expect(after["nb_frames"] == before["nb_frames"])
    #expect(try Data(contentsOf: movie).range(of: Data(configuration.utf8)) != nil)
    #expect(try Data(contentsOf: output).range(of: Data(configuration.utf8)) == nil)
  }
}
