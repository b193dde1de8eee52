import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import Codecs

extension MovieConverterTests {
  /// Four areas of red, green and blue keep their colours, interpreted according to the new movie's own metadata.
  @Test(arguments: [
    ("mp4", ["-c:v", "libx264rgb", "-qp", "0"]), ("mov", ["-c:v", "png", "-pix_fmt", "rgb24"]),
    ("mov", ["-c:v", "rawvideo", "-pix_fmt", "rgb24"]), ("mkv", ["-c:v", "ffv1", "-pix_fmt", "bgr0"]),
    ("mov", ["-c:v", "rawvideo", "-pix_fmt", "rgb24", "-colorspace", "bt709", "-color_primaries", "bt709"]),
    ("mov", ["-c:v", "rawvideo", "-pix_fmt", "pal8"]),
  ])
  func coloursOfRGBStay(_ kind: String, _ arguments: [String]) throws {
    let fields = [("0", "0x202020"), ("32", "0xFF0000"), ("64", "0x0000C0"), ("96", "0xFFFFFF")]
    let boxes = fields.map { "drawbox=x=\($0):w=32:h=48:color=\($1):t=fill" }
    let source = try folder.ffmpeg(
      [
        "-f", "lavfi", "-i",
        "color=black:size=128x48:rate=15:duration=0.4,format=rgb24," + boxes.joined(separator: ","),
      ] + arguments, to: "in." + kind)
    let (output, result) = try convert(source)
    #expect(result.method == .encoded)
    #expect(
      try probe(output, "-show_entries", "stream=color_range,color_space") == ["pc,bt470bg"])
    for (x, _) in fields {
      let middle = ["crop=16:32:\((Int(x) ?? 0) + 8):8", "scale=1:1:flags=area"].joined(separator: ",")
      let colors = try [source, output].map { file in
        try Tools.output(
          "ffmpeg", "-v", "error", "-i", file, "-frames:v", "1", "-vf", "scale=128:48,format=rgb24," + middle,
          "-f", "rawvideo", "-"
        ).bytes.map { Int($0) }
      }
      #expect(zip(colors[0], colors[1]).allSatisfy { abs($0 - $1) < 5 }, "\(x): \(colors)")
    }
  }

  /// A movie that shows no picture at first keeps its timeline. A broadcast recording begins with its first frame.
  @Test(arguments: [("mov", 0.5), ("mp4", 0.5), ("ts", 0)])
  func aLateBeginningStays(_ kind: String, _ delay: Double) throws {
    let source = try folder.counting(Self.h264 + ["-an"], to: "in.mov")
    let late = try folder.ffmpeg(
      ["-itsoffset", "0.5", "-i", source, "-c", "copy", "-muxdelay", "0"], to: "late." + kind)
    let (output, _) = try convert(late)
    #expect(abs(try #require(try times(output).first) - delay) < 0.002)
    try FileManager.default.removeItem(atPath: output)
    let (part, _) = try convert(late, .mov, 1...1.5)
    let kept = (0..<30).filter { 1 - delay - 0.0005..<1.5 - delay - 0.0005 ~= Double($0) / 15 }
    let found = try greys(part)
    #expect(found.count == kept.count)
    for (one, number) in zip(found, kept) { #expect(abs(one - Double(30 + 6 * number)) < 3) }
  }

  /// A part contains the frames that begin in it, with their offsets from the part's start, and the audio from that
  /// start.
  @Test(arguments: Cases.chosen([0.5...1.2, 0...0.4, 1.3...9, 0.4...0.41]) { index, _ in index % 2 == 0 })
  func aPartIsKept(_ range: ClosedRange<Double>) throws {
    for arguments in [["-c:a", "aac"], ["-c:a", "pcm_s16le"]] {
      let source = try folder.counting(Self.h264 + arguments, to: "in.mov")
      let (output, result) = try convert(source, .mov, range)
      #expect(result.method == .encoded)
      let kept = (0..<30).filter { range.lowerBound - 0.0005..<range.upperBound - 0.0005 ~= Double($0) / 15 }
      let found = try greys(output)
      #expect(found.count == kept.count)
      for (one, number) in zip(found, kept) { #expect(abs(one - Double(30 + 6 * number)) < 3) }
      for (time, number) in zip(try times(output), kept) {
        #expect(abs(time - (Double(number) / 15 - range.lowerBound)) < 0.0015)
      }
      // The audio is as long as the part, except for packets cut at its ends.
      let end = min(range.upperBound, 2)
      #expect(abs(Double(try sound(output).count) / 44100 - (end - range.lowerBound)) < 0.2)
      try FileManager.default.removeItem(atPath: output)
    }
  }
}
