import Foundation
import LiveEdit
import RenderClient
import TestSupport
import Testing
import Workflows

/// Tests of display images that the helper decodes.
@Suite struct HelperImageTests {
  private func picture(of name: String, in folder: TemporaryFolder) async throws -> AssetImage? {
    let library = try PhotoLibrary(
      folder: folder.url,
      renderer: HelperRenderer(executable: Command.programs.appendingPathComponent("liveedit-render")))
    let asset = try await library.asset(named: name)
    var last: AssetImage?
    for try await image in library.requestImage(for: asset, targetSize: .init(width: 160, height: 160)) {
      last = image
    }
    return last
  }

  /// The fixtures' scene has a different colour in each corner, though a movie's clean aperture may hide the corners.
  @Test(arguments: ["IMG_0001.JPG", "IMG_0003.MOV", "IMG_0003.JPG"])
  func theSceneIsUpright(_ name: String) async throws {
    let folder = try TemporaryFolder()
    try folder.copy(TestFiles.fixture(name))
    let image = try #require(try await picture(of: name, in: folder))
    let file = try folder.write([UInt8](image.data), to: "picture.jpg")
    let picture = try Picture(storedIn: file)
    #expect(picture.corners == "RGBY")
    #expect(picture.width == image.size.width && picture.height == image.size.height)
  }

  @Test func whatCannotBeDecodedIsAnErrorThatNamesTheFile() async throws {
    let folder = try TemporaryFolder()
    let whole = [UInt8](try Data(contentsOf: TestFiles.fixture("IMG_0001.JPG")))
    try folder.write(Array(whole.prefix(whole.count / 2)), to: "IMG_0001.JPG")
    do {
      _ = try await picture(of: "IMG_0001.JPG", in: folder)
      Issue.record("half a photo was shown")
    } catch {
      #expect("\(error)".contains("IMG_0001.JPG"), "\(error)")
    }
  }
}
