import Basics
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import LivePhotoFormat

extension MovieInspectionTests {
  @Test(
    arguments: [
      "iphone-6s-jpeg/IMG_0728.MOV", "iphone-7plus-jpeg/IMG_2016.MOV", "iphone-15pro-heic/IMG_3582.MOV",
    ].compactMap(TestFiles.sample))
  func realOnesAreThoseOfOtherReaders(_ file: URL) throws {
    try headersAreThoseOfExiftool(file)
    try soundAndHandlersAreThoseOfFFprobe(file)
    try framesAreThoseOfFFprobe(file)
    try stillTimeIsWhereFFprobeSeesTheTrackBegin(file)
    try keysAreThoseOfOtherReaders(file)
    try mediaIsNotReadButForTimedMetadata(file)
  }
}
