import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

/// Tests of removing private metadata from photos, compared with exiftool.
@Suite struct PhotoStrippingTests {
  /// Tags that reveal location, person, equipment and time, in every form found in photos.
  private static let place = [
    "-GPSLatitude=48.137", "-GPSLatitudeRef=N", "-GPSLongitude=11.575", "-GPSLongitudeRef=E",
    "-XMP-exif:GPSLatitude=48.137", "-XMP-photoshop:City=Munich", "-XMP-iptcCore:Location=Marienplatz",
    "-XMP-iptcCore:CountryCode=DE",
  ]
  private static let iptcPlace = ["-IPTC:City=Munich", "-IPTC:Sub-location=Marienplatz"]
  private static let others = [
    "-Make=Maker", "-Model=Model", "-Artist=A person", "-DateTimeOriginal=2024:05:06 07:08:09",
    "-XMP-dc:Creator=A person", "-Orientation#=6",
  ]
  private static let words = ["Munich", "Marienplatz", "A person", "Maker", "2024:05:06"]

  private static func strip(
    _ bytes: [UInt8], _ what: PrivateMetadata, identifier: String? = nil
  ) throws -> (bytes: [UInt8], removals: [String]) {
    let sink = MemoryByteSink()
    let removals = try Photo(MemoryByteSource(bytes)).write(without: what, identifier: identifier, to: sink)
    return (sink.bytes, removals.map(\.name))
  }

  private static func tellsPlace(_ tag: String) -> Bool {
    ["GPS", "City", "Location", "Sub-location", "CountryCode", "Country"].contains {
      tag.split(separator: ":").last?.hasPrefix($0) ?? false
    }
  }

  /// Returns whether a tag describes the file itself or exiftool, or is derived from other tags.
  private static func isOfMetadata(_ tag: String) -> Bool {
    !["System:", "File:", "ExifTool:", "Composite:", "SourceFile"].contains { tag.hasPrefix($0) }
  }

  @Test func aJPEGLosesItsPlaceAndNothingElse() throws {
    let folder = try TemporaryFolder()
    let photo = try folder.photo(
      exiftool: Self.place + Self.iptcPlace + Self.others + ["-IPTC:Keywords=kept", "-Comment=A comment"])
    let before = try folder.tags(photo).filter { Self.isOfMetadata($0.key) }
    #expect(before.keys.filter(Self.tellsPlace).count >= 8)
    let (bytes, removals) = try Self.strip(photo, .location)
    let after = try folder.tags(bytes).filter { Self.isOfMetadata($0.key) }
    #expect(after.keys.filter(Self.tellsPlace).isEmpty && removals.isEmpty)
    // The IPTC digest is removed together with the data it covers, and the GPS directory together with its version.
    let gone = before.keys.filter { after[$0] == nil && !Self.tellsPlace($0) }
    #expect(gone.allSatisfy { $0.hasPrefix("GPS:") || $0.contains("IPTCDigest") }, "\(gone)")
    #expect(after.allSatisfy { before[$0.key] == $0.value })
    let (old, new) = (try JPEGFile(photo), try JPEGFile(bytes))
    #expect(old.bytes[old.picture] == new.bytes[new.picture])
  }

  @Test(arguments: [nil, firstIdentifier]) func ofAJPEGItsPictureIsLeft(identifier: String?) throws {
    let folder = try TemporaryFolder()
    try folder.copy(TestFiles.fixture("IMG_0001.JPG"))
    try folder.run(
      "exiftool",
      ["-q", "-overwrite_original"] + Self.place + Self.iptcPlace + Self.others
        + ["-Comment=A comment", "-ICC_Profile:all=", "IMG_0001.JPG"])
    let profile = try folder.run("exiftool", ["-b", "-ICC_Profile", TestFiles.fixture("IMG_0001.JPG").path])
    try folder.write(profile, to: "p3.icc")
    try folder.run("exiftool", ["-q", "-overwrite_original", "-ICC_Profile<=p3.icc", "IMG_0001.JPG"])
    let photo = try folder.read("IMG_0001.JPG")
    let (bytes, removals) = try Self.strip(photo, .all, identifier: identifier)
    #expect(removals.isEmpty)
    let tags = try folder.tags(bytes).filter { Self.isOfMetadata($0.key) }
    let groups = Set(tags.keys.compactMap { $0.split(separator: ":").first.map { String($0) } })
    #expect(groups.isSubset(of: ["JFIF", "IFD0", "ExifIFD", "Apple", "ICC_Profile", "ICC-header"]))
    #expect(tags["IFD0:Orientation"] == "6" && tags["IFD0:Make"] == nil)
    let note = tags["Apple:MediaGroupUUID"] ?? tags["Apple:ContentIdentifier"]
    #expect(note == identifier)
    let colours = ["RedMatrixColumn", "GreenMatrixColumn", "BlueMatrixColumn", "RedTRC", "MediaWhitePoint"]
    let old = try folder.tags(photo)
    for name in colours { #expect(tags["ICC_Profile:" + name] == old["ICC_Profile:" + name]) }
    #expect(tags["ICC_Profile:ProfileCopyright"] != old["ICC_Profile:ProfileCopyright"])
    for word in Self.words { #expect(bytes.firstIndex(of: word) == nil) }
    let (first, second) = (try JPEGFile(photo), try JPEGFile(bytes))
    #expect(first.bytes[first.picture] == second.bytes[second.picture] && second.trailer.isEmpty)
  }

  @Test func aJPEGWithoutOrientationAndIdentifierHasNoExif() throws {
    let folder = try TemporaryFolder()
    let photo = try folder.photo(exiftool: ["-Make=Maker"])
    let tags = try folder.tags(try Self.strip(photo, .all).bytes)
    #expect(!tags.keys.contains { $0.hasPrefix("IFD0:") || $0.hasPrefix("ExifIFD:") })
  }

  @Test func whatCannotBeLookedThroughGoesAndIsNamed() throws {
    let folder = try TemporaryFolder()
    let plain = try folder.photo()
    let note = exifSegment(note: Array("Nikon\0".utf8) + [UInt8](repeating: 7, count: 40))
    #expect(try Self.strip(inserting(note, into: plain), .location).removals == ["MakerNote"])
    let damaged = segment(0xE1, Array("Exif\0\0XX\0*\0\0\0\u{8}".utf8))
    let cleaned = try Self.strip(inserting(damaged, into: plain), .location)
    #expect(cleaned.removals == ["damaged Exif"] && cleaned.bytes == plain)
    let broken = segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0<x exif:GPSLatitude=".utf8))
    #expect(try Self.strip(inserting(broken, into: plain), .location).bytes == plain)
    let head = Array("http://ns.adobe.com/xmp/extension/\0".utf8) + [UInt8](repeating: 0x41, count: 40)
    let extended = segment(0xE1, head + Array("<a GPSLatitude='1'/>".utf8))
    let withExtended = try Self.strip(inserting(extended, into: plain), .location)
    #expect(withExtended.removals == ["extended XMP"] && withExtended.bytes == plain)
    let harmless = inserting(segment(0xE1, head + Array("<a b='1'/>".utf8)), into: plain)
    #expect(try Self.strip(harmless, .location) == (harmless, []))
  }

  /// If the location cannot be separated from the rest of the Exif block, only the orientation is kept.
  @Test func exifThatLiesOverItselfGoesAndIsNamed() throws {
    let folder = try TemporaryFolder()
    var photo = try folder.photo(exiftool: Self.place + Self.others)
    let count = try #require(photo.firstRange(of: Array("Exif\0\0MM\0*\0\0\0\u{8}".utf8))).upperBound
    photo.replaceSubrange(count..<count + 2, with: [2, 11])
    #expect(try Photo(MemoryByteSource(photo)).metadata().location != nil)
    let (bytes, removals) = try Self.strip(photo, .location)
    #expect(removals == ["damaged Exif"])
    let after = try folder.tags(bytes)
    #expect(after.keys.filter(Self.tellsPlace).isEmpty && after["IFD0:Orientation"] == "6")
    #expect(after["ExifTool:Warning"] == nil && after["IFD0:Make"] == nil)
    // Stating that the location was removed is refused if the location may still be present.
    let facts = Facts(place: .removed)
    #expect(throws: MediaError.self) {
      try Photo(MemoryByteSource(photo)).write(stating: facts, to: MemoryByteSink())
    }
  }

  @Test func picturesBehindTheFirstGoWhereOneTellsAPlace() throws {
    let folder = try TemporaryFolder()
    let plain = try folder.photo()
    let placed = try folder.photo(exiftool: ["-GPSLatitude=48.137", "-GPSLatitudeRef=N"])
    #expect(try Self.strip(plain + plain, .location) == (plain + plain, []))
    let stripped = try Self.strip(plain + placed, .location)
    #expect(stripped == (plain, ["pictures after the first"]))
  }

  /// A thumbnail with its own metadata may contain the location again.
  @Test func aThumbnailWithExifGoesWithThePlace() throws {
    let folder = try TemporaryFolder()
    try folder.write(folder.photo(exiftool: ["-GPSLatitude=48.137", "-GPSLatitudeRef=N"]), to: "small.jpg")
    let photo = try folder.photo(exiftool: ["-Make=Maker", "-ThumbnailImage<=small.jpg"])
    #expect(try folder.tags(photo)["IFD1:ThumbnailLength"] != nil)
    let (bytes, removals) = try Self.strip(photo, .location)
    let tags = try folder.tags(bytes)
    #expect(removals == ["ThumbnailImage"])
    #expect(tags["IFD1:ThumbnailLength"] == nil && tags["IFD0:Make"] == "Maker")
    try folder.write(bytes, to: "after.jpg")
    #expect(try folder.run("exiftool", ["-ee", "-s3", "-GPSLatitude", "after.jpg"]).isEmpty)
  }

  /// If more Exif blocks than any program writes follow the picture, they are not searched, and all of them are
  /// removed.
  @Test func endlessExifBehindThePictureGoes() throws {
    let plain = try TemporaryFolder().photo()
    let marks = Array(repeating: Array("Exif\0\0none".utf8), count: 17).joined()
    #expect(try Self.strip(plain + marks, .location) == (plain, ["data after the picture"]))
  }

  /// Overlapping tags: a value is removed if only private tags refer to it.
  @Test(arguments: 1...40) func valuesOfTagsThatLieOverEachOther(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let count = Int.random(in: 1...12, using: &generator)
    let start = 132 + 12 * count
    var profile = (0..<start + 120).map { _ in UInt8.random(in: 1...255, using: &generator) }
    profile.replaceSubrange(128..<132, with: [0, 0, 0, UInt8(count)])
    var (kept, told): ([Range<Int>], [Range<Int>]) = ([], [])
    for index in 0..<count {
      let isOrigin = Bool.random(using: &generator)
      let lower = start + Int.random(in: 0..<100, using: &generator)
      let range = lower..<lower + Int.random(in: 0...20, using: &generator)
      let place = [0, 0, UInt8(lower >> 8), UInt8(lower & 255)]
      let bytes = Array((isOrigin ? "dmnd" : "rXYZ").utf8) + place + [0, 0, 0, UInt8(range.count)]
      profile.replaceSubrange(132 + 12 * index..<144 + 12 * index, with: bytes)
      if isOrigin { told.append(range) } else { kept.append(range) }
    }
    var expected = profile
    for range in told where range.count > 8 && !kept.contains(where: { $0.overlaps(range) }) {
      for place in range.lowerBound + 8..<range.upperBound { expected[place] = 0 }
    }
    #expect(ICCProfile.withoutOrigin(profile)[start...] == expected[start...])
  }

  @Test func damagedResourcesOfPhotoshopLoseTheirRest() throws {
    func resource(_ id: Int, _ content: [UInt8]) -> [UInt8] {
      Array("8BIM".utf8) + twoBytes(id) + [0, 0, 0, 0] + twoBytes(content.count) + content
        + [UInt8](repeating: 0, count: content.count % 2)
    }
    func dataset(_ number: UInt8, _ text: String) -> [UInt8] {
      [0x1C, 2, number] + twoBytes(text.utf8.count) + Array(text.utf8)
    }
    let kept = resource(0x03ED, [1, 2, 3])
    let iptc = resource(0x0404, dataset(90, "Munich") + dataset(25, "kept"))
    let whole = kept + iptc + resource(0x0425, [UInt8](repeating: 9, count: 16))
    let expected = kept + resource(0x0404, dataset(25, "kept"))
    #expect(PhotoshopResources.withoutLocation(whole) == expected)
    #expect(
      PhotoshopResources.withoutLocation(whole + Array("8BIM\u{4}\u{4}".utf8) + [0, 0, 0xFF]) == expected)
    // A caption with a 4-byte length, like captions longer than 32 kB.
    let long = [0x1C, 2, 120, 0x80, 4] + [0, 0, 0, 5] + Array("waves".utf8)
    #expect(
      PhotoshopResources.withoutLocation(
        resource(0x0404, long + dataset(90, "Munich") + dataset(25, "kept") + [0x1C, 2]))
        == resource(0x0404, long + dataset(25, "kept")))
    #expect(PhotoshopResources.iptcSize(whole) == 20 && PhotoshopResources.iptcSize(kept) == 0)
  }

  /// Returns a HEIC fixture with additional tags.
  private static func heic(_ folder: TemporaryFolder, _ tags: [String]) throws -> [UInt8] {
    try folder.copy(TestFiles.fixture("IMG_0004.HEIC"))
    try folder.run("exiftool", ["-q", "-m", "-overwrite_original"] + tags + ["IMG_0004.HEIC"])
    return try folder.read("IMG_0004.HEIC")
  }

  /// Returns the coded pictures of a HEIC photo: the bytes of all tiles.
  private static func tiles(_ bytes: [UInt8]) throws -> [[UInt8]] {
    let source = MemoryByteSource(bytes)
    return try HEIFPicture(HEIFFile(reading: source)).tiles.map { ranges in
      try ranges.flatMap { try source.read(at: $0.lowerBound, count: $0.count) }
    }
  }

  @Test func aHEICLosesItsPlaceAndNothingElse() throws {
    let folder = try TemporaryFolder()
    let photo = try Self.heic(folder, Self.place + ["-XMP-dc:Creator=A person"])
    let before = try folder.tags(photo, "before.heic").filter { Self.isOfMetadata($0.key) }
    #expect(before.keys.filter(Self.tellsPlace).count >= 6)
    let (bytes, removals) = try Self.strip(photo, .location)
    let after = try folder.tags(bytes, "after.heic").filter { Self.isOfMetadata($0.key) }
    #expect(after.keys.filter(Self.tellsPlace).isEmpty && removals.isEmpty)
    #expect(after["XMP-dc:Creator"] == before["XMP-dc:Creator"] && after["IFD0:Make"] == before["IFD0:Make"])
    let gone = before.keys.filter { after[$0] == nil && !Self.tellsPlace($0) }
    #expect(gone.allSatisfy { $0.hasPrefix("GPS:") }, "\(gone)")
    #expect(try Self.tiles(bytes) == Self.tiles(photo))
    #expect(bytes.firstIndex(of: "Marienplatz") == nil)
  }

  @Test(arguments: [nil, secondIdentifier]) func ofAHEICItsPictureIsLeft(identifier: String?) throws {
    let folder = try TemporaryFolder()
    let photo = try Self.heic(folder, Self.place + Self.others.dropLast())
    let (bytes, _) = try Self.strip(photo, .all, identifier: identifier)
    let tags = try folder.tags(bytes, "after.heic").filter { Self.isOfMetadata($0.key) }
    // The XMP about the gain map's pixels is kept.
    let allowed = [
      "IFD0", "ExifIFD", "Apple", "ICC_Profile", "ICC-header", "QuickTime", "Meta", "XMP-HDRGainMap",
    ]
    let groups = Set(tags.keys.compactMap { $0.split(separator: ":").first.map { String($0) } })
    #expect(groups.isSubset(of: allowed), "\(groups)")
    #expect(tags.keys.filter { $0.hasPrefix("XMP-") }.allSatisfy { $0.contains("HDRGainMap") })
    let old = try folder.tags(photo, "before.heic")
    #expect(tags["IFD0:Orientation"] == old["IFD0:Orientation"] && tags["IFD0:Make"] == nil)
    #expect(tags["QuickTime:Rotation"] == old["QuickTime:Rotation"])
    #expect(try Photo(MemoryByteSource(bytes)).contentIdentifier() == identifier)
    for word in Self.words { #expect(bytes.firstIndex(of: word) == nil) }
    #expect(try Self.tiles(bytes) == Self.tiles(photo))
  }

  /// A HEIC without Exif gets a block for the identifier. The words of a description (`udes`, ISO/IEC 23008-12 section
  /// 6.5.20) and of an item of another type are removed.
  @Test func aHEICWithoutExifCarriesTheIdentifier() throws {
    func fourBytes(_ value: Int) -> [UInt8] { twoBytes(value >> 16) + twoBytes(value) }
    func box(_ kind: String, _ content: [UInt8]) -> [UInt8] {
      fourBytes(content.count + 8) + Array(kind.utf8) + content
    }
    func full(_ kind: String, _ content: [UInt8], version: UInt8 = 0) -> [UInt8] {
      box(kind, [version, 0, 0, 0] + content)
    }
    func item(_ id: Int, _ type: String) -> [UInt8] {
      full("infe", twoBytes(id) + [0, 0] + Array(type.utf8) + [0], version: 2)
    }
    func place(_ id: Int, _ range: Range<Int>) -> [UInt8] {
      twoBytes(id) + [0, 1, 0, 0, 0, 1] + fourBytes(range.lowerBound) + fourBytes(range.count)
    }
    let (coded, words) = (Array("coded picture".utf8), Array("taken in Munich".utf8))
    let described = full("udes", Array("en\0Marienplatz\0".utf8) + [0, 0])
    let properties =
      box("ipco", full("ispe", fourBytes(64) + fourBytes(64)) + described)
      + full("ipma", fourBytes(1) + twoBytes(1) + [2, 1, 2])
    let meta =
      full("pitm", twoBytes(1)) + full("iinf", twoBytes(2) + item(1, "hvc1") + item(2, "abcd"))
      + box("iprp", properties) + box("idat", coded + words)
      + full("iloc", [0x44, 0] + twoBytes(2) + place(1, 0..<13) + place(2, 13..<28), version: 1)
    let photo = box("ftyp", Array("heic\0\0\0\0mif1".utf8)) + full("meta", meta)
    let (bytes, removals) = try Self.strip(photo, .all, identifier: firstIdentifier)
    #expect(removals == ["item of type abcd"])
    for word in ["Munich", "Marienplatz"] {
      #expect(photo.firstIndex(of: word) != nil && bytes.firstIndex(of: word) == nil)
    }
    #expect(bytes.firstIndex(of: "coded picture") != nil)
    #expect(try Photo(MemoryByteSource(bytes)).contentIdentifier() == firstIdentifier)
    #expect(try Photo(MemoryByteSource(Self.strip(photo, .all).bytes)).contentIdentifier() == nil)
  }

  @Test func whatIsNoPhotoIsRefused() throws {
    for what in PrivateMetadata.allCases {
      #expect(throws: MediaError.self) { try Self.strip(Array("no photo at all".utf8), what) }
      #expect(throws: MediaError.self) { try Self.strip([0xFF, 0xD8, 0xFF, 0xDA], what) }
    }
  }

  /// Some readers, such as exiv2, treat a prefix as the namespace.
  @Test func whatIsKeptOfXMPHasOnePrefixANamespace() throws {
    let gainMap = XMPPacket.Namespace.appleGainMap
    let packet = XMPPacket.wrapped(
      "<rdf:Description rdf:about=\"\" xmlns:x=\"\(gainMap)\" xmlns:dc=\"\(XMPPacket.dublinCore)\""
        + " x:HDRGainMapVersion=\"65536\" x:HDRGainMapHeadroom=\"2\" dc:source=\"Ann\"/>")
    let kept = String(decoding: try #require(try XMPPacket.withoutPrivate(packet)), as: UTF8.self)
    for name in ["HDRGainMapVersion", "HDRGainMapHeadroom"] {
      #expect(kept.contains("<HDRGainMap:\(name) xmlns:HDRGainMap=\"\(gainMap)\">"))
    }
    #expect(!kept.contains("Ann"))
  }
}
