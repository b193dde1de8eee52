import Basics
import Foundation
import TestSupport
import Testing

@testable import FileSystem

/// Tests that a guarded folder remains the original folder, even if something else appears at its path.
@Suite struct GuardedFolderTests {
  let folder: TemporaryFolder
  let root: HeldFolder
  let guarded: GuardedFolder

  /// The path of the guarded folder.
  var sub: String { folder.file("top/sub").path }

  init() throws {
    folder = try TemporaryFolder()
    for name in ["top/sub/.liveedit", "top/other", "victim/.liveedit"] {
      try FileManager.default.createDirectory(at: folder.file(name), withIntermediateDirectories: true)
    }
    for (text, name) in [
      ("own", "top/sub/a"), ("kept", "top/sub/.liveedit/a"), ("other", "top/other/a"),
      ("precious", "victim/a"),
      ("precious", "victim/.liveedit/a"),
    ] { try folder.write(Array(text.utf8), to: name) }
    root = try HeldFolder(path: folder.file("top").path)
    guarded = try GuardedFolders.add(folder.file("top/sub").path, in: root)
  }

  private func text(_ path: String) throws -> String {
    String(decoding: try FileByteSource(path: path).bytes(atMost: 100) ?? [], as: UTF8.self)
  }

  private func move(_ name: String, _ target: String) throws {
    try FileManager.default.moveItem(at: folder.file(name), to: folder.file(target))
  }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: folder.file(name).path, withDestinationPath: target)
  }

  /// Every function that accepts a path.
  private static let calls: [(name: String, call: @Sendable (String) throws -> Void)] = [
    ("held", { _ = try HeldFolder(path: $0) }),
    ("leading", { _ = try HeldFolder.leading(to: $0 + "/a") }),
    ("leading own", { _ = try HeldFolder.leading(to: $0 + "/.liveedit/a") }),
    ("find", { _ = try HeldFolder.find($0 + "/a") }),
    ("names", { _ = try Folder.names(in: $0) }),
    ("readable", { try Folder.checkReadable($0) }),
    ("status", { _ = try FileStatus(path: $0 + "/a") }),
    ("status of the link", { _ = try FileStatus(path: $0 + "/a", followingLinks: false) }),
    ("source", { _ = try FileByteSource(path: $0 + "/a") }),
    ("own source", { _ = try FileByteSource(path: $0 + "/.liveedit/a") }),
    ("create", { try File.create($0 + "/new", bytes: [1]) }),
    ("own create", { try File.create($0 + "/.liveedit/new", bytes: [1]) }),
    ("sink", { _ = try FileByteSink(path: $0 + "/new") }),
    ("remove", { try File.remove($0 + "/a") }),
    ("copy", { try copyFile("/proc/self/status", to: $0 + "/new") }),
  ]

  private func check(_ code: Int32, _ comment: String) throws {
    let before = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path).sorted()
    for (name, call) in Self.calls {
      do {
        try call(sub)
        Issue.record("\(comment), \(name)")
      } catch let error as SystemError {
        #expect(error.code == code, "\(comment), \(name)")
      } catch let error as EditError {
        #expect(error.code == (code == ELOOP ? .inTheWay : .conflict), "\(comment), \(name): \(error)")
      }
    }
    #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.url.path).sorted() == before)
    #expect(!GuardedFolders.holds(guarded))
  }

  @Test func nothingElseIsOpenedAtItsPath() throws {
    #expect(try text(sub + "/a") == "own" && text(sub + "/.liveedit/a") == "kept")
    try move("top/sub", "top/.gone")
    for target in ["../victim", folder.file("victim").path, ".gone", "other"] {
      try link("top/sub", to: target)
      try check(ELOOP, target)
      try FileManager.default.removeItem(at: folder.file("top/sub"))
    }
    try move("top/other", "top/sub")
    try check(ESTALE, "another folder")
    // After guarding the path again, the caller can continue with the new folder.
    let again = try GuardedFolders.add(sub, in: root)
    #expect(try text(sub + "/a") == "other" && GuardedFolders.holds(again) && !GuardedFolders.holds(guarded))
    try move("top/sub", "top/other")
    try move("top/.gone", "top/sub")
    #expect(try GuardedFolders.add(sub, in: root) == guarded && text(sub + "/a") == "own")
    GuardedFolders.remove([guarded])
    try move("top/sub", "top/.gone")
    try link("top/sub", to: "other")
    #expect(try text(sub + "/a") == "other")
  }

  @Test func theHeldFolderMustStandWhereItStood() throws {
    try move("top", "moved")
    #expect(throws: SystemError.notFound) { try HeldFolder(path: sub) }
    try FileManager.default.copyItem(at: folder.file("moved"), to: folder.file("top"))
    try check(ESTALE, "a copy")
    try FileManager.default.removeItem(at: folder.file("top"))
    // A link to the folder counts as the folder itself.
    try link("top", to: "moved")
    #expect(try text(sub + "/a") == "own")
    GuardedFolders.remove([guarded])
  }

  @Test func linksOfFilesLeadNowhereElse() throws {
    try link("top/sub/out", to: "../../victim/a")
    try link("top/sub/absolute", to: folder.file("victim/a").path)
    try link("top/way", to: "../victim")
    try link("top/sub/through", to: "../way/a")
    try link("top/sub/file", to: "/proc/self/status")
    for name in ["out", "absolute", "through", "file"] {
      let path = sub + "/" + name
      #expect(throws: SystemError.otherFileSystem, "\(name)") { try FileByteSource(path: path) }
      #expect(throws: SystemError.otherFileSystem, "\(name)") { try FileStatus(path: path) }
      #expect(throws: SystemError.otherFileSystem, "\(name)") { try HeldFolder.find(path) }
      let held = try HeldFolder(path: sub)
      #expect(throws: SystemError.otherFileSystem) { try held.source(name, followingLinks: true) }
      #expect(throws: SystemError.otherFileSystem) { try held.statusAndBirth(name, followingLinks: true) }
      #expect(try held.status(name).kind == .symbolicLink)
    }
    try link("top/sub/in", to: "../other/a")
    try link("top/sub/absolutely", to: folder.file("top/other/a").path)
    try link("top/near", to: "other")
    try link("top/sub/twice", to: "../near/a")
    for name in ["in", "absolutely", "twice"] {
      #expect(try text(sub + "/" + name) == "other", "\(name)")
      #expect(try FileStatus(path: sub + "/" + name).size == 5)
      #expect(try FileStatus(path: sub + "/" + name, followingLinks: false).kind == .symbolicLink)
      let held = try HeldFolder(path: sub)
      #expect(try held.status(name, followingLinks: true).kind == .regular)
    }
    try link("top/sub/nowhere", to: "none")
    #expect(throws: SystemError.notFound) { try FileByteSource(path: sub + "/nowhere") }
    GuardedFolders.remove([guarded])
    #expect(try text(sub + "/out") == "precious")
  }

  @Test func anotherProcessGuardsThemAsWell() throws {
    let list = try JSONEncoder().encode(
      GuardedFolderList(GuardedFolders.around([sub + "/a", sub + "/.liveedit/x/y"])))
    GuardedFolders.remove([guarded])
    try move("top/sub", "top/.gone")
    try link("top/sub", to: "../victim")
    #expect(try text(sub + "/a") == "precious")
    try JSONDecoder().decode(GuardedFolderList.self, from: list).enter()
    try check(ELOOP, "taken over")
    GuardedFolders.remove([guarded])
    try move("top", "moved")
    try FileManager.default.copyItem(at: folder.file("moved"), to: folder.file("top"))
    #expect(throws: SystemError.stale) {
      try JSONDecoder().decode(GuardedFolderList.self, from: list).enter()
    }
  }

  @Test func whatIsSaidAboutThem() {
    let sentences = [ELOOP, ESTALE].map { EditError(reading: "a", SystemError($0)).description }
    #expect(
      sentences == [
        "a: is reached through a symbolic link, which is not followed; replace the link with the folder or file that it points to",
        "a: the file or its folder was moved or replaced; try again",
      ])
    #expect([ELOOP, ESTALE].map { EditError(writing: "a", SystemError($0)).description } == sentences)
    #expect(
      EditError(reading: "a", SystemError.otherFileSystem).description
        == "a: is a symbolic link to a file outside the served folder; put the file itself in the folder")
  }
}
