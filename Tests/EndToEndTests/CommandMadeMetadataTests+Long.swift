import Foundation
import TestSupport
import Testing

extension CommandMadeMetadataTests {
  /// Returns exiftool's warnings and errors for a file; “OK” if there are none.
  private func warnings(_ file: URL) throws -> [String] {
    try Tools.ask(["exiftool", "-validate", "-warning", "-error", "-a", "-s3"], about: file).lines
  }

  @Test(arguments: ["photo", "png", "movie", "frame only", "image", "stripped"])
  func newExifIsWhole(_ what: String) throws {
    let (folder, out) = try prepared("IMG_0003.JPG", "IMG_0003.MOV", "rotate.png")
    var name = "IMG_0003.JPG"
    switch what {
    case "photo":
      try FileManager.default.copyItem(at: folder.file("IMG_0003.JPG"), to: folder.file("bare.jpg"))
      try exiftool(folder, "-all=", "bare.jpg")
      _ = try run(folder, "create", "--photo", "bare.jpg", "--movie", "IMG_0003.MOV", "-o", "out")
      name = "bare.jpg"
    case "png":
      _ = try run(folder, "create", "--photo", "rotate.png", "--movie", "IMG_0003.MOV", "-o", "out")
      name = "rotate.JPG"
    case "movie": _ = try run(folder, "create", "--movie", "IMG_0003.MOV", "-o", "out")
    case "frame only":
      _ = try folder.run(
        "ffmpeg", ["-v", "error", "-i", "IMG_0003.MOV", "-map_metadata", "-1", "-c", "copy", "x.mp4"])
      _ = try run(folder, "create", "--movie", "x.mp4", "-o", "out")
      name = "x.JPG"
    case "image":
      _ = try run(folder, "export", "--as", "image", "--size", "200", "-o", "out", "IMG_0003.JPG")
      name = "IMG_0003.jpg"
    default: _ = try run(folder, "export", "--as", "pair", "--strip", "all", "-o", "out", "IMG_0003.JPG")
    }
    let file = out.appendingPathComponent(name)
    #expect(try warnings(file) == ["OK"])
    let tags = try tags(of: file)
    let size = [tags["File:ImageWidth"] ?? "", tags["File:ImageHeight"] ?? ""]
    #expect([tags["ExifIFD:ExifImageWidth"], tags["ExifIFD:ExifImageHeight"]] == size)
    #expect(tags["File:ExifByteOrder"] == "MM" && tags["ExifIFD:ExifVersion"] == "0232")
    #expect(tags["ExifIFD:ComponentsConfiguration"] == "1 2 3 0" && tags["IFD0:YCbCrPositioning"] == "1")
    // Exif has no code for Display P3.
    let isP3 = tags["ICC_Profile:ProfileDescription"]?.contains("P3") == true
    #expect(tags["ExifIFD:ColorSpace"] == (isP3 ? "65535" : "1"))
  }

  /// An Exif block without an Exif IFD gets one with all mandatory tags.
  @Test func aNewDirectoryIsWhole() throws {
    let (folder, out) = try prepared("gainmap.JPG", "IMG_0003.MOV")
    let before = try tags(of: folder.file("gainmap.JPG"))
    #expect(before["IFD0:Orientation"] != nil && before["ExifIFD:ExifVersion"] == nil)
    let old = try warnings(folder.file("gainmap.JPG"))
    _ = try run(folder, "create", "--photo", "gainmap.JPG", "--movie", "IMG_0003.MOV", "-o", "out")
    let new = try warnings(out.appendingPathComponent("gainmap.JPG"))
    #expect(new.filter { !old.contains($0) && !$0.contains("Warnings") } == [])
  }

  /// A byte order that cannot be converted safely is kept and reported.
  @Test func anOrderThatStaysIsTold() throws {
    let (folder, out) = try prepared("IMG_0003.JPG", "IMG_0003.MOV")
    try exiftool(folder, "-all=", "IMG_0003.JPG")
    // IFD0 with eight bytes of unknown meaning.
    var exif: [UInt8] = [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 1, 0]
    exif += [0x00, 0xFE, 7, 0, 8, 0, 0, 0, 26, 0, 0, 0, 0, 0, 0, 0] + [1, 0, 2, 0, 3, 0, 0, 0]
    let segment = [0xFF, 0xE1, 0, UInt8(exif.count + 8)] + Array("Exif\0\0".utf8) + exif
    let photo = try folder.read("IMG_0003.JPG")
    try folder.write(Array(photo[..<2]) + segment + Array(photo[2...]), to: "odd.jpg")
    let answer = try run(folder, "create", "--photo", "odd.jpg", "--movie", "IMG_0003.MOV", "-o", "out")
    #expect(answer.text.contains("The photo's Exif data stays little-endian"))
    #expect(try tags(of: out.appendingPathComponent("odd.jpg"))["File:ExifByteOrder"] == "II")
  }

  /// New XMP has an xpacket wrapper, because programs search for it.
  @Test(arguments: ["IMG_0003.JPG", "spatial.HEIC", "rotate.png"])
  func newXMPHasItsWrapper(_ name: String) throws {
    let (folder, out) = try prepared(name)
    try exiftool(folder, "-xmp:all=", name)
    #expect(try tags(of: folder.file(name)).keys.contains { $0.hasPrefix("XMP") } == false)
    let old = try warnings(folder.file(name))
    _ = try run(folder, "describe", "--title", "A title", "--keyword", "+sea", "-o", "out", name)
    let file = try #require(
      try FileManager.default.contentsOfDirectory(at: out, includingPropertiesForKeys: nil).first)
    #expect(try warnings(file).filter { !old.contains($0) && !$0.contains("Warnings") } == [])
    #expect(try tags(of: file)["XMP-dc:Title"] == "A title")
    let bytes = try Data(contentsOf: file)
    let begin = try #require(
      bytes.range(of: Data("<?xpacket begin=\"\u{FEFF}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>".utf8)))
    #expect(bytes.range(of: Data("<?xpacket end=\"w\"?>".utf8), in: begin.upperBound..<bytes.count) != nil)
  }

  /// No JFIF segment follows the MPF index. If another program rewrote a JFIF segment there, the data behind it would
  /// move and the index would be wrong.
  @Test func noJFIFFollowsAnIndexOfPictures() throws {
    let (folder, out) = try prepared("IMG_0004.HEIC")
    _ = try run(folder, "adjust", "--exposure", "0.2", "--photo-format", "jpeg", "-o", "out", "IMG_0004.HEIC")
    let file = try #require(
      try FileManager.default.contentsOfDirectory(at: out, includingPropertiesForKeys: nil).first)
    let segments = try segments(file)
    let index = try #require(segments.firstIndex(of: "e2 MPF"))
    #expect(!segments[index...].contains("e0 JFIF"), "\(segments)")
    let pillow = """
      import sys
      from PIL import Image
      picture = Image.open(sys.argv[1])
      for frame in range(picture.n_frames):
          picture.seek(frame)
          picture.load()
      print(picture.format, picture.n_frames)
      """
    #expect(
      try Tools.output("python3", "-c", pillow, file.path).text.trimmingCharacters(in: .newlines) == "MPO 2")
  }
}
