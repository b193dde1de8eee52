import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

/// Tests of reading a movie's capture metadata, compared with exiftool and ffprobe.
@Suite struct MovieMetadataTests {
  private static func metadata(_ file: URL) throws -> MovieMetadata {
    try MovieMetadata(reading: MemoryByteSource([UInt8](try Data(contentsOf: file))))
  }

  @Test(arguments: ["IMG_0001.MOV", "IMG_0002.MOV", "IMG_0003.MOV"])
  func fixtures(_ name: String) throws {
    try Self.compare(TestFiles.fixture(name))
  }

  /// Codes of iTunes and of QuickTime's user data, written by exiftool and ffmpeg.
  @Test(arguments: [
    ["-ItemList:ContentCreateDate=2020:05:06 07:08:09+02:00", "-ItemList:Encoder=Acme OS 3"],
    [
      "-UserData:ContentCreateDate=2020:05:06 07:08:09+02:00", "-UserData:Make=Acme", "-UserData:Model=X 1",
      "-UserData:SoftwareVersion=Acme OS 3",
    ],
    ["-ItemList:ContentCreateDate=2020", "-QuickTime:CreateDate=2020:05:06 05:08:09"],
  ])
  func codesInUserDataAreRead(_ arguments: [String]) throws {
    let folder = try TemporaryFolder()
    try folder.run(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x48:rate=10:duration=0.3", "-c:v", "mpeg4",
        "-fflags", "+bitexact", "in.mp4",
      ])
    try folder.run("exiftool", ["-q", "-overwrite_original"] + arguments + ["in.mp4"])
    let (metadata, tags) = (
      try Self.metadata(folder.file("in.mp4")), try Tools.exiftool(folder.file("in.mp4"))
    )
    let isYear = arguments[0].hasSuffix("=2020")
    #expect(metadata.created?.text == (isYear ? "2020-05-06T05:08:09Z" : "2020-05-06T07:08:09+02:00"))
    #expect(metadata.created?.source == (isYear ? .movieHeader : .quickTime))
    #expect(metadata.make == tags["UserData:Make"] && metadata.model == tags["UserData:Model"])
    #expect(metadata.software == tags["ItemList:Encoder"] ?? tags["UserData:SoftwareVersion"])
    #expect(arguments.count < 4 || metadata.make == "Acme")
  }

  static func compare(_ file: URL) throws {
    let metadata = try metadata(file)
    let tags = try Tools.exiftool(file)
    #expect(metadata.contentIdentifier == tags["Keys:ContentIdentifier"], "\(file)")
    #expect(metadata.make == tags["Keys:Make"])
    #expect(metadata.model == tags["Keys:Model"])
    #expect(metadata.software == tags["Keys:Software"])
    let seconds = try #require(
      try Tools.ffprobe(file, "-show_entries", "format=duration").first.flatMap { Double($0) })
    #expect(abs(metadata.duration - seconds) < 0.002)
    let stream = try #require(
      try Tools.ffprobe(
        file, "-select_streams", "v:0", "-show_entries", "stream=width,height:stream_side_data=rotation"
      ).first)
    let numbers = stream.split(separator: ",").compactMap { Int($0) }
    let isSideways = numbers.count > 2 && abs(numbers[2]) == 90
    #expect(metadata.width == numbers[isSideways ? 1 : 0])
    #expect(metadata.height == numbers[isSideways ? 0 : 1])
    if let date = tags["Keys:CreationDate"] {
      let parts = date.split(separator: " ")
      let zoned = parts[1].replacingOccurrences(of: "+00:00", with: "Z")
      #expect(metadata.created?.text == parts[0].replacingOccurrences(of: ":", with: "-") + "T" + zoned)
      #expect(metadata.created?.source == .quickTime)
    } else if let date = tags["QuickTime:CreateDate"], !date.hasPrefix("0000") {
      #expect(metadata.created?.source == .movieHeader)
      let parts = date.split(separator: " ")
      #expect(
        metadata.created?.text == parts[0].replacingOccurrences(of: ":", with: "-") + "T" + parts[1] + "Z")
    }
    let place = tags["Keys:GPSCoordinates"]?.split(separator: " ").compactMap { Double($0) }
    #expect(metadata.location?.latitude == place?.first)
    #expect(metadata.location?.longitude == place?.dropFirst().first)
  }

  /// Returns a short movie created by ffmpeg.
  private static func movie(_ name: String, _ options: [String], in folder: TemporaryFolder) throws -> URL {
    let source = ["-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x48:rate=120:duration=0.25"]
    try folder.run(
      "ffmpeg", source + ["-c:v", "mpeg4", "-video_track_timescale", "12000"] + options + [name])
    return folder.file(name)
  }

  private static let kindCases: [(options: [String], subtypes: Set<AssetSubtype>)] = [
    (["-r", "120"], Set<AssetSubtype>([.slowMotion])), (["-r", "30"], []),
    (["-r", "30", "-movflags", "use_metadata_tags", "-metadata", "com.android.capture.fps=240"], []),
    (["-r", "30", "-color_trc", "smpte2084"], [.hdr]), (["-r", "30", "-color_trc", "arib-std-b67"], [.hdr]),
    (["-r", "30", "-color_trc", "bt709"], []),
  ]

  @Test(arguments: kindCases)
  func kinds(_ options: [String], _ expected: Set<AssetSubtype>) throws {
    let folder = try TemporaryFolder()
    let color = ["-color_primaries", "bt2020", "-colorspace", "bt2020nc", "-movflags", "+write_colr"]
    let file = try Self.movie(
      "movie.mov", (options.contains("-color_trc") ? color : []) + options, in: folder)
    #expect(try Self.metadata(file).subtypes == expected)
  }

  /// A key with its type and value, the frame rate, and the resulting speed of the movie.
  struct Speed: Sendable {
    var key: String
    var type: Int
    var value: [UInt8]
    var rate: Int
    var expected: Set<AssetSubtype>
  }

  private static let captured = "com.android.capture.fps"
  private static let intent = "com.apple.quicktime.full-frame-rate-playback-intent"
  private static let speedCases: [Speed] = [
    Speed(key: captured, type: 23, value: [0x43, 0x70, 0, 0], rate: 30, expected: [.slowMotion]),
    Speed(key: captured, type: 23, value: [0x41, 0xF0, 0, 0], rate: 30, expected: []),
    Speed(key: captured, type: 23, value: [0x3F, 0x80, 0, 0], rate: 30, expected: [.timeLapse]),
    Speed(key: intent, type: 21, value: [0, 0, 0, 0, 0, 0, 0, 1], rate: 120, expected: []),
    Speed(key: intent, type: 21, value: [0, 0, 0, 0, 0, 0, 0, 0], rate: 120, expected: [.slowMotion]),
    Speed(key: intent, type: 21, value: [0, 0, 0, 0, 0, 0, 0, 0], rate: 30, expected: []),
  ]

  /// Keys of types that no available tool writes, in a `meta` atom built here.
  @Test(arguments: speedCases)
  func speeds(_ speed: Speed) throws {
    let (key, type, value) = (speed.key, speed.type, speed.value)
    let (rate, expected) = (speed.rate, speed.expected)
    let folder = try TemporaryFolder()
    let file = try Self.movie("movie.mov", ["-r", "\(rate)"], in: folder)
    func atom(_ kind: String, _ content: [UInt8]) -> [UInt8] {
      Self.bytes(content.count + 8) + Array(kind.utf8) + content
    }
    let zeros = [UInt8](repeating: 0, count: 8)
    let handler = atom("hdlr", zeros + Array("mdta".utf8) + zeros + [0, 0, 0, 0, 0, 0])
    let keys = atom("keys", [0, 0, 0, 0] + Self.bytes(1) + atom("mdta", Array(key.utf8)))
    let item =
      Self.bytes(8 + 16 + value.count) + Self.bytes(1)
      + atom("data", Self.bytes(type) + Self.bytes(0) + value)
    let meta = atom("meta", handler + keys + atom("ilst", item))
    // The `moov` atom is the last atom that ffmpeg writes.
    var bytes = [UInt8](try Data(contentsOf: file))
    let start = try #require(Data(bytes).range(of: Data("moov".utf8), options: .backwards)).lowerBound - 4
    bytes.replaceSubrange(start..<start + 4, with: Self.bytes(bytes.count - start + meta.count))
    #expect(try MovieMetadata(reading: MemoryByteSource(bytes + meta)).subtypes == expected)
  }

  static func bytes(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  @Test(arguments: [
    ("+48.1370+011.5750+519.123/", 48.137, 11.575, 519.123), ("-33.8568+151.2153/", -33.8568, 151.2153, nil),
    ("+4808.22+01134.5/", 48.137, 11.575, nil), ("+480813.2-0113430/", 48.137, -11.575, nil),
    ("+00-025/", 0, -25, nil),
  ])
  func places(_ text: String, _ latitude: Double, _ longitude: Double, _ altitude: Double?) throws {
    let place = try #require(ISO6709.location(text))
    #expect(abs(place.latitude - latitude) < 1e-9)
    #expect(abs(place.longitude - longitude) < 1e-9)
    #expect(place.altitude == altitude)
  }

  @Test(arguments: [
    "", "48+11", "+91.0+011.0/", "+48.0+181.0/", "+48.0/", "+4.8.0+11/", "+-48+11/", "+48137+11/",
  ])
  func whatIsNoPlaceIsNone(_ text: String) {
    #expect(ISO6709.location(text) == nil)
  }

  @Test func userDataHoldsAPlace() throws {
    let folder = try TemporaryFolder()
    let file = try Self.movie(
      "movie.mov", ["-r", "30", "-metadata", "location=+48.1370+011.5750/"], in: folder)
    let place = try #require(try Self.metadata(file).location)
    #expect(abs(place.latitude - 48.137) < 1e-9 && abs(place.longitude - 11.575) < 1e-9)
    #expect(try Tools.exiftool(file)["UserData:GPSCoordinates"]?.hasPrefix("48.137 11.575") == true)
  }

  /// Keys are identified by their positions in the table. A new key must not be confused with bytes beyond the counted
  /// entries of the table.
  @Test func aKeyIsAddedBeforeBytesThatAreNotCounted() throws {
    var bytes = [UInt8](try Data(contentsOf: TestFiles.fixture("IMG_0001.MOV")))
    let name = "com.apple.quicktime.title"
    let keys = try #require(
      Data(bytes).ranges(of: Data("keys".utf8)).last { bytes[$0.upperBound + 7] > 5 }, "no table of keys")
    let count = bytes[keys.upperBound + 7]
    bytes[keys.upperBound + 7] = count - 3
    var surgery = try MovieSurgery(MemoryByteSource(bytes))
    try surgery.setText(name, to: "a title")
    let sink = MemoryByteSink()
    try surgery.write(to: sink)
    let folder = try TemporaryFolder()
    try Data(sink.bytes).write(to: folder.file("a.mov"))
    #expect(
      try Tools.ffprobe(folder.file("a.mov"), "-show_entries", "format_tags=\(name)").first == "a title")
    #expect(sink.bytes.count > bytes.count)
  }

  /// A name that occurs twice has one value afterwards, whichever of the two a reader uses.
  @Test func allValuesOfANameAreReplaced() throws {
    func words(_ words: [Int]) -> [UInt8] { [UInt8](words: words) }
    let key = words([9]) + Array("mdtaa".utf8)
    let value = Atom("data", words([1, 0]) + [0x62]).serialized
    let meta = Atom(
      "meta",
      Atom("hdlr", words([0, 0]) + Array("mdta".utf8) + words([0, 0, 0])).serialized
        + Atom("keys", words([0, 2]) + key + key).serialized
        + Atom("ilst", [2, 1].flatMap { Atom(FourCC(rawValue: $0), value).serialized }).serialized)
    let replaced = try #require(
      try MetadataItems(MetadataItems.replacing(meta, "a", with: "new"))?.items)
    #expect(replaced.map(\.name) == ["a", "a"])
    #expect(replaced.map(\.value) == [Array("new".utf8), Array("new".utf8)])
  }
}
