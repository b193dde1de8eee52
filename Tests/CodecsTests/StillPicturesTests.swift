import Basics
import EditModel
import Foundation
import Rendering
import TestSupport
import Testing

@testable import Codecs

/// Tests that write frames and pictures of other formats as JPEG. ffmpeg and exiftool read the results.
@Suite struct StillPicturesTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func movie() throws -> String {
    try folder.counting(["-c:v", "libx264", "-preset", "ultrafast", "-crf", "4", "-bf", "2"], to: "in.mov")
  }

  /// Returns the average colour of a rectangle of a picture: red, green, blue.
  func color(_ path: String, _ crop: String = "iw:ih:0:0") throws -> [Double] {
    let raw = try Tools.output(
      "ffmpeg", "-v", "error", "-i", path, "-frames:v", "1", "-vf", "crop=\(crop),scale=1:1:flags=area",
      "-f", "rawvideo", "-pix_fmt", "rgb24", "-"
    ).bytes
    return raw.prefix(3).map { Double($0) }
  }

  @Test(arguments: [(0.0, 0), (0.05, 0), (0.0667, 1), (1.0, 15), (1.5, 22), (99, 29)])
  func theFrameThatIsShownAtATime(_ seconds: Double, _ number: Int) throws {
    let found = try StillPictures.frame(at: seconds, of: movie(), isCancelled: { false })
    #expect(abs(found.seconds - Double(number) / 15) < 0.001)
    // The movie uses limited range, the photo full range.
    let wanted = Double(30 + 6 * number - 16) * 255 / 219
    let path = try folder.write(StillPictures.jpeg(found.picture.forJPEG()), to: "frame.jpg").path
    for value in try color(path) { #expect(abs(value - wanted) < 4) }
    let tags = try Tools.exiftool(URL(fileURLWithPath: path))
    #expect(tags["File:ImageWidth"] == "64" && tags["File:ImageHeight"] == "48")
    #expect(tags.keys.allSatisfy { !$0.hasPrefix("IFD0") })
  }

  /// RGB frames are identified as RGB, so that their colours are right.
  @Test(arguments: [("rawvideo", "rgb24"), ("png", "rgb24"), ("rawvideo", "pal8")])
  func aFrameOfRGBHasItsColours(_ codec: String, _ pixels: String) throws {
    let path = try folder.ffmpeg(
      [
        "-f", "lavfi", "-i", "color=0xC02040:size=64x48:rate=5:duration=1", "-c:v", codec, "-pix_fmt", pixels,
      ], to: "in.mov")
    let wanted = try color(path)
    let found = try StillPictures.frame(at: 0, of: path, isCancelled: { false })
    let jpeg = try folder.write(StillPictures.jpeg(found.picture.forJPEG()), to: "frame.jpg").path
    for (one, other) in zip(try color(jpeg), wanted) { #expect(abs(one - other) < 4) }
    try StillPictures.frames(of: path, isCancelled: { false }) { frame, _ in
      let jpeg = try folder.write(StillPictures.jpeg(frame.forJPEG()), to: "stored.jpg").path
      for (one, other) in zip(try color(jpeg), wanted) { #expect(abs(one - other) < 4) }
      return false
    }
  }

  @Test func framesComeInOrderUntilEnough() throws {
    var seen: [(Double, UInt8)] = []
    try StillPictures.frames(of: movie(), isCancelled: { false }) { frame, seconds in
      seen.append((seconds, rawBytes(frame)[0]))
      return seen.count < 7
    }
    #expect(seen.count == 7)
    for (index, (time, grey)) in seen.enumerated() {
      #expect(abs(time - Double(index) / 15) < 0.001)
      #expect(abs(Int(grey) - (30 + 6 * index)) < 3)
    }
    #expect(throws: CancellationError.self) {
      try StillPictures.frames(of: movie(), isCancelled: { true }) { _, _ in true }
    }
  }

  @Test(arguments: [("png", "png_pipe"), ("tiff", "tiff_pipe"), ("webp", "webp_pipe")])
  func foreignPicturesBecomeJPEG(_ kind: String, _ container: String) throws {
    let path = try folder.ffmpeg(
      [
        "-f", "lavfi", "-i",
        "color=0x2060C0:size=64x48,format=rgb24,drawbox=x=32:w=32:h=48:color=0xE0A010:t=fill",
        "-frames:v", "1",
      ] + (kind == "webp" ? ["-lossless", "1"] : []), to: "in." + kind)
    let found = try StillPictures.picture(path, container: container)
    #expect(found.profile == nil)
    let jpeg = try folder.write(StillPictures.jpeg(found.frame), to: "out.jpg").path
    for (crop, wanted) in [("24:48:0:0", [0x20, 0x60, 0xC0]), ("24:48:40:0", [0xE0, 0xA0, 0x10])] {
      for (one, other) in zip(try color(jpeg, crop), wanted) {
        #expect(abs(one - Double(other)) < 6, "\(crop)")
      }
    }
    // Drawings keep the full resolution of their colours.
    let size = try Tools.exiftool(URL(fileURLWithPath: jpeg))
    #expect(size["File:YCbCrSubSampling"] == "1 1")
  }

  /// If the colours are premultiplied by opacity, only the remaining share of white is added to them.
  @Test func weightedColoursAreNotWeightedAgain() throws {
    let path = try folder.ffmpeg(
      [
        "-f", "lavfi", "-i", "color=black:size=64x48,format=rgba,geq=r=8:g=24:b=48:a=64", "-frames:v", "1",
        "-pix_fmt", "rgba",
      ], to: "in.tiff")
    let found = try StillPictures.picture(path, container: "tiff_pipe", isPremultiplied: true)
    let jpeg = try folder.write(StillPictures.jpeg(found.frame), to: "out.jpg").path
    for (one, other) in zip(try color(jpeg), [199.0, 215, 239]) { #expect(abs(one - other) < 4) }
  }

  @Test(arguments: [("png", "png_pipe"), ("tiff", "tiff_pipe")])
  func theProfileIsHandedOn(_ kind: String, _ container: String) throws {
    let path = try folder.ffmpeg(
      ["-f", "lavfi", "-i", "color=red:size=32x32", "-frames:v", "1"], to: "in." + kind)
    let profile = try Tools.output(
      "exiftool", "-b", "-icc_profile", TestFiles.fixture("IMG_0001.JPG").path
    ).bytes
    let file = try folder.write(profile, to: "profile.icc").path
    try Tools.output("exiftool", "-q", "-overwrite_original", "-icc_profile<=" + file, path)
    #expect(try StillPictures.picture(path, container: container).profile == profile)
  }

  @Test func whatIsNoPictureIsRefused() throws {
    let noise = try folder.write(
      [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10] + [UInt8](repeating: 7, count: 90), to: "a.png")
    #expect(throws: MediaError.self) { try StillPictures.picture(noise.path, container: "png_pipe") }
    let whole = try folder.ffmpeg(
      ["-f", "lavfi", "-i", "testsrc2=size=320x240", "-frames:v", "1"], to: "whole.png")
    let cut = try folder.write(Array(try folder.read("whole.png").prefix(400)), to: "cut.png")
    #expect(throws: MediaError.self) { try StillPictures.picture(cut.path, container: "png_pipe") }
    #expect(throws: Never.self) { try StillPictures.picture(whole, container: "png_pipe") }
  }
}
