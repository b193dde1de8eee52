import Foundation
import TestSupport
import Testing

extension OddNameTests {
  /// Originals that are renamed in a shell leave their render behind.
  @Test(arguments: ["the edit", "the versions", "both"])
  func aRenderWhoseOriginalWasRenamed(_ traces: String) throws {
    try withTemporaryFolder { folder in
      func move(_ name: String, _ target: String) throws {
        try FileManager.default.moveItem(
          at: folder.appendingPathComponent(name), to: folder.appendingPathComponent(target))
      }
      _ = try Fixture.portrait.copy(to: folder)
      #expect(
        try Command.run("rotate", "--degrees", "90", "--lossless", "IMG_0001.JPG", in: folder).status == 0)
      _ = try list(in: folder)
      try move("IMG_0001.JPG", "beach.JPG")
      try move("IMG_0001.MOV", "beach.MOV")
      if traces == "the versions" {
        try FileManager.default.removeItem(at: folder.appendingPathComponent("IMG_0001.AAE"))
      }
      if traces == "the edit" {
        try FileManager.default.removeItem(at: folder.appendingPathComponent(".liveedit"))
      }
      let remark = "IMG_E0001.JPG is an edited version of IMG_0001, but that original is not in this folder"
      for _ in 0..<2 {
        let listed = try list(in: folder)
        #expect(listed.map { $0["file"] as? String } == ["IMG_E0001.JPG", "beach.JPG"])
        #expect(listed.map { $0["edited"] as? Bool } == [true, false])
        #expect(listed.map { $0["notes"] as? [String] } == [[remark], []])
      }
      let before = try content(of: folder)
      for name in ["IMG_E0001.JPG", "IMG_E0001.MOV"] {
        for command in [["rotate", "--degrees", "90"], ["rotate", "--degrees", "90", "-o", "."], ["auto"]] {
          let refused = try Tools.run([Command.path] + command + [name], in: folder)
          #expect(refused.status == 1 && refused.standardError.contains("is an edited version of IMG_0001"))
          #expect(refused.standardError.contains("rename the original to IMG_0001 again"))
        }
      }
      #expect(try content(of: folder) == before)
      let history = try Command.run("history", "IMG_E0001.JPG", in: folder)
      #expect(history.status == (traces == "the edit" ? 1 : 0))
      if history.status == 0 {
        #expect(
          history.text.contains("rotated by 90°") && history.text.contains("IMG_0001.JPG: no such file"))
      }
      // The suggested remedies work.
      try move("beach.JPG", "IMG_0001.JPG")
      try move("beach.MOV", "IMG_0001.MOV")
      #expect(try list(in: folder).map { $0["file"] as? String } == ["IMG_0001.JPG"])
      if traces != "the versions" {
        let back = try Command.run("rotate", "--degrees", "-90", "IMG_E0001.JPG", in: folder)
        #expect(back.status == 0, "\(back.standardError)")
      }
      try withTemporaryFolder { other in
        for (name, file) in [
          ("IMG_E0001.JPG", Fixture.mirrored.files().photo),
          ("IMG_E0001.MOV", Fixture.mirrored.files().movie),
        ] {
          try FileManager.default.copyItem(at: file, to: other.appendingPathComponent(name))
        }
        #expect(try list(in: other).map { $0["edited"] as? Bool } == [false])
        let edited = try Command.run("rotate", "--degrees", "90", "--lossless", "IMG_E0001.JPG", in: other)
        #expect(edited.status == 0, "\(edited.standardError)")
      }
    }
  }
}
