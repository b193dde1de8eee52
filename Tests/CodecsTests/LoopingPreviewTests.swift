import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import Codecs

/// Animations of movies. exiftool reads their headers, ffmpeg the pictures of GIF files.
@Suite struct LoopingPreviewTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func preview(
    _ source: String, _ kind: PreviewKind, _ orientation: Orientation = .identity
  ) throws -> (path: String, tags: [String: String]) {
    let output = folder.file("out.\(kind.rawValue)").path
    try LoopingPreview.write(
      of: source, orientation: orientation, to: output, kind: kind, isCancelled: { false })
    return (output, try Tools.exiftool(URL(fileURLWithPath: output)))
  }

  func movie(_ filter: String) throws -> String {
    try folder.ffmpeg(
      [
        "-f", "lavfi", "-i", filter, "-c:v", "libx264", "-preset", "ultrafast", "-crf", "4", "-pix_fmt",
        "yuv420p",
      ],
      to: "in.mov")
  }

  @Test(arguments: [PreviewKind.gif, .webp]) func itPlaysForEverAtTheMoviesSpeed(_ kind: PreviewKind) throws {
    let (path, tags) = try preview(try folder.counting(["-c:v", "libx264"], to: "in.mov"), kind)
    #expect(tags["\(kind == .gif ? "GIF" : "RIFF"):ImageWidth"] == "64")
    let loops = tags["GIF:AnimationIterations"] ?? tags["RIFF:AnimationLoopCount"]
    #expect(loops == "0" || loops == "Infinite")
    let frames = tags["GIF:FrameCount"] ?? tags["RIFF:FrameCount"]
    if kind == .gif { #expect(frames == "30") }
    guard kind == .gif else {
      let bytes = try folder.read("out.webp")
      #expect(Array(bytes[8..<12]) == Array("WEBP".utf8))
      // Chunks of frames (RFC 9649, section 2.7.1.1), their durations in three bytes.
      var (at, durations) = (12, [Int]())
      while at + 8 <= bytes.count {
        func number(_ offset: Int, _ count: Int) -> Int {
          bytes[(at + offset)..<(at + offset + count)].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        let size = number(4, 4)
        if Array(bytes[at..<at + 4]) == Array("ANMF".utf8) {
          durations.append(number(20, 3))
        }
        at += 8 + size + size % 2
      }
      #expect(durations.count == 30)
      #expect(durations.dropLast().allSatisfy { 66...67 ~= $0 })
      return
    }
    let times = try Tools.ffprobe(URL(fileURLWithPath: path), "-show_entries", "packet=pts_time")
      .compactMap { Double($0) }
    for (index, time) in times.enumerated() { #expect(abs(time - Double(index) / 15) < 0.011) }
    // One palette for all frames, and enough greys in it.
    let shown = try greys(path)
    #expect(shown.count == 30)
    let first = shown[0]
    for (index, grey) in shown.enumerated() {
      #expect(abs(grey - first - (shown[29] - first) * Double(index) / 29) < 6)
    }
    #expect(shown[29] - first > 100)
  }

  @Test(arguments: [PreviewKind.gif, .webp]) func largeAndFastMoviesAreMadeSmall(_ kind: PreviewKind) throws {
    let (_, tags) = try preview(try movie("testsrc2=size=960x540:rate=60:duration=1"), kind)
    let group = kind == .gif ? "GIF" : "RIFF"
    #expect(tags["\(group):ImageWidth"] == "480" && tags["\(group):ImageHeight"] == "270")
    // Every fourth frame of sixty a second.
    if kind == .gif { #expect(tags["GIF:FrameCount"] == "15") }
  }

  /// 900 frames are as many as an animation has; those of longer movies are further apart.
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
    // Red at the upper left, blue at the lower right.
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

  @Test func aStopIsObeyed() throws {
    let path = try movie("testsrc2=size=64x48:rate=15:duration=1")
    #expect(throws: CancellationError.self) {
      try LoopingPreview.write(
        of: path, orientation: .identity, to: folder.file("out.gif").path, kind: .gif, isCancelled: { true })
    }
  }
}
