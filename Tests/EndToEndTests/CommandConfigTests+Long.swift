import Foundation
import TestSupport
import Testing

extension CommandConfigTests {
  /// A preset applied with replacement resets earlier adjustments but keeps rotations and crops.
  @Test func replacingTakesBackWhatPicturesLookLike() throws {
    try folder.copy(TestFiles.fixture("IMG_0001.JPG"))
    func edit(_ words: String...) throws -> [String: Any] {
      let output = try run(words + ["--json"])
      let object = try JSONSerialization.jsonObject(with: Data(output.lines.first.map { $0.utf8 } ?? "".utf8))
      return (object as? [String: Any])?["edit"] as? [String: Any] ?? [:]
    }
    _ = try edit("rotate", "--degrees", "90", "IMG_0001.JPG")
    _ = try edit("crop", "--aspect", "1:1", "IMG_0001.JPG")
    let before = try edit("adjust", "--exposure", "0.5", "--grain", "0.3", "IMG_0001.JPG")
    let layered = try edit("apply", "--preset", "vivid", "IMG_0001.JPG")
    #expect(Set(before.keys).isSubset(of: layered.keys))
    let replaced = try edit("apply", "--preset", "vivid", "--replace", "IMG_0001.JPG")
    let alone = try edit("apply", "--preset", "vivid", "IMG_0003.JPG")
    #expect(replaced["orientation"] as? String == before["orientation"] as? String)
    #expect((replaced["geometry"] as? NSDictionary) == (before["geometry"] as? NSDictionary))
    var looks = replaced
    for key in ["orientation", "geometry", "crop"] { looks[key] = nil }
    #expect(looks as NSDictionary == alone as NSDictionary, "\(replaced) \(alone)")
  }
}
