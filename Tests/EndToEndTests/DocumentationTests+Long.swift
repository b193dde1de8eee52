import Foundation
import TestSupport
import Testing

extension DocumentationTests {
  /// Every link in the Swift API documentation leads to a symbol or an article.
  @Test func theReferenceIsMadeWithoutWarnings() throws {
    let folder = try TemporaryFolder()
    let build = URL(fileURLWithPath: Command.path).deletingLastPathComponent()
    let answer = try Tools.run([
      TestFiles.project.appendingPathComponent("scripts/make-documentation").path,
      folder.file("reference").path, build.path,
    ])
    #expect(answer.status == 0, "\(answer.text)\n\(answer.standardError)")
    let page = folder.file("reference/data/documentation/liveedit/photolibrary.json")
    #expect(FileManager.default.fileExists(atPath: page.path))
  }
}
