import Foundation
import TestSupport
import Testing

@testable import CommandLineTool

/// Tests of ten wrong usages of each command against Tests/Snapshots/wrong-usage. Lines that begin with “$” are typed
/// as in a shell, and each is followed by its exit status and standard error.
@Suite struct WrongUsageTests {
  static let commands = [""] + CommandTable.all.map(\.name)

  @Test(arguments: commands) func everyMessageSaysWhatToType(_ command: String) throws {
    let name = "wrong-usage/" + (command.isEmpty ? "liveedit" : command.replacing(" ", with: "-"))
    let committed = try #require(Snapshot.text(name), "Tests/Snapshots/\(name).txt is missing")
    let lines = committed.split(separator: "\n").filter { $0.hasPrefix("$ ") }.map { String($0.dropFirst(2)) }
    #expect(lines.count >= 10)
    let folder = try TemporaryFolder()
    for fixture in ["IMG_0001.JPG", "IMG_0001.MOV", "IMG_0002.JPG", "IMG_0002.MOV"] {
      try folder.copy(TestFiles.fixture(fixture))
    }
    try folder.write(Array("text".utf8), to: "notes.txt")
    for name in ["Photos", "out"] {
      try FileManager.default.createDirectory(at: folder.file(name), withIntermediateDirectories: false)
    }
    var found = ""
    for line in lines {
      let output = try Tools.run(
        [Command.path] + words(line).dropFirst(), in: folder.url,
        environment: [
          "XDG_CONFIG_HOME": folder.file("config").path, "XDG_STATE_HOME": folder.file("state").path,
        ])
      let sentence = output.standardError.replacing(folder.url.path, with: "HERE")
      found += "$ \(line)\n\(output.status) \(sentence)\n"
      let said = output.standardError.split(separator: "\n")
      #expect(said.first?.hasPrefix("liveedit: ") == true, "\(line)")
      if output.status == 64 {
        // The message, and a pointer to the help.
        #expect(
          said.count == 2 && said[1].hasPrefix("see liveedit ") && said[1].hasSuffix("--help."), "\(line)"
        )
        let own =
          command.isEmpty || said[1].hasPrefix("see liveedit \(command) ")
          || said[1].hasPrefix("see liveedit --help")
        #expect(own, "\(line): \(said[1])")
      } else {
        #expect(output.status == 1 && said.count == 1, "\(line): \(output.status) \(output.standardError)")
      }
    }
    try Snapshot.expect(String(found.dropLast()), name)
  }

  /// Splits a line like a shell in which only spaces and quotes are special.
  private func words(_ line: String) throws -> [String] {
    var (words, quote): ([String], Character?) = ([""], nil)
    for character in line {
      if character == quote {
        quote = nil
      } else if quote == nil, character == " " {
        words.append("")
      } else if quote == nil, "\"'".contains(character) {
        quote = character
      } else {
        try #require(quote == "'" || !"$`\\".contains(character), "a shell is needed: \(line)")
        try #require(quote != nil || !"*?~;|&<>()#".contains(character), "a shell is needed: \(line)")
        words[words.count - 1].append(character)
      }
    }
    return words
  }
}
