import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

extension HEIFFileTests {
  @Test(arguments: HEICPhotos.samples) func realOnesAreReadAndWritten(name: String) throws {
    try readsWhatAnIndependentWalkerReads(name: name)
    try writesTheBoxesThatItRead(name: name)
    try summaryAgreesWithExiftool(name: name)
    try captureDataAgreesWithExiftool(name: name)
  }
}
