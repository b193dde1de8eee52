import Foundation
import TestSupport
import Testing

extension CommandLibraryTests {
  /// Below the originals, no system call opens a file for writing or creates, renames or removes anything or changes
  /// permissions.
  @Test(.enabled("strace cannot trace here; see Tests/Long/crash/crash-test --can-trace", Kernel.canTrace))
  func noCallWritesBesideTheOriginals() throws {
    let tree = try OriginalsTree()
    try tree.add(.portrait, to: "photos")
    let log = tree.folder.file("calls")
    let traced = try Tools.run(
      [
        "strace", "-f", "-y", "-o", log.path, "-e", "trace=%file,%desc", "-s", "4096", Command.path, "rotate",
        "--degrees", "90", "--lossless", "photos/IMG_0001.JPG", "--library", tree.library,
      ], in: tree.folder.url, environment: tree.environment)
    try #require(traced.status == 0, "\(traced.standardError)")
    let photos = tree.folder.file("photos").path
    let calls = try String(contentsOf: log, encoding: .utf8).split(separator: "\n")
    #expect(calls.contains { $0.contains("IMG_0001.MOV") })
    let changing = [
      "mkdir", "rename", "link", "symlink", "unlink", "rmdir", "chmod", "fchmod", "chown", "truncate",
      "ftruncate",
      "utime", "setxattr", "fsetxattr", "fsync", "fdatasync", "fallocate", "mknod",
    ]
    for call in calls where call.contains(photos) || call.contains("AT_FDCWD") && call.contains("\"photos") {
      // The format of a line: “PID  name(arguments) = result”.
      let name = call.drop { $0 != " " }.drop { $0 == " " }.prefix { $0 != "(" }
      let isChange = changing.contains { name.hasPrefix($0) && name.count <= $0.count + 3 }
      let isOpening = ["O_WRONLY", "O_RDWR", "O_CREAT"].contains(where: call.contains)
      #expect(!isChange && !isOpening, "\(call)")
    }
  }

  @Test func aKillLeavesTheOldStateOrTheNewOne() throws {
    let tree = try OriginalsTree()
    try tree.add(.portrait, to: "photos")
    try tree.protect()
    defer { try? tree.protect(false) }
    let before = try tree.originals()
    try tree.done("rotate", "--degrees", "90", "--lossless", "photos/IMG_0001.JPG")
    let (old, start) = (try tree.data("lib/photos/IMG_E0001.MOV"), Date())
    try tree.done("rotate", "--degrees", "90", "photos/IMG_0001.JPG")
    let (new, whole) = (try tree.data("lib/photos/IMG_E0001.MOV"), Date().timeIntervalSince(start))
    try tree.done("revert", "photos/IMG_0001.JPG")
    for step in 0..<8 {
      let words = step % 2 == 0 ? ["rotate", "--degrees", "90"] : ["redo"]
      let process = try Child(
        [Command.path] + words + ["photos/IMG_0001.JPG", "--library", tree.library], in: tree.folder.url,
        environment: tree.environment)
      usleep(UInt32(whole * 1_000_000 * Double(step) / 8))
      process.signal(SIGKILL)
      process.wait()
      try tree.done("check", "--repair", "photos")
      try tree.done("check", "photos")
      let found = try tree.data("lib/photos/IMG_E0001.MOV")
      #expect(found == old || found == new, "step \(step)")
      #expect(try tree.originals() == before)
      _ = try tree.run("revert", "--to", "1", "photos/IMG_0001.JPG")
      #expect(try tree.data("lib/photos/IMG_E0001.MOV") == old)
    }
  }

  /// Two trees with the same relative paths and names have separate folders in the library.
  @Test func rootsAreKeptApart() throws {
    let tree = try OriginalsTree()
    try tree.add(.portrait, to: "photos/one/x")
    try tree.add(.portrait, to: "photos/two/x")
    let (first, second) = ("photos/one/x/IMG_0001.JPG", "photos/two/x/IMG_0001.JPG")
    let said = try tree.done("rotate", "--degrees", "90", "--lossless", first)
    #expect(said.sentences.contains { $0.contains("photos/one/x to the library") })
    let again = try tree.done("flip", "--vertical", "--lossless", second)
    #expect(again.standardError.contains("correct that path in"))
    #expect(try tree.answers("history", first)[0]["current"] as? Int == 1)
    #expect(try tree.data("lib/x/IMG_E0001.JPG") != tree.data("lib/x-2/IMG_E0001.JPG"))
    // Correcting one path in library.json connects a moved tree with its versions again.
    let moved = tree.folder.file("moved")
    try FileManager.default.moveItem(at: tree.folder.file("photos/one/x"), to: moved)
    let roots = tree.folder.file("lib/library.json")
    let text = try String(contentsOf: roots, encoding: .utf8)
    try text.replacing("/photos/one/x", with: "/moved").write(to: roots, atomically: true, encoding: .utf8)
    #expect(try tree.answers("history", "moved/IMG_0001.JPG")[0]["current"] as? Int == 1)
    try tree.done("check", "moved", "photos/two/x")
  }

  /// A tree has one root in the library. A batch over the tree can be resumed and undone without naming the library
  /// again.
  @Test func aBatchOfATreeIsOneRoot() throws {
    let tree = try OriginalsTree()
    for place in ["photos/a/x", "photos/b"] { try tree.add(.portrait, to: place) }
    for place in ["photos/a", "photos/c/d"] { try tree.add(.landscape, to: place) }
    try tree.protect()
    defer { try? tree.protect(false) }
    let before = try tree.originals()
    let renders = [
      "lib/photos/a/x/IMG_E0001.JPG", "lib/photos/b/IMG_E0001.JPG", "lib/photos/a/IMG_E0003.JPG",
      "lib/photos/c/d/IMG_E0003.JPG",
    ]
    let planned = try tree.run("rotate", "--degrees", "90", "-r", "--dry-run", "photos")
    #expect(planned.status == 0, "\(planned.standardError)")
    for render in renders { #expect(planned.text.contains(render), "\(planned.text)") }
    #expect(try FileManager.default.contentsOfDirectory(atPath: tree.library).isEmpty)
    // Kills the batch while it edits.
    let process = try Child(
      [Command.path, "rotate", "--degrees", "90", "--jobs", "1", "-r", "photos", "--library", "lib"],
      in: tree.folder.url, environment: tree.environment)
    try Event.wait(for: "a render") { renders.contains(where: tree.exists) }
    process.signal(SIGKILL)
    process.wait()
    let elsewhere = try TemporaryFolder()
    let resumed = try Tools.run(
      [Command.path, "rotate", "--resume"], in: elsewhere.url, environment: tree.environment)
    #expect(resumed.status == 0 || resumed.status == 2, "\(resumed.standardError)")
    for render in renders { #expect(tree.exists(render)) }
    let roots = try JSONSerialization.jsonObject(with: tree.data("lib/library.json")) as? [String: Any]
    #expect((roots?["roots"] as? [[String: String]])?.map { $0["name"] } == ["photos"])
    for file in ["a/x/IMG_0001.JPG", "b/IMG_0001.JPG", "a/IMG_0003.JPG", "c/d/IMG_0003.JPG"] {
      #expect(try tree.answers("history", "photos/" + file)[0]["current"] as? Int == 1)
    }
    #expect(try tree.done("list", "-r", "--paths", "--filter", "edited", "photos").lines.count == 4)
    #expect(try tree.originals() == before)
    let list = try #require(
      try FileManager.default.contentsOfDirectory(atPath: tree.folder.file("state/liveedit/batches").path)
        .first)
    let batch = String(list.dropLast(".jsonl".count))
    let undone = try Tools.run(
      [Command.path, "revert", "--batch", batch], in: elsewhere.url, environment: tree.environment)
    #expect(undone.status == 0, "\(undone.standardError)")
    for render in renders { #expect(!tree.exists(render)) }
    #expect(try tree.originals() == before)
  }

  /// Creates a folder `there` with its versions in the library, and a folder `here` with its versions beside the
  /// originals.
  private func treeOfBothLayouts() throws -> OriginalsTree {
    let tree = try OriginalsTree()
    try tree.add(.portrait, to: "photos/here")
    try tree.add(.portrait, to: "photos/there")
    try tree.done("rotate", "--degrees", "90", "--lossless", "photos/there/IMG_0001.JPG")
    #expect(
      try tree.runBeside("rotate", "--degrees", "90", "--lossless", "photos/here/IMG_0001.JPG").status == 0)
    return tree
  }

  @Test func aFolderHasOneLayout() throws {
    let tree = try treeOfBothLayouts()
    for command in [["rotate", "--degrees", "90"], ["history"], ["revert"], ["mark", "--hidden"]] {
      let here = try Tools.run(
        [Command.path] + command + ["photos/here/IMG_0001.JPG", "--library", tree.library],
        in: tree.folder.url, environment: tree.environment)
      #expect(here.status == 1)
      #expect(
        here.standardError.contains("keeps its versions in its own .liveedit folder"), "\(here.standardError)"
      )
      #expect(here.standardError.contains("omit --library"))
      let there = try Tools.run(
        [Command.path] + command + ["photos/there/IMG_0001.JPG"], in: tree.folder.url,
        environment: tree.environment)
      #expect(there.status == 1)
      #expect(there.standardError.contains("keeps its versions in the library \(tree.library)"))
      #expect(there.standardError.contains("add --library"))
    }
    #expect(try tree.runBeside("list", "photos/there").status == 1)
    #expect(try tree.run("list", "photos/here").status == 1)
    // Renders in the library are not originals.
    let inside = try tree.runBeside("rotate", "--degrees", "90", "lib/there/IMG_E0001.JPG")
    #expect(inside.status == 1 && inside.standardError.contains("is inside the library"))
    let named = try tree.run("check", "lib/there")
    #expect(named.status == 1 && named.standardError.contains("is inside the library"))
    // After its versions in the library are forgotten, the photo can have versions beside it.
    try tree.done("forget", "photos/there/IMG_0001.JPG")
    #expect(try tree.runBeside("history", "photos/there/IMG_0001.JPG").status == 0)
    // Without a state folder, liveedit remembers nothing, but no command fails.
    let forgetful = try Tools.run(
      [
        Command.path, "rotate", "--degrees", "90", "--lossless", "photos/there/IMG_0001.JPG", "--library",
        tree.library,
      ],
      in: tree.folder.url, environment: ["XDG_STATE_HOME": "/proc/nowhere"])
    #expect(forgetful.status == 0, "\(forgetful.standardError)")
  }

  /// The remedies that `move` suggests work. `move` cannot rename originals that have a library, so it does not suggest
  /// adding `--library`.
  @Test func movingSaysWhatWorks() throws {
    let tree = try OriginalsTree()
    try tree.add(.portrait, to: "photos/there")
    try tree.add(.portrait, to: "photos/here")
    try tree.done("rotate", "--degrees", "90", "--lossless", "photos/there/IMG_0001.JPG")
    let before = try tree.originals()
    for (words, remedy) in [
      (
        ["photos/there/IMG_0001.JPG", "photos/there/Beach"], "run liveedit forget --library \(tree.library)"
      ),
      (["photos/here/IMG_0001.JPG", "photos/there"], "choose a folder that does not belong to a library"),
    ] {
      let output = try tree.runBeside("move", words[0], words[1])
      #expect(
        output.status == 1
          && output.standardError.contains("keeps its versions in the library \(tree.library)")
      )
      #expect(
        output.standardError.contains(remedy) && !output.standardError.contains("add --library"),
        "\(output.standardError)")
    }
    #expect(try tree.originals() == before)
    try tree.done("forget", "photos/there/IMG_0001.JPG")
    #expect(try tree.runBeside("move", "photos/there/IMG_0001.JPG", "photos/there/Beach").status == 0)
  }

  /// If a damaged library no longer lists its folders, none of those folders starts a second history.
  @Test func aLibraryThatIsDamagedIsToldOf() throws {
    let tree = try treeOfBothLayouts()
    try Data("{".utf8).write(to: tree.folder.file("lib/library.json"))
    let output = try tree.runBeside("flip", "--vertical", "--lossless", "photos/there/IMG_0001.JPG")
    #expect(output.status == 1 && output.sentences.count == 1, "\(output.standardError)")
    #expect(
      output.standardError.contains(
        "lib/library.json: cannot be read, so liveedit cannot tell whether that library contains versions of "
          + "photos/there; correct the file; it is a text file"), "\(output.standardError)")
    #expect(!tree.exists("photos/there/.liveedit") && !tree.exists("photos/there/IMG_E0001.JPG"))
    // A dry run reports the same error, even for a change that would have no effect.
    for words in [
      ["flip", "--vertical", "--lossless"], ["rotate", "--to", "0"], ["revert"], ["mark", "--favourite"],
      ["check", "--accept"], ["forget"], ["adopt"],
    ] {
      let planned = try tree.runBeside(words + ["--dry-run", "photos/there/IMG_0001.JPG"])
      let done = try tree.runBeside(words + ["photos/there/IMG_0001.JPG"])
      for one in [planned, done] {
        #expect(
          one.status == 1 && one.standardError == output.standardError, "\(words): \(one.standardError)")
      }
    }
    // If a folder has no versions, a repair creates none. A repair that would create some is refused.
    #expect(try tree.runBeside(["check", "--repair", "photos/there"]).status == 0)
    #expect(!tree.exists("photos/there/.liveedit"))
    try FileManager.default.createDirectory(
      at: tree.folder.file("photos/there/.liveedit"), withIntermediateDirectories: false)
    try tree.folder.write(Array("garbage".utf8), to: "photos/there/.liveedit/library.sqlite")
    for words in [["check", "--repair", "--dry-run"], ["check", "--repair"]] {
      let repaired = try tree.runBeside(words + ["photos/there"])
      #expect(repaired.status == 1 && repaired.standardError == output.standardError, "\(repaired.text)")
    }
    #expect(try tree.folder.read("photos/there/.liveedit/library.sqlite") == Array("garbage".utf8))
    try FileManager.default.removeItem(at: tree.folder.file("photos/there/.liveedit"))
    // A folder that already has a history is not affected.
    #expect(try tree.runBeside("flip", "--vertical", "--lossless", "photos/here/IMG_0001.JPG").status == 0)
    #expect(try tree.runBeside("list", "photos/there").status == 0)
  }

  /// Originals that another program renamed or moved are reported, and nothing is written beside them.
  @Test func movedOriginalsAreNotFollowed() throws {
    let tree = try OriginalsTree()
    try tree.add(.portrait, to: "photos/a")
    try tree.add(.landscape, to: "photos/b")
    try tree.done("rotate", "--degrees", "90", "--lossless", "-r", "photos")
    for name in ["IMG_0001.JPG", "IMG_0001.MOV"] {
      try FileManager.default.moveItem(
        at: tree.folder.file("photos/a/" + name), to: tree.folder.file("photos/b/" + name))
    }
    let before = try tree.originals()
    let repaired = try tree.run("check", "--repair", "photos/a", "photos/b")
    #expect(repaired.status == 1 && repaired.text.contains("IMG_0001.JPG"))
    #expect(try tree.originals() == before)
    #expect(tree.exists("lib/photos/a/IMG_E0001.JPG"))
  }

  /// Naming a render in the library selects its asset.
  @Test func aRenderMeansItsAsset() throws {
    let tree = try OriginalsTree()
    try tree.add(.portrait, to: "photos/a b")
    try tree.done("rotate", "--degrees", "90", "--lossless", "photos/a b/IMG_0001.JPG")
    let render = try tree.data("lib/a b/IMG_E0001.JPG")
    for file in ["IMG_E0001.JPG", "IMG_E0001.MOV", "IMG_0001.AAE"] {
      let path = "lib/a b/" + file
      #expect(try tree.answers("history", path)[0]["current"] as? Int == 1)
      try tree.done("flip", "--vertical", "--lossless", path)
      #expect(try tree.data("lib/a b/IMG_E0001.JPG") != render)
      try tree.done("revert", path)
      #expect(try tree.data("lib/a b/IMG_E0001.JPG") == render)
      try tree.done("mark", "--favourite", path)
      try tree.done("mark", "--no-favourite", path)
      // Names two files of the same asset.
      try tree.done("mark", "--hidden", path, "photos/a b/IMG_0001.MOV")
      try tree.done("mark", "--no-hidden", path)
    }
    try tree.done("album", "create", "Summer", "photos/a b")
    try tree.done("album", "add", "Summer", "lib/a b/IMG_E0001.MOV")
    #expect(try tree.answers("album", "list", "photos/a b")[0]["assets"] as? [String] == ["IMG_0001"])
    // `inspect` and `verify` read the named file itself.
    #expect(try tree.runBeside("inspect", "lib/a b/IMG_E0001.JPG").status == 0)
    #expect(try tree.runBeside("verify", "lib/a b/IMG_E0001.JPG").status == 0)
    #expect(try tree.run("history", "lib/a b/IMG_E0002.JPG").status == 1)
  }

  /// Another program's render beside read-only originals is the current version. The next change copies it into the
  /// library.
  @Test func aForeignRenderIsTakenIn() throws {
    let tree = try OriginalsTree()
    try tree.add(.portrait, to: "photos")
    let photo = "photos/IMG_0001.JPG"
    let beside = try TemporaryFolder()
    _ = try Fixture.portrait.copy(to: beside.url)
    _ = try Command.run("rotate", "--degrees", "90", "--lossless", "IMG_0001.JPG", in: beside.url)
    for name in ["IMG_E0001.JPG", "IMG_E0001.MOV"] {
      try FileManager.default.copyItem(at: beside.file(name), to: tree.folder.file("photos/" + name))
    }
    let foreign = try tree.data("photos/IMG_E0001.JPG")
    try tree.protect()
    defer { try? tree.protect(false) }
    let before = try tree.originals()
    #expect(try tree.done("list", "--paths", "--filter", "edited", "photos").lines == [photo])
    let found = try tree.answers("history", photo)[0]
    #expect(found["current"] as? Int == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: tree.library).isEmpty)
    // Edits on top of that render.
    try tree.done("rotate", "--degrees", "90", "--lossless", photo)
    #expect(try tree.data("lib/photos/.liveedit/versions/IMG_0001/1/IMG_E0001.JPG") == foreign)
    try tree.done("check", "photos")
    #expect(try tree.answers("history", photo)[0]["current"] as? Int == 2)
    try tree.done("revert", photo)
    #expect(try tree.data("lib/photos/IMG_E0001.JPG") == foreign)
    // After a revert to the original, the photo no longer counts as edited, although the render is still there.
    try tree.done("revert", photo)
    #expect(!tree.exists("lib/photos/IMG_E0001.JPG"))
    #expect(try tree.done("list", "--paths", "--filter", "edited", "photos").lines.isEmpty)
    try tree.done("check", "photos")
    try tree.done("redo", photo)
    #expect(try tree.originals() == before)
    // Another program edits the photo again.
    try tree.protect(false)
    for name in ["IMG_E0001.JPG", "IMG_E0001.MOV"] {
      try FileManager.default.removeItem(at: tree.folder.file("photos/" + name))
    }
    let half = try TemporaryFolder()
    _ = try Fixture.portrait.copy(to: half.url)
    _ = try Command.run("rotate", "--degrees", "180", "--lossless", "IMG_0001.JPG", in: half.url)
    for name in ["IMG_E0001.JPG", "IMG_E0001.MOV"] {
      try FileManager.default.copyItem(at: half.file(name), to: tree.folder.file("photos/" + name))
    }
    try tree.protect()
    let other = try tree.originals()
    #expect(try tree.run("check", "photos").status == 1)
    #expect(try tree.done("list", "--paths", "--filter", "edited", "photos").lines == [photo])
    try tree.done("check", "--repair", "photos")
    try tree.done("check", "photos")
    #expect(try tree.answers("history", photo)[0]["current"] as? Int == 3)
    #expect(try tree.data("lib/photos/IMG_E0001.JPG") == tree.data("photos/IMG_E0001.JPG"))
    #expect(try tree.data("lib/photos/.liveedit/versions/IMG_0001/1/IMG_E0001.JPG") == foreign)
    try tree.done("revert", photo)
    #expect(try tree.data("lib/photos/IMG_E0001.JPG") == foreign)
    #expect(try tree.originals() == other)
  }
}
