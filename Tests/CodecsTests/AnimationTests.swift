import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import Codecs

/// Tests of animations made from movies. exiftool reads their headers, and ffmpeg reads the pictures of GIF files.
@Suite struct AnimationTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func preview(
    _ source: String, _ kind: AnimationKind, _ orientation: Orientation = .identity
  ) throws -> (path: String, tags: [String: String]) {
    let output = folder.file("out.\(kind.rawValue)").path
    try Animation.write(
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

  @Test(arguments: [AnimationKind.gif, .webp]) func itPlaysForEverAtTheMoviesSpeed(_ kind: AnimationKind)
    throws
  {
    let (path, tags) = try preview(try folder.counting(["-c:v", "libx264"], to: "in.mov"), kind)
    #expect(tags["\(kind == .gif ? "GIF" : "RIFF"):ImageWidth"] == "64")
    let loops = tags["GIF:AnimationIterations"] ?? tags["RIFF:AnimationLoopCount"]
    #expect(loops == "0" || loops == "Infinite")
    let frames = tags["GIF:FrameCount"] ?? tags["RIFF:FrameCount"]
    if kind == .gif { #expect(frames == "30") }
    guard kind == .gif else {
      let bytes = try folder.read("out.webp")
      #expect(Array(bytes[8..<12]) == Array("WEBP".utf8))
      // Frame chunks (RFC 9649, section 2.7.1.1) store durations in three bytes.
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
    // All frames share one palette, which must contain enough greys.
    let shown = try greys(path)
    #expect(shown.count == 30)
    let first = shown[0]
    for (index, grey) in shown.enumerated() {
      #expect(abs(grey - first - (shown[29] - first) * Double(index) / 29) < 6)
    }
    #expect(shown[29] - first > 100)
  }

  @Test(arguments: [AnimationKind.gif, .webp]) func largeAndFastMoviesAreMadeSmall(_ kind: AnimationKind)
    throws
  {
    let (_, tags) = try preview(try movie("testsrc2=size=960x540:rate=60:duration=1"), kind)
    let group = kind == .gif ? "GIF" : "RIFF"
    #expect(tags["\(group):ImageWidth"] == "480" && tags["\(group):ImageHeight"] == "270")
    // Every fourth frame of 60 per second is used.
    if kind == .gif { #expect(tags["GIF:FrameCount"] == "15") }
  }

  @Test func aStopIsObeyed() throws {
    let path = try movie("testsrc2=size=64x48:rate=15:duration=1")
    #expect(throws: CancellationError.self) {
      try Animation.write(
        of: path, orientation: .identity, to: folder.file("out.gif").path, kind: .gif, isCancelled: { true })
    }
  }
}
