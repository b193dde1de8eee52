import Foundation
import TestSupport
import Testing

/// Tests that links in the documents lead to existing files and that the commands in the documents work.
@Suite struct DocumentationTests {
  /// The paths of all documents, relative to the project.
  static let pages: [String] = {
    let folders = ["", "Documentation/", "Presets/", "Tests/Long/", "scripts/recipes/"]
    return folders.flatMap { folder -> [String] in
      let names = try? FileManager.default.contentsOfDirectory(
        atPath: TestFiles.project.appendingPathComponent(folder).path)
      return (names ?? []).filter { $0.hasSuffix(".md") }.map { folder + $0 }
    }.sorted()
  }()

  /// Every link names an existing file and, after “#”, an existing heading.
  @Test func everyLinkLeadsSomewhere() throws {
    var count = 0
    for page in Self.pages {
      let file = TestFiles.project.appendingPathComponent(page)
      let text = try String(contentsOf: file, encoding: .utf8)
      for link in text.matches(of: /\]\(([^)#\s]*)(?:#([^)\s]+))?[^)]*\)/).map(\.output)
      where !link.1.contains("://") {
        count += 1
        let target =
          link.1.isEmpty
          ? file : file.deletingLastPathComponent().appendingPathComponent(String(link.1)).standardizedFileURL
        #expect(FileManager.default.fileExists(atPath: target.path), "\(page): \(link.0)")
        guard let anchor = link.2, target.pathExtension == "md" else { continue }
        #expect(try Self.anchors(target).contains(String(anchor)), "\(page): \(link.0)")
      }
    }
    #expect(count > 60)
  }

  /// Returns the anchors that GitHub generates from a page's headings.
  private static func anchors(_ page: URL) throws -> [String] {
    try String(contentsOf: page, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("#") }.map {
      line in
      line.drop { $0 == "#" }.lowercased().trimmingCharacters(in: .whitespaces).filter {
        $0.isLetter || $0.isNumber || "-_ ".contains($0)
      }.replacingOccurrences(of: " ", with: "-")
    }
  }

  /// The table of contents lists every page.
  @Test func everyPageIsListed() throws {
    let folder = TestFiles.project.appendingPathComponent("Documentation")
    let contents = try String(contentsOf: folder.appendingPathComponent("README.md"), encoding: .utf8)
    for page in Self.pages where page.hasPrefix("Documentation/") && !page.hasSuffix("README.md") {
      let name = page.dropFirst("Documentation/".count)
      #expect(contents.contains("(\(name))"), "\(page)")
    }
  }

  /// The README can be read in three minutes.
  @Test func theReadmeIsShort() throws {
    let readme = try String(
      contentsOf: TestFiles.project.appendingPathComponent("README.md"), encoding: .utf8)
    #expect(readme.split(separator: "\n", omittingEmptySubsequences: false).count <= 131)
  }

  /// The commands in the README and the tour run exactly as printed.
  @Test(arguments: [("README.md", 6), ("Documentation/Tour.md", 15)])
  func commandsRun(page: String, least: Int) throws {
    let text = try String(contentsOf: TestFiles.project.appendingPathComponent(page), encoding: .utf8)
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("    ") }.map {
      $0.drop { $0 == " " || $0 == "$" }
    }
    .filter { $0.hasPrefix("liveedit ") }
    #expect(lines.count >= least)
    let folder = try TemporaryFolder()
    for name in ["IMG_0001.JPG", "IMG_0001.MOV"] { try folder.copy(TestFiles.fixture(name)) }
    // `liveedit studio` would wait for a browser, so the browser tests start it instead.
    for line in lines where !line.hasPrefix("liveedit studio") {
      let words = line.dropFirst("liveedit".count)
      let answer = try Tools.run(["sh", "-c", "\"$0\"" + words, Command.path], in: folder.url)
      // `auto` exits with 2 if a picture needs no change.
      #expect(
        answer.status == 0 || answer.status == 2 && line.contains(" auto "),
        "\(line)\n\(answer.standardError)")
    }
  }
}
