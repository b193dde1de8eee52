import EditModel
import Foundation
import RenderEngine
import TestSupport
import Testing

extension JPEGDepthTests {
  @Test(arguments: try DepthRenderTests.Case.all.get()) func mapsFollow(_ example: DepthRenderTests.Case)
    throws
  {
    let (result, photo) = try rendered(example.edit)
    #expect(result.removals.map(\.name) == ["depthData:FocusPlace"])
    let maps = try likeness(photo, example.testDescription)
    #expect(maps.map(\.kind) == Self.kinds)
    for (kind, decibels) in maps { #expect(decibels > 40, "\(kind): \(decibels) dB") }
    for (kind, decibels) in try likeness(Self.fixture, example.testDescription) {
      #expect(decibels < 32, "\(kind): \(decibels) dB")
    }
    try checkIndex(photo, count: 4)
  }
}
