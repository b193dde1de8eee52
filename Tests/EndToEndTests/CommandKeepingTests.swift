import Foundation
import TestSupport
import Testing

/// Tests that nothing is lost or mistaken for something else, however unusual the names and the order of commands.
@Suite struct CommandKeepingTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func put(_ fixture: String, as name: String) throws {
    let target = folder.file(name)
    if FileManager.default.fileExists(atPath: target.path) { try FileManager.default.removeItem(at: target) }
    try FileManager.default.copyItem(at: TestFiles.fixture(fixture), to: target)
  }

  func run(_ words: [String]) throws -> ToolOutput {
    let state = ["XDG_STATE_HOME": folder.file("state").path]
    return try Tools.run([Command.path] + words, in: folder.url, environment: state)
  }

  func done(_ words: String...) throws {
    let output = try run(words)
    #expect(output.status == 0, "\(words): \(output.text)\(output.standardError)")
  }

  func refused(_ words: String..., with sentence: String) throws {
    let output = try run(words)
    #expect(
      output.status == 1 && output.standardError.contains(sentence),
      "\(words): \(output.text)\(output.standardError)")
  }

  /// Creates an overwritten original with two versions in its history and no render beside it.
  private func overwritten() throws {
    try put("IMG_0001.JPG", as: "IMG_0001.JPG")
    try done("rotate", "--degrees", "90", "IMG_0001.JPG")
    try done("flip", "--vertical", "IMG_0001.JPG")
    try done("revert", "--to", "original", "IMG_0001.JPG")
    try put("IMG_0002.JPG", as: "IMG_0001.JPG")
  }

  var versions: URL { folder.file(".liveedit/versions/IMG_0001") }

  /// The versions of an overwritten photo are kept, because they cannot be rendered again from the new photo.
  @Test func versionsOfALostOriginalAreKept() throws {
    try overwritten()
    let before = try folder.content(of: versions)
    try #require(before.keys.filter { $0.hasSuffix("IMG_E0001.JPG") }.count == 2)
    try refused("forget", "IMG_0001.JPG", with: "cannot be rendered again")
    try FileManager.default.removeItem(at: versions.appendingPathComponent("1/IMG_0001.AAE"))
    for _ in 1...2 { _ = try run(["check", "--repair", "."]) }
    for (name, bytes) in before where name.hasSuffix(".JPG") {
      #expect(try Data(contentsOf: versions.appendingPathComponent(name)) == bytes, "\(name)")
    }
    // The complete version is exported, and the picture of the incomplete one stays in the library.
    try FileManager.default.createDirectory(at: folder.file("kept"), withIntermediateDirectories: false)
    try done("forget", "--to", "kept", "IMG_0001.JPG")
    let picture = "1/IMG_E0001.JPG"
    #expect(try Data(contentsOf: versions.appendingPathComponent(picture)) == before[picture])
    let kept = try folder.content(of: folder.file("kept"))
    #expect(kept["IMG_0001 version 2/IMG_E0001.JPG"] == before["2/IMG_E0001.JPG"])
  }

  @Test func theyAreHandedOver() throws {
    try overwritten()
    let before = try folder.content(of: versions)
    try FileManager.default.createDirectory(at: folder.file("kept"), withIntermediateDirectories: false)
    try done("forget", "--to", "kept", "IMG_0001.JPG")
    let kept = try folder.content(of: folder.file("kept"))
    for number in 1...2 {
      #expect(kept["IMG_0001 version \(number)/IMG_E0001.JPG"] == before["\(number)/IMG_E0001.JPG"])
    }
    #expect(!FileManager.default.fileExists(atPath: versions.path))
  }

  /// Files that a repair reported as kept are still there after the history is forgotten.
  @Test func whatWasKeptStaysKept() throws {
    try put("IMG_0001.JPG", as: "IMG_0001.JPG")
    try done("rotate", "--degrees", "90", "IMG_0001.JPG")
    try done("flip", "--vertical", "IMG_0001.JPG")
    let render = versions.appendingPathComponent("1/IMG_E0001.JPG")
    let changed = try Data(contentsOf: render) + Data([1])
    try changed.write(to: render)
    try done("check", "--repair", ".")
    try done("forget", "IMG_0001.JPG")
    let left = try folder.content(of: versions)
    #expect(
      left.keys.allSatisfy { $0.contains(".damaged-") } && left.values.contains(changed), "\(left.keys)")
  }

  @Test(arguments: ["IMG_0001.bak", "IMG_0001.DNG", "IMG_0001.txt"]) func aNamesakeIsNoPhoto(_ name: String)
    throws
  {
    try put("IMG_0001.JPG", as: "IMG_0001.JPG")
    try put("IMG_0002.JPG", as: name)
    try refused("rotate", "--degrees", "90", name, with: "has the same name as IMG_0001.JPG")
    #expect(!FileManager.default.fileExists(atPath: folder.file("IMG_E0001.JPG").path))
    try done("rotate", "--degrees", "90", "IMG_0001.JPG")
  }
}

extension TemporaryFolder {
  /// Returns the contents of all files below a folder, keyed by their relative paths.
  func content(of folder: URL) throws -> [String: Data] {
    guard let all = FileManager.default.enumerator(atPath: folder.path) else { return [:] }
    var found: [String: Data] = [:]
    for case let name as String in all {
      let file = folder.appendingPathComponent(name)
      if (try? FileManager.default.attributesOfItem(atPath: file.path)[.type]) as? FileAttributeType
        == .typeRegular
      {
        found[name] = try Data(contentsOf: file)
      }
    }
    return found
  }
}
