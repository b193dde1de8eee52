import EditModel
import Foundation
import RenderEngine
import TestSupport
import Testing

/// Tests that decode HEIC photos to check whether they are intact.
@Suite struct HEIFCheckingTests {
  func check(_ url: URL) throws -> PictureCheck.Photo {
    try #require(try checkPictures(PictureCheckJob(photo: url.path)) { false }.photo)
  }

  @Test(arguments: [TestFiles.fixture("IMG_0004.HEIC"), TestFiles.fixture("shared.HEIC")])
  func photosDecodeAndTheirThumbnailsShowThem(url: URL) throws {
    let photo = try check(url)
    #expect(photo.outcome == .decoded)
    let walked = try WalkedHEIF.read(url)
    let hasThumbnail = walked.references.contains { $0.kind == "thmb" && $0.to == [walked.primary] }
    guard hasThumbnail else {
      #expect(photo.thumbnail == nil)
      return
    }
    guard case .likeness(let decibels) = photo.thumbnail else {
      Issue.record("\(String(describing: photo.thumbnail))")
      return
    }
    #expect(decibels > 30)
  }

  /// Returns the bytes of a fixture with one item's data changed.
  func changed(_ item: Int, _ change: (inout ArraySlice<UInt8>) -> Void) throws -> [UInt8] {
    let url = TestFiles.fixture("IMG_0004.HEIC")
    var bytes = [UInt8](try Data(contentsOf: url))
    let place = try #require(try WalkedHEIF.read(url)[item]?.places.first)
    change(&bytes[place[0]..<place[0] + place[1]])
    return bytes
  }

  @Test func damagedTilesAreNamed() throws {
    let walked = try WalkedHEIF.read(TestFiles.fixture("IMG_0004.HEIC"))
    let tiles = try #require(walked.references.first { $0.kind == "dimg" && $0.from == walked.primary }).to
    let folder = try TemporaryFolder()
    for (index, tile) in tiles.enumerated() where index == 0 || index == tiles.count - 1 {
      let bytes = try changed(tile) { for at in $0.indices { $0[at] = 0xFF } }
      let photo = try check(try folder.write(bytes, to: "\(index).HEIC"))
      guard case .damaged(let problem) = photo.outcome else {
        Issue.record("\(photo.outcome)")
        continue
      }
      #expect(problem.contains("tile \(index + 1) of \(tiles.count)"))
    }
  }

  @Test func aDamagedThumbnailIsNoDamageToThePhoto() throws {
    let walked = try WalkedHEIF.read(TestFiles.fixture("IMG_0004.HEIC"))
    let thumbnail = try #require(walked.references.first { $0.kind == "thmb" && $0.to == [walked.primary] })
      .from
    let folder = try TemporaryFolder()
    let bytes = try changed(thumbnail) { for at in $0.indices { $0[at] = 0xFF } }
    let photo = try check(try folder.write(bytes, to: "thumbnail.HEIC"))
    #expect(photo == PictureCheck.Photo(outcome: .decoded, thumbnail: .unreadable))
  }

  @Test func filesThatEndEarlyAreDamaged() throws {
    let bytes = [UInt8](try Data(contentsOf: TestFiles.fixture("IMG_0004.HEIC")))
    let folder = try TemporaryFolder()
    for part in [10, 100, 1000, bytes.count / 4, bytes.count / 2] {
      let photo = try check(try folder.write(Array(bytes.prefix(part)), to: "\(part).HEIC"))
      guard case .damaged = photo.outcome else {
        Issue.record("\(part): \(photo.outcome)")
        continue
      }
    }
  }

  /// A JPEG is recognised by its content.
  @Test func aNameDecidesNothing() throws {
    let folder = try TemporaryFolder()
    let photo = try check(try folder.write(try folder.photo(), to: "photo.HEIC"))
    #expect(photo.outcome == .decoded)
  }
}
