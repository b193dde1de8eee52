import EditModel
import Foundation
import LiveEdit
import RenderClient
import TestSupport
import Testing
import Workflows

@testable import CommandLineTool

/// Tests of `adjust`, `apply` and `preset`: the parsed options, the output, and the files that stay unchanged.
@Suite struct CommandAdjustTests {
  func options(_ words: String...) throws -> AdjustCommand {
    try AdjustCommand(ArgumentParser.parse(["adjust"] + words + ["a.JPG"]))
  }

  /// Returns the message for a refused command line.
  func complaint(_ words: [String]) -> String? { liveeditComplaint(words + ["a.JPG"]) }

  @Test func everyParameterHasAnOption() throws {
    for parameter in Parameter.allCases {
      let about = parameter.description
      for value in [about.range.lowerBound, about.range.upperBound, about.neutral] {
        #expect(
          try options("--" + parameter.rawValue.dashed, "\(value)").partial.values == [parameter: value])
      }
      let beyond = about.range.upperBound + 0.01
      let said = complaint(["adjust", "--" + parameter.rawValue.dashed, "\(beyond)"])
      #expect(said?.contains("\(about.range.upperBound)") == true, "\(said ?? "nothing")")
    }
    #expect("levelsOutputBlack".dashed == "levels-output-black")
  }

  @Test func curvesLooksAndResets() throws {
    let curve = try options("--curve", "1:0.9,0:0.05,0.5:0.6").partial.curve
    #expect(curve?.points == [.init(x: 0, y: 50), .init(x: 500, y: 600), .init(x: 1000, y: 900)])
    let look = try options("--look", "film", "--look-intensity", "0.3").resolved().look
    #expect(look == Look(.builtIn(.film), intensity: 0.3))
    let resets = try options("--reset", "black-point", "--reset", "color", "--contrast", "1").partial
    #expect(resets.values == [.blackPoint: 0, .contrast: 1] && resets.resets == [.color])
    #expect(try options("--reset", "all").partial.resets == EditPart.appearance)
  }

  @Test(arguments: [
    (["adjust"], "adjust needs a setting or --reset"),
    (["adjust", "--exposur", "1"], "did you mean --exposure?"),
    (["adjust", "--exposure", "five"], "number"), (["adjust", "--exposure", "nan"], "number"),
    (["adjust", "--exposure", "1e999"], "number"), (["adjust", "--saturation", "-1.5"], "from -1 to 1"),
    (["adjust", "--curve", "0,0,1,1"], "“0”"), (["adjust", "--curve", "0:0:0"], "0:0:0"),
    (["adjust", "--curve", "0:2"], "0 to 1"), (["adjust", "--curve", "0:0,0:1"], "two points"),
    (["adjust", "--look", "flim"], "did you mean film?"), (["adjust", "--look", "zzzzzz"], "a .cube file"),
    (["adjust", "--look-intensity", "1"], "needs --look"),
    (["adjust", "--look", "film", "--look-intensity", "2"], "0 to 1"),
    (["adjust", "--reset", "shadow"], "did you mean shadows?"),
    (["adjust", "--reset", "orientation"], "orientation"),
    (["apply"], "apply needs --preset, for example --preset vivid"),
    (["apply", "--preset", "a", "--from", "b"], "or --from FILE"),
    (["apply", "--preset", "vivid", "--intensity", "1.5"], "0 to 1"),
    (["apply", "--preset", "vivid", "--only", "light"], "--only needs --from"),
    (["apply", "--from", "b", "--only", "light,colours"], "did you mean color?"),
    (["apply", "--from", "b", "--intensity", "1"], "--intensity needs --preset"),
  ])
  func whatIsWrongIsSaid(_ words: [String], _ text: String) {
    let said = complaint(words)
    #expect(said?.contains(text) == true, "\(said ?? "nothing")")
    #expect(said?.contains("\n") == false)
  }

  /// Runs a command in a folder that has all fixtures and its own presets.
  func run(_ words: String..., in folder: URL) throws -> ToolOutput {
    try Tools.run(
      [Command.path] + words, in: folder,
      environment: ["XDG_CONFIG_HOME": folder.appendingPathComponent("config").path])
  }

  @Test func whatCannotBeDoneWritesNothing() throws {
    try withTemporaryFolder { folder in
      _ = try Fixture.landscape.copy(to: folder)
      try Data("LUT_3D_SIZE 2\n0 0 0\n".utf8).write(to: folder.appendingPathComponent("broken.cube"))
      try Data(
        "{\"formatIdentifier\":\"org.liveedit.preset\",\"formatVersion\":\"7.1\",\"future\":1}".utf8
      ).write(to: folder.appendingPathComponent("future.json"))
      let before = try content(of: folder)
      let cases = [
        (["adjust", "--exposure", "5"], 64, "--exposure cannot be 5"),
        (["adjust", "--look", "broken.cube"], 1, "broken.cube: the .cube file ends after 1 of its 8 lines"),
        (["apply", "--preset", "broken.cube"], 1, "broken.cube: the .cube file ends after 1 of its 8 lines"),
        (["apply", "--preset", "future.json"], 1, "future.json: its preset version is 7.1"),
        (["apply", "--preset", "none.json"], 1, "none.json: no such file"),
        (["apply", "--preset", "vivit"], 1, "no preset is named “vivit”; did you mean vivid?"),
        (["apply", "--from", "IMG_0003.MOV"], 1, "has no edit"),
        (["adjust", "--exposure", "1", "--lossless"], 1, "cannot be edited losslessly"),
      ]
      for (words, status, text) in cases {
        let output = try Tools.run([Command.path] + words + ["IMG_0003.JPG"], in: folder)
        #expect(output.status == Int32(status), "\(words)")
        #expect(output.standardError.contains(text), "\(output.standardError)")
        #expect(output.sentences.count == 1)
        #expect(output.text.isEmpty)
        #expect(try content(of: folder) == before)
      }
    }
  }

  /// An edit that is saved as a preset can be applied to all other photos at once.
  @Test func aSavedPresetIsAppliedToManyAtOnce() throws {
    try withTemporaryFolder { folder in
      for fixture in Fixture.allCases { _ = try fixture.copy(to: folder) }
      #expect(
        try run("rotate", "--degrees", "90", "IMG_0002.JPG", in: folder).status == 0)
      let first = try run(
        "adjust", "--exposure", "0.4", "--look", "film", "--look-intensity", "0.5", "IMG_0001.JPG", in: folder
      )
      #expect(first.status == 0, "\(first.standardError)")
      let saved = try run("preset", "save", "mine", "--from", "IMG_E0001.JPG", in: folder)
      #expect(saved.status == 0, "\(saved.standardError)")
      let list = try run("preset", "list", in: folder)
      #expect(list.text.contains("mine") && list.text.contains("exposure +0.4, look film at 50% (your own)"))
      #expect(try run("preset", "save", "mine", "--from", "IMG_0001.JPG", in: folder).status == 1)
      let all = try run(
        "apply", "--preset", "mine", "--json", "IMG_0001.JPG", "IMG_0002.JPG", "IMG_0003.JPG", in: folder)
      #expect(all.status == 0, "\(all.standardError)")
      let objects = try all.answers.map {
        try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
      }
      try #require(objects.count == 3)
      for object in objects {
        let edit = try #require(object["edit"] as? [String: Any])
        #expect(edit["light"] as? [String: Double] == ["exposure": 0.4])
        #expect((edit["look"] as? [String: Any])?["name"] as? String == "film")
      }
      #expect((objects[1]["edit"] as? [String: Any])?["orientation"] as? Int == 6)
      let history = try run("history", "IMG_0002.JPG", in: folder)
      #expect(history.text.contains("rotated by 90°, exposure +0.4, look film at 50%"))
      let inspection = try run("inspect", "IMG_0002.AAE", in: folder)
      #expect(inspection.text.contains("  rotated by 90°, exposure +0.4, look film at 50%\n"))
      #expect(try run("preset", "delete", "mine", in: folder).status == 0)
      #expect(try run("preset", "show", "mine", in: folder).status == 1)

      // Copies one part of an edit, then the whole edit.
      let light = try run(
        "apply", "--from", "IMG_0003.JPG", "--only", "light", "--json", "-o", "out", "IMG_0001.JPG",
        in: folder)
      #expect(light.status == 1)  // there is no folder “out”
      #expect(try run("adjust", "--exposure", "1", "IMG_0003.JPG", in: folder).status == 0)
      let part = try run(
        "apply", "--from", "IMG_0003.JPG", "--only", "light", "--json", "IMG_0002.JPG", in: folder)
      #expect(
        part.text.contains(
          "{\"light\":{\"exposure\":1},\"look\":{\"intensity\":0.5,\"name\":\"film\"},\"orientation\":6}"))
      let whole = try run("apply", "--from", "IMG_0002.JPG", "--json", "IMG_0003.JPG", in: folder)
      #expect(whole.text.contains("\"orientation\":6"))
      let reset = try run("adjust", "--reset", "all", "--json", "IMG_0003.JPG", in: folder)
      #expect(reset.text.contains("\"edit\":{\"orientation\":6}"))
    }
  }
}
