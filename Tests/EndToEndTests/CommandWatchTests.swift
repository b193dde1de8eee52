import Foundation
import TestSupport
import Testing

/// Tests that `watch` processes every arriving file once. Tests/Long/services/watch-test does the same with two hundred
/// pairs.
@Suite struct CommandWatchTests {
  let folder = try? TemporaryFolder()

  func start(_ words: String..., in folder: TemporaryFolder) throws -> Child {
    let output = folder.file("output")
    if !FileManager.default.fileExists(atPath: output.path) { try Data().write(to: output) }
    return try Child(
      [Command.path, "watch"] + words, in: folder.url,
      environment: ["XDG_STATE_HOME": folder.file("state").path], output: .file(output),
      errors: .file(output))
  }

  func wait(for lines: Int, in folder: TemporaryFolder) throws -> [String] {
    var found: [String] = []
    try Event.wait(for: "\(lines) lines") {
      found = String(decoding: try folder.read("output"), as: UTF8.self).split(separator: "\n").map(
        String.init)
      return found.count >= lines
    }
    return found
  }

  @Test func whatArrivesIsEditedOnceAcrossRestarts() throws {
    let folder = try #require(folder)
    let inbox = folder.file("in")
    try FileManager.default.createDirectory(
      at: inbox.appendingPathComponent("old"), withIntermediateDirectories: true)
    func put(_ name: String, to place: String = "") throws {
      try FileManager.default.copyItem(
        at: TestFiles.fixture(name), to: inbox.appendingPathComponent(place).appendingPathComponent(name))
    }
    try put("IMG_0002.JPG", to: "old")
    try put("IMG_0002.MOV", to: "old")
    var process = try start("--apply", "vivid", "-r", "in", in: folder)
    #expect(try wait(for: 1, in: folder).last?.contains("watching 2 folders") == true)
    // Halves arrive in either order and in a subfolder, and one photo grows slowly.
    try put("IMG_0001.MOV", to: "old")
    usleep(300_000)
    try put("IMG_0001.JPG", to: "old")
    let slow = try Data(contentsOf: TestFiles.fixture("gainmap.JPG"))
    try FileManager.default.createDirectory(
      at: inbox.appendingPathComponent("new"), withIntermediateDirectories: false)
    let target = inbox.appendingPathComponent("new/gainmap.JPG")
    try slow.prefix(slow.count / 2).write(to: target)
    #expect(try wait(for: 2, in: folder).last?.contains("in/old/IMG_E0001.JPG, in/old/IMG_E0001.MOV") == true)
    process.signal(SIGKILL)
    process.wait()
    let growing = try FileHandle(forWritingTo: target)
    try growing.seekToEnd()
    try growing.write(contentsOf: slow.dropFirst(slow.count / 2))
    try growing.close()
    try put("IMG_0003.JPG")
    try put("IMG_0003.MOV")
    process = try start("--apply", "vivid", "-r", "in", in: folder)
    let lines = try wait(for: 5, in: folder)
    #expect(lines.count == 5, "\(lines)")
    #expect(lines.filter { $0.contains("→") }.count == 3)
    // The watch ignores its own renders. Otherwise it would process them before the next arrival.
    try put("gainmap.JPG", to: "old")
    #expect(try wait(for: 6, in: folder).last?.contains("in/old/gainmap_edited.JPG") == true)
    process.signal(SIGTERM)
    #expect(process.wait() == .signalled(SIGTERM))
    #expect(try wait(for: 6, in: folder).count == 6)
    for name in ["old/IMG_E0001.JPG", "new/gainmap_edited.JPG", "IMG_E0003.MOV"] {
      #expect(FileManager.default.fileExists(atPath: inbox.appendingPathComponent(name).path), "\(name)")
    }
    #expect(!FileManager.default.fileExists(atPath: inbox.appendingPathComponent("old/IMG_E0002.JPG").path))
  }

  @Test(arguments: [[], ["--auto", "--verify"], ["--apply", "vivid", "--auto"]])
  func oneThingIsDone(_ words: [String]) throws {
    let folder = try #require(folder)
    #expect(try Tools.run([Command.path, "watch"] + words + ["."], in: folder.url).status == 64)
  }
}
