import Foundation
import TestSupport
import Testing

/// Tests of `liveedit export --as apple`. exiftool, Python's plistlib and liveedit itself, in another folder, read the
/// results.
@Suite struct CommandExportAppleTests {
  @discardableResult
  func run(_ folder: TemporaryFolder, _ arguments: String...) throws -> ToolOutput {
    let answer = try Tools.run([Command.path] + arguments, in: folder.url)
    #expect(answer.status == 0, "\(arguments): \(answer.standardError)")
    return answer
  }

  func names(_ folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  func bytes(_ folder: URL, _ name: String) throws -> Data {
    try Data(contentsOf: folder.appendingPathComponent(name))
  }

  func identifier(_ folder: URL, _ name: String) throws -> String? {
    let tags = try tags(of: folder.appendingPathComponent(name))
    return tags["Apple:ContentIdentifier"] ?? tags["Apple:MediaGroupUUID"] ?? tags["Keys:ContentIdentifier"]
  }

  /// Returns the keys of a property list with their types and some of the values, as Python reads them.
  func list(_ file: URL) throws -> [String: String] {
    let text = try Tools.output(
      "python3", "-c",
      """
      import plistlib, sys
      for key, value in sorted(plistlib.load(open(sys.argv[1], "rb")).items()):
          print(key, type(value).__name__, value if isinstance(value, (str, int)) else len(value) if hasattr(value, "__len__") else value.strftime("%Y-%m-%dT%H:%M:%SZ"), sep="=")
      """, file.path
    ).lines
    return Dictionary(
      uniqueKeysWithValues: text.compactMap { line in
        let parts = line.split(separator: "=", maxSplits: 1)
        return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
      })
  }

  /// In the new folder, liveedit sees the export as an original with an edit that can be changed and reverted.
  @Test func whatWasLaidOutIsAnEditForUsToo() throws {
    let (folder, out) = try prepared("IMG_0001.JPG", "IMG_0001.MOV")
    try run(folder, "rotate", "--degrees", "90", "IMG_0001.JPG")
    try run(folder, "export", "--as", "apple", "-o", "out", "IMG_0001.JPG")
    let laid = try content(of: out)
    let history = try Command.run("history", "--json", "IMG_0001.JPG", in: out)
    #expect(history.status == 0, "\(history.standardError)")
    #expect(history.text.contains("rotated by 90"))
    let revert = try Command.run("revert", "IMG_0001.JPG", in: out)
    #expect(revert.status == 0, "\(revert.standardError)")
    #expect(
      try content(of: out).filter { $0.key != ".liveedit" }.keys.sorted() == ["IMG_0001.JPG", "IMG_0001.MOV"])
    #expect(try bytes(out, "IMG_0001.JPG") == bytes(folder.url, "IMG_0001.JPG"))
    #expect(try Command.run("redo", "IMG_0001.JPG", in: out).status == 0)
    #expect(try content(of: out) == laid)
    // Three more rotations cancel the edit, so liveedit has continued it instead of stacking a new edit on top.
    for _ in 1...3 {
      #expect(try Command.run("rotate", "--degrees", "90", "IMG_0001.JPG", in: out).status == 0)
    }
    #expect(try content(of: out).keys.sorted() == ["IMG_0001.JPG", "IMG_0001.MOV"])
  }

  @Test func withoutAnEditTheOriginalGoesAlone() throws {
    let (folder, out) = try prepared("IMG_0004.HEIC", "IMG_0004.MOV")
    // The camera's own edit settings.
    try folder.write(Array("recipe".utf8), to: "IMG_O0004.AAE")
    try run(folder, "export", "--as", "apple", "-o", "out", "IMG_0004.MOV")
    #expect(try names(out) == ["IMG_0004.HEIC", "IMG_0004.MOV", "IMG_O0004.AAE"])
    for name in try names(out) { #expect(try bytes(out, name) == bytes(folder.url, name)) }
  }

  @Test func whatDoesNotGoWithItIsRefused() throws {
    let (folder, out) = try prepared("IMG_0003.JPG", "IMG_0003.MOV")
    for options in [["--strip", "location"], ["--name", "x"], ["--size", "100"], ["--effect", "loop"]] {
      let answer = try Tools.run(
        [Command.path, "export", "--as", "apple", "-o", "out", "IMG_0003.JPG"] + options, in: folder.url)
      #expect(answer.status == 64, "\(options)")
    }
    // Halves that are not a Live Photo would not become one in Photos.
    try Data(contentsOf: TestFiles.fixture("IMG_0001.MOV")).write(to: folder.file("IMG_0003.MOV"))
    let answer = try Command.run("export", "--as", "apple", "-o", "out", "IMG_0003.JPG", in: folder.url)
    #expect(answer.status == 1, "\(answer.text)")
    #expect(try names(out).isEmpty)
  }
}
