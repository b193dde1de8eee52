import Foundation
import TestSupport
import Testing

/// Tests of photos with too many pixels to decode as a whole. With a lowered limit, a crop is byte-identical to one
/// without the limit, and an image of a given size shows the same picture.
@Suite struct LargePhotoTests {
  let folder: TemporaryFolder
  /// A limit of 2²⁰ pixels; the photos have 1.26 million.
  private let limits = ["LIVEEDIT_LIMITS": "pixels=1"]

  init() throws {
    folder = try TemporaryFolder()
    _ = try folder.run(
      "convert",
      [
        "-size", "1400x900", "plasma:red-blue", "-seed", "1", "-sampling-factor", "2x2", "-quality", "92",
        "BIG.JPG",
      ])
  }

  private func run(_ words: [String], isLimited: Bool) throws -> ToolOutput {
    try Tools.run([Command.path] + words, in: folder.url, environment: isLimited ? limits : [:])
  }

  private func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(at: folder.file(name), withIntermediateDirectories: true)
  }

  private func crops(of name: String, _ extra: [String], _ render: String) throws {
    var made: [[UInt8]] = []
    for isLimited in [false, true] {
      let output = isLimited ? "limited" : "whole"
      try makeFolder(output)
      let answer = try run(["crop"] + extra + ["-o", output, name], isLimited: isLimited)
      #expect(answer.status == 0, "\(answer.standardError)")
      made.append(try folder.read(output + "/" + render))
      try FileManager.default.removeItem(at: folder.file(output))
    }
    #expect(made[0] == made[1])
  }

  @Test(arguments: 1...8)
  func cropsOfAJPEGAreTheSame(_ orientation: Int) throws {
    _ = try folder.run(
      "exiftool", ["-q", "-overwrite_original", "-n", "-Orientation=\(orientation)", "BIG.JPG"])
    try crops(of: "BIG.JPG", ["--unit", "percent", "--rect", "60,55,20,30"], "BIG_edited.JPG")
  }

  @Test func cropsOfAHEICAreTheSame() throws {
    try makeFolder("heic")
    let made = try run(
      ["rotate", "--degrees", "90", "--photo-format", "heic", "-o", "heic", "BIG.JPG"], isLimited: false)
    #expect(made.status == 0, "\(made.standardError)")
    try FileManager.default.moveItem(at: folder.file("heic/BIG_edited.HEIC"), to: folder.file("TALL.HEIC"))
    try crops(of: "TALL.HEIC", ["--unit", "percent", "--rect", "60,55,20,30"], "TALL_edited.HEIC")
    try images(of: "TALL.HEIC")
  }

  private func images(of name: String) throws {
    let stem = String(name.prefix { $0 != "." })
    var made: [[UInt8]] = []
    for isLimited in [false, true] {
      let output = isLimited ? "small" : "same"
      let answer = try run(
        ["export", "--as", "image", "--size", "300", "-o", output, name], isLimited: isLimited)
      #expect(answer.status == 0, "\(answer.standardError)")
      made.append(try folder.run("convert", [output + "/" + stem + ".jpg", "rgb:-"]))
    }
    #expect(made[0].count == made[1].count)
    let difference = zip(made[0], made[1]).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    #expect(difference < 4 * made[0].count, "\(Double(difference) / Double(made[0].count))")
  }

  @Test func anImageOfSomeSizeIsTheSame() throws { try images(of: "BIG.JPG") }

  @Test func whatIsStillTooLargeIsOneSentence() throws {
    let cropped = try run(
      ["crop", "--unit", "percent", "--rect", "0,0,95,95", "BIG.JPG"], isLimited: true)
    #expect(cropped.status == 1)
    #expect(
      cropped.standardError
        == "liveedit: BIG.JPG: the cropped picture of 1330x855 would still be too large; crop it to a smaller area\n"
    )
    #expect(try folder.names().filter { !$0.hasPrefix(".") } == ["BIG.JPG"])
  }
}
