import EditModel
import Foundation
import TestSupport
import Testing

@testable import CommandLineTool

/// Tests of `auto`: it sets plain values that can be changed later, and a second run finds the same values.
@Suite struct CommandAutoTests {
  struct Answer: Decodable {
    var status: String
    var edit: Edit?
  }

  func auto(_ options: [String], _ name: String, in folder: TemporaryFolder) throws -> Answer {
    let output = try Tools.run([Command.path, "auto", "--json"] + options + [name], in: folder.url)
    return try JSONDecoder().decode(Answer.self, from: Data((output.answers.first ?? "").utf8))
  }

  /// Creates an underexposed pair with a blue cast in a folder, as IMG_0007.
  private func spoiltPair(in folder: TemporaryFolder) throws {
    let source = try TemporaryFolder()
    try source.copy(TestFiles.fixture("IMG_0001.JPG"), TestFiles.fixture("IMG_0001.MOV"))
    _ = try Command.run(
      "adjust", "--exposure", "-1.5", "--temperature", "4200", "-o", folder.url.path, "IMG_0001.JPG",
      in: source.url)
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
      let name = "IMG_0007." + (file as NSString).pathExtension
      try FileManager.default.moveItem(at: folder.file(file), to: folder.file(name))
    }
  }

  @Test func theSameValuesComeAgain() throws {
    let folder = try TemporaryFolder()
    try spoiltPair(in: folder)
    let first = try auto([], "IMG_0007.JPG", in: folder)
    let edit = try #require(first.edit)
    #expect(first.status == "rendered" && !edit.isIdentity)
    // Running `auto` again restores the values that it found before and leaves all other values unchanged.
    _ = try Command.run(
      "adjust", "--contrast", "-0.5", "--definition", "0.2", "IMG_0007.JPG", in: folder.url)
    let second = try auto([], "IMG_0007.MOV", in: folder)
    var expected = edit
    expected[.definition] = 0.2
    #expect(second.edit == expected)
  }

  @Test func onlySomeParts() throws {
    let folder = try TemporaryFolder()
    try spoiltPair(in: folder)
    let edit = try #require(try auto(["--only", "color"], "IMG_0007.JPG", in: folder).edit)
    #expect(!edit.isIdentity && edit.without([.color]).isIdentity)
  }

  @Test func unknownPartsAreNamed() {
    #expect {
      try command(["auto", "--only", "ligth", "a.JPG"])
    } throws: { error in
      "\(error)".contains("ligth") && "\(error)".contains("light")
    }
  }
}
