import Foundation
import TestSupport
import Testing

extension UnlistedFilesTests {
  /// Recognises Motion Photos from cameras, if samples are available.
  @Test func motionPhotosOfCameras() throws {
    let names = ["20240214_samsung.heic", "PXL_20200710_061629144.MP.jpg"]
    let samples = names.compactMap { TestFiles.sample("motion-photo/" + $0) }
    for sample in samples { try folder.copy(sample) }
    #expect(
      try list("--paths", "--filter", "subtype = motion-photo").lines == samples.map(\.lastPathComponent))
  }
}
