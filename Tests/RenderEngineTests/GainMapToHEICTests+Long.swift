import EditModel
import Foundation
import RenderEngine
import TestSupport
import Testing

extension GainMapToHEICTests {
  @Test(arguments: names, try DepthRenderTests.Case.all.get()) func followsThePhoto(
    _ name: String, _ example: DepthRenderTests.Case
  ) throws {
    let old = TestFiles.fixture(name)
    let (result, photo) = try rendered(example.edit, old)
    let lost = name == "portrait.JPG" ? ["disparity", "portraiteffectsmatte"] : []
    #expect(Set(result.removals.map(\.name)) == Set(lost))
    let decibels = try #require(try likeness(old, photo, example.testDescription))
    #expect(decibels > 40, "\(decibels) dB")
    let walked = try WalkedHEIF.read(photo)
    let auxiliary = walked.references.first { $0.kind == "auxl" }?.from
    let ofTone = walked.references.first { $0.kind == "dimg" && walked[$0.from]?.type == "tmap" }?.to.last
    let map = try #require(auxiliary ?? ofTone)
    // The map has the photo's orientation, which libheif applies.
    for kind in ["irot", "imir"] {
      #expect(walked[map]?.contents(kind) == walked[walked.primary]?.contents(kind))
    }
    #expect(walked[map]?.hidden == true)
    let tags = try Tools.exiftool(photo)
    #expect(
      !tags.keys.contains { $0.contains("Warning") || $0.contains("hdrgm") || $0.contains("Container") })
  }
}
