import Basics
import Testing

@testable import EditModel

@Suite struct PresetTests {
  func preset(_ edit: String, version: String = "1.0", more: String = "") throws(MediaError) -> Preset {
    try Preset(
      json: Array(
        """
        {"formatIdentifier": "org.liveedit.preset", "formatVersion": "\(version)", "summary": "a test",
         "edit": \(edit)\(more)}
        """.utf8), name: "test")
  }

  @Test func everyPartIsRead() throws {
    let preset = try preset(
      """
      {"light": {"exposure": 0.5, "contrast": 0, "levelsWhite": 0.8}, "color": {"warmth": -1},
       "blackAndWhite": {"monochrome": 1}, "curve": [[0, 0.05], [1, 0.9]],
       "look": {"name": "film", "intensity": 0.4}, "orientation": 6}
      """)
    #expect(preset.name == "test" && preset.summary == "a test")
    #expect(
      preset.edit.values == [.exposure: 0.5, .contrast: 0, .levelsWhite: 0.8, .warmth: -1, .monochrome: 1])
    #expect(preset.edit.curve?.points == [.init(x: 0, y: 50), .init(x: 1000, y: 900)])
    #expect(preset.edit.look == Look(.builtIn(.film), intensity: 0.4))
    #expect(preset.edit.orientation == .right)
    #expect(try Preset(json: preset.json, name: "test") == preset)
  }

  @Test func aLookIsKeptByContent() throws {
    let table = try CubeFile.parse(
      Array("TITLE \"odd\"\nLUT_1D_SIZE 2\n0 0 0.1\n1 0.9 1\n".utf8))
    var edit = PartialEdit()
    edit.look = Look(.table(table), intensity: 0.5)
    let preset = Preset(name: "odd", summary: "a “quoted” one", edit: edit)
    #expect(try Preset(json: preset.json, name: "odd") == preset)
  }

  @Test func aLookBeyondSRGBNeedsTheNewVersion() throws {
    var edit = PartialEdit()
    for (isWide, version) in [(false, "1.0"), (true, "1.1")] {
      edit.look = Look(.builtIn(.film), isWide: isWide)
      let preset = Preset(name: "wide", summary: "", edit: edit)
      #expect(String(decoding: preset.json, as: UTF8.self).contains("\"formatVersion\":\"\(version)\""))
      #expect(try Preset(json: preset.json, name: "wide") == preset)
    }
  }

  @Test(arguments: [
    ("{\"light\": {\"exposur\": 1}}", "exposur"), ("{\"light\": {\"warmth\": 1}}", "warmth"),
    ("{\"light\": {\"exposure\": 9}}", "exposure cannot be 9"),
    ("{\"light\": {\"exposure\": \"1\"}}", "exposure"),
    ("{\"light\": 1}", "light"), ("{\"crop\": {}}", "crop"), ("[]", "object"),
    ("{\"curve\": [[0]]}", "curve"),
    ("{\"curve\": [[0, 0], [0, 1]]}", "two points with the same first number"),
    ("{\"curve\": [[0, 1e400]]}", ""), ("{\"look\": {\"name\": \"flim\"}}", "flim"),
    ("{\"look\": {\"name\": \"film\", \"intensity\": 2}}", "intensity"), ("{\"look\": {}}", "damaged"),
    ("{\"look\": {\"name\": \"film\", \"mask\": 1}}", "look"), ("{\"orientation\": 9}", "1 to 8"),
    ("{}, \"edit\": 1", ""), ("{}, \"author\": \"me\"", "author"),
  ])
  func whatIsWrongIsSaid(_ edit: String, _ word: String) {
    do {
      let preset = try preset(edit)
      // JSON does not define what a repeated key means.
      #expect(preset.edit.isEmpty && edit.contains("\"edit\""))
    } catch {
      #expect(word.isEmpty || error.problem.contains(word), "\(error)")
      #expect(error.remedy != nil && !error.problem.contains("\n"))
    }
  }

  @Test func oneFromTheFutureIsRefused() {
    do {
      _ = try preset("{\"depth\": {}}", version: "2.0")
      Issue.record("it was read")
    } catch {
      #expect(error.isUnsupported && error.problem.contains("2.0") && error.remedy == "update liveedit")
    }
  }

  @Test(arguments: [
    "", "null", "[]", "{}", "{\"formatIdentifier\":\"org.liveedit.edit\",\"formatVersion\":\"1.0\"}",
  ])
  func othersAreNoPresets(_ text: String) {
    #expect(throws: MediaError.self) { try Preset(json: Array(text.utf8), name: "x") }
  }
}
