import Foundation
import TestSupport
import Testing

/// Tests that an edit after a revert names the versions that it drops and the versions that remain reachable only by
/// number.
@Suite struct CommandDroppingTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.copy(TestFiles.fixture("IMG_0001.JPG"), TestFiles.fixture("IMG_0001.MOV"))
  }

  private func run(_ line: String) throws -> ToolOutput {
    let output = try Tools.run(
      [Command.path] + line.split(separator: " ").map(String.init), in: folder.url)
    #expect(output.status == 0, "\(line): \(output.standardError)")
    return output
  }

  private func notes(_ line: String) throws -> [String] {
    try run(line).lines.filter { $0.hasPrefix("  note: ") }.map { String($0.dropFirst(8)) }
  }

  /// Returns the numbers of all versions in the history, and of those set aside.
  private func versions() throws -> (all: [Int], aside: [Int]) {
    let output = try run("history --json IMG_0001.JPG")
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data((output.answers.first ?? "").utf8)) as? [String: Any])
    let versions = try #require(object["versions"] as? [[String: Any]])
    let aside = versions.filter { $0["isAside"] as? Bool == true }
    return (versions.compactMap { $0["number"] as? Int }, aside.compactMap { $0["number"] as? Int })
  }

  @Test func versionsThatRedoWouldReachAreDroppedByName() throws {
    for _ in 1...3 { #expect(try notes("rotate --degrees 90 --lossless IMG_0001.JPG") == []) }
    _ = try run("revert --to 1 IMG_0001.JPG")
    #expect(try versions().all == [1, 2, 3])
    let note = "This edit drops versions 2 and 3, which redo could have restored."
    #expect(try notes("flip --horizontal --lossless --dry-run IMG_0001.JPG") == [note])
    #expect(try versions().all == [1, 2, 3])
    #expect(try notes("flip --horizontal --lossless IMG_0001.JPG") == [note])
    #expect(try versions().all == [1, 4])
    _ = try run("revert IMG_0001.JPG")
    let json = try run("rotate --degrees 180 --lossless --json IMG_0001.JPG").answers.first ?? ""
    let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    #expect(
      object["notes"] as? [String] == ["This edit drops version 4, which redo could have restored."])
    #expect(try versions().all == [1, 5])
  }

  @Test func whatCannotBeRenderedAgainStaysByItsNumber() throws {
    _ = try run("rotate --degrees 90 --lossless IMG_0001.JPG")
    // Another program's render replaces liveedit's.
    try FileManager.default.removeItem(at: folder.file("IMG_E0001.JPG"))
    try FileManager.default.copyItem(at: TestFiles.fixture("IMG_0002.JPG"), to: folder.file("IMG_E0001.JPG"))
    _ = try run("revert --to original IMG_0001.JPG")
    let before = try versions()
    let notes = try notes("flip --vertical --lossless IMG_0001.JPG")
    let after = try versions()
    #expect(before.all == [1, 2] && before.aside == [])
    #expect(after.all == [2, 3] && after.aside == [2])
    #expect(
      notes == [
        "This edit drops version 1, which redo could have restored.",
        "Version 2 cannot be rendered again and is kept, but redo no longer reaches it. To switch to it, "
          + "use liveedit revert --to 2.",
      ])
    _ = try run("revert --to 2 IMG_0001.JPG")
    #expect(
      try Data(contentsOf: folder.file("IMG_E0001.JPG"))
        == Data(contentsOf: TestFiles.fixture("IMG_0002.JPG")))
  }
}
