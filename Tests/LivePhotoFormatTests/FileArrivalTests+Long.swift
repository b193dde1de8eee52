import Basics
import Foundation
import LivePhotoFormat
import TestSupport
import Testing

extension FileArrivalTests {
  private static let samples = TestFiles.samples.map(files) ?? []

  @Test(arguments: samples) func aRealFileThatLacksBytesIsNotWhole(_ path: String) throws {
    try aFileThatLacksBytesIsNotWhole(path)
  }

  /// Every file that a phone or a program finished is eventually edited.
  @Test(arguments: samples) func aRealFileIsNotTakenForAPartOfOne(_ path: String) throws {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let found = try arrival(of: bytes, isMovie: isMovie(path))
    if case .partial(let error) = found { Issue.record("\(error)") }
  }

  /// The encoder of a Pixel 4 pads samples to multiples of 16 bytes, so complete files may end in up to 15 zeros.
  @Test(.enabled("needs the real files") { Self.pixel != nil }) func paddedSamplesAreWhole() throws {
    let bytes = [UInt8](try Data(contentsOf: #require(Self.pixel)))
    #expect(bytes.last == 0)
    #expect(try arrival(of: bytes, isMovie: false) == .whole)
  }

  private static let pixel = TestFiles.sample("motion-photo/PXL_20200710_061629144.MP.jpg")
}
