import Basics
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

extension KeyFrameTests {
  /// Regions and further pictures are removed, both from the metadata and from the file.
  @Test func picturesOfTheOldMomentAreGone() throws {
    guard let sample = TestFiles.sample("iphone-15pro-heic/IMG_3582.HEIC") else { return }
    let sink = MemoryByteSink()
    let photo = try Photo(MemoryByteSource([UInt8](Data(contentsOf: sample))))
    let removals = try photo.write(describing: KeyFrame(distance: 0, profile: nil), to: sink)
    let names = removals.map(\.name)
    for name in ["gain map", "HDRGainMap", "depth", "depthData", "mwg-rs", "SubjectArea"] {
      #expect(names.contains(name), "\(name)")
    }
    let file = try HEIFFile(Photo(MemoryByteSource(sink.bytes)))
    #expect(try file.relatedPictures.allSatisfy { $0.role == .thumbnail } && !file.hasGainMap)
    #expect(try file.iccProfile() == nil)
    let color = try #require(try HEIFPicture(file).codePoints)
    #expect([color.primaries, color.transfer, color.matrix] == [1, 13, 6] && color.isFullRange)
  }
}
