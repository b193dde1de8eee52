import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

/// Tests of reading a photo's capture metadata, compared with exiftool.
@Suite struct PhotoMetadataTests {
  /// Returns a photo with tags written by exiftool, based on a fixture with an Apple maker note.
  private func photo(
    _ arguments: [String], tail: [UInt8] = []
  ) throws -> (metadata: PhotoMetadata, tags: [String: String]) {
    let folder = try TemporaryFolder()
    let file = try #require(try folder.copy(TestFiles.fixture("IMG_0001.JPG")).first)
    if !arguments.isEmpty {
      try folder.run("exiftool", ["-q", "-n", "-overwrite_original"] + arguments + [file.path])
    }
    return (
      try Photo(MemoryByteSource(folder.read("IMG_0001.JPG") + tail)).metadata(), try Tools.exiftool(file)
    )
  }

  @Test(arguments: ["IMG_0001.JPG", "IMG_0002.JPG", "IMG_0003.JPG"])
  func fixtures(_ name: String) throws {
    try Self.compare(TestFiles.fixture(name))
  }

  static func compare(_ file: URL) throws {
    let bytes = [UInt8](try Data(contentsOf: file))
    let metadata = try Photo(MemoryByteSource(bytes)).metadata()
    let tags = try Tools.exiftool(file)
    let isSideways = ["5", "6", "7", "8"].contains(tags["IFD0:Orientation"] ?? "1")
    #expect("\(metadata.width)" == tags[isSideways ? "File:ImageHeight" : "File:ImageWidth"], "\(file)")
    #expect("\(metadata.height)" == tags[isSideways ? "File:ImageWidth" : "File:ImageHeight"])
    #expect(metadata.contentIdentifier == tags["Apple:MediaGroupUUID"])
    #expect(metadata.make == tags["IFD0:Make"])
    #expect(metadata.model == tags["IFD0:Model"])
    #expect(metadata.software == tags["IFD0:Software"])
    #expect(metadata.burst == tags["Apple:BurstUUID"])
    #expect(metadata.isBalanced == (tags["ExifIFD:WhiteBalance"] == "0"))
    let date = tags["ExifIFD:DateTimeOriginal"].map { date in
      let fraction = (tags["ExifIFD:SubSecTimeOriginal"] ?? "").prefix(3)
      let zone = (tags["ExifIFD:OffsetTimeOriginal"] ?? "").replacingOccurrences(of: "+00:00", with: "Z")
      return date.replacingOccurrences(
        of: ":", with: "-", range: date.startIndex..<date.index(date.startIndex, offsetBy: 10)
      )
      .replacingOccurrences(of: " ", with: "T") + (fraction.isEmpty ? "" : ".\(fraction)") + zone
    }
    #expect(metadata.created?.text == date)
    #expect(
      metadata.location?.latitude.rounded6 == tags["Composite:GPSLatitude"].flatMap { Double($0) }?.rounded6)
    #expect(
      metadata.location?.longitude.rounded6 == tags["Composite:GPSLongitude"].flatMap { Double($0) }?.rounded6
    )
    if metadata.location != nil {
      #expect(
        metadata.location?.altitude?.rounded6
          == tags["Composite:GPSAltitude"].flatMap { Double($0) }?.rounded6)
    }
  }

  @Test(arguments: [
    (48.137, 11.575, 519.5), (-33.8568, 151.2153, -3.25), (64.1466, -21.9426, 0), (-54.8, -68.3, 57),
  ])
  func places(_ latitude: Double, _ longitude: Double, _ altitude: Double) throws {
    let place = try #require(
      try photo([
        "-GPSLatitude=\(abs(latitude))", "-GPSLatitudeRef=\(latitude < 0 ? "S" : "N")",
        "-GPSLongitude=\(abs(longitude))", "-GPSLongitudeRef=\(longitude < 0 ? "W" : "E")",
        "-GPSAltitude=\(abs(altitude))", "-GPSAltitudeRef=\(altitude < 0 ? 1 : 0)",
      ]).metadata.location)
    #expect(place.latitude.rounded6 == latitude.rounded6)
    #expect(place.longitude.rounded6 == longitude.rounded6)
    #expect(place.altitude?.rounded6 == altitude.rounded6)
  }

  private static let kindCases: [(arguments: [String], subtypes: Set<AssetSubtype>)] = [
    (["-CustomRendered=3"], Set<AssetSubtype>([.hdr])), (["-CustomRendered=2"], [.hdr]),
    (["-CustomRendered=6"], [.panorama]), (["-CustomRendered=7"], [.hdr, .portrait]),
    (["-CustomRendered=8"], [.portrait]), (["-CustomRendered=1"], []),
    (["-UserComment=Screenshot"], [.screenshot]), (["-UserComment=Screenshots of cats"], []),
    (["-XMP-GPano:ProjectionType=equirectangular"], [.panorama]),
    (["-XMP-dc:Description=photos/1.0/panorama"], []),
    (["-XMP-GCamera:MicroVideo=1"], []), (["-XMP-GCamera:MicroVideo=0"], []),
    (["-XMP-dc:Description=MotionPhoto"], []),
  ]

  @Test(arguments: kindCases)
  func kinds(_ arguments: [String], _ expected: Set<AssetSubtype>) throws {
    let (metadata, tags) = try photo(arguments)
    #expect(metadata.subtypes == expected)
    // Makes sure that exiftool wrote the tag.
    let name = try #require(
      arguments.first?.drop { $0 == "-" }.split(separator: "=").first?.split(separator: ":").last)
    #expect(tags.keys.contains { $0.hasSuffix(":" + name) }, "\(tags.keys.sorted())")
  }

  /// Motion Photos marked by Google's number or by the directory of the file's contents.
  @Test(arguments: [
    (#"GCamera:MotionPhoto="1"/>"#, "XMP-GCamera:MotionPhoto", true),
    (#"GCamera:MotionPhoto="0"/>"#, "XMP-GCamera:MotionPhoto", false),
    (directory("MotionPhoto"), "XMP-Container:DirectoryItemSemantic", true),
    (directory("GainMap"), "XMP-Container:DirectoryItemSemantic", false),
  ])
  func motionPhotos(_ said: String, _ name: String, _ isMotion: Bool) throws {
    let packet = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about="" xmlns:GCamera="http://ns.google.com/photos/1.0/camera/"
      xmlns:Container="http://ns.google.com/photos/1.0/container/"
      xmlns:Item="http://ns.google.com/photos/1.0/container/item/" \(said)
      </rdf:RDF></x:xmpmeta>
      """
    let folder = try TemporaryFolder()
    let file = try folder.write(Array(packet.utf8), to: "motion.xmp")
    let (metadata, tags) = try photo(["-XMP<=\(file.path)"])
    // A mark without a movie does not count.
    #expect(metadata.subtypes == [])
    let moving = try photo(["-XMP<=\(file.path)"], tail: TestFiles.shortestMovie).metadata
    #expect(moving.subtypes == (isMotion ? [.motionPhoto] : []))
    #expect(tags[name] != nil, "\(tags.keys.sorted())")
  }

  private static func directory(_ semantic: String) -> String {
    """
    ><Container:Directory><rdf:Seq><rdf:li rdf:parseType="Resource">
    <Container:Item Item:Mime="video/mp4" Item:Semantic="\(semantic)" Item:Length="9"/></rdf:li></rdf:Seq>
    </Container:Directory></rdf:Description>
    """
  }

  /// Returns a photo into which exiftool copied an Apple maker note with SLONG values and texts.
  private func photo(note: [(tag: UInt8, number: UInt8?, text: String?)]) throws -> (
    metadata: PhotoMetadata, tags: [String: String]
  ) {
    var bytes = Array("Apple iOS".utf8) + [0, 0, 1, 0x4D, 0x4D, 0, UInt8(note.count)]
    var values: [UInt8] = []
    let end = bytes.count + 12 * note.count + 4
    for one in note {
      let text = one.text.map { Array($0.utf8) + [0] }
      bytes += [0, one.tag, 0, text == nil ? 9 : 2, 0, 0, 0, UInt8(text?.count ?? 1)]
      bytes += [0, 0, 0, one.number ?? UInt8(end + values.count)]
      values += text ?? []
    }
    let folder = try TemporaryFolder()
    try folder.write(bytes + [0, 0, 0, 0] + values, to: "note")
    let file = try folder.write(
      try folder.photo(exiftool: ["-Make=Apple", "-MakerNotes<=" + folder.file("note").path]), to: "noted.jpg"
    )
    return (try Photo(MemoryByteSource(folder.read("noted.jpg"))).metadata(), try Tools.exiftool(file))
  }

  @Test func makerNotes() throws {
    let burst = "6A9E3C62-0B5A-4A3B-8B0B-2F8E0F2B1C11"
    for (number, expected) in [(UInt8(3), Set<AssetSubtype>([.hdr, .burst])), (4, [.burst])] {
      let (metadata, tags) = try photo(note: [(0x0A, number, nil), (0x0B, nil, burst)])
      #expect(tags["Apple:HDRImageType"] == "\(number)" && tags["Apple:BurstUUID"] == burst)
      #expect(metadata.subtypes == expected)
      #expect(metadata.burst == burst)
    }
    #expect(try photo(note: [(0x14, 2, nil)]).metadata.subtypes == [.portrait])
    #expect(try photo(note: [(0x14, 10, nil)]).metadata.subtypes == [])
  }

  @Test func aGainMapIsHighDynamicRange() throws {
    let plain = try Data(contentsOf: TestFiles.fixture("IMG_0001.JPG"))
    // ISO 21496-1 uses an APP2 segment with this name.
    let name = Array("urn:iso:std:iso:ts:21496:-1".utf8) + [0, 0, 0, 0, 0]
    let segment: [UInt8] = [0xFF, 0xE2, 0, UInt8(name.count + 2)] + name
    let bytes = [UInt8](plain.prefix(2)) + segment + plain.dropFirst(2)
    #expect(try Photo(MemoryByteSource(bytes)).metadata().subtypes == [.hdr])
  }

  @Test func digitizedStandsInForTheOriginalDate() throws {
    let metadata = try photo([
      "-DateTimeOriginal=", "-SubSecTimeOriginal=", "-CreateDate=2020:02:29 23:59:58",
      "-OffsetTimeDigitized=+05:45",
    ]).metadata
    #expect(metadata.created?.text == "2020-02-29T23:59:58+05:45")
  }
}

extension Double {
  /// The number rounded to a millionth.
  fileprivate var rounded6: Double { (self * 1e6).rounded() / 1e6 }
}
