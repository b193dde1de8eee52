import Foundation
import TestSupport
import Testing

/// Tests of paths that the system cannot identify and files that it cannot read, as on a failing disk: liveedit never
/// treats a file as missing if it may exist.
@Suite(.enabled("strace cannot trace here; see Tests/Long/crash/crash-test --can-trace", Kernel.canTrace))
struct UnknownStatusTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["out", "inner", "liveedit"] {
      try FileManager.default.createDirectory(at: folder.file(name), withIntermediateDirectories: false)
    }
    for place in ["", "inner/"] {
      try FileManager.default.copyItem(
        at: TestFiles.fixture("IMG_0003.JPG"), to: folder.file(place + "IMG_0003.JPG"))
    }
    try folder.write(Array("quality = high\n".utf8), to: "liveedit/config")
  }

  /// Runs a command for which the given system calls on one path fail.
  private func run(
    _ words: [String], failing calls: String = "?newfstatat,?stat,?lstat,?statx", by error: String = "EIO",
    on path: String
  ) throws -> ToolOutput {
    try Tools.run(
      ["strace", "-f", "-qq", "-o", "/dev/null", "-P", path, "-e", "trace=" + calls]
        + ["-e", "inject=" + calls + ":error=" + error, Command.path] + words,
      in: folder.url,
      environment: ["XDG_CONFIG_HOME": folder.url.path, "XDG_STATE_HOME": folder.file("state").path])
  }

  private func run(_ words: String..., hiding path: String) throws -> ToolOutput { try run(words, on: path) }

  private func isRefused(_ output: ToolOutput, about name: String) -> Bool {
    let said = output.standardError.split(separator: "\n").filter { $0.hasPrefix("liveedit: ") }
    return output.status == 1 && said.count == 1 && said[0].contains("\(name): cannot be read (")
  }

  private var files: [String: Data] { get throws { try content(of: folder.url) } }

  /// Otherwise `move` would use the folder's name as the new name.
  @Test func aFolderToMoveTo() throws {
    let before = try files
    let output = try run("move", "IMG_0003.JPG", "out", hiding: "out")
    #expect(isRefused(output, about: "out"), "\(output.standardError)")
    #expect(try files == before)
  }

  @Test func theConfiguration() throws {
    let before = try files
    let path = folder.file("liveedit/config").path
    let output = try run("rotate", "--degrees", "90", "IMG_0003.JPG", hiding: path)
    #expect(isRefused(output, about: path), "\(output.standardError)")
    #expect(try files == before)
  }

  @Test func aFolderInAFolder() throws {
    let output = try run("list", "-r", hiding: "inner")
    #expect(isRefused(output, about: "inner"), "\(output.standardError)")
    #expect(output.text.contains("IMG_0003.JPG"))
  }

  /// Otherwise the command would edit its own results.
  @Test func theFolderForTheResults() throws {
    let before = try files
    let output = try run("rotate", "--degrees", "90", "-r", "-o", "out", ".", hiding: "out")
    #expect(
      output.status == 1 && output.standardError.contains("out: cannot be read ("), "\(output.standardError)")
    #expect(try files == before)
  }

  /// Otherwise the edit would ignore the sidecar's metadata.
  @Test func aSidecar() throws {
    try folder.write(Array("<x:xmpmeta xmlns:x='adobe:ns:meta/'/>".utf8), to: "IMG_0003.JPG.xmp")
    let before = try files
    let output = try run("rotate", "--degrees", "90", "IMG_0003.JPG", hiding: "IMG_0003.JPG.xmp")
    #expect(isRefused(output, about: "IMG_0003.JPG.xmp"), "\(output.standardError)")
    #expect(try files == before)
  }

  /// Otherwise the photo would be edited without its movie.
  @Test func theOtherHalfOfAnotherName() throws {
    try folder.copy(TestFiles.fixture("IMG_0001.JPG"))
    try FileManager.default.copyItem(at: TestFiles.fixture("IMG_0001.MOV"), to: folder.file("clip.MOV"))
    let before = try files
    let output = try run(
      ["rotate", "--degrees", "90", "IMG_0001.JPG"], failing: "read,pread64",
      on: folder.file("clip.MOV").path)
    #expect(isRefused(output, about: "clip.MOV"), "\(output.standardError)")
    #expect(try files == before)
  }

  /// A file that belongs to another user does not count as an other half.
  @Test func aFileOfAnotherUser() throws {
    try folder.copy(TestFiles.fixture("IMG_0001.JPG"))
    try FileManager.default.copyItem(at: TestFiles.fixture("IMG_0001.MOV"), to: folder.file("clip.MOV"))
    let output = try run(
      ["rotate", "--degrees", "90", "IMG_0001.JPG"], failing: "openat", by: "EACCES", on: "clip.MOV")
    #expect(output.status == 0 && output.text.contains("one half of a Live Photo"), "\(output.standardError)")
  }

  /// If one of the names cannot be looked up, the filter still applies to the others.
  @Test func aNameAmongFilteredOnes() throws {
    let long = String(repeating: "x", count: 300) + ".JPG"
    try folder.write(Array("IMG_0003.JPG\n\(long)\n".utf8), to: "list")
    let before = try files
    let output = try Command.run(
      "rotate", "--degrees", "90", "--filter", "favourite", "--files-from", "list", in: folder.url)
    #expect(output.status == 1, "\(output.standardError)")
    #expect(try files == before)
  }

  /// Versions that are exported and forgotten always exist in at least one of the two folders, even if the end of the
  /// transaction cannot be written durably.
  @Test func whatIsForgotten() throws {
    func versions() throws -> Int {
      try Tools.output("find", ".liveedit", "out", "-name", "IMG_E0003.JPG", in: folder.url).lines.count
    }
    // Another program's render cannot be rendered again.
    _ = try Tools.output("convert", "IMG_0003.JPG", "-modulate", "80", "IMG_E0003.JPG", in: folder.url)
    #expect(try Command.run("rotate", "--degrees", "90", "IMG_0003.JPG", in: folder.url).status == 0)
    #expect(try Command.run("revert", "--to", "original", "IMG_0003.JPG", in: folder.url).status == 0)
    let output = try run(
      ["forget", "--to", "out", "IMG_0003.JPG"], failing: "fsync", on: folder.file(".liveedit").path)
    #expect(output.status == 1, "\(output.standardError)")
    #expect(try versions() > 0)
    // The next command in the folder completes the change.
    #expect(try Command.run("mark", "--hidden", "IMG_0003.JPG", in: folder.url).status == 0)
    #expect(try versions() > 0)
  }

  /// Otherwise the originals would get a second history in the library.
  @Test func versionsBesideTheOriginals() throws {
    #expect(try Command.run("rotate", "--degrees", "90", "IMG_0003.JPG", in: folder.url).status == 0)
    let place = folder.file(".liveedit/versions").path
    let library = try TemporaryFolder()
    let edit = ["rotate", "--degrees", "90", "--library", library.url.path, "IMG_0003.JPG"]
    let output = try run(edit, failing: "getdents64", on: place)
    #expect(
      output.status == 1 && output.standardError.contains("cannot be read ("), "\(output.standardError)")
    #expect(try library.names().isEmpty)
  }

  /// Otherwise the list would be replaced with a single library, and originals in other libraries would get histories
  /// of their own.
  @Test func theListOfLibraries() throws {
    let (one, two) = (try TemporaryFolder(), try TemporaryFolder())
    func edit(_ name: String, _ library: TemporaryFolder) -> [String] {
      ["rotate", "--degrees", "90", "--library", library.url.path, name]
    }
    let list = folder.file("state/liveedit/libraries.json")
    #expect(try run(edit("IMG_0003.JPG", one), on: "nothing").status == 0)
    let before = try Data(contentsOf: list)
    let output = try run(edit("inner/IMG_0003.JPG", two), failing: "read,pread64", on: list.path)
    #expect(output.status == 1 && output.standardError.contains("libraries.json: cannot be read ("))
    #expect(try Data(contentsOf: list) == before)
    // Photos with versions in a library cannot be edited beside the originals.
    let beside = ["rotate", "--degrees", "90", "IMG_0003.JPG"]
    #expect(try run(beside, failing: "read,pread64", on: list.path).status == 1)
    #expect(try !folder.names().contains("IMG_E0003.JPG"))
  }

  /// A photo and a movie that are named together are verified as one Live Photo, or not at all.
  @Test func twoFilesToVerify() throws {
    try folder.copy(TestFiles.fixture("IMG_0001.JPG"))
    try FileManager.default.copyItem(at: TestFiles.fixture("IMG_0001.MOV"), to: folder.file("clip.MOV"))
    let output = try run(
      ["verify", "IMG_0001.JPG", "clip.MOV"], failing: "read,pread64", on: folder.file("clip.MOV").path)
    #expect(isRefused(output, about: "clip.MOV"), "\(output.standardError)")
    #expect(output.text.isEmpty, "\(output.text)")
  }

  /// Two photos with the same content are one photo and its copy, even if the content cannot be compared at the moment.
  @Test func copiesToRepair() throws {
    try FileManager.default.copyItem(
      at: TestFiles.fixture("IMG_0003.MOV"), to: folder.file("out/IMG_0003.MOV"))
    let path = folder.file("inner/IMG_0003.JPG").path
    func repair(_ disturbance: [String] = []) throws -> ToolOutput {
      try Tools.run(
        ["strace", "-f", "-qq", "-o", folder.file("trace").path, "-P", path, "-e", "trace=pread64"]
          + disturbance + [Command.path, "repair", "--dry-run", "-r", "."], in: folder.url)
    }
    let whole = try repair()
    #expect(whole.status == 0 && whole.text.contains("copies left out: inner/IMG_0003.JPG"), "\(whole.text)")
    // The last read covers the whole content; the earlier ones read tags.
    let count = String(decoding: try folder.read("trace"), as: UTF8.self).split(separator: "\n").count {
      $0.contains("pread64(")
    }
    for (number, isOfTags) in [(1, true), (count, false)] {
      let output = try repair(["-e", "inject=pread64:error=EIO:when=\(number)+"])
      #expect(output.status == (isOfTags ? 0 : 1), "\(output)")
      let told = isOfTags ? output.text : output.standardError
      #expect(told.contains("inner/IMG_0003.JPG: \(isOfTags ? "left unchanged: " : "")cannot be read ("))
      #expect(!output.text.contains("cannot tell"), "\(output.text)")
    }
  }

  /// Otherwise a filter for marks would find nothing.
  @Test func theCatalogueThatAFilterAsks() throws {
    #expect(try Command.run("mark", "--favourite", "IMG_0003.JPG", in: folder.url).status == 0)
    let catalogue = folder.file(".liveedit/library.sqlite").path
    let output = try run(["list", "--filter", "favourite"], failing: "read,pread64", on: catalogue)
    #expect(output.status == 1 && output.text.isEmpty, "\(output)")
    #expect(output.standardError.contains("library.sqlite"), "\(output.standardError)")
    // Without a filter, the photos are listed, and a message names the catalogue that cannot be read.
    let list = try run(["list"], failing: "read,pread64", on: catalogue)
    #expect(list.status == 0 && list.text.contains("IMG_0003.JPG"), "\(list)")
    #expect(list.standardError.contains("library.sqlite"), "\(list.standardError)")
  }

  /// The zone exists on the system, so liveedit must not call it unknown.
  @Test func theRulesOfATimeZone() throws {
    let zone = "/usr/share/zoneinfo/Europe/Rome"
    let output = try run(
      ["date", "--zone", "Europe/Rome", "IMG_0003.JPG"], failing: "read,pread64", on: zone)
    #expect(isRefused(output, about: zone), "\(output.standardError)")
  }

  /// Folders nested too deeply to be searched are reported.
  @Test func foldersInFolders() throws {
    // The named folder counts as the first level.
    for (depth, isTooDeep) in [(65, false), (66, true)] {
      let place = (1...depth).map { "\(depth)-\($0)" }.joined(separator: "/")
      try FileManager.default.createDirectory(at: folder.file(place), withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        at: TestFiles.fixture("IMG_0003.JPG"), to: folder.file(place + "/DEEP.JPG"))
      let output = try Command.run("list", "-r", "\(depth)-1", in: folder.url)
      #expect(output.text.contains("DEEP.JPG") == !isTooDeep)
      #expect(output.standardError.contains("is 64 folders deep") == isTooDeep, "\(output.standardError)")
      #expect(output.status == (isTooDeep ? 1 : 0))
    }
  }
}
