import EditModel
import LiveEdit
import RenderClient
import Testing
import Workflows

@testable import CommandLineTool

@Suite struct CommandParsingTests {
  func request(_ words: String...) throws -> EditRequest {
    try #require((try command(words) as? BatchCommand)?.request)
  }

  /// Returns the rotation that an editing command requests.
  func turn(_ words: String...) throws -> Orientation? {
    guard case .further(let turn)? = try (command(words) as? BatchCommand)?.request?.change as? RotateCommand
    else { return nil }
    return turn
  }

  func complaint(_ words: String...) -> String? { liveeditComplaint(words) }

  @Test func optionsStandAnywhereAndTakeValuesInTwoWays() throws {
    for words in [
      "rotate --degrees 90 -o out a.JPG b.JPG", "rotate a.JPG --output=out b.JPG --degrees=90",
      "rotate --degrees=90 --output out -- a.JPG b.JPG",
    ] {
      let command = try command(words.split(separator: " ").map(String.init))
      let request = try #require((command as? BatchCommand)?.request)
      #expect(request.change as? RotateCommand == .further(.right))
      #expect(request.output == "out" && request.selection.names == ["a.JPG", "b.JPG"])
    }
  }

  /// British and American spellings of options, values and fields are equivalent.
  @Test(arguments: [
    ("mark --favorite a", "mark --favourite a"), ("mark --no-favorite a", "mark --no-favourite a"),
    ("crop --aspect 1:1 --anchor centre a", "crop --aspect 1:1 --anchor center a"),
    ("auto --only light,colour a", "auto --only light,color a"),
    ("adjust --reset colour a", "adjust --reset color a"),
  ])
  func bothSpellings(_ american: String, _ british: String) throws {
    let parsed = try [american, british].map { line in
      let arguments = try ArgumentParser.parse(line.split(separator: " ").map(String.init))
      return arguments.options.merging(arguments.lists.mapValues { $0.joined() }) { $1 }
    }
    #expect(parsed[0] == parsed[1] && !parsed[0].isEmpty)
  }

  @Test(arguments: [("90", Orientation.right), ("180", .down), ("270", .left), ("-90", .left)])
  func degrees(_ value: String, _ change: Orientation) throws {
    #expect(try turn("rotate", "--degrees", value, "a") == change)
    #expect(try turn("rotate", "--degrees=\(value)", "a") == change)
  }

  @Test func flips() throws {
    #expect(try turn("flip", "--horizontal", "a") == .upMirrored)
    #expect(try turn("flip", "--vertical", "a") == .downMirrored)
    #expect(complaint("flip", "a")?.contains("--horizontal or --vertical") == true)
    #expect(complaint("flip", "--horizontal", "--vertical", "a") != nil)
  }

  @Test func settings() throws {
    let settings = try request(
      "flip", "--vertical", "--video-codec", "hevc", "--quality=small", "--speed", "slow", "--json", "a")
    #expect(settings.settings == SettingsChange(videoCodec: .hevc, quality: .small, speed: .slow))
    #expect(try ArgumentParser.parse(["flip", "--vertical", "--json", "a"]).isJSON)
    #expect(try request("flip", "--vertical", "a").settings == SettingsChange())
    #expect(try request("flip", "--vertical", "--lossless", "a").settings == SettingsChange(isLossless: true))
    #expect(
      complaint("flip", "--vertical", "--lossless", "--speed", "slow", "a")?.contains("--speed") == true)
  }

  @Test func aDashIsAFileAndSoIsEverythingBehindTwo() throws {
    #expect(
      try request("flip", "--vertical", "-", "--", "--json", "-x").selection.names == ["-", "--json", "-x"])
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
    #expect(throws: UsageError.self) { try command(words) }
  }

  @Test func mistypedWordsAreGuessed() {
    #expect(complaint("rotat", "a")?.contains("did you mean liveedit rotate?") == true)
    #expect(complaint("flip", "--vertcal", "a")?.contains("did you mean --vertical?") == true)
    #expect(complaint("frobnicate", "a")?.contains("did you mean") == false)
  }

  @Test(arguments: [
    ("kitten", "sitting", 3), ("", "abc", 3), ("abc", "", 3), ("flaw", "lawn", 2), ("same", "same", 0),
  ])
  func distances(_ one: String, _ other: String, _ distance: Int) {
    #expect(Suggestion.distance(one, other) == distance)
  }

  @Test func helpNamesEveryOptionAndChoice() {
    for command in CommandTable.all where command.subcommands.isEmpty {
      let text = HelpText.lines(command).joined(separator: "\n")
      for option in command.allOptions {
        #expect(text.contains("--" + option.name))
        #expect((option.type == .flag) == (option.placeholder == nil), "\(option.name)")
        if case .word(let choices) = option.type {
          for choice in choices { #expect(option.help.contains(choice)) }
          if let standard = option.standard { #expect(choices.contains(standard)) }
        }
      }
    }
    let overview = HelpText.lines(nil)
    #expect(overview.count <= 50)
    let commands = HelpText.topic("commands")?.text().split(separator: "\n") ?? []
    for command in CommandTable.commands {
      #expect(overview.contains { $0.contains(command.name) })
      #expect(commands.contains { $0.hasSuffix("  \(command.summary)") })
    }
  }

  /// Words that other programs use lead to the right command, option, subcommand or value.
  @Test(arguments: [
    ("undo a", "liveedit revert"), ("turn a", "liveedit rotate"), ("mirror a", "liveedit flip"),
    ("enhance a", "liveedit auto"), ("info a", "liveedit inspect"), ("ls", "liveedit list"),
    ("mv a b", "liveedit move"),
    ("rm a", "liveedit forget"), ("convert a", "liveedit export"), ("log a", "liveedit history"),
    ("brightness 1 a", "liveedit adjust --brightness"), ("rotate --angle 90 a", "--degrees"),
    ("rotate --deg 90 a", "--degrees"), ("rotate -degrees 90 a", "--degrees"),
    ("flip --vertical --out o a", "--output"),
    ("list --recurse", "--recursive"), ("flip -n a", "--dry-run"), ("preset new x", "preset save"),
    ("album rm x a", "album remove"), ("rotate --degrees left a", "-90"),
    ("flip --vertical --quality best a", "high"),
    ("export --as mp4 -o o a", "movie"), ("revert --to orignal a", "original"),
    ("help undo", "liveedit revert"),
  ])
  func synonymsFindWhatIsMeant(_ line: String, _ word: String) {
    let said = liveeditComplaint(line.split(separator: " ").map(String.init))
    #expect(said?.hasSuffix("; did you mean \(word)?") == true, "\(said ?? "nothing")")
  }

  /// Each synonym leads to only one command or option and is not the name of another.
  @Test func synonymsAreUnambiguous() {
    func check(_ choices: [Suggestion.Choice], _ place: String) {
      let words = choices.flatMap { Set($0.synonyms).union([$0.word]) }
      let doubled = Dictionary(grouping: words) { $0 }.filter { $0.value.count > 1 }.keys
      #expect(doubled.isEmpty, "\(place): \(doubled)")
    }
    check(CommandTable.commands.map(\.choice), "commands")
    for command in CommandTable.all {
      check(command.subcommands.map(\.choice), command.name)
      if command.subcommands.isEmpty { check(command.allOptions.map(\.choice), command.name) }
    }
  }

  /// Options accept exactly the values that they declare.
  @Test func declaredValuesAreThoseThatAreTaken() throws {
    for declaration in CommandTable.commands where declaration.kind == .editing {
      for option in declaration.options {
        guard case .number(let range, _) = option.type else { continue }
        let name = declaration.name
        let rest = option.name == "look-intensity" ? ["--look", "film", "a"] : ["a"]
        let others = ["intensity": ["--preset", "vivid"], "key-photo": ["--to", "1"]]
        let needed = others[option.name, default: []] + rest
        for value in [range.lowerBound, range.upperBound] {
          #expect(liveeditComplaint([name, "--\(option.name)=\(value)"] + needed) == nil)
        }
        for value in [range.lowerBound - 0.01, range.upperBound + 0.01] {
          let said = liveeditComplaint([name, "--\(option.name)=\(value)"] + needed)
          let refusal = "--\(option.name) cannot be \(value);"
          #expect(
            said?.hasPrefix("\(refusal) give a number from ") == true
              || said?.hasPrefix("\(refusal) use a number from ") == true, "\(said ?? "nothing")")
        }
      }
    }
  }
}

/// Returns the command for a command line, ready to run.
func command(_ words: [String]) throws(UsageError) -> (any CommandLineTool.Command)? {
  let arguments = try ArgumentParser.parse(words)
  return try arguments.command?.command(arguments)
}

/// Returns the error message for a refused command line; nil if the command line is accepted.
func liveeditComplaint(_ words: [String]) -> String? {
  do {
    _ = try command(words)
    return nil
  } catch {
    return error.message.description
  }
}
