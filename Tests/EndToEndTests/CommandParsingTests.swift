import EditModel
import LiveEdit
import Testing

@testable import liveedit

@Suite struct CommandParsingTests {
  func request(_ words: String...) throws -> EditRequest { try EditRequest(ArgumentParser.parse(words)) }

  func complaint(_ words: String...) -> String? {
    do {
      _ = try EditRequest(ArgumentParser.parse(words))
      return nil
    } catch {
      return error.message
    }
  }

  @Test func optionsStandAnywhereAndTakeValuesInTwoWays() throws {
    let expected = try request("rotate", "--degrees", "90", "-o", "out", "a.JPG", "b.JPG")
    #expect(
      expected.change == .turn(.right) && expected.output == "out" && expected.files == ["a.JPG", "b.JPG"])
    #expect(try request("rotate", "a.JPG", "--output=out", "b.JPG", "--degrees=90") == expected)
    #expect(try request("rotate", "--degrees=90", "--output", "out", "--", "a.JPG", "b.JPG") == expected)
  }

  @Test(arguments: [("90", Orientation.right), ("180", .down), ("270", .left), ("-90", .left)])
  func degrees(_ value: String, _ change: Orientation) throws {
    #expect(try request("rotate", "--degrees", value, "a").change == .turn(change))
    #expect(try request("rotate", "--degrees=\(value)", "a").change == .turn(change))
  }

  @Test func flips() throws {
    #expect(try request("flip", "--horizontal", "a").change == .turn(.upMirrored))
    #expect(try request("flip", "--vertical", "a").change == .turn(.downMirrored))
    #expect(complaint("flip", "a")?.contains("--horizontal or --vertical") == true)
    #expect(complaint("flip", "--horizontal", "--vertical", "a") != nil)
  }

  @Test func settings() throws {
    let settings = try request(
      "flip", "--vertical", "--video-codec", "hevc", "--quality=small", "--speed", "slow", "--json", "a")
    #expect(settings.settings == SettingsChange(videoCodec: .hevc, quality: .small, speed: .slow))
    #expect(settings.isJSON)
    #expect(try request("flip", "--vertical", "a").settings == SettingsChange())
    #expect(try request("flip", "--vertical", "--lossless", "a").settings == SettingsChange(isLossless: true))
    #expect(
      complaint("flip", "--vertical", "--lossless", "--speed", "slow", "a")?.contains("--speed") == true)
  }

  @Test func aDashIsAFileAndSoIsEverythingBehindTwo() throws {
    #expect(try request("flip", "--vertical", "-", "--", "--json", "-x").files == ["-", "--json", "-x"])
  }

  @Test(arguments: [
    ["rotate", "a"], ["rotate", "--degrees", "45", "a"], ["rotate", "--degrees"],
    ["rotate", "--degrees=", "a"],
    ["rotate", "--degrees", "90"], ["rotate", "--degrees", "90", "--degrees", "90", "a"],
    ["flip", "--vertical=yes", "a"], ["flip", "--vertical", "--degrees", "90", "a"],
    ["flip", "--vertical", "-x", "a"],
    ["flip", "--vertical", "-ox", "a"], ["spin", "a"], ["flip", "--vertical", "--quality", "best", "a"],
    ["--json", "flip"], ["flip", "--", "a"],
  ])
  func whatIsWrongIsSaid(_ words: [String]) {
    #expect(throws: UsageError.self) { try EditRequest(ArgumentParser.parse(words)) }
  }

  @Test func mistypedWordsAreGuessed() {
    #expect(complaint("rotat", "a")?.contains("did you mean rotate?") == true)
    #expect(complaint("flip", "--vertcal", "a")?.contains("did you mean --vertical?") == true)
    #expect(complaint("develop", "a")?.contains("did you mean") == false)
  }

  @Test(arguments: [
    ("kitten", "sitting", 3), ("", "abc", 3), ("abc", "", 3), ("flaw", "lawn", 2), ("same", "same", 0),
  ])
  func distances(_ one: String, _ other: String, _ distance: Int) {
    #expect(Suggestion.distance(one, other) == distance)
  }

  @Test func helpNamesEveryOptionAndChoice() {
    for command in CommandTable.commands {
      let text = HelpText.lines(command: command.name).joined(separator: "\n")
      for option in command.allOptions {
        #expect(text.contains("--" + option.name))
        for choice in option.choices { #expect(option.help.contains(choice)) }
      }
      #expect(HelpText.lines(command: nil).contains { $0.hasSuffix("  " + command.summary) })
    }
  }
}
