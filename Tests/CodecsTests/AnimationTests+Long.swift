import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import Codecs

extension AnimationTests {
  /// An animation has at most 900 frames, so a longer movie's frames are spaced further apart.
  @Test(arguments: [(duration: 60, frames: 900), (61, 458), (100, 750)])
  func allOfALongMovieIsShown(duration: Int, frames: Int) throws {
    let (path, _) = try preview(try movie("testsrc2=size=64x48:rate=15:duration=\(duration)"), .gif)
    let times = try Tools.ffprobe(URL(fileURLWithPath: path), "-show_entries", "packet=pts_time")
      .compactMap { Double($0) }
    #expect(times.count == frames)
    let last = try #require(times.last)
    #expect(Double(duration) - last < 0.2)
  }

  @Test(arguments: Cases.chosen(Orientation.allCases) { index, _ in index % 3 == 0 })
  func itIsTurnedUpright(_ orientation: Orientation) throws {
    // The picture is red at the upper left and blue at the lower right.
    let path = try movie(
      "color=gray:size=64x32:rate=5:duration=1,drawbox=w=20:h=12:color=red:t=fill,drawbox=x=44:y=20:w=20:h=12:color=blue:t=fill"
    )
    let (output, tags) = try preview(path, .gif, orientation)
    let (width, height) = orientation.swapsAxes ? (32, 64) : (64, 32)
    #expect(tags["GIF:ImageWidth"] == "\(width)" && tags["GIF:ImageHeight"] == "\(height)")
    let raw = try Tools.output(
      "ffmpeg", "-v", "error", "-i", output, "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"
    ).bytes
    for (place, isRed) in [((6.0, 4.0), true), ((58.0, 28.0), false)] {
      let shown = orientation.apply(x: place.0, y: place.1, width: 64, height: 32)
      let at = (Int(shown.y) * width + Int(shown.x)) * 3
      #expect(raw[at] > 180 ? isRed : !isRed)
      #expect(raw[at + 2] > 180 ? !isRed : isRed)
    }
  }
}
