import Foundation
import TestSupport
import Testing

/// Tests of files that claim to be very large but contain almost nothing, and of files that exceed the limit for their
/// kind. Every command reports such a file in one message without reading it.
@Suite struct CommandHollowFileTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["IMG_0001.JPG", "IMG_0001.MOV"] { try folder.copy(TestFiles.fixture(name)) }
  }

  private func run(_ words: [String], _ environment: [String: String] = [:]) throws -> ToolOutput {
    try Tools.run([Command.path] + words, in: folder.url, environment: environment)
  }

  /// Returns the commands that read an asset.
  private func commands(_ name: String) -> [[String]] {
    [
      ["verify", name], ["rotate", "--degrees", "90", name], ["adjust", "--exposure", "0.2", name],
      ["history", name],
      ["export", "--as", "pair", "-o", "out", name], ["list", "."], ["check", "."],
      ["repair", "--dry-run", "."],
      ["duplicates", "."],
    ]
  }

  @Test(arguments: ["IMG_0001.MOV", "IMG_0001.JPG", "IMG_0004.HEIC", "one.png"])
  func giantsOfHolesAreRefused(_ name: String) throws {
    if name == "IMG_0004.HEIC" { try folder.copy(TestFiles.fixture(name)) }
    if name == "one.png" { try Tools.output("convert", "-size", "8x8", "xc:red", folder.file(name).path) }
    try FileManager.default.createDirectory(at: folder.file("out"), withIntermediateDirectories: false)
    try Tools.output("truncate", "-s", "1T", folder.file(name).path)
    for words in commands(name) + [["inspect", name]] {
      let output = try run(words)
      #expect(output.status < 3, "\(words): \(output.standardError)")
      let isRefused = ["rotate", "adjust", "history", "export", "inspect"].contains(words[0])
      #expect(!isRefused || output.status == 1)
      let told = "\(name): more than 1 GB of the file was never written"
      #expect(!isRefused || output.standardError.contains(told), "\(words): \(output.standardError)")
      #expect(words[0] != "list" || output.text.contains(told), "\(output.text)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("out").path) == [])
    #expect(!FileManager.default.fileExists(atPath: folder.file("IMG_E0001.JPG").path))
  }

  /// A large but valid movie: data that an edit leaves out follows its media, and the edit equals that of the plain
  /// movie.
  @Test func aLargeMovieIsEdited() throws {
    let plain = try run(["rotate", "--degrees", "90", "--lossless", "IMG_0001.JPG"])
    #expect(plain.status == 0)
    let render = try folder.read("IMG_E0001.MOV")
    _ = try run(["revert", "IMG_0001.JPG"])
    _ = try run(["forget", "IMG_0001.JPG"])
    for name in [".liveedit", "IMG_0001.AAE"] { try? FileManager.default.removeItem(at: folder.file(name)) }
    // 64 MB of stored zeros, and a hole of the same size.
    let zeros = try Tools.output("head", "-c", "\(64 << 20)", "/dev/zero").bytes
    let movie = try folder.read("IMG_0001.MOV")
    try folder.write(movie + zeros, to: "IMG_0001.MOV")
    try Tools.output("truncate", "-s", "+64M", folder.file("IMG_0001.MOV").path)
    let padded = try run(["rotate", "--degrees", "90", "--lossless", "IMG_0001.JPG"])
    #expect(padded.status == 0, "\(padded.standardError)")
    #expect(try folder.read("IMG_E0001.MOV") == render)
    #expect(try run(["check", "."]).status == 0)
  }

  /// Returns how many bytes of a file a command and its child processes read.
  private func bytesRead(_ name: String, by words: [String], _ environment: [String: String] = [:]) throws
    -> (
      bytes: Int, output: ToolOutput
    )
  {
    let log = folder.file("log").path
    let output = try Tools.run(
      ["strace", "-f", "-y", "-s", "0", "-o", log, "-e", "trace=pread64,read", Command.path] + words,
      in: folder.url,
      environment: environment)
    let calls = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
    let counts = calls.filter { $0.contains("/\(name)>") }.compactMap {
      $0.split(separator: "=").last.flatMap { Int($0.trimmingCharacters(in: .whitespaces)) }
    }
    return (counts.reduce(0, +), output)
  }

  /// A photo or adjustment data that is too large is refused before it is hashed.
  @Test(.enabled("strace cannot trace here; see Tests/Long/crash/crash-test --can-trace", Kernel.canTrace))
  func limitsComeBeforeHashes() throws {
    let turn = ["rotate", "--degrees", "90", "IMG_0001.JPG"]
    // Random bytes, so that the file has no holes.
    let rest = try Tools.output("head", "-c", "\(17 << 20)", "/dev/urandom").bytes
    try folder.write(rest, to: "IMG_0001.AAE")
    let data = try bytesRead("IMG_0001.AAE", by: turn)
    #expect(data.output.status == 1 && data.bytes < 1 << 20, "\(data.bytes)")
    #expect(
      data.output.standardError
        == "liveedit: IMG_0001.AAE: is in the way and does not contain adjustment data; "
        + "move it to another folder\n")
    try FileManager.default.removeItem(at: folder.file("IMG_0001.AAE"))
    let photo = try folder.read("IMG_0001.JPG")
    for name in ["IMG_0001.JPG", "IMG_E0001.JPG"] {
      try folder.write(photo + rest, to: name)
      for words in [
        turn, ["history", "IMG_0001.JPG"], ["verify", name], ["inspect", name], ["list", "."],
      ] {
        let large = try bytesRead(name, by: words, ["LIVEEDIT_LIMITS": "photo-size=16"])
        #expect(large.bytes < 1 << 20, "\(words): \(large.bytes)")
        if words == turn {
          #expect(large.output.status == 1)
          #expect(
            large.output.standardError.contains("\(name): the photo is larger than 16 MB"),
            "\(large.output.standardError)")
        }
      }
      try folder.write(photo, to: name)
    }
  }
}
