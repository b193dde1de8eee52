import Foundation
import TestSupport
import Testing

extension CommandPreviewTests {
  /// The captions show the metadata that was kept, and nothing else.
  @Test(arguments: ["none", "location", "all"]) func captionsTellWhatIsLeftIn(_ word: String) throws {
    let folder = try prepared("IMG_0001.JPG")
    let source = try Tools.exiftool(folder.file("IMG_0001.JPG"))
    let model = try #require(source["IFD0:Model"])
    let latitude = try #require(source["Composite:GPSLatitude"].flatMap(Double.init))
    let day = try #require(source["ExifIFD:DateTimeOriginal"]).prefix(10).replacing(":", with: "-")
    let page = try made("--strip", word, "IMG_0001.JPG", in: folder)
    let caption = try #require(page.pieces.first?.components(separatedBy: "<figcaption>").last)
    #expect(caption.contains(String(latitude).prefix(6)) == (word == "none"), "\(caption)")
    #expect(caption.contains(model) == (word != "all"))
    #expect(caption.contains(day) == (word != "all"))
    #expect(page.text.contains(day) == (word != "all"))
    let embedded = Page.embedded("image/jpeg", in: page.text) + Page.embedded("video/mp4", in: page.text)
    for (number, data) in embedded.enumerated() { try data.write(to: folder.file("e\(number)")) }
    let said = try tags(of: embedded.indices.map { folder.file("e\($0)") })
    #expect(said.contains("GPS") == (word == "none"))
    #expect(said.contains(model) == (word != "all"), "\(said)")
  }

  /// On the page, photos remain pictures, and movies and Motion Photos play.
  @Test func everyKindHasItsPlace() throws {
    let folder = try prepared("IMG_0003.JPG")
    let motion = try Command.run("export", "--as", "motion-photo", "-o", ".", "IMG_0003.JPG", in: folder.url)
    #expect(motion.status == 0, "\(motion.standardError)")
    try folder.copy(TestFiles.fixture("IMG_0002.MOV"), TestFiles.fixture("ultrahdr.JPG"))
    try FileManager.default.moveItem(
      at: folder.file("ultrahdr.JPG"), to: folder.file("<b>&\"'\u{202E}.JPG"))
    let page = try made(".", in: folder)
    let parts = page.pieces.map { piece in
      [
        piece.firstMatch(of: />(\w+)<\/span>\n<\/div>/).map { String($0.1) } ?? "",
        String(Page.embedded("video/mp4", in: piece).count),
      ]
    }
    #expect(
      Set(parts) == [["LIVE", "1"], ["MOTION", "1"], ["MOVIE", "1"], ["", "0"]] && parts.count == 4,
      "\(parts)")
    // A name is displayed as text, whatever characters it contains.
    #expect(page.text.contains("<bdi>&lt;b&gt;&amp;&quot;&#39;\u{202E}</bdi>") && !page.text.contains("<b>"))
  }
}
