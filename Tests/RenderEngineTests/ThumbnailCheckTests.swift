import EditModel
import Foundation
import RenderEngine
import TestSupport
import Testing

/// Tests of thumbnails in Exif: a thumbnail that viewers show is not a fault, and one that they do not show is.
@Suite struct ThumbnailCheckTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Returns the finding about a photo's thumbnail after a change of its bytes.
  private func check(_ change: (inout [UInt8]) -> Void) throws -> (found: PictureCheck.Thumbnail?, file: URL)
  {
    let photo = try #require(try folder.copy(TestFiles.fixture("IMG_0001.JPG")).first)
    var bytes = try Tools.output("exiftool", "-b", "-ThumbnailImage", photo.path).bytes
    try #require(bytes.count > 500)
    change(&bytes)
    let file = try folder.write(bytes, to: "thumbnail.jpg")
    try Tools.output(
      "exiftool", "-q", "-m", "-overwrite_original", "-ThumbnailImage<=" + file.path, photo.path)
    return (try checkPictures(PictureCheckJob(photo: photo.path)) { false }.photo?.thumbnail, file)
  }

  @Test func oneThatViewersShowIsSound() throws {
    let (found, file) = try check { $0.removeLast(2) }
    try Tools.output("ffmpeg", "-v", "error", "-i", file.path, "-f", "null", "-")
    guard case .likeness(let decibels) = found else {
      Issue.record("\(String(describing: found))")
      return
    }
    #expect(decibels > 25)
  }

  @Test func halfAPictureIsUnreadable() throws {
    #expect(try check { $0.removeLast($0.count / 2) }.found == .unreadable)
  }
}
