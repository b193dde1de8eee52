import Foundation
import TestSupport
import Testing

/// What the documents say leads somewhere, and what they have people type works.
@Suite struct DocumentationTests {
  /// The documents of the project, by their paths in it.
  static let pages: [String] = {
    let folders = ["", "Documentation/", "Presets/", "Tests/Long/", "scripts/recipes/"]
    return folders.flatMap { folder -> [String] in
      let names = try? FileManager.default.contentsOfDirectory(
        atPath: TestFiles.project.appendingPathComponent(folder).path)
      return (names ?? []).filter { $0.hasSuffix(".md") }.map { folder + $0 }
    }.sorted()
  }()

  @Test func everyLinkLeadsSomewhere() throws {
    var count = 0
    for page in Self.pages {
      let file = TestFiles.project.appendingPathComponent(page)
      let text = try String(contentsOf: file, encoding: .utf8)
      for link in text.matches(of: /\]\(([^)#\s]+)[^)]*\)/).map(\.output.1) where !link.contains("://") {
        count += 1
        let target = file.deletingLastPathComponent().appendingPathComponent(String(link)).standardizedFileURL
        #expect(FileManager.default.fileExists(atPath: target.path), "\(page): \(link)")
      }
    }
    #expect(count > 60)
  }

  /// Every page is found from the table of contents.
  @Test func everyPageIsListed() throws {
    let folder = TestFiles.project.appendingPathComponent("Documentation")
    let contents = try String(contentsOf: folder.appendingPathComponent("README.md"), encoding: .utf8)
    for page in Self.pages where page.hasPrefix("Documentation/") && !page.hasSuffix("README.md") {
      let name = page.dropFirst("Documentation/".count)
      #expect(contents.contains("(\(name))"), "\(page)")
    }
  }

  /// The tour of the README, word for word.
  @Test func theTourIsWalked() throws {
    let readme = try String(
      contentsOf: TestFiles.project.appendingPathComponent("README.md"), encoding: .utf8)
    #expect(readme.split(separator: "\n", omittingEmptySubsequences: false).count <= 201)
    let tour = try #require(readme.split(separator: "## A tour of ten").last?.split(separator: "\n## ").first)
    let lines = tour.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { $0.hasPrefix("liveedit ") }
    #expect(lines.count >= 15)
    let folder = try TemporaryFolder()
    for name in ["IMG_0001.JPG", "IMG_0001.MOV"] { try folder.copy(TestFiles.fixture(name)) }
    // The studio would wait for a browser; the browser's tests start it.
    for line in lines where !line.hasPrefix("liveedit studio") {
      let words = line.dropFirst("liveedit".count)
      let answer = try Tools.run(["sh", "-c", "\"$0\"" + words, Command.path], in: folder.url)
      // What the pictures of the fixtures do not need is nothing to do.
      #expect(
        answer.status == 0 || answer.status == 2 && line.contains(" auto "),
        "\(line)\n\(answer.standardError)")
    }
  }
}
