import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

/// Tests of facts in movies laid out by ffmpeg and exiftool, before and after a change, compared with exiftool.
@Suite struct MovieFactsTests {
  /// A movie layout: a file name, ffmpeg's options, and exiftool's additions.
  struct Layout: Sendable, CustomTestStringConvertible {
    let name: String
    var options: [String] = []
    var tags: [String] = []
    var testDescription: String { ([name] + options + tags).joined(separator: " ") }
  }

  private static let keys = ["-movflags", "use_metadata_tags"]
  private static let apple = [
    "-metadata", "com.apple.quicktime.location.ISO6709=+48.1370+011.5750+519.000/", "-metadata",
    "com.apple.quicktime.location.accuracy.horizontal=12.5", "-metadata",
    "com.apple.quicktime.creationdate=2024-05-01T10:00:00+0200",
  ]
  static let layouts = [
    Layout(name: "a.mp4"), Layout(name: "a.mov"), Layout(name: "a.3gp"), Layout(name: "a.mp4", options: keys),
    Layout(name: "a.mov", options: keys), Layout(name: "a.mov", options: keys + apple),
    Layout(name: "a.mp4", tags: ["-UserData:All=", "-ItemList:GPSCoordinates=48.137 11.575"]),
  ]

  private static func movie(_ layout: Layout, in folder: TemporaryFolder) throws -> [UInt8] {
    let facts = [
      "location=+48.1370+011.5750/", "title=A title", "comment=A comment", "date=2024-05-01",
      "creation_time=2024-05-01T08:00:00Z",
    ].flatMap { ["-metadata", $0] }
    let source = ["-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x48:rate=10:duration=0.3"]
    try folder.run("ffmpeg", source + ["-c:v", "mpeg4"] + facts + layout.options + [layout.name])
    if !layout.tags.isEmpty {
      try folder.run("exiftool", ["-q", "-n", "-overwrite_original"] + layout.tags + [layout.name])
    }
    return try folder.read(layout.name)
  }

  /// Returns the movie with other facts and its media copied.
  private static func movie(_ bytes: [UInt8], stating facts: Facts) throws -> [UInt8] {
    let source = MemoryByteSource(bytes)
    var surgery = try MovieSurgery(source)
    surgery.moov = try Movie(source, stating: facts).moov
    let sink = MemoryByteSink()
    try surgery.write(to: sink)
    return sink.bytes
  }

  private static func tags(_ bytes: [UInt8], _ layout: Layout, in folder: TemporaryFolder) throws
    -> [String: String]
  {
    let tags = try Tools.exiftool(try folder.write(bytes, to: "changed-" + layout.name))
    #expect(tags["ExifTool:Warning"] == nil, "\(layout) \(tags["ExifTool:Warning"] ?? "")")
    return tags.filter { !$0.key.hasPrefix("System:") && $0.key != "SourceFile" }
  }

  private static func tellsPlace(_ tag: String) -> Bool { tag.contains("GPS") || tag.contains("Location") }

  private static func expectWords(_ tags: [String: String], _ layout: Layout) {
    #expect(tags.contains { $0.key.hasSuffix(":Title") && $0.value == "A title" }, "\(layout)")
    let hasComment = tags.values.contains("A comment")
    #expect(hasComment, "\(layout)")
  }

  @Test(arguments: layouts) func theirPlaceIsRead(_ layout: Layout) throws {
    let folder = try TemporaryFolder()
    let bytes = try Self.movie(layout, in: folder)
    let place = try #require(try MovieMetadata(reading: MemoryByteSource(bytes)).location)
    #expect(abs(place.latitude - 48.137) < 1e-4 && abs(place.longitude - 11.575) < 1e-4)
  }

  @Test(arguments: layouts) func theirPlaceIsSet(_ layout: Layout) throws {
    let folder = try TemporaryFolder()
    let bytes = try Self.movie(layout, in: folder)
    let place = try #require(GeoLocation(latitude: -33.5, longitude: 151.25))
    let changed = try Self.movie(bytes, stating: Facts(place: .set(place)))
    let tags = try Self.tags(changed, layout, in: folder)
    Self.expectWords(tags, layout)
    #expect(tags["Keys:GPSCoordinates"] == "-33.5 151.25", "\(layout) \(tags)")
    if layout.options.contains("use_metadata_tags") {
      #expect(tags["Keys:Location"] == "-33.50000+151.25000/", "\(layout)")
    }
    for (tag, value) in tags where Self.tellsPlace(tag) {
      #expect(!value.contains("48.13") && !value.contains("11.57"), "\(layout) \(tag) \(value)")
    }
    #expect(tags["Keys:LocationAccuracyHorizontal"] == nil)
    #expect(try MovieMetadata(reading: MemoryByteSource(changed)).location == place)
    // Keys whose values are not read are checked by their bytes.
    #expect(Data(changed).range(of: Data("+48.13".utf8)) == nil, "\(layout)")
  }

  @Test(arguments: layouts) func theirPlaceIsTakenOut(_ layout: Layout) throws {
    let folder = try TemporaryFolder()
    let bytes = try Self.movie(layout, in: folder)
    let changed = try Self.movie(bytes, stating: Facts(place: .removed))
    let tags = try Self.tags(changed, layout, in: folder)
    Self.expectWords(tags, layout)
    #expect(tags.keys.filter(Self.tellsPlace).isEmpty, "\(layout) \(tags)")
    #expect(Data(changed).range(of: Data("+48.13".utf8)) == nil, "\(layout)")
  }

  /// Of the private metadata, only the location is removed.
  @Test(arguments: layouts) func theirPlaceIsStripped(_ layout: Layout) throws {
    let folder = try TemporaryFolder()
    let bytes = try Self.movie(layout, in: folder)
    var surgery = try MovieSurgery(MemoryByteSource(bytes))
    try surgery.strip(.location, identifier: nil)
    let sink = MemoryByteSink()
    try surgery.write(to: sink)
    let tags = try Self.tags(sink.bytes, layout, in: folder)
    Self.expectWords(tags, layout)
    #expect(tags.keys.filter(Self.tellsPlace).isEmpty, "\(layout) \(tags)")
    var traces = PrivateTraces()
    try traces.add(movie: MemoryByteSource(bytes), .location)
    #expect(try traces.found(in: MemoryByteSource(sink.bytes)) == nil, "\(layout)")
    let before = try Self.tags(bytes, layout, in: folder)
    let lost = before.keys.filter { tag in
      !Self.tellsPlace(tag) && tags[tag] == nil && !tag.hasPrefix("Composite:") && !tag.hasPrefix("File:")
    }
    #expect(lost.isEmpty, "\(layout) \(lost)")
  }

  /// If a movie contains its location in user data, the location is found as a trace.
  @Test(arguments: layouts.filter { $0.options.contains("use_metadata_tags") || !$0.tags.isEmpty })
  func whatIsLeftOfTheirPlaceIsFound(_ layout: Layout) throws {
    let folder = try TemporaryFolder()
    let source = MemoryByteSource(try Self.movie(layout, in: folder))
    var traces = PrivateTraces()
    try traces.add(movie: source, .location)
    #expect(try traces.found(in: source)?.hasPrefix("+48.137") == true)
  }

  @Test(arguments: layouts.filter { $0.options.contains("use_metadata_tags") })
  func theirDatesAndWordsAreChanged(_ layout: Layout) throws {
    let folder = try TemporaryFolder()
    let bytes = try Self.movie(layout, in: folder)
    // The date is 2025-06-07 08:09:10.
    let date = try #require(DateChange(.set(wallClock: 1_749_283_750_000), offset: 120, zone: nil))
    var words = DescriptionChange.neutral
    (words.title, words.caption) = ("Another", "New words")
    let changed = try Self.movie(bytes, stating: Facts(date: date, description: words))
    let tags = try Self.tags(changed, layout, in: folder)
    for old in ["2024", "A title", "A comment"] {
      let left = tags.filter { $0.value.contains(old) }
      #expect(left.isEmpty, "\(layout) \(left)")
    }
    #expect(Data(changed).range(of: Data("2024".utf8)) == nil, "\(layout)")
    #expect(tags["Keys:Title"] == "Another" && tags["Keys:Comment"] == "New words", "\(layout) \(tags)")
    #expect(tags["Keys:CreationDate"] == "2025:06:07 08:09:10+02:00", "\(layout)")
  }
}
