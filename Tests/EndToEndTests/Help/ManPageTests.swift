import Foundation
import TestSupport
import Testing

@testable import CommandLineTool

/// Tests of the manual pages that scripts/make-man-pages writes, as man(1) shows them.
@Suite struct ManPageTests {
  private static let sections = [
    "NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES", "EXIT STATUS", "SEE ALSO",
  ]

  @Test func everyPageIsWrittenAndShownWithoutWarnings() async throws {
    let folder = try TemporaryFolder()
    let script = TestFiles.project.appendingPathComponent("scripts/make-man-pages").path
    let written = try Tools.run([script, folder.file("man1").path, Command.path])
    try #require(written.status == 0, "\(written.standardError)")
    let pages = [nil] + CommandTable.commands
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("man1").path)
    #expect(Set(names) == Set(pages.map { Self.file($0) }))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for page in pages {
        group.addTask { try Self.check(page, folder.file("man1/" + Self.file(page))) }
      }
      try await group.waitForAll()
    }
  }

  private static func file(_ command: CommandDeclaration?) -> String {
    (command.map { "liveedit-\($0.name)" } ?? "liveedit") + ".1"
  }

  private static func check(_ command: CommandDeclaration?, _ page: URL) throws {
    // A wide terminal, so that no line is cut. Overstriking is removed.
    for language in ["C.UTF-8", "C"] {
      let shown = try Tools.run(
        ["man", "--warnings", "-l", page.path],
        environment: ["MANWIDTH": "500", "LC_ALL": language, "MANPAGER": "cat", "MAN_KEEP_FORMATTING": ""])
      #expect(
        shown.status == 0 && shown.standardError.isEmpty, "\(page.lastPathComponent): \(shown.standardError)")
      let lines = shown.text.components(separatedBy: "\n")
      for section in sections { #expect(lines.contains(section), "\(page.lastPathComponent): \(section)") }
      let words = shown.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      guard let command, language != "C" else { continue }
      #expect(words.contains("NAME liveedit-\(command.name) - "))
      for option in command.allOptions {
        #expect(words.contains("--\(option.name)"), "\(command.name): \(option.name)")
      }
      for example in (command.subcommands.isEmpty ? [command] : command.subcommands).flatMap(\.examples) {
        #expect(words.contains("liveedit \(example.line)"), "\(command.name): \(example.line)")
      }
      // No roff markup remains, and no text is lost.
      #expect(!words.contains("\\"), "\(command.name)")
    }
    // man finds the page by its name in a folder of pages.
    let name = page.deletingPathExtension().lastPathComponent
    let found = try Tools.run(
      ["man", "-M", page.deletingLastPathComponent().deletingLastPathComponent().path, "-w", name])
    #expect(found.text.contains(page.lastPathComponent))
  }
}
