import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

/// Returns the movies of the samples, if available. A quick run uses only some of them.
func sampleMovies() -> [URL] {
  let samples = [
    "iphone-6s-jpeg/IMG_0728.MOV", "iphone-6s-jpeg/IMG_E0728.MOV", "iphone-7plus-jpeg/IMG_2016.MOV",
    "iphone-15plus-heic/IMG_3853.MOV", "iphone-15pro-heic/IMG_3582.MOV",
  ]
  return Cases.chosen(samples) { index, _ in index % 2 == 0 }.compactMap(TestFiles.sample)
}

extension MovieWriterTests {
  @Test(arguments: sampleMovies()) func realOnesKeepWhatIsNotNew(_ file: URL) throws {
    try keptFramesKeepEveryPacketAndTag(file)
    try newFramesKeepTimesAndOtherTracks(file)
  }
}
