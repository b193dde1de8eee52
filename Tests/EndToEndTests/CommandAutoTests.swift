import EditModel
import Foundation
import TestSupport
import Testing

@testable import liveedit

/// `auto`: plain numbers that can be changed, and the same ones when it is run again.
@Suite struct CommandAutoTests {
  private struct Answer: Decodable {
    var status: String
    var edit: Edit?
  }

  private func auto(_ options: [String], _ name: String, in folder: TemporaryFolder) throws -> Answer {
    let output = try Tools.run([Command.path, "auto", "--json"] + options + [name], in: folder.url)
    return try JSONDecoder().decode(Answer.self, from: output.standardOutput)
  }

  @Test func theSameValuesComeAgain() throws {
    let folder = try TemporaryFolder()
    try folder.copy(TestFiles.fixture("IMG_0001.JPG"), TestFiles.fixture("IMG_0001.MOV"))
    let first = try auto([], "IMG_0001.JPG", in: folder)
    let edit = try #require(first.edit)
    #expect(first.status == "rendered" && !edit.isIdentity)
    // A value set by hand goes back to what was found; what auto does not set stays.
    _ = try Command.run(
      "adjust", "--contrast", "-0.5", "--shadows", "0.2", "IMG_0001.JPG", in: folder.url)
    let second = try auto([], "IMG_0001.MOV", in: folder)
    var expected = edit
    expected[.shadows] = 0.2
    #expect(second.edit == expected)
  }

  @Test func onlySomeParts() throws {
    let folder = try TemporaryFolder()
    try folder.copy(TestFiles.fixture("IMG_0002.MOV"))
    let edit = try #require(try auto(["--only", "color"], "IMG_0002.MOV", in: folder).edit)
    #expect(!edit.isIdentity && edit.without([.color]).isIdentity)
  }

  @Test func unknownPartsAreNamed() {
    #expect {
      try EditRequest(ArgumentParser.parse(["auto", "--only", "ligth", "a.JPG"]))
    } throws: { error in
      "\(error)".contains("ligth") && "\(error)".contains("light")
    }
  }
}
