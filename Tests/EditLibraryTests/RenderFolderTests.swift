import Basics
import EditLibrary
import Foundation
import TestSupport
import Testing

/// Tests of the render helpers' folders: either all files get their names from them, or none.
@Suite struct RenderFolderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
  }

  @Test func filesGetTheirNames() throws {
    let folders = try ["photo", "movie"].map { try RenderFolder(for: folder.file($0).path) }
    #expect(try names == ["liveedit-render-movie", "liveedit-render-photo"])
    for made in folders { try Data(made.target.utf8).write(to: URL(fileURLWithPath: made.path)) }
    try RenderFolder.publish(folders)
    #expect(try names == ["movie", "photo"])
    #expect(try String(contentsOf: folder.file("photo"), encoding: .utf8) == folder.file("photo").path)
  }

  @Test func oneThatIsMissingLeavesNone() throws {
    let folders = try ["photo", "movie"].map { try RenderFolder(for: folder.file($0).path) }
    try Data("photo".utf8).write(to: URL(fileURLWithPath: folders[0].path))
    #expect(throws: EditError.self) { try RenderFolder.publish(folders) }
    for made in folders { made.discard() }
    #expect(try names == [])
  }

  @Test func whatHasTheNameStays() throws {
    let made = try RenderFolder(for: folder.file("photo").path)
    try Data("new".utf8).write(to: URL(fileURLWithPath: made.path))
    try folder.write(Array("old".utf8), to: "photo")
    #expect(throws: EditError.self) { try RenderFolder.publish([made]) }
    made.discard()
    #expect(try names == ["photo"])
    #expect(try String(contentsOf: folder.file("photo"), encoding: .utf8) == "old")
  }

  /// A link that a helper created in place of its file is not followed.
  @Test func aLinkIsNoFile() throws {
    try folder.write(Array("secret".utf8), to: "secret")
    let made = try RenderFolder(for: folder.file("photo").path)
    try FileManager.default.createSymbolicLink(
      atPath: made.path, withDestinationPath: folder.file("secret").path)
    #expect(throws: EditError.self) { try RenderFolder.publish([made]) }
    #expect(!FileManager.default.fileExists(atPath: folder.file("photo").path))
  }

  @Test func whatADeadProcessLeftIsMadeAnew() throws {
    let first = try RenderFolder(for: folder.file("photo").path)
    try Data("half".utf8).write(to: URL(fileURLWithPath: first.path))
    let second = try RenderFolder(for: folder.file("photo").path)
    #expect(!FileManager.default.fileExists(atPath: second.path))
    second.discard()
    #expect(try names == [])
  }
}
