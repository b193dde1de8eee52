import Foundation
import TestSupport
import Testing

/// Tests of `check --accept` with tags that exiftool writes into the originals.
@Suite struct CommandAcceptTests {
  /// Returns a folder with a copy of a Live Photo that has some versions. After three rotations, version 1 no longer
  /// has its files.
  static func edited(_ names: [URL], turns: Int = 3) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in names { try folder.copy(name) }
    let photo = names[0].lastPathComponent
    for _ in 0..<turns { try run(folder, "rotate", "--degrees", "90", "--lossless", photo) }
    return folder
  }

  @discardableResult
  static func run(_ folder: TemporaryFolder, _ arguments: String..., status: Int32 = 0) throws -> ToolOutput {
    let output = try Tools.run([Command.path] + arguments, in: folder.url)
    guard output.status == status else {
      throw ToolFailure("\(arguments): \(output.status) \(output.standardError)\(output.text)")
    }
    return output
  }

  static func write(_ tags: [String], into file: URL) throws {
    let answer = try Tools.run(["exiftool", "-q", "-m", "-overwrite_original"] + tags + [file.path])
    guard answer.status == 0 else { throw ToolFailure(answer.standardError) }
  }

  static func sum(_ file: URL) throws -> String {
    String(try Tools.output("sha256sum", file.path).text.prefix(64))
  }

  static var pairs: [[URL]] {
    let fixtures = [["IMG_0001.JPG", "IMG_0001.MOV"], ["IMG_0004.HEIC", "IMG_0004.MOV"]]
    let samples = [
      ["iphone-6s-jpeg/IMG_0728.JPG", "iphone-6s-jpeg/IMG_0728.MOV"],
      ["iphone-15plus-heic/IMG_3853.HEIC", "iphone-15plus-heic/IMG_3853.MOV"],
    ]
    return fixtures.map { $0.map { TestFiles.fixture($0) } }
      + samples.map { $0.compactMap(TestFiles.sample) }.filter { $0.count == 2 }
  }

  /// After tags in both halves change, every edit is refused with a remedy. Once the tags are accepted, the history
  /// continues and new renders carry the new tags.
  @Test(arguments: pairs.prefix(1))
  func tagsAreTakenIn(_ names: [URL]) throws {
    let folder = try Self.edited(names)
    let (photo, movie) = (folder.file(names[0].lastPathComponent), folder.file(names[1].lastPathComponent))
    let before = try content(of: folder.url)
    let old = [try Self.sum(photo), try Self.sum(movie)]
    try Self.write(["-Artist=Somebody", "-XMP:Rating=4"], into: photo)
    try Self.write(["-Keys:Title=Beach"], into: movie)
    let new = [try Self.sum(photo), try Self.sum(movie)]

    let refused = try Self.run(folder, "rotate", "--degrees", "90", photo.lastPathComponent, status: 1)
    #expect(refused.standardError.contains("check --accept"))
    let found = try Self.run(folder, "check", status: 1)
    #expect(
      found.text.contains(
        "\(photo.lastPathComponent): differs from the recorded original only in its metadata"))
    #expect(
      found.text.contains(
        "\(movie.lastPathComponent): differs from the recorded original only in its metadata"))

    let accepted = try Self.run(folder, "check", "--accept", photo.lastPathComponent)
    for sum in old + new { #expect(accepted.text.contains(sum)) }
    #expect(accepted.text.contains("version 1 will be rendered again with the new metadata"))
    try Self.run(folder, "check")
    // Only the originals have changed, and they are as exiftool wrote them.
    let after = try content(of: folder.url)
    for (name, bytes) in before where ![photo, movie].map(\.lastPathComponent).contains(name) {
      #expect(after[name] == bytes)
    }
    #expect([try Self.sum(photo), try Self.sum(movie)] == new)
    #expect(
      try Self.run(folder, "check", "--accept", photo.lastPathComponent, status: 2).text.contains(
        "nothing to do"))

    let back = try Self.run(folder, "revert", "--to", "1", photo.lastPathComponent)
    #expect(back.text.contains("note: Version 1 was rendered again from originals with changed metadata"))
    let render = try #require(
      try folder.names().first { $0.hasPrefix("IMG_E") && $0.hasSuffix(photo.pathExtension) })
    #expect(try Tools.exiftool(folder.file(render))["IFD0:Artist"] == "Somebody")
    try Self.run(folder, "rotate", "--degrees", "90", "--lossless", photo.lastPathComponent)
    try Self.run(folder, "check")
    // A catalogue rebuilt after a loss also contains the accepted originals.
    try FileManager.default.removeItem(at: folder.file(".liveedit/library.sqlite"))
    try Self.run(folder, "check", "--repair")
    try Self.run(folder, "check")
  }

  @Test func misuseIsExplained() throws {
    let folder = try Self.edited([TestFiles.fixture("IMG_0001.JPG")], turns: 0)
    #expect(try Self.run(folder, "check", "--accept", status: 64).standardError.contains("no file is named"))
    #expect(
      try Self.run(folder, "check", "--accept", "--repair", "a", status: 64).standardError.contains(
        "cannot be used together")
    )
    let unknown = try Self.run(folder, "check", "--accept", "IMG_0001.JPG", status: 1)
    #expect(unknown.standardError.contains("no recorded versions"))
  }
}
