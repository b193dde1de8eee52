import Foundation
import TestSupport
import Testing

/// Tests of the programs in Examples.
@Suite struct ExampleProgramTests {
  private func run(_ program: String, _ arguments: String...) throws -> ToolOutput {
    try Tools.run([Command.programs.appendingPathComponent(program).path] + arguments)
  }

  /// Returns the mean of one plane of a file's first picture, as ffmpeg decodes it.
  private func mean(_ plane: String, of file: URL) throws -> Double {
    let answer = try Tools.output(
      "ffmpeg", "-v", "error", "-i", file.path, "-frames:v", "1", "-vf", "extractplanes=\(plane)", "-f",
      "rawvideo", "-pix_fmt", "gray", "-")
    return Double(answer.standardOutput.reduce(0) { $0 + Int($1) })
      / Double(max(answer.standardOutput.count, 1))
  }

  @Test func falseColoursAreResumed() throws {
    try withTemporaryFolder { folder in
      let files = try Fixture.portrait.copy(to: folder)
      let renders = Fixture.portrait.renders(in: folder)
      for (round, strength) in ["100", "0"].enumerated() {
        let answer = try run("example-false-colour", folder.path, "IMG_0001.JPG", strength)
        #expect(answer.status == 0, "\(answer.standardError)")
        for (original, render) in [(files.photo, renders.photo), (files.movie, renders.movie)] {
          let (old, new) = (try mean("y", of: original), try mean("y", of: render))
          #expect(abs(old - new) < 2)
          // At full strength, Cr equals luma; at zero strength, Cr is neutral. The second round contains nothing of the
          // first one.
          let expected = strength == "100" ? new : 128
          #expect(abs(try mean("v", of: render) - expected) < 6)
        }
        let history = try Command.run("history", "IMG_0001.JPG", "--json", in: folder)
        #expect(history.text.contains("com.example.falsecolour"))
        #expect(history.text.components(separatedBy: "\"base\":0").count == round + 2)
      }
      #expect(try Command.run("verify", "IMG_E0001.JPG", in: folder).status == 0)
      #expect(try Command.run("check", in: folder).status == 0)
      #expect(try Command.run("revert", "--to", "original", "IMG_0001.JPG", in: folder).status == 0)
      #expect(!FileManager.default.fileExists(atPath: renders.photo.path))
    }
  }

  @Test func theFirstProgramOfTheDocumentationEditsAFolder() throws {
    let file = TestFiles.project.appendingPathComponent("Examples/EditAll/main.swift")
    let page = try String(
      contentsOf: TestFiles.project.appendingPathComponent("Documentation/Swift.md"), encoding: .utf8)
    #expect(page.contains("```swift\n" + (try String(contentsOf: file, encoding: .utf8)) + "```"))
    try withTemporaryFolder { folder in
      let photos = folder.appendingPathComponent("Photos")
      try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: false)
      for fixture in Fixture.allCases { _ = try fixture.copy(to: photos) }
      let program = Command.programs.appendingPathComponent("example-edit-all")
      let answer = try Tools.run([program.path], in: folder)
      #expect(answer.status == 0, "\(answer.standardError)")
      for fixture in Fixture.allCases {
        let files = fixture.files(in: photos)
        let renders = fixture.renders(in: photos)
        for (original, render) in [(files.photo, renders.photo), (files.movie, renders.movie)] {
          #expect(try mean("y", of: render) > mean("y", of: original) + 5)
        }
      }
      let history = try Command.run("history", "IMG_0001.JPG", in: photos)
      #expect(history.text.contains("90°") && history.text.contains("exposure"))
      #expect(try Command.run("check", in: photos).status == 0)
      let verified = try Command.run("verify", "IMG_E0001.JPG", "IMG_E0002.JPG", "IMG_E0003.JPG", in: photos)
      #expect(verified.status == 0)
      // The second run finds nothing to edit.
      func files() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: photos.path).sorted()
          .filter { !$0.hasSuffix("index.sqlite") }
      }
      let before = try files()
      #expect(try Tools.run([program.path], in: folder).status == 0)
      #expect(try files() == before)
    }
  }
}

extension Fixture {
  /// Returns the paths of the renders in `folder`.
  func renders(in folder: URL) -> PairFiles {
    let stem = rawValue.replacingOccurrences(of: "IMG_", with: "IMG_E")
    return PairFiles(
      photo: folder.appendingPathComponent("\(stem).JPG"), movie: folder.appendingPathComponent("\(stem).MOV")
    )
  }
}
