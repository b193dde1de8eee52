import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

extension HEIFRulesTests {
  @Test(arguments: HEICPhotos.samples) func realPhotosAreSound(name: String) throws {
    let evidence = try PhotoEvidence(
      reading: MemoryByteSource(HEICPhotos.bytes(name)), fileExtension: "HEIC")
    #expect(evidence.isSound)
    #expect(evidence.findings == [])
  }
}
