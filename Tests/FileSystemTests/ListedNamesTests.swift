import FileSystem
import Foundation
import TestSupport
import Testing

/// Tests of names in the spelling in which a folder lists them. The letter é is U+00E9, or e and U+0301 (Unicode
/// Standard Annex 15, figure 3).
@Suite struct ListedNamesTests {
  private let composed = "\u{E9}.JPG"
  private let decomposed = "e\u{301}.JPG"

  @Test func bytesComeFirstThenFormsThenCase() {
    let both = ListedNames([composed, decomposed, "x.JPG"])
    for name in [composed, decomposed] {
      #expect(both.spelling(of: name).map { Array($0.utf8) } == Array(name.utf8))
    }
    let one = ListedNames([composed, "\u{C9}.JPG"])
    #expect(one.spelling(of: decomposed).map { Array($0.utf8) } == Array(composed.utf8))
    #expect(!one.contains(decomposed) && one.contains(composed))
    #expect(ListedNames(["IMG_1.JPG"]).spelling(of: "img_1.jpg") == "IMG_1.JPG")
    #expect(ListedNames(["IMG_1.JPG", "Img_1.JPG"]).spelling(of: "img_1.jpg") == nil)
    #expect(ListedNames(["IMG_1.JPG"]).spelling(of: "IMG_2.JPG") == nil)
  }

  @Test(arguments: [
    ("IMG_1.JPG", "img_1.jpg"), ("Img_1.JPG", "IMG_1.JPG"), ("\u{E9}a", "\u{E9}A"), ("12.3", nil),
  ])
  func theOtherCaseIsThatOfLetters(_ name: String, _ other: String?) {
    #expect(FileName.inOtherCase(name) == other)
  }

  /// In this folder two spellings are two entries, whether they refer to one file or to two.
  @Test func listedSpellingsAreEntriesOfTheirOwn() throws {
    let folder = try TemporaryFolder()
    try folder.write([1], to: "a.jpg")
    let held = try HeldFolder(path: folder.url.path)
    #expect(try !held.isOneEntry("a.jpg", "A.JPG"))
    try FileManager.default.linkItem(at: folder.file("a.jpg"), to: folder.file("A.JPG"))
    #expect(try !held.isOneEntry("a.jpg", "A.JPG"))
    #expect(try held.isOneEntry("a.jpg", "a.jpg"))
  }
}
