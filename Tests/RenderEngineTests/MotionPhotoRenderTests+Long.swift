import Basics
import EditModel
import FileSystem
import Foundation
import LivePhotoFormat
import TestSupport
import Testing

@testable import RenderEngine

extension MotionPhotoRenderTests {
  /// Dates are changed in the photo, in Samsung's block and in the movie, but pictures and frames are kept. A quick run
  /// tests both Google formats, both Samsung formats, a gain map and a HEIC.
  @Test(arguments: Cases.chosen(dialects) { index, _ in [2, 3, 4, 5, 8].contains(index) })
  func datesMoveInPlace(_ dialect: String) throws {
    let (source, _) = try make(dialect)
    var edit = Edit.identity
    edit.facts.date = try #require(DateChange(.moved(clock: 9000, instant: 9000), offset: nil))
    let (file, result) = try render(source, edit)
    #expect(result.photo == .copied && result.movie == .copied)
    let tags = try (Tools.exiftool(source), Tools.exiftool(file))
    func taken(_ file: URL) throws -> Int? {
      Int(try Tools.run(["exiftool", "-s3", "-d", "%s", "-DateTimeOriginal", file.path]).lines.first ?? "")
    }
    // Two of the fixtures contain no date.
    let isDated = try taken(source) != nil
    #expect(isDated == (dialect != "ultra" && dialect != "apple"))
    if isDated { #expect(try taken(file) == (taken(source) ?? 0) + 9000) }
    if tags.0["Samsung:TimeStamp"] != nil {
      let bytes = try Data(contentsOf: file)
      #expect(bytes.range(of: Data("Image_UTC_Data1705133333853".utf8)) != nil)
      #expect(tags.1["Samsung:TimeStamp"] == "2024:01:13 08:08:53.853+00:00")
    } else {
      #expect(dialect != "samsung" && dialect != "trailer")
    }
    let movies = try (embedded(source, dialect), embedded(file, dialect))
    #expect(try frames(movies.0) == frames(movies.1))
  }
}
