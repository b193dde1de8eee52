import Foundation
import TestSupport
import Testing

@testable import FileSystem

@Suite struct FileTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  func path(_ name: String) -> String { folder.file(name).path }

  func text(_ name: String) throws -> String { try String(contentsOf: folder.file(name), encoding: .utf8) }

  @Test func createNeverOverwrites() throws {
    try File.create(path("a"), bytes: Array("one".utf8))
    #expect(throws: SystemError.exists) { try File.create(path("a"), bytes: Array("two".utf8)) }
    #expect(try text("a") == "one")
    try FileManager.default.createSymbolicLink(atPath: path("link"), withDestinationPath: path("target"))
    #expect(throws: SystemError.exists) { try File.create(path("link"), bytes: []) }
    #expect(try folder.names() == ["a", "link"])
  }

  @Test(arguments: [false, true])
  func movingNeverOverwrites(byLink: Bool) throws {
    let held = try HeldFolder(path: folder.url.path)
    func move(_ name: String, _ target: String) throws {
      if byLink {
        try File.moveByLink(name, in: held.descriptor, toFree: target, in: held.descriptor)
      } else {
        try held.move(name, toFree: target)
      }
    }
    try File.create(path("a"), bytes: Array("one".utf8))
    try File.create(path("b"), bytes: Array("two".utf8))
    #expect(throws: SystemError.exists) { try move("a", "b") }
    #expect(try text("b") == "two")
    try move("a", "c")
    #expect(try text("c") == "one")
    #expect(try folder.names() == ["b", "c"])
    #expect(throws: SystemError.notFound) { try move("a", "d") }
    // A dangling link also occupies its name.
    try FileManager.default.createSymbolicLink(atPath: path("link"), withDestinationPath: path("nowhere"))
    #expect(throws: SystemError.exists) { try move("b", "link") }
  }

  @Test func removingTellsWhetherThereWasSomething() throws {
    try File.create(path("a"), bytes: [])
    #expect(try File.remove(path("a")))
    #expect(try !File.remove(path("a")))
    #expect(try Folder.create(path("f")))
    #expect(try !Folder.create(path("f")))
    #expect(throws: SystemError.self) { try File.remove(path("f")) }
  }

  @Test func statusSeesLinksOrThroughThem() throws {
    try File.create(path("a"), bytes: [1, 2, 3])
    try FileManager.default.createSymbolicLink(atPath: path("link"), withDestinationPath: path("a"))
    #expect(try FileStatus(path: path("link")).size == 3)
    #expect(try FileStatus(path: path("link")).place == FileStatus(path: path("a")).place)
    #expect(try FileStatus(path: path("link"), followingLinks: false).kind == .symbolicLink)
    #expect(try FileStatus(path: folder.url.path).kind == .folder)
    #expect(try FileStatus(path: "/dev/null").kind == .other)
    #expect(try !FileStatus.exists(path("b")))
  }

  @Test func namesAreThoseThatLsLists() throws {
    for name in ["b", ".hidden", "ä \n"] { try File.create(path(name), bytes: []) }
    #expect(try Folder.names(in: folder.url.path).sorted() == [".hidden", "b", "ä \n"].sorted())
    #expect(throws: SystemError.notFound) { try Folder.names(in: path("none")) }
  }

  @Test func namesThatAreNotUTF8AreToldApart() throws {
    try File.create(path("é"), bytes: [])
    _ = try Tools.output(
      "sh", "-c",
      #"cd "$1"; printf abc > "$(printf 'caf\351.JPG')"; mkdir "$(printf '\377')"; ln -s é "$(printf '\376')""#,
      "sh", folder.url.path)
    let contents = try Folder.contents(of: folder.url.path)
    #expect(try contents.names == ["é"] && Folder.names(in: folder.url.path) == ["é"])
    let odd = contents.unusable.sorted { $0.name < $1.name }
    #expect(odd.map(\.name) == [#"\xfe"#, #"\xff"#, #"caf\xe9.JPG"#])
    #expect(odd.map(\.status?.kind) == [.regular, .folder, .regular])
    #expect(odd.map(\.status?.size).last == 3)
  }

  @Test func aFolderIsReadableOrNot() throws {
    try File.create(path("a"), bytes: [])
    try Folder.checkReadable(folder.url.path)
    #expect(throws: SystemError.notFound) { try Folder.checkReadable(path("none")) }
    #expect(throws: SystemError(ENOTDIR)) { try Folder.checkReadable(path("a")) }
    // A FIFO does not cause the call to wait.
    _ = try Tools.output("mkfifo", path("pipe"))
    #expect(throws: SystemError(ENOTDIR)) { try Folder.checkReadable(path("pipe")) }
  }
}
