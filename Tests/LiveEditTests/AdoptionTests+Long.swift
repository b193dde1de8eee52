import Basics
import EditLibrary
import EditModel
import Foundation
import RenderEngine
import TestSupport
import Testing

@testable import LiveEdit
@testable import RenderClient
@testable import Workflows

extension AdoptionTests {
  @Test func theSameAgainIsNothingAndGivesTheSameBytes() throws {
    let folder = try prepared()
    _ = try adopt(folder, "edited.jpg")
    let adopted = try folder.content()
    let again = try adopt(folder, "edited.jpg")
    #expect(again.edited.action == .unchanged)
    #expect(try folder.history().record.versions.count == 1)
    try FileManager.default.removeItem(at: folder.folder.file(".liveedit"))
    for name in ["IMG_E0001.JPG", "IMG_E0001.MOV", "IMG_0001.AAE"] {
      try FileManager.default.removeItem(at: folder.folder.file(name))
    }
    _ = try adopt(folder, "edited.jpg")
    // Leaves out adjustment data, because it contains the time when a version was recorded.
    let renders = { (content: [String: Data]) in content.filter { !$0.key.hasSuffix(".AAE") } }
    #expect(try renders(folder.content()) == renders(adopted))
  }

  @Test func aPictureOfAnotherKindIsEncodedOnce() throws {
    let folder = try prepared("edited.png")
    let outcome = try adopt(folder, "edited.png")
    #expect(outcome.edited.result?.photo == .encoded)
    #expect(outcome.edited.notes.contains("The photo was encoded only once, from edited.png."))
    // The original is displayed according to its orientation flag, and so is the photo that replaces it.
    let shown = folder.folder.file("shown.png").path
    let turned = try Tools.run([
      "convert", folder.folder.file("IMG_E0001.JPG").path, "-auto-orient", shown,
    ])
    #expect(turned.status == 0)
    let compared = try Tools.run([
      "compare", "-metric", "PSNR", folder.folder.file("edited.png").path, shown, "null:",
    ])
    #expect(Double(compared.standardError.split(separator: " ").first ?? "") ?? 0 > 30)
  }
}
