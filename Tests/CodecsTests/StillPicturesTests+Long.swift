import Basics
import EditModel
import Foundation
import Rendering
import TestSupport
import Testing

@testable import Codecs

extension StillPicturesTests {
  /// The left half is opaque, and the right half has 25% opacity.
  @Test(arguments: [
    ("png", "rgba"), ("png", "rgba64be"), ("png", "ya8"), ("png", "ya16be"), ("tiff", "rgba"),
    ("tiff", "rgba64le"), ("tiff", "ya8"), ("webp", "bgra"), ("webp", "yuva420p"),
  ])
  func whiteShowsThroughWhatIsTransparent(_ kind: String, _ pixels: String) throws {
    let path = try folder.ffmpeg(
      [
        "-f", "lavfi", "-i",
        "color=0x2060C0:size=64x48,format=rgba,geq=r=32:g=96:b=192:a=if(lt(X\\,32)\\,255\\,64)",
        "-frames:v", "1", "-pix_fmt", pixels,
      ] + (pixels == "bgra" ? ["-lossless", "1"] : []), to: "in." + kind)
    let found = try StillPictures.picture(path, container: kind + "_pipe")
    let jpeg = try folder.write(StillPictures.jpeg(found.frame), to: "out.jpg").path
    // The expected colours are read without ffmpeg's handling of opacity.
    let (opaque, hidden) = (try color(path, "24:48:0:0"), try color(path, "24:48:40:0"))
    for (one, other) in zip(try color(jpeg, "24:48:0:0"), opaque) { #expect(abs(one - other) < 6) }
    for (one, other) in zip(try color(jpeg, "24:48:40:0"), hidden) {
      #expect(abs(one - (other * 64 + 255 * 191) / 255) < 6)
    }
  }
}
