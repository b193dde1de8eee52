import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

/// Tests of photos that are tagged as Display P3. exiftool and walk-heif read the results.
@Suite struct PhotoColorsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func bytes(_ file: URL) throws -> [UInt8] { [UInt8](try Data(contentsOf: file)) }

  /// Returns the profile of a fixture.
  private func profile() throws -> [UInt8] {
    try #require(try Photo(MemoryByteSource(Self.bytes(TestFiles.fixture("IMG_0002.JPG")))).iccProfile())
  }

  /// Rewrites a photo and returns the file and the list of removed metadata.
  private func written(_ file: URL) throws -> (file: URL, removals: [Removal]) {
    let sink = MemoryByteSink()
    let photo = try Photo(MemoryByteSource(Self.bytes(file)))
    let removals = try photo.write(asDisplayP3: profile(), to: sink)
    let new = folder.file("new." + file.pathExtension)
    try Data(sink.bytes).write(to: new)
    return (new, removals)
  }

  private func pixels(_ file: URL) throws -> [UInt8] {
    try folder.run("convert", [file.path, "-depth", "8", "rgb:-"])
  }

  /// Returns the tags that differ between the two files, except those of the profile and the file itself.
  private func differences(_ one: URL, _ other: URL) throws -> Set<String> {
    let (before, after) = (try Tools.exiftool(one), try Tools.exiftool(other))
    return Set(before.keys).union(after.keys).filter {
      before[$0] != after[$0] && !$0.hasPrefix("ICC") && !$0.hasPrefix("System:") && !$0.hasPrefix("File:")
        && !$0.hasPrefix("ExifTool:") && $0 != "SourceFile"
    }
  }

  @Test func inJPEG() throws {
    let file = folder.file("photo.jpg")
    try Data(contentsOf: TestFiles.fixture("IMG_0003.JPG")).write(to: file)
    try folder.run(
      "exiftool",
      [
        "-q", "-overwrite_original", "-ColorSpace#=1", "-XMP-exif:ColorSpace#=1", "-InteropIndex#=R98",
        "-InteropVersion#=0100", "-XMP-photoshop:ICCProfileName=sRGB IEC61966-2.1", file.path,
      ])
    let before = try Tools.exiftool(file)
    #expect(before["InteropIFD:InteropIndex"] == "R98" && before["XMP-photoshop:ICCProfileName"] != nil)
    let (new, removals) = try written(file)
    #expect(removals.isEmpty)
    let tags = try Tools.exiftool(new)
    #expect(tags["ICC_Profile:ProfileDescription"] == "Display P3")
    #expect(tags["ExifIFD:ColorSpace"] == "65535" && tags["XMP-exif:ColorSpace"] == "65535")
    let changed = try differences(file, new)
    #expect(tags["InteropIFD:InteropIndex"] == nil && tags["InteropIFD:InteropVersion"] == "0100")
    let isTrue = changed.allSatisfy { tag in
      ["ColorSpace", "ThumbnailOffset", "InteropIndex", "ICCProfileName"].contains { tag.contains($0) }
    }
    #expect(isTrue, "\(changed)")
    #expect(try pixels(new) == pixels(file))
    // The new profile replaces an existing one.
    let (again, _) = try written(new)
    #expect(try Data(contentsOf: again) == Data(contentsOf: new))
  }

  /// The first twelve bytes of a segment, of which the last is zero, identify a profile. exiftool distinguishes other
  /// segments too.
  @Test func anotherSegmentIsNoProfile() throws {
    var bytes = try Self.bytes(TestFiles.fixture("IMG_0002.JPG"))
    let name = try #require(bytes.firstIndex(of: "ICC_PROFILE"))
    bytes[name + 11] = 1
    try folder.write(bytes, to: "odd.jpg")
    #expect(try Tools.exiftool(folder.file("odd.jpg")).keys.allSatisfy { !$0.hasPrefix("ICC") })
    #expect(try Photo(MemoryByteSource(bytes)).iccProfile() == nil)
    let (file, removals) = try written(folder.file("odd.jpg"))
    #expect(try Photo(MemoryByteSource(Self.bytes(file))).iccProfile() == profile() && removals.isEmpty)
    #expect(try Tools.exiftool(file)["ICC_Profile:ProfileDescription"] == "Display P3")
  }

  @Test func inPNG() throws {
    let file = folder.file("photo.png")
    try folder.run(
      "convert",
      [TestFiles.fixture("IMG_0003.JPG").path, "-strip", "-resize", "64x", "-type", "Palette", file.path])
    try folder.run(
      "exiftool", ["-q", "-overwrite_original", "-SRGBRendering#=0", "-XMP-exif:ColorSpace#=1", file.path])
    let before = try Tools.exiftool(file)
    #expect(before["PNG:Gamma"] != nil || before["PNG:SRGBRendering"] != nil)
    let (new, _) = try written(file)
    let tags = try Tools.exiftool(new)
    #expect(tags["ICC_Profile:ProfileDescription"] == "Display P3")
    #expect(
      tags["PNG:Gamma"] == nil && tags["PNG:SRGBRendering"] == nil && tags["PNG-cHRM:WhitePointX"] == nil)
    let checked = try Tools.run(["identify", "-regard-warnings", new.path])
    #expect(checked.status == 0, "\(checked.standardError)")
    #expect(try pixels(new) == pixels(file))
    let kinds = try PNGFile(reading: MemoryByteSource(Self.bytes(new))).chunks.map(\.kind.description)
    #expect(kinds.prefix(2) == ["IHDR", "iCCP"] && kinds.contains("PLTE"))
  }

  /// Checks the profile and code points of the photo, its tiles and its thumbnail.
  @Test func inHEIC() throws {
    // The photo's HDR picture has the primaries of BT.709, like that of an sRGB photo.
    var bytes = try Data(contentsOf: TestFiles.fixture("IMG_0004.HEIC"))
    let place = try #require(bytes.range(of: Data("colrnclx".utf8) + [0, 12, 0, 16]))
    bytes[place.upperBound - 3] = 1
    let file = folder.file("photo.HEIC")
    try bytes.write(to: file)
    let (new, removals) = try written(file)
    #expect(removals.isEmpty)
    let (before, after) = (try WalkedHEIF.read(file), try WalkedHEIF.read(new))
    let profile = try profile().map { String(format: "%02x", $0) }.joined()
    let thumbnails = before.references.filter { $0.kind == "thmb" && $0.to == [before.primary] }.map(\.from)
    let pictures = [before.primary] + thumbnails
    let tiles = before.references.filter { $0.kind == "dimg" && pictures.contains($0.from) }.flatMap(\.to)
    try #require(!thumbnails.isEmpty && !tiles.isEmpty)
    for (id, item) in after.items {
      let old = try #require(before.items[id])
      #expect(item.sha == old.sha || item.type == "Exif" || item.type == "mime")
      let isColored = Int(id).map((pictures + tiles).contains) ?? false
      let wanted = old.contents("colr").map { known -> String in
        // The code points for matrix and range are kept.
        isColored
          ? known.hasPrefix("6e636c78")
            ? String(known.prefix(8)) + "000c000d" + String(known.dropFirst(16)) : "70726f66" + profile
          : item.type == "tmap" ? known.replacing("00010010", with: "000c0010") : known
      }
      #expect(item.contents("colr") == wanted, "\(id) \(item.type)")
      #expect(item.type != "tmap" || wanted != old.contents("colr"))
    }
    #expect(try Tools.exiftool(new)["ICC_Profile:ProfileDescription"] == "Display P3")
  }
}
