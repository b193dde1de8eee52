import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

@Suite struct PhotoInspectionTests {
  @Test(arguments: ["IMG_0001.JPG", "IMG_0002.JPG", "IMG_0003.JPG"].map(TestFiles.fixture))
  func agreesWithExiftool(_ file: URL) throws {
    let photo = try PhotoInspection(Photo(MemoryByteSource([UInt8](try Data(contentsOf: file)))))
    let tags = try Tools.exiftool(file)
    #expect(photo.kind == tags["File:FileType"])
    #expect(photo.size == tags["System:FileSize"].flatMap { Int($0) })
    #expect(photo.width == tags["File:ImageWidth"].flatMap { Int($0) })
    #expect(photo.height == tags["File:ImageHeight"].flatMap { Int($0) })
    #expect(photo.coding?.precision == tags["File:BitsPerSample"].flatMap { Int($0) })
    #expect(photo.coding?.components == tags["File:ColorComponents"].flatMap { Int($0) })
    let sampling = ["2 2": "4:2:0", "2 1": "4:2:2", "1 1": "4:4:4", "1 2": "4:4:0"]
    #expect(photo.coding?.subsampling == tags["File:YCbCrSubSampling"].flatMap { sampling[$0] })
    #expect(photo.orientation == tags["IFD0:Orientation"].flatMap { Int($0) })
    #expect(photo.make == tags["IFD0:Make"])
    #expect(photo.model == tags["IFD0:Model"])
    #expect(photo.software == tags["IFD0:Software"])
    #expect(photo.identifier == (tags["Apple:MediaGroupUUID"] ?? tags["Apple:ContentIdentifier"]))
    #expect(photo.profile?.name == tags["ICC_Profile:ProfileDescription"])
    #expect(photo.profile?.size == tags["ICC-header:ProfileSize"].flatMap { Int($0) } ?? photo.profile?.size)
    let thumbnail = photo.embeddedImages.first { $0.name == "Exif thumbnail" }
    #expect(thumbnail?.size == tags["IFD1:ThumbnailLength"].flatMap { Int($0) })
    let hasXMP = tags.keys.contains { $0.hasPrefix("XMP-") }
    #expect(photo.metadata.contains { $0.name == "XMP" } == hasXMP)
    let hasNote = tags.keys.contains { $0.hasPrefix("Apple:") }
    #expect(
      photo.metadata.contains { $0.name == "maker note" && $0.detail?.hasPrefix("Apple") ?? false } == hasNote
    )
  }

  /// Values written by exiftool and codings from cjpeg are read correctly.
  @Test func blocksOfManyKindsAreFound() throws {
    let folder = try TemporaryFolder()
    let file = try folder.copy(TestFiles.fixture("IMG_0003.JPG"))[0]
    let answer = try Tools.run([
      "exiftool", "-overwrite_original", "-Comment=a remark", "-IPTC:Keywords=sea", "-XMP:Title=Sea",
      "-Photoshop:URL=x", file.path,
    ])
    try #require(answer.status == 0)
    var bytes = [UInt8](try Data(contentsOf: file))
    let trailing = Array("behind the picture".utf8)
    bytes += trailing
    let photo = try PhotoInspection(Photo(MemoryByteSource(bytes)))
    let names = photo.metadata.map(\.name)
    for name in ["Exif", "XMP", "Photoshop", "IPTC", "comment"] { #expect(names.contains(name), "\(name)") }
    #expect(photo.metadata.first { $0.name == "comment" }?.detail == "a remark")
    #expect(photo.trailingBytes == trailing.count)
    let iptc = try Tools.run(["exiftool", "-b", "-IPTC", file.path])
    #expect(photo.metadata.first { $0.name == "IPTC" }?.size == iptc.standardOutput.count)
  }

  @Test(arguments: [
    (["-sample", "1x1"], "4:4:4", "baseline"), (["-sample", "2x1"], "4:2:2", "baseline"),
    (["-sample", "1x2"], "4:4:0", "baseline"), (["-grayscale"], "grey", "baseline"),
    (["-progressive"], "4:2:0", "progressive"), (["-arithmetic"], "4:2:0", "extended"),
  ])
  func codingIsWhatTheEncoderWasTold(_ options: [String], _ sampling: String, _ process: String) throws {
    var picture = Data("P6 40 24 255\n".utf8)
    picture += Data((0..<40 * 24 * 3).map { UInt8(truncatingIfNeeded: $0 &* 37) })
    let answer = try Tools.run(["cjpeg"] + options, input: picture)
    try #require(answer.status == 0, "\(answer.standardError)")
    let photo = try PhotoInspection(Photo(MemoryByteSource([UInt8](answer.standardOutput))))
    #expect(photo.coding?.subsampling == sampling)
    #expect(photo.coding?.process == process)
    #expect(photo.coding?.entropyCoder == (options == ["-arithmetic"] ? "arithmetic" : "Huffman"))
    #expect(photo.trailingBytes == 0)
  }

  @Test func cutPhotosSaySo() throws {
    let bytes = [UInt8](try Data(contentsOf: TestFiles.fixture("IMG_0001.JPG")))
    let photo = try PhotoInspection(Photo(MemoryByteSource(Array(bytes.dropLast(1000)))))
    #expect(photo.trailingBytes == nil)
    #expect(photo.notes == ["the file ends before its picture is complete"])
    #expect(photo.width == 1024)
  }

  // The expected numbers are from exiftool and from the script that made the fixture.
  @Test func namesWhatIsInAHEIC() throws {
    let photo = try PhotoInspection(Photo(MemoryByteSource(HEICPhotos.bytes("IMG_0004.HEIC"))))
    #expect(photo.kind == "HEIC")
    #expect(photo.brand == "heic")
    #expect(photo.width == 720 && photo.height == 540 && photo.orientation == 6)
    #expect(photo.identifier == "3F8C7A52-6D1E-4B09-A7C4-58E2B90D1F36")
    #expect(photo.model == "iPhone 15 Pro" && photo.software == "18.5")
    #expect(photo.profile?.name == "Display P3")
    #expect(photo.notes == [] && photo.trailingBytes == 0 && photo.coding == nil)
    #expect(photo.metadata.map(\.name) == ["Exif", "maker note", "XMP"])
    #expect(
      photo.embeddedImages.map { "\($0.name) \($0.width ?? 0)x\($0.height ?? 0)" }
        == ["Exif thumbnail 160x120", "thumbnail 160x120", "gain map 360x270"])
    let heif = try #require(photo.heif)
    #expect(heif.coding?.columns == 4 && heif.coding?.rows == 3 && heif.coding?.tileWidth == 192)
    #expect(heif.coding?.subsampling == "4:2:0" && heif.coding?.bitDepth == 8 && heif.coding?.codec == "hvc1")
    #expect(heif.groups.map(\.members) == [[20, 13]])
    let roles = Dictionary(grouping: heif.items, by: \.role).mapValues { $0.map(\.number) }
    #expect(roles["tile"] == Array(1...12) + Array(15...18))
    #expect(roles["photo"] == [13] && roles["thumbnail"] == [14] && roles["gain map"] == [19])
    #expect(roles["HDR picture"] == [20] && roles["XMP"] == [21, 23] && roles["Exif"] == [22])
    let walked = try WalkedHEIF.read(HEICPhotos.url("IMG_0004.HEIC"))
    for item in heif.items {
      #expect(item.size == walked[Int(item.number)]?.size)
      #expect(item.properties.map(\.type) == walked[Int(item.number)]?.properties.map(\.kind))
    }
    let mirrored = try PhotoInspection(Photo(MemoryByteSource(HEICPhotos.bytes("shared.HEIC"))))
    #expect(mirrored.orientation == 2)
    #expect(mirrored.heif?.items.first?.properties.map(\.number) == [6, 1, 5, 4, 2, 3])
  }

  @Test func damagedPhotosNeverCrash() throws {
    let whole = [UInt8](try Data(contentsOf: TestFiles.fixture("IMG_0001.JPG")))
    var random = SeededGenerator(seed: 11)
    var read = 0
    for round in 0..<120 {
      var bytes = whole
      for _ in 0..<8 {
        bytes[Int.random(in: 2..<9000, using: &random)] = .random(in: 0...255, using: &random)
      }
      if round % 4 == 0 { bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random)) }
      if (try? PhotoInspection(Photo(MemoryByteSource(bytes)))) != nil { read += 1 }
      _ = try PhotoEvidence(reading: MemoryByteSource(bytes), fileExtension: "JPG")
    }
    #expect(read > 0 && read < 120)
  }

  /// Profiles whose description states a wrong position or length.
  @Test func damagedProfilesNeverCrash() throws {
    let extracted = try Tools.run(["exiftool", "-b", "-ICC_Profile", TestFiles.fixture("IMG_0001.JPG").path])
    let whole = [UInt8](extracted.standardOutput)
    #expect(ICCProfile(whole).name == "Display P3")
    var random = SeededGenerator(seed: 3)
    var names: Set<String?> = []
    for _ in 0..<2000 {
      var bytes = whole
      for _ in 0..<6 {
        bytes[Int.random(in: 128..<300, using: &random)] = .random(in: 0...255, using: &random)
      }
      names.insert(ICCProfile(Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))).name)
    }
    #expect(names.contains(nil) && names.count > 1)
  }

  @Test func theEndOfAPictureIsFoundAcrossBlocks() throws {
    // A scan with stuffed bytes and restart markers at the boundary between two reads.
    for padding in (1 << 18) - 8...(1 << 18) + 8 {
      let scan: [UInt8] = [0xFF, 0xDA, 0, 2] + [UInt8](repeating: 0x11, count: padding)
      let bytes = scan + [0xFF, 0x00, 0xFF, 0xD3, 0x22, 0xFF, 0xFF, 0xD9, 0x33, 0x44]
      #expect(try JPEGFile.pictureEnd(in: MemoryByteSource(bytes), from: 0) == bytes.count - 2)
      #expect(throws: MediaError.self) {
        try JPEGFile.pictureEnd(in: MemoryByteSource(Array(bytes.dropLast(3))), from: 0)
      }
    }
  }
}
