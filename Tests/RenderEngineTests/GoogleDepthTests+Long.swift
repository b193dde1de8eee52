import EditModel
import Foundation
import RenderEngine
import TestSupport
import Testing

extension GoogleDepthTests {
  @Test(arguments: try DepthRenderTests.Case.each(of: kinds)) func depthFollows(
    _ kind: String, _ example: DepthRenderTests.Case
  ) throws {
    let old = try photo(kind)
    let (result, new) = try rendered(example.edit, old)
    // The focus point is in the part that this case removes, unless the photo is rotated by 180°.
    let losesFocus = example.testDescription.hasPrefix("--turn 180") && !kind.contains("--orientation 3")
    #expect(result.removals.map(\.name) == (losesFocus ? ["GImage", "GFocus"] : ["GImage"]))
    let found = try likeness(old, new, example.testDescription)
    #expect(Set(found.keys) == ["DepthImage", "Confidence"])
    for (name, decibels) in found { #expect(decibels > 40, "\(name): \(decibels) dB") }
    for (name, decibels) in try likeness(old, old, example.testDescription) {
      #expect(decibels < 32, "\(name): \(decibels) dB")
    }
    try checkPacket(new)
    let tags = try tags(new)
    let size = try Tools.output("exiftool", "-s3", "-n", "-ImageSize", new.path).lines[0].split(
      separator: " ")
    #expect(tags["XMP-GDepth:ImageWidth"] == Int(size[0]).map { String(2 * $0) })
    #expect(tags["XMP-GDepth:ImageHeight"] == Int(size[1]).map { String(2 * $0) })
    for (name, value) in [
      ("GDepth:Format", "RangeInverse"), ("GDepth:Near", "0.5"), ("GDepth:Far", "12.25"),
      ("GDepth:Units", "m"),
      ("dc:Format", "image/jpeg"), ("dc:Source", "kept"),
    ] { #expect(tags["XMP-" + name] == value, "\(name)") }
    #expect(tags["XMP-GFocus:FocalDistance"] == (losesFocus ? nil : "9"))
  }
}
