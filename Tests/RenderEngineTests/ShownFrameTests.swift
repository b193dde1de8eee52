import EditModel
import Foundation
import TestSupport
import Testing

@testable import RenderEngine

/// Tests that use a movie's frame as a photo, with the picture that players show.
@Suite struct ShownFrameTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func frame(_ movie: URL) throws -> URL {
    let output = folder.file("frame.jpg")
    let job = ConversionJob.frame(movie: movie.path, seconds: 0, output: output.path)
    _ = try convert(job, isCancelled: { false })
    return output
  }

  private func size(_ picture: URL) throws -> [String] {
    try Tools.ffprobe(picture, "-show_entries", "stream=width,height")
  }

  /// The spots have the scene's positions in the clean aperture.
  @Test(arguments: [Orientation.up, .right]) func theCleanApertureIsCutOut(_ orientation: Orientation) throws
  {
    let pair = MarkedPair(aperture: (30, 24, 420, 316), orientation: orientation, hasPhoto: false)
    let picture = try frame(pair.make(in: folder).movie)
    let found = try MarkedPair.spots(picture)
    let size: [Int] = orientation.swapsAxes ? [316, 420] : [420, 316]
    #expect([Int(found.size.0), Int(found.size.1)] == size)
    for spot in MarkedPair.spots {
      let nearest = found.places.map { place in
        let distance = place - spot
        return (distance * distance).sum().squareRoot()
      }.min()
      #expect(nearest ?? 1 < 0.004, "\(spot)")
    }
  }

  /// No axis gets more pixels than it already has.
  @Test(arguments: [("4/3", "160,90"), ("2/3", "106,120"), ("1", "160,120")])
  func pixelsBecomeSquare(_ aspect: String, _ wanted: String) throws {
    let movie = folder.file("in.mov")
    try folder.run(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x120:rate=5:duration=0.4,setsar=\(aspect)"]
        + OddMovie.h264 + [movie.path])
    #expect(try size(frame(movie)) == [wanted])
  }

  /// The requested time refers to the movie's timeline, in a movie whose tracks all begin late.
  @Test func theTimelineBeginsBeforeLateTracks() throws {
    try folder.run(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i",
        "color=black:size=64x48:rate=10:duration=1,format=yuv420p,geq=lum='30+20*N':cb=128:cr=128", "-f",
        "lavfi", "-i", "sine=duration=1",
      ] + OddMovie.h264 + ["-c:a", "aac", "in.mov"])
    try folder.run("ffmpeg", ["-v", "error", "-itsoffset", "0.5", "-i", "in.mov", "-c", "copy", "late.mov"])
    let (movie, output) = (folder.file("late.mov"), folder.file("frame.jpg"))
    let job = ConversionJob.frame(movie: movie.path, seconds: 0.91, output: output.path)
    let seconds = try #require(try convert(job, isCancelled: { false }).stillTime)
    // Frame 4 begins at 0.9 s.
    #expect(abs(seconds - 0.9) < 0.002)
    let grey = try Tools.output(
      "ffmpeg", "-v", "error", "-i", output.path, "-vf", "scale=1:1:flags=area", "-f", "rawvideo", "-pix_fmt",
      "gray", "-"
    ).bytes
    let level = Double(30 + 20 * 4 - 16) * 255 / 219
    #expect(abs(Double(try #require(grey.first)) - level) < 5)
  }
}
