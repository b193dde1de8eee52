import Foundation
import TestSupport
import Testing

@testable import CommandLineTool

/// Tests of all help texts against Tests/Snapshots/help.
@Suite struct HelpTextTests {
  /// The arguments of `help` for every help text.
  static let subjects = [""] + CommandTable.all.map(\.name) + HelpText.topics.map(\.name)

  @Test(arguments: subjects) func everyTextIsAsItWas(_ subject: String) throws {
    let folder = FileManager.default.temporaryDirectory
    let words = subject.split(separator: " ").map(String.init)
    let output = try Tools.run([Command.path, "help"] + words, in: folder)
    #expect(output.status == 0 && output.standardError.isEmpty)
    try Snapshot.expect(output.text, "help/" + (subject.isEmpty ? "liveedit" : words.joined(separator: "-")))
    guard CommandTable.command(words) != nil || subject.isEmpty else { return }
    #expect(try Tools.run([Command.path] + words + ["--help"], in: folder).text == output.text)
  }

  @Test func noTextIsLeftOver() throws {
    let names = try FileManager.default.contentsOfDirectory(
      atPath: Snapshot.folder.appendingPathComponent("help").path)
    let known = Self.subjects.map { $0.isEmpty ? "liveedit" : $0.replacing(" ", with: "-") }
    #expect(Set(names) == Set(known.map { $0 + ".txt" }))
  }

  @Test(arguments: CommandTable.all.map(\.name)) func everyCommandIsDeclaredInFull(_ name: String) throws {
    let command = try #require(CommandTable.all.first { $0.name == name })
    #expect(command.summary.description.count < 60, "\(command.summary)")
    #expect(command.examples.count >= 2)
    for example in command.examples {
      #expect(example.line.hasPrefix(name), "\(example.line)")
      #expect(
        example.meaning.hasSuffix(".") && example.meaning.description.count <= 100, "\(example.meaning)")
    }
    for line in HelpText.lines(command) { #expect(line.count <= 110, "\(line)") }
    for related in command.related { #expect(CommandTable.command([related]) != nil, "\(related)") }
    for option in command.allOptions {
      #expect(!option.help.hasSuffix("."), "\(option.name)")
      for (_, value) in option.synonymsOfValues {
        if case .word(let words) = option.type { #expect(words.contains(value), "\(option.name): \(value)") }
      }
    }
  }

  /// The help text of a command mentions filters only if the command accepts them.
  @Test func helpShowsOnlyWhatConcernsTheCommand() {
    for command in CommandTable.all {
      let text = HelpText.lines(command).joined(separator: "\n")
      #expect(text.contains("near 48.137") == (command.name == "list"), "\(command.name)")
      #expect(
        text.contains("help filters") == (command.selects || ["help", "list"].contains(command.name)),
        "\(command.name)")
    }
  }

  @Test func versions() throws {
    let folder = FileManager.default.temporaryDirectory
    let plain = try Command.run("--version", in: folder).text
    #expect(try Command.run("version", in: folder).text == plain)
    let verbose = try Command.run("version", "--verbose", in: folder)
    #expect(verbose.status == 0 && verbose.text.hasPrefix(plain))
    // ffmpeg, linked to the same libraries, prints “libavcodec     59. 37.100 / 59. 37.100”.
    let ffmpeg = try Tools.output("ffmpeg", "-version").text
    for name in ["libavcodec", "libavformat", "libavutil", "libswscale"] {
      let line = try #require(ffmpeg.split(separator: "\n").first { $0.hasPrefix(name + " ") })
      let number = line.dropFirst(name.count).split(separator: "/")[1].filter { $0 != " " }
      #expect(verbose.lines.contains { $0.contains(name) && $0.contains(" \(number)") }, "\(name) \(number)")
    }
    // The kernel itself reports which features it has.
    let landlock = try Kernel.landlock()
    #expect(landlock == 0 || verbose.text.contains("its output locations (Landlock \(landlock))"))
    let isFiltered = verbose.text.contains("system calls allowed; no network, no other programs")
    #expect(try isFiltered == Kernel.hasCallFilters())
    let json = try Command.run("version", "--verbose", "--json", in: folder).answers.first ?? ""
    let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    let libraries = try #require(object["libraries"] as? [[String: String]])
    let row = try Tools.run(["python3", "-c", "import sqlite3; print(sqlite3.sqlite_version)"]).lines.first
    #expect(libraries.contains { $0["name"] == "SQLite" && $0["version"] == row })
  }
}
