import Foundation
import TestSupport
import Testing

/// Names of which the system does not say what they are, as on a failing disk: nothing is taken for missing that may be there.
@Suite(.enabled("strace cannot trace here; scripts/crash-test --can-trace says why", CrashTests.canTrace))
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

  /// Runs a command to which the system tells nothing about one path.
  private func run(_ words: String..., hiding path: String) throws -> ToolOutput {
    let calls = "?newfstatat,?stat,?lstat,?statx"
    return try Tools.run(
      ["strace", "-f", "-qq", "-o", "/dev/null", "-P", path, "-e", "trace=" + calls]
        + ["-e", "inject=" + calls + ":error=EIO", Command.path] + words,
      in: folder.url, environment: ["XDG_CONFIG_HOME": folder.url.path])
  }

  private func isRefused(_ output: ToolOutput, about name: String) -> Bool {
    let said = output.standardError.split(separator: "\n").filter { $0.hasPrefix("liveedit: ") }
    return output.status == 1 && said.count == 1 && said[0].contains("\(name): cannot be read (")
  }

  private var files: [String: Data] { get throws { try content(of: folder.url) } }

  /// It would be a new name otherwise.
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

  /// Its own results would be edited otherwise.
  @Test func theFolderForTheResults() throws {
    let before = try files
    let output = try run("rotate", "--degrees", "90", "-r", "-o", "out", ".", hiding: "out")
    #expect(
      output.status == 1 && output.standardError.contains("out: cannot be read ("), "\(output.standardError)")
    #expect(try files == before)
  }

  /// What lies deeper than folders are looked into is told of.
  @Test func foldersInFolders() throws {
    // The named folder is the first of them.
    for (depth, isTooDeep) in [(65, false), (66, true)] {
      let place = (1...depth).map { "\(depth)-\($0)" }.joined(separator: "/")
      try FileManager.default.createDirectory(at: folder.file(place), withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        at: TestFiles.fixture("IMG_0003.JPG"), to: folder.file(place + "/DEEP.JPG"))
      let output = try Command.run("list", "-r", "\(depth)-1", in: folder.url)
      #expect(output.text.contains("DEEP.JPG") == !isTooDeep)
      #expect(output.standardError.contains("lies 64 folders deep") == isTooDeep, "\(output.standardError)")
      #expect(output.status == (isTooDeep ? 1 : 0))
    }
  }
}
