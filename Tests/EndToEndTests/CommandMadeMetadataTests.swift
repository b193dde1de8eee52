import Foundation
import TestSupport
import Testing

/// Tests of metadata that liveedit creates (Exif, XMP and MPF). `exiftool -validate`, Pillow and a segment reader
/// inspect it.
@Suite struct CommandMadeMetadataTests {
  func run(_ folder: TemporaryFolder, _ arguments: String...) throws -> ToolOutput {
    let answer = try Tools.run([Command.path] + arguments, in: folder.url)
    #expect(answer.status == 0, "\(arguments): \(answer.standardError)")
    return answer
  }

  func exiftool(_ folder: TemporaryFolder, _ arguments: String...) throws {
    _ = try folder.run("exiftool", ["-q", "-overwrite_original"] + arguments)
  }

  /// Returns the Exif, XMP and maker note tags.
  private func metadata(_ file: URL) throws -> [String: String] {
    try tags(of: file, "-b").filter { key, _ in
      ["IFD0:", "IFD1:", "ExifIFD:", "GPS:", "InteropIFD:", "XMP", "Apple:"].contains { key.hasPrefix($0) }
    }
  }

  /// Returns a JPEG's markers before its first scan, each with the first letters of its segment.
  func segments(_ file: URL) throws -> [String] {
    let bytes = try Data(contentsOf: file)
    var list: [String] = []
    var at = 2
    while at + 10 < bytes.count, bytes[at + 1] != 0xDA {
      list.append(
        String(bytes[at + 1], radix: 16) + " "
          + String(decoding: bytes[at + 4..<at + 8].prefix { $0 != 0 }, as: UTF8.self))
      at += 2 + Int(bytes[at + 2]) << 8 + Int(bytes[at + 3])
    }
    return list
  }

  /// Exif is big-endian, because Apple's web player does not read little-endian Exif.
  @Test func aPairIsBigEndian() throws {
    let (folder, out) = try prepared("IMG_0003.JPG", "IMG_0003.MOV")
    try exiftool(folder, "-all=", "IMG_0003.JPG")
    try exiftool(
      folder, "-ExifByteOrder=II", "-Make=A maker", "-Model=A model", "-ExposureTime=1/60", "-ISO=100",
      "-ExposureCompensation=-0.3", "-UserComment=Größe", "-GPSLatitude=48.5", "-GPSLatitudeRef=N",
      "-GPSLongitude=11.5", "-GPSLongitudeRef=E", "-DateTimeOriginal=2024:05:01 10:00:00",
      "-LensInfo=4 4 2.8 2.8", "IMG_0003.JPG")
    let original = try metadata(folder.file("IMG_0003.JPG"))
    #expect(try tags(of: folder.file("IMG_0003.JPG"))["File:ExifByteOrder"] == "II")
    let answer = try run(folder, "create", "--photo", "IMG_0003.JPG", "--movie", "IMG_0003.MOV", "-o", "out")
    #expect(!answer.text.contains("little-endian"))
    let made = out.appendingPathComponent("IMG_0003.JPG")
    #expect(try tags(of: made)["File:ExifByteOrder"] == "MM")
    let new = try metadata(made)
    for (name, value) in original { #expect(new[name] == value, "\(name)") }
    // A render of a pair whose Exif another program has rewritten.
    try exiftool(
      folder, "-all=", "-tagsFromFile", "@", "-all:all", "-unsafe", "-ExifByteOrder=II", "out/IMG_0003.JPG")
    #expect(try tags(of: made)["File:ExifByteOrder"] == "II")
    _ = try run(folder, "rotate", "--degrees", "180", "--lossless", "out/IMG_0003.JPG")
    let render = out.appendingPathComponent("IMG_E0003.JPG")
    #expect(try tags(of: render)["File:ExifByteOrder"] == "MM")
    let turned = try metadata(render)
    for (name, value) in original where name != "IFD0:Orientation" {
      #expect(turned[name] == value, "\(name)")
    }
  }
}
