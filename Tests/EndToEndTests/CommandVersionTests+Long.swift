import Foundation
import TestSupport
import Testing

extension CommandVersionTests {
  /// A HEIC render by Photos, with its edit settings and the camera's own, is an ordinary version.
  @Test func aHEICRenderByPhotosIsTakenIn() throws {
    let names = [
      "IMG_3582.HEIC", "IMG_3582.MOV", "IMG_3582.AAE", "IMG_E3582.HEIC", "IMG_E3582.MOV", "IMG_O3582.AAE",
    ]
    let samples = names.compactMap { TestFiles.sample("iphone-15pro-heic/" + $0) }
    guard samples.count == names.count else { return }
    let folder = try TemporaryFolder()
    for sample in samples { try folder.copy(sample) }
    let before = try content(of: folder.url)
    try run("rotate", "--degrees", "90", "--lossless", "IMG_3582.HEIC", in: folder.url)
    let turned = try content(of: folder.url)
    for name in ["IMG_3582.HEIC", "IMG_3582.MOV", "IMG_O3582.AAE"] { #expect(turned[name] == before[name]) }
    #expect(try tags(of: folder.file("IMG_E3582.HEIC"))["IFD0:Orientation"] == "6")
    try run("revert", "IMG_E3582.HEIC", in: folder.url)
    #expect(try content(of: folder.url) == before)
    try run("revert", "IMG_3582.HEIC", in: folder.url)
    #expect(Set(try content(of: folder.url).keys) == ["IMG_3582.HEIC", "IMG_3582.MOV", "IMG_O3582.AAE"])
    try run("redo", "IMG_3582.MOV", in: folder.url)
    #expect(try content(of: folder.url) == before)
    try run("check", in: folder.url)
  }

  /// A version that discarded its files is rendered again with the same bytes, on one core or on all cores.
  @Test(arguments: ["h264", "hevc"], [false, true])
  func aVersionIsRenderedAgain(_ codec: String, _ onOneCore: Bool) throws {
    try withTemporaryFolder { folder in
      _ = try Fixture.portrait.copy(to: folder)
      try run("rotate", "--degrees", "90", "--video-codec", codec, "IMG_0001.JPG", in: folder)
      let first = try content(of: folder)
      for _ in 1...2 { try run("flip", "--vertical", "IMG_0001.JPG", in: folder) }
      try run("rotate", "--degrees", "90", "IMG_0001.JPG", in: folder)
      let back =
        onOneCore
        ? try Tools.output(
          "taskset", "-c", "0", Command.path, "revert", "--to", "1", "--json", folder.path + "/IMG_0001.JPG")
        : try run("revert", "--to", "1", "--json", "IMG_0001.JPG", in: folder)
      #expect(back.text.contains("\"rendered\":true"))
      #expect(try content(of: folder) == first)
      try run("check", in: folder)
    }
  }

  /// A version whose bytes an older build rendered differently, as after an update of liveedit or of a codec, is
  /// rendered again with a note.
  @Test func aVersionOfAnOlderBuildIsRenderedAgain() throws {
    try withTemporaryFolder { folder in
      _ = try Fixture.portrait.copy(to: folder)
      for _ in 1...3 { try run("rotate", "--degrees", "90", "--lossless", "IMG_0001.JPG", in: folder) }
      let build = try #require(
        (try history("IMG_0001.JPG", in: folder)["versions"] as? [[String: Any]])?.first?["build"] as? String)
      #expect(
        build.hasPrefix("liveedit ") && build.contains("libx264.so") && build.contains("libturbojpeg.so"))
      try forge(folder, "UPDATE version SET build = 'liveedit 0.0.9'")
      try forge(folder, "UPDATE file SET sha256 = replace(sha256, '0', '1') WHERE version = 1")
      try run("check", in: folder)
      let back = try run("revert", "--to", "1", "IMG_0001.JPG", in: folder)
      let notes = back.lines.filter { $0.contains("note:") }
      #expect(notes.count == 1 && notes.first?.contains("a different build") == true)
      let versions = try history("IMG_0001.JPG", in: folder)["versions"] as? [[String: Any]]
      #expect(versions?.compactMap { $0["build"] as? String } == [build, "liveedit 0.0.9", "liveedit 0.0.9"])
      for file in versions?.first?["files"] as? [[String: Any]] ?? [] {
        let name = try #require(file["name"] as? String)
        let sum = try Tools.output("sha256sum", name, in: folder).text.prefix(64)
        #expect(file["sha256"] as? String == String(sum))
      }
      try run("check", in: folder)
      // Versions that this build would not render with the same bytes keep their files from now on.
      try run("revert", "--to", "3", "IMG_0001.JPG", in: folder)
      for _ in 1...3 { try run("flip", "--vertical", "--lossless", "IMG_0001.JPG", in: folder) }
      let later = try history("IMG_0001.JPG", in: folder)["versions"] as? [[String: Any]]
      #expect(later?.compactMap { $0["hasFiles"] as? Bool } == [false, true, true, false, true, true])
    }
  }

  /// A file system without file locks, as far as the program can tell.
  @Test(.enabled("strace cannot trace here; see Tests/Long/crash/crash-test --can-trace", Kernel.canTrace))
  func withoutLocksNothingIsWritten() throws {
    try withTemporaryFolder { folder in
      _ = try Fixture.portrait.copy(to: folder)
      let before = try content(of: folder)
      func attempt(_ arguments: String...) throws -> ToolOutput {
        let options = ["-f", "-o", "/dev/null", "-e", "trace=flock", "-e", "inject=flock:error=EOPNOTSUPP"]
        return try Tools.run(["strace"] + options + [Command.path] + arguments, in: folder)
      }
      let refused = try attempt("rotate", "--degrees", "90", "IMG_0001.JPG")
      #expect(refused.status == 1)
      #expect(refused.standardError.contains("without file locks"), "\(refused.standardError)")
      #expect(refused.sentences.count == 1)
      #expect(try content(of: folder) == before)
      #expect(try attempt("history", "IMG_0001.JPG").status == 0)
      try withTemporaryFolder { other in
        let elsewhere = try attempt("rotate", "--degrees", "90", "-o", other.path, "IMG_0001.JPG")
        #expect(elsewhere.status == 0)
      }
    }
  }

  /// If a file system has no byte-range locks, SQLite would assume that another process holds the lock. liveedit
  /// reports the missing locks instead.
  @Test(.enabled("strace cannot trace here; see Tests/Long/crash/crash-test --can-trace", Kernel.canTrace))
  func withoutLocksOfPartsALibrarySaysSo() throws {
    try withTemporaryFolder { folder in
      _ = try Fixture.portrait.copy(to: folder)
      try run("rotate", "--degrees", "90", "IMG_0001.JPG", in: folder)
      let before = try content(of: folder)
      for error in ["ENOLCK", "EOPNOTSUPP"] {
        let options = ["-f", "-o", "/dev/null", "-e", "trace=fcntl", "-e", "inject=fcntl:error=\(error)"]
        let refused = try Tools.run(
          ["strace"] + options + [Command.path, "history", "IMG_0001.JPG"], in: folder)
        #expect(refused.status == 1)
        #expect(refused.standardError.contains("without file locks"), "\(refused.standardError)")
        #expect(refused.sentences.count == 1)
      }
      #expect(try content(of: folder) == before)
    }
  }

  /// Tests liveedit with Apple's edit of a real Live Photo.
  @Test(
    .enabled(if: TestFiles.sample("iphone-6s-jpeg/IMG_0728.AAE") != nil, "LIVEEDIT_SAMPLES names no samples"))
  func appleEdits() throws {
    let names = ["IMG_0728.JPG", "IMG_0728.MOV", "IMG_E0728.JPG", "IMG_E0728.MOV", "IMG_0728.AAE"]
    let folder = try TemporaryFolder()
    for name in names { try folder.copy(try #require(TestFiles.sample("iphone-6s-jpeg/" + name))) }
    let apple = try content(of: folder.url)
    // A 90° rotation swaps the displayed width and height of Apple's own render.
    let old = try tags(of: folder.file("IMG_E0728.JPG"))
    try run("rotate", "--degrees", "90", "IMG_0728.MOV", in: folder.url)
    let new = try tags(of: folder.file("IMG_E0728.JPG"))
    #expect(new["File:ImageWidth"] == old["File:ImageHeight"])
    let versions = try history("IMG_0728.JPG", in: folder.url)["versions"] as? [[String: Any]]
    #expect(versions?.count == 2)
    #expect(versions?[0]["format"] as? String == "com.apple.photo")
    let adjustments = versions?[0]["adjustments"] as? [[String: Any]]
    #expect(adjustments?.compactMap { $0["identifier"] as? String } == ["SmartTone", "SmartColor"])
    #expect(versions?[1]["base"] as? Int == 1)
    try run("revert", "IMG_0728.JPG", in: folder.url)
    #expect(try content(of: folder.url) == apple)
    try run("redo", "IMG_0728.JPG", in: folder.url)
    try run("revert", "--to", "original", "IMG_0728.JPG", in: folder.url)
    #expect(
      try content(of: folder.url) == apple.filter { ["IMG_0728.JPG", "IMG_0728.MOV"].contains($0.key) })
    try run("check", in: folder.url)
  }
}
