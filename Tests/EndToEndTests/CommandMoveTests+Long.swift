import Foundation
import TestSupport
import Testing

extension CommandMoveTests {
  /// Another program's render moves along as a version, and files without a history move unchanged.
  @Test func foreignRendersAndPlainFilesMove() throws {
    try run("rotate", "--degrees", "90", "--lossless", "IMG_0003.JPG")
    try FileManager.default.removeItem(at: folder.file(".liveedit"))
    let before = try sums()
    try run("move", "IMG_0003.JPG", "b/New")
    try run("move", "IMG_0001.MOV", "b/IMG_0002")
    let now = try sums("b")
    for (old, new) in [
      ("IMG_0003.JPG", "New.JPG"), ("IMG_0003.MOV", "New.MOV"), ("IMG_E0003.JPG", "New_edited.JPG"),
      ("IMG_0003.AAE", "New.AAE"), ("IMG_0001.JPG", "IMG_0002.JPG"), ("IMG_0001.MOV", "IMG_0002.MOV"),
    ] { #expect(now[new] == before[old]) }
    #expect(try sums().isEmpty)
    try run("check", ".", "b")
    try run("revert", "b/New.JPG")
    try run("rotate", "--degrees", "90", "--lossless", "b/IMG_0002.JPG")
  }

  @Test(.enabled(if: FileManager.default.isWritableFile(atPath: "/dev/shm")))
  func anotherFileSystemIsRefused() throws {
    let other = URL(fileURLWithPath: "/dev/shm/liveedit-test-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: other, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: other) }
    let before = try sums()
    let refused = try run("move", "IMG_0001.JPG", other.path, status: 1)
    #expect(
      try run("move", "--dry-run", "IMG_0001.JPG", other.path, status: 1).standardError
        == refused.standardError)
    #expect(refused.sentences.count == 1 && refused.standardError.contains("another file system"))
    #expect(try sums() == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: other.path).isEmpty)
  }

  /// A history is found again after a program that does not support versions has renamed the originals, or moved them
  /// with only some of their files.
  @Test(arguments: ["Beach", "b/IMG_0001", "b/Sea"], [false, true])
  func historyFollowsOriginals(_ target: String, _ takesRender: Bool) throws {
    try edit()
    let before = try sums()
    for half in [".JPG", ".MOV"] { try folder.run("mv", ["IMG_0001" + half, target + half]) }
    let (place, name) = target.hasPrefix("b/") ? ("b", String(target.dropFirst(2))) : (".", target)
    let render = name == "IMG_0001" ? "IMG_E0001" : name + "_edited"
    if takesRender { try folder.run("mv", ["IMG_E0001.JPG", "\(place)/\(render).JPG"]) }
    let found = try run("check", ".", "b", status: 1)
    #expect(found.text.contains("was renamed to \(place == "b" ? "" : "./")\(target).JPG"), "\(found.text)")
    #expect(found.text.contains("check --repair moves its history to the new name"))
    let repaired = try run("check", "--repair", ".", "b")
    #expect(repaired.standardError.contains("moved its history to the new name"))
    let now = try sums(place)
    for (old, new) in [
      ("IMG_0001.JPG", name + ".JPG"), ("IMG_0001.MOV", name + ".MOV"), ("IMG_E0001.JPG", render + ".JPG"),
      ("IMG_E0001.MOV", render + ".MOV"), ("IMG_0001.AAE", name + ".AAE"),
    ] { #expect(now[new] == before[old], "\(new)") }
    let lists = try json(run("album", "list", "--json", place))
    #expect((lists.first?["assets"] as? [String])?.contains(name) == true)
    #expect(try json(run("list", "--json", "--filter", "favourite", place)).count == 1)
    try run("revert", "--to", "1", target + ".MOV")
    try run("check", ".", "b")
  }

  /// A repair follows a renamed half, and reports a case that cannot be decided.
  @Test func aRenamedHalfAndCopies() throws {
    try edit()
    try folder.run("mv", ["IMG_0001.MOV", "clip.MOV"])
    try run("check", "--repair")
    #expect(try run("history", "IMG_0001.JPG").text.contains("clip.MOV"))
    #expect(
      try Set(sums().keys).isSuperset(of: ["IMG_0001.JPG", "clip.MOV", "IMG_E0001.MOV", "IMG_E0001.JPG"]))
    try run("check")
    try folder.run("mv", ["IMG_0001.JPG", "one.JPG"])
    try folder.run("cp", ["one.JPG", "two.JPG"])
    let unclear = try run("check", "--repair", status: 1)
    #expect(unclear.text.contains("one.JPG") && unclear.text.contains("two.JPG"))
    try FileManager.default.removeItem(at: folder.file("two.JPG"))
    try run("check", "--repair")
    // An original that cannot be found anywhere is still reported as missing.
    try FileManager.default.removeItem(at: folder.file("one.JPG"))
    #expect(try run("check", "--repair", status: 1).text.contains("no such file"))
  }
}
