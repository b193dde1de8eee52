import Foundation
import TestSupport
import Testing

extension CommandPlanTests {
  /// Creates a folder with Live Photos, single photos, and files that the renderer refuses: a Motion Photo, a movie
  /// whose codec cannot be encoded, and a movie that is cut off in its frames.
  private func makeFolder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let photos = folder.file("a")
    try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: false)
    for name in [
      "IMG_0001.JPG", "IMG_0001.MOV", "IMG_0002.JPG", "IMG_0002.MOV", "IMG_0004.HEIC", "IMG_0004.MOV",
      "gainmap.JPG", "shared.HEIC",
    ] {
      try FileManager.default.copyItem(
        at: TestFiles.fixture(name), to: photos.appendingPathComponent(name))
    }
    for (codec, name) in [("prores_ks", "prores.MOV"), ("mjpeg", "mjpeg.MOV")] {
      _ = try Tools.output(
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=d=0.3:s=64x48", "-c:v", codec,
        photos.appendingPathComponent(name).path)
    }
    let movie = try Data(contentsOf: TestFiles.fixture("IMG_0003.MOV"))
    var damaged = movie
    let media = try #require(movie.range(of: Data("mdat".utf8)))
    let middle = media.upperBound + (movie.count - media.upperBound) / 4
    damaged.replaceSubrange(middle..<middle + 3000, with: Data(repeating: 0xFF, count: 3000))
    try damaged.write(to: photos.appendingPathComponent("damaged.MOV"))
    let made = try Command.run(
      "export", "--as", "motion-photo", "-o", "motion", "a/IMG_0001.JPG", in: folder.url)
    #expect(made.status == 0, "\(made.standardError)")
    let motion = try FileManager.default.contentsOfDirectory(atPath: folder.file("motion").path)
    try FileManager.default.moveItem(
      at: folder.file("motion").appendingPathComponent(try #require(motion.first)),
      to: photos.appendingPathComponent("motion.JPG"))
    return folder
  }

  /// Returns the lines without the description of the edit that a plan appends to them.
  private func plain(_ output: ToolOutput) -> [String] {
    output.lines.map { line in
      guard line.contains("→"), line.hasSuffix(")"), let end = line.range(of: " (") else { return line }
      return String(line[..<end.lowerBound])
    }
  }

  /// A plan predicts what the run does. A quick run copies frames, converts the format, writes to another folder, is
  /// refused, and changes the location, the span, the kind and other metadata.
  @Test(arguments: Cases.chosen(commands) { index, _ in [1, 2, 3, 5, 6, 8, 10, 11].contains(index) })
  func aPlanIsWhatTheRunDoes(_ words: [String]) throws {
    let folder = try makeFolder()
    let before = try content(of: folder.url)
    let common = words + ["-r", "a", "--jobs", "1", "--verbose"]
    let environment = ["XDG_STATE_HOME": folder.file("state").path]
    let plan = try Tools.run(
      [Command.path] + common + ["--dry-run"], in: folder.url, environment: environment)
    #expect(try content(of: folder.url) == before)
    let run = try Tools.run([Command.path] + common, in: folder.url, environment: environment)
    #expect(plan.status == run.status)
    #expect(plain(plan) == plain(run))
    // On a slow computer, both print the remaining time, which differs.
    func said(_ output: ToolOutput) -> [Substring] { output.sentences.filter { !$0.hasSuffix(" left") } }
    #expect(said(plan) == said(run))
    #expect(!run.lines.isEmpty || !run.sentences.isEmpty)
  }

  /// The plan also names folders that the run is not allowed to write to.
  @Test(
    .enabled(
      if: CommandFailureTests.unprivileged != nil,
      "the tests run as root, and setpriv cannot run the program as nobody"),
    arguments: ["a", "a/.liveedit", "out", "lib"])
  func aFolderThatMayNotBeWrittenToIsRefused(_ place: String) throws {
    let prefix = try #require(CommandFailureTests.unprivileged)
    let folder = try TemporaryFolder()
    for name in ["a", "out", "lib"] + (place == "a/.liveedit" ? [place] : []) {
      try FileManager.default.createDirectory(at: folder.file(name), withIntermediateDirectories: true)
    }
    try FileManager.default.copyItem(
      at: TestFiles.fixture("gainmap.JPG"), to: folder.file("a/gainmap.JPG"))
    for name in ["", "a", "out", "lib", place] {
      try FileManager.default.setAttributes(
        [.posixPermissions: name == place ? 0o555 : 0o777], ofItemAtPath: folder.file(name).path)
    }
    let option = ["out": ["-o", "out"], "lib": ["--library", "lib"]][place] ?? []
    let words = [Command.path, "rotate", "--degrees", "90", "a/gainmap.JPG"] + option
    let plan = try Tools.run(prefix + words + ["--dry-run"], in: folder.url)
    let run = try Tools.run(prefix + words, in: folder.url)
    #expect(plan.status == 1 && plan.sentences.count == 1)
    let named = place.split(separator: "/")[0]
    #expect(plan.standardError.contains("liveedit: \(named): cannot be written: permission denied"))
    #expect(plan.sentences == run.sentences)
  }

  /// A list with Windows line endings is read. A list with null bytes between its names is refused unless `-0` is
  /// given.
  @Test func listsOfOtherKinds() throws {
    let tree = try CommandBatchTests.Tree("a/IMG_0001.JPG", "a/IMG_0002.JPG")
    let windows = try tree.run(
      "rotate", "--degrees", "90", "--files-from", "-", "--dry-run",
      input: Data("a/IMG_0001.JPG\r\n\r\na/IMG_0002.JPG\r\n".utf8))
    #expect(windows.status == 0 && windows.lines.count == 2, "\(windows.text)")
    let nulls = try tree.run(
      "rotate", "--degrees", "90", "--files-from", "-", "--dry-run",
      input: Data("a/IMG_0001.JPG\0a/IMG_0002.JPG\0".utf8))
    #expect(nulls.status == 1 && nulls.sentences.count == 1)
    #expect(nulls.standardError.contains("separates its names with null bytes; add -0"))
  }
}
