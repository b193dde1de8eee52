import Foundation
import TestSupport
import Testing

/// Tests of `--library`: the originals are never written to, and everything else is stored in a separate library.
@Suite struct CommandLibraryTests {
  /// No command that edits, reads or marks changes the originals in any way, not even their inodes. The renders equal
  /// those that would be written beside the originals.
  @Test func noCommandTouchesTheOriginals() throws {
    let tree = try OriginalsTree()
    try tree.add(.portrait, to: "photos/a")
    try tree.add(.landscape, to: "photos/a")
    try tree.add(.mirrored, to: "photos/b")
    try tree.protect()
    defer { try? tree.protect(false) }
    let before = try tree.originals()
    let (photo, movie) = ("photos/a/IMG_0001.JPG", "photos/a/IMG_0001.MOV")
    let commands: [[String]] = [
      ["list", "photos/a"], ["list", "-r", "photos"], ["history", photo], ["check", "photos/a"],
      ["rotate", "--degrees", "90", photo],
      ["flip", "--horizontal", "--lossless", "photos/b/IMG_0002.MOV"],
      ["crop", "--aspect", "1:1", movie],
      ["straighten", "--degrees", "2", photo],
      ["perspective", "--vertical", "0.1", photo],
      ["adjust", "--exposure", "0.3", photo],
      ["auto", photo],
      ["apply", "--preset", "vivid", photo],
      ["apply", "--from", photo, "photos/a/IMG_0003.JPG"],
      ["revert", photo], ["redo", photo], ["revert", "--to", "2", photo],
      ["revert", "--to", "original", photo],
      ["rotate", "--degrees", "90", photo, "photos/a/IMG_0003.MOV"],
      ["history", photo], ["check", "photos/a", "photos/b"],
      ["mark", "--favourite", photo], ["mark", "--hidden", "photos/b/IMG_0002.JPG"],
      ["album", "create", "Summer", "photos/a"], ["album", "add", "Summer", photo],
      ["album", "list", "photos/a"],
      ["list", "--filter", "favourite and album = Summer and edited", "photos/a"],
      ["list", "-r", "--hidden", "photos"],
      ["album", "remove", "Summer", photo], ["album", "delete", "Summer", "photos/a"],
      ["export", "--as", "still", "-o", "out", photo],
      ["rotate", "--degrees", "180", "--lossless", "-o", "out", "photos/b/IMG_0002.JPG"],
      ["check", "--repair", "photos/a"], ["check", "photos/a"],
      ["forget", photo], ["history", photo],
    ]
    try FileManager.default.createDirectory(at: tree.folder.file("out"), withIntermediateDirectories: true)
    for command in commands {
      let output = try Tools.run(
        [Command.path] + command + ["--library", tree.library], in: tree.folder.url,
        environment: tree.environment)
      #expect(output.status == 0, "\(command): \(output.standardError)\(output.text)")
      #expect(try tree.originals() == before, "\(command)")
    }
    #expect(try tree.folder.names() == ["lib", "out", "photos", "state"])
    // Makes the same edits beside the originals.
    let beside = try TemporaryFolder()
    _ = try Fixture.mirrored.copy(to: beside.url)
    _ = try Command.run("flip", "--horizontal", "--lossless", "IMG_0002.JPG", in: beside.url)
    for name in ["IMG_E0002.JPG", "IMG_E0002.MOV"] {
      #expect(try tree.data("lib/b/" + name) == Data(contentsOf: beside.file(name)))
    }
  }

  /// A folder with versions in one library does not get versions in another.
  @Test func aFolderHasOneLibrary() throws {
    let tree = try OriginalsTree()
    try tree.add(.portrait, to: "photos")
    try FileManager.default.createDirectory(at: tree.folder.file("other"), withIntermediateDirectories: false)
    try tree.done("rotate", "--degrees", "90", "--lossless", "photos/IMG_0001.JPG")
    let other = try tree.runBeside("flip", "--vertical", "--library", "other", "photos/IMG_0001.JPG")
    #expect(
      other.status == 1 && other.standardError.contains("keeps its versions in the library \(tree.library)"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: tree.folder.file("other").path).isEmpty)
  }

  @Test func readingMakesNothing() throws {
    let tree = try OriginalsTree()
    try tree.add(.portrait, to: "photos")
    for command in [["list", "photos"], ["history", "photos/IMG_0001.JPG"], ["check", "photos"]] {
      let output = try Tools.run(
        [Command.path] + command + ["--library", tree.library], in: tree.folder.url,
        environment: tree.environment)
      #expect(output.status == 0, "\(output.standardError)")
    }
    #expect(try tree.folder.names() == ["lib", "photos"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: tree.library).isEmpty)
    // A mistyped library name does not create a library, and neither does a folder with other files.
    let missing = try Tools.run(
      [Command.path, "list", "photos", "--library", "lab"], in: tree.folder.url, environment: tree.environment
    )
    #expect(missing.status == 1)
    #expect(missing.sentences == ["liveedit: lab: no such folder; create it first"])
    let other = try Tools.run(
      [Command.path, "rotate", "--degrees", "90", "photos/IMG_0001.JPG", "--library", "."],
      in: tree.folder.url, environment: tree.environment)
    #expect(other.status == 1)
    #expect(other.standardError.contains("is not a liveedit library and contains other files (lib)"))
  }

  @Test func aLostCatalogueIsRebuilt() throws {
    let tree = try OriginalsTree()
    try tree.add(.portrait, to: "photos")
    try tree.protect()
    defer { try? tree.protect(false) }
    let before = try tree.originals()
    try tree.done("rotate", "--degrees", "90", "--lossless", "photos/IMG_0001.JPG")
    try tree.done("flip", "--vertical", "--lossless", "photos/IMG_0001.JPG")
    try tree.done("mark", "--favourite", "photos/IMG_0001.JPG")
    let history = try tree.answers("history", "photos/IMG_0001.JPG") as NSArray
    let render = try tree.data("lib/photos/IMG_E0001.JPG")
    try FileManager.default.removeItem(at: tree.folder.file("lib/photos/.liveedit/library.sqlite"))
    let lost = try tree.run("rotate", "--degrees", "90", "photos/IMG_0001.JPG")
    #expect(lost.status == 1 && lost.standardError.contains("is missing, although the folder has versions"))
    try tree.done("check", "--repair", "photos")
    #expect(try tree.answers("history", "photos/IMG_0001.JPG") as NSArray == history)
    #expect(try tree.done("list", "--paths", "--filter", "favourite and edited", "photos").lines.count == 1)
    // Files in the library that are removed or changed are reported and can be restored.
    try FileManager.default.removeItem(at: tree.folder.file("lib/photos/IMG_E0001.JPG"))
    #expect(try tree.run("check", "photos").status == 1)
    try tree.done("revert", "photos/IMG_0001.JPG")
    try tree.done("redo", "photos/IMG_0001.JPG")
    #expect(try tree.data("lib/photos/IMG_E0001.JPG") == render)
    try tree.done("check", "photos")
    #expect(try tree.originals() == before)
  }
}
