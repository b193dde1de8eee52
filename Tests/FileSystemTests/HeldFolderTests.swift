import Basics
import Foundation
import TestSupport
import Testing

@testable import FileSystem

/// Tests that paths inside a held folder cannot lead out of it.
@Suite struct HeldFolderTests {
  let folder: TemporaryFolder
  let victim: TemporaryFolder
  let held: HeldFolder

  init() throws {
    folder = try TemporaryFolder()
    victim = try TemporaryFolder()
    held = try HeldFolder(path: folder.url.path)
    try Data("precious".utf8).write(to: victim.file("a"))
    try FileManager.default.createDirectory(at: victim.file("empty"), withIntermediateDirectories: false)
  }

  /// Returns the victim's files with their contents, and its folders.
  func state() throws -> [String: String] {
    var state: [String: String] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: victim.url.path) {
      state[name] = (try? String(contentsOf: victim.file(name), encoding: .utf8)) ?? "folder"
    }
    return state
  }

  func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: folder.file(name).path, withDestinationPath: target)
  }

  /// Every call that accepts a path, with a path that leads through `link`.
  static let calls: [(name: String, call: @Sendable (HeldFolder, String) throws -> Void)] = [
    ("status", { _ = try $0.status($1) }),
    ("names", { _ = try $0.names(in: FileTestsPlace.parent($1)) }),
    ("source", { _ = try $0.source($1) }),
    ("source following", { _ = try $0.source($1, followingLinks: true) }),
    ("create", { try $0.create(FileTestsPlace.parent($1) + "/new", bytes: [1]) }),
    ("sync", { try $0.sync($1) }),
    ("setPermissions", { try $0.setPermissions(0o777, of: $1) }),
    ("move from", { try $0.move($1, toFree: "taken") }),
    ("move to", { try $0.move("mine", toFree: FileTestsPlace.parent($1) + "/mine") }),
    ("replace", { try $0.replace($1, with: "mine") }),
    ("remove", { try $0.remove($1) }),
    ("makeFolder", { try $0.makeFolder(FileTestsPlace.parent($1) + "/made") }),
    ("removeFolder", { try $0.removeFolder(FileTestsPlace.parent($1) + "/empty") }),
    ("syncFolder", { try $0.syncFolder(FileTestsPlace.parent($1)) }),
    ("lock", { _ = try FileLock.attempt($1, in: $0, creating: true) }),
    ("sink", { _ = try FileByteSink(FileTestsPlace.parent($1) + "/new", in: $0) }),
  ]

  @Test(arguments: calls.indices, ["link", "sub/link"])
  func noCallGoesThroughALink(_ index: Int, _ name: String) throws {
    try FileManager.default.createDirectory(at: folder.file("sub"), withIntermediateDirectories: false)
    try Data("mine".utf8).write(to: folder.file("mine"))
    try link(name, to: victim.url.path)
    let before = try state()
    let permissions = try FileStatus(path: victim.file("a").path).permissions
    let (call, body) = Self.calls[index]
    let error = #expect(throws: EditError.self, "\(call)") { try body(held, name + "/a") }
    #expect(error?.file == folder.file(name).path)
    #expect(error?.problem.contains("symbolic link") == true)
    #expect(try state() == before)
    #expect(try FileStatus(path: victim.file("a").path).permissions == permissions)
  }

  /// A link, pipe or folder in place of a file is not opened, and a pipe's writer is not woken.
  @Test(arguments: ["link", "pipe", "folder"])
  func whatIsNoFileIsNotOpened(_ kind: String) throws {
    let path = folder.file("odd").path
    switch kind {
    case "link": try link("odd", to: victim.file("a").path)
    case "pipe": #expect(mkfifo(path, 0o666) == 0)
    default: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }
    for body: (String) throws -> Void in [
      { _ = try held.source($0) }, { try held.sync($0) }, { try held.setPermissions(0o600, of: $0) },
      { _ = try FileLock.attempt($0, in: held, creating: false) },
    ] {
      let error = #expect(throws: EditError.self) { try body("odd") }
      #expect(error?.file == path)
    }
    if kind != "link" { #expect(throws: (any Error).self) { try held.source("odd", followingLinks: true) } }
    #expect(try state()["a"] == "precious")
  }

  @Test(arguments: ["../a", "a/../../a", "/etc/passwd", "", ".", "..", "a//b", "a/", "a\0b"])
  func placesThatLeadOutAreRefused(_ place: String) {
    #expect(FileName.parts(of: place) == nil)
    #expect(throws: SystemError.self) { try held.status(place) }
    #expect(throws: SystemError.self) { try held.remove(place) }
  }

  /// The held folder itself may be given as a link, and remains the folder that was opened.
  @Test func theFolderIsFollowedOnce() throws {
    let other = try TemporaryFolder()
    let way = other.file("way").path
    try FileManager.default.createSymbolicLink(atPath: way, withDestinationPath: folder.url.path)
    let linked = try HeldFolder(path: way)
    try FileManager.default.removeItem(atPath: way)
    try FileManager.default.createSymbolicLink(atPath: way, withDestinationPath: victim.url.path)
    try linked.create("new", bytes: [7])
    #expect(try folder.names() == ["new"])
    #expect(try linked.realPath == Array(folder.url.resolvingSymlinksInPath().path.utf8))
  }

  /// A missing folder counts as empty, even if one appears later at its path. No file can be created in it.
  @Test func aFolderThatIsNotThereIsEmpty() throws {
    for missing in [try HeldFolder("a/b", in: held), try HeldFolder(nil, in: held)] {
      #expect(!missing.isThere)
      try FileManager.default.createDirectory(at: folder.file("a/b"), withIntermediateDirectories: true)
      try folder.write([1], to: "a/b/c")
      #expect(try !missing.exists("c"))
      #expect(try missing.namesIfAny(in: "") == [])
      #expect(try missing.bytes(of: "c", atMost: 9) == nil)
      #expect(try !missing.remove("c"))
      #expect(throws: SystemError.notFound) { try missing.names() }
      #expect(throws: SystemError.notFound) { try missing.create("d", bytes: [1]) }
      #expect(throws: SystemError.notFound) { try missing.makeFolder("d") }
      #expect(throws: SystemError.notFound) { try missing.syncFolder() }
      #expect(throws: SystemError.notFound) { try missing.realPath }
      #expect(throws: SystemError.notFound) { try missing.status }
      #expect(throws: SystemError.notFound) { try missing.checkWritable() }
      #expect(try Folder.names(in: folder.file("a/b").path) == ["c"])
      try FileManager.default.removeItem(at: folder.file("a"))
    }
  }

  /// The path to a folder inside another is opened without following links.
  @Test func aFolderInAnotherIsFoundWithoutLinks() throws {
    try FileManager.default.createDirectory(at: folder.file("a/b"), withIntermediateDirectories: true)
    let inner = try HeldFolder("a/b", in: held)
    #expect(inner.isThere && inner.path == held.path("a/b"))
    try inner.create("new", bytes: [7])
    #expect(try folder.read("a/b/new") == [7])
    try FileManager.default.createSymbolicLink(at: folder.file("way"), withDestinationURL: folder.file("a"))
    try folder.write([1], to: "file")
    for place in ["way", "way/b", "file", "file/b", "a/b/new"] {
      #expect(throws: (any Error).self, "\(place)") { try HeldFolder(place, in: held) }
    }
  }

  /// From the first of liveedit's own folders onwards, a path is opened without following links; before it, links are
  /// followed.
  @Test func pathsAreWalkedFromOwnFoldersOn() throws {
    let other = try TemporaryFolder()
    let way = other.file("way").path
    try FileManager.default.createSymbolicLink(atPath: way, withDestinationPath: folder.url.path)
    try FileManager.default.createDirectory(at: folder.file(".liveedit"), withIntermediateDirectories: false)
    try File.create(way + "/.liveedit/mine", bytes: [1])
    #expect(try FileByteSource(path: way + "/.liveedit/mine").count == 1)
    try link(".liveedit/work", to: victim.url.path)
    let before = try state()
    #expect(throws: EditError.self) { try File.create(way + "/.liveedit/work/new", bytes: [1]) }
    #expect(throws: EditError.self) { try File.remove(way + "/.liveedit/work/a") }
    #expect(throws: EditError.self) { try FileByteSink(path: way + "/.liveedit/work/new") }
    #expect(throws: EditError.self) { try FileByteSource(path: way + "/.liveedit/work/a") }
    #expect(try state() == before)
  }

  /// In a sticky folder, where every user can create files, other users' files are refused. In other folders, such as
  /// shared folders, they are used.
  @Test(.enabled(if: geteuid() == 0), arguments: [true, false])
  func somebodyElsesFolderInAStickyOneIsRefused(_ isSticky: Bool) throws {
    #expect(chmod(folder.url.path, isSticky ? 0o1777 : 0o777) == 0)
    try FileManager.default.createDirectory(at: folder.file("theirs"), withIntermediateDirectories: false)
    #expect(chown(folder.file("theirs").path, 65534, 65534) == 0)
    if isSticky {
      let error = #expect(throws: EditError.self) { try held.create("theirs/a", bytes: []) }
      #expect(error?.problem.contains("belongs to another user") == true)
    } else {
      try held.create("theirs/a", bytes: [])
    }
  }

  /// The permissions are the requested permissions minus those that the mask removed. The mask itself is never changed.
  @Test(arguments: [0o000, 0o022, 0o027, 0o077] as [UInt32], [0o444, 0o600, 0o666, 0o755] as [UInt32])
  func permissionsAreTheWantedOnesLessTheMask(_ mask: UInt32, _ wanted: UInt32) throws {
    // Gives a file the permissions of a file created under this mask.
    try Data().write(to: folder.file("file"))
    #expect(chmod(folder.file("file").path, 0o666 & ~mask) == 0)
    try held.setPermissions(wanted, of: "file")
    #expect(try FileStatus(path: folder.file("file").path).permissions == wanted & ~mask)
  }
}

/// Functions that return parts of paths, for the calls above.
enum FileTestsPlace {
  static func parent(_ place: String) -> String {
    String(place[..<(place.lastIndex(of: "/") ?? place.startIndex)])
  }
}
