import Foundation
import TestSupport
import Testing

extension CommandWatchTests {
  /// A half that was edited alone becomes part of a Live Photo when the other half arrives, and keeps its edit.
  @Test func aHalfThatComesLateJoins() throws {
    let folder = try #require(folder)
    let inbox = folder.file("in")
    try FileManager.default.createDirectory(at: inbox, withIntermediateDirectories: false)
    func put(_ name: String) throws {
      try FileManager.default.copyItem(
        at: TestFiles.fixture(name), to: inbox.appendingPathComponent(name))
    }
    try put("IMG_0001.JPG")
    #expect(try Command.run("rotate", "--degrees", "180", "in/IMG_0001.JPG", in: folder.url).status == 0)
    let process = try start("--apply", "vivid", "in", in: folder)
    #expect(try wait(for: 1, in: folder).last?.contains("are left alone") == true)
    try put("IMG_0001.MOV")
    let lines = try wait(for: 2, in: folder)
    process.signal(SIGTERM)
    process.wait()
    #expect(
      lines.contains {
        $0.contains(
          "in/IMG_0001.JPG + in/IMG_0001.MOV → in/IMG_E0001.JPG, in/IMG_E0001.MOV, in/IMG_0001.AAE")
      }, "\(lines)")
    let history = try Command.run("history", "in/IMG_0001.JPG", in: folder.url)
    #expect(history.text.contains("rotated by 180°"), "\(history.text)")
    #expect(history.lines.count { $0.contains("  version ") } == 2)
    #expect(try Command.run("verify", "in/IMG_E0001.JPG", in: folder.url).status == 0)
    #expect(try Command.run("check", "in", in: folder.url).status == 0)
  }

  /// Another program sets a photo's full file size before copying its data, then pauses. The photo is edited only once
  /// it is complete.
  @Test func aCopyThatStopsIsEditedOnceItIsComplete() throws {
    let folder = try #require(folder)
    let inbox = folder.file("in")
    try FileManager.default.createDirectory(at: inbox, withIntermediateDirectories: false)
    let whole = try Data(contentsOf: TestFiles.fixture("IMG_0004.HEIC"))
    let process = try start("--apply", "vivid", "in", in: folder)
    #expect(try wait(for: 1, in: folder).count == 1)
    let photo = inbox.appendingPathComponent("IMG_0004.HEIC")
    try (whole.prefix(20_000) + Data(count: whole.count - 20_000)).write(to: photo)
    try FileManager.default.copyItem(
      at: TestFiles.fixture("IMG_0004.MOV"), to: inbox.appendingPathComponent("IMG_0004.MOV"))
    // A complete photo that arrives later is edited in the meantime.
    try FileManager.default.copyItem(
      at: TestFiles.fixture("gainmap.JPG"), to: inbox.appendingPathComponent("gainmap.JPG"))
    let meanwhile = try wait(for: 2, in: folder)
    #expect(meanwhile.count == 2 && meanwhile.last?.contains("→ in/gainmap_edited.JPG") == true)
    let file = try FileHandle(forWritingTo: photo)
    try file.seek(toOffset: 20_000)
    try file.write(contentsOf: whole.dropFirst(20_000))
    try file.close()
    let lines = try wait(for: 3, in: folder)
    process.signal(SIGTERM)
    process.wait()
    #expect(lines.count == 3 && lines.last?.contains("→ in/IMG_E0004.HEIC") == true, "\(lines)")
    // The record lists the complete photo as the original.
    #expect(
      try Command.run("adjust", "--warmth", "0.1", "in/IMG_0004.HEIC", in: folder.url).status == 0)
    #expect(try Command.run("check", "in", in: folder.url).status == 0)
  }

  /// If a watch is killed or fails at any rename, either the single half has the edit or both halves have it.
  /// Tests/Long/services/watch-test --joins tries all system calls.
  @Test(.enabled("strace cannot trace here; see Tests/Long/crash/crash-test --can-trace", Kernel.canTrace))
  func noKillTakesAHalfsEdit() throws {
    try CrashTests.disturbRenames("watch-test", "--joins")
  }

  /// If no frame of the arriving half can be decoded, the first half keeps its edit.
  @Test func aHalfKeepsItsEditWhereBothCannotHaveIt() throws {
    let folder = try #require(folder)
    let inbox = folder.file("in")
    try FileManager.default.createDirectory(at: inbox, withIntermediateDirectories: false)
    try FileManager.default.copyItem(
      at: TestFiles.fixture("IMG_0001.JPG"), to: inbox.appendingPathComponent("IMG_0001.JPG"))
    #expect(try Command.run("rotate", "--degrees", "180", "in/IMG_0001.JPG", in: folder.url).status == 0)
    let render = try folder.read("in/IMG_E0001.JPG")
    let process = try start("--apply", "vivid", "in", in: folder)
    #expect(try wait(for: 1, in: folder).last?.contains("are left alone") == true)
    var movie = try Data(contentsOf: TestFiles.fixture("IMG_0001.MOV"))
    let media = try #require(movie.range(of: Data("mdat".utf8))).upperBound
    let size = movie[media - 8..<media - 4].reduce(0) { $0 << 8 | Int($1) }
    movie.replaceSubrange(media..<media - 8 + size, with: Data(repeating: 0x55, count: size - 8))
    try movie.write(to: inbox.appendingPathComponent("IMG_0001.MOV"))
    let lines = try wait(for: 2, in: folder)
    process.signal(SIGTERM)
    process.wait()
    #expect(lines.count == 2 && lines[1].hasPrefix("liveedit: in/IMG_0001.MOV: "), "\(lines)")
    #expect(try folder.read("in/IMG_E0001.JPG") == render)
    try FileManager.default.removeItem(at: inbox.appendingPathComponent("IMG_0001.MOV"))
    let history = try Command.run("history", "in/IMG_0001.JPG", in: folder.url)
    #expect(history.text.contains("rotated by 180°"), "\(history.text)")
    #expect(try Command.run("check", "in", in: folder.url).status == 0)
  }

  /// With a separate library, renders are stored there and arriving files stay unchanged. Watching the same folder
  /// without the library counts as another watch.
  @Test func arrivalsGoToALibraryElsewhere() throws {
    let folder = try #require(folder)
    for name in ["in", "lib"] {
      try FileManager.default.createDirectory(at: folder.file(name), withIntermediateDirectories: false)
    }
    let process = try start("--apply", "vivid", "--library", "lib", "in", in: folder)
    #expect(try wait(for: 1, in: folder).last?.contains("watching 1 folder") == true)
    for name in ["IMG_0003.JPG", "IMG_0003.MOV"] {
      try FileManager.default.copyItem(at: TestFiles.fixture(name), to: folder.file("in/" + name))
    }
    let lines = try wait(for: 3, in: folder)
    process.signal(SIGTERM)
    process.wait()
    #expect(lines.count == 3 && lines.last?.contains("→ lib/") == true, "\(lines)")
    #expect(try content(of: folder.file("in")).keys.sorted() == ["IMG_0003.JPG", "IMG_0003.MOV"])
    for name in ["IMG_0003.JPG", "IMG_0003.MOV"] {
      #expect(try Data(contentsOf: folder.file("in/" + name)) == Data(contentsOf: TestFiles.fixture(name)))
    }
    let renders = try Tools.output("find", "lib", "-name", "IMG_E0003.*", in: folder.url)
    #expect(renders.lines.count == 2)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.file("state/liveedit/watch").path).count == 1
    )
    let other = try start("--apply", "vivid", "in", in: folder)
    #expect(try wait(for: 4, in: folder).last?.contains("existing items (1 asset) are left alone") == true)
    other.signal(SIGTERM)
    other.wait()
  }
}
