import Foundation
import TestSupport
import Testing

/// Tests that the committed fixtures are as the other tests assume; exiftool and ffmpeg read everything.
struct FixtureTests {
  private static let identifiers: [Fixture: String] = [
    .portrait: "7D3B2C10-5E0A-4C52-9F6B-0A1D84E3C9F1",
    .mirrored: "B02E6F55-93D4-4A7E-8C1B-6F20D7A95E34",
    .landscape: "E94A1D07-2B6C-4F83-A5D9-31C7F0B8624D",
  ]

  /// The durations of the frames in display order, and the time scale.
  private static let frames: [Fixture: ([Int], Int)] = [
    .portrait: (runs((14, 20), (4, 40), (1, 41), (6, 40), (15, 20)), 600),
    .mirrored: (runs((20, 20), (1, 36), (1, 51), (14, 20)), 600),
    .landscape: (runs((36, 1001)), 30000),
  ]

  private static func runs(_ runs: (count: Int, duration: Int)...) -> [Int] {
    runs.flatMap { Array(repeating: $0.duration, count: $0.count) }
  }

  @Test(arguments: Fixture.allCases)
  func halvesCarryOneIdentifier(fixture: Fixture) throws {
    let files = fixture.files()
    let photo = try tags(of: files.photo)
    #expect((photo["Apple:MediaGroupUUID"] ?? photo["Apple:ContentIdentifier"]) == Self.identifiers[fixture])
    #expect(try tags(of: files.movie)["Keys:ContentIdentifier"] == Self.identifiers[fixture])
  }

  @Test(arguments: Fixture.allCases)
  func frameTimesAreAsNamed(fixture: Fixture) throws {
    let (durations, scale) = try #require(Self.frames[fixture])
    let times = try frameTimes(of: fixture.files().movie)
    try #require(times.count == durations.count)
    var start = 0
    for (time, duration) in zip(times, durations) {
      #expect(abs(time - Double(start) / Double(scale)) < 1e-4)
      start += duration
    }
  }

  @Test(arguments: zip(Fixture.allCases, [480, 401, 361]))
  func stillTimeComesFromAnEditList(fixture: Fixture, ticks: Int) throws {
    let streams = try streams(of: fixture.files().movie)
    let last = try #require((0..<8).last { streams["streams.stream.\($0).codec_tag_string"] == "mebx" })
    let start = try #require(Double(streams["streams.stream.\(last).start_time"] ?? ""))
    #expect(abs(start - Double(ticks) / 600) < 1e-5)
  }

  @Test(arguments: Fixture.allCases)
  func photoAndMovieShowTheSceneUpright(fixture: Fixture) throws {
    let files = fixture.files()
    let shown = try Picture(of: files.movie, at: 0.5)
    #expect(shown.corners == "RGBY")
    #expect((shown.width < shown.height) == (fixture != .landscape))
    // The corner colours of the stored photo, which its Exif orientation maps to red, green, blue and yellow.
    let stored = try Picture(storedIn: files.photo).corners
    let orientation = try tags(of: files.photo)["IFD0:Orientation"]
    switch fixture {
    case .portrait: #expect([orientation, stored] == ["6", "GBYR"])
    case .mirrored: #expect([orientation, stored] == ["5", "RYBG"])
    case .landscape: #expect([orientation, stored] == ["1", "RGBY"])
    }
  }

  @Test(arguments: Fixture.allCases)
  func movieKeysAreTyped(fixture: Fixture) throws {
    let movie = try tags(of: fixture.files().movie)
    #expect(movie["Keys:LivePhotoAuto"] == "1")
    #expect(movie["Keys:LivePhotoVitalityScore"] == "0.9375")
    #expect(movie["Keys:LivePhotoVitalityScoringVersion"] == "4")
    #expect(movie["Keys:Make"] == "Apple")
    #expect(movie["Keys:GPSCoordinates"] != nil)
    #expect(movie["QuickTime:TimeScale"] == "600")
  }

  @Test(arguments: Fixture.allCases)
  func thumbnailShowsTheStoredPicture(fixture: Fixture) throws {
    let photo = fixture.files().photo
    let data = try Tools.output("exiftool", "-b", "-ThumbnailImage", photo.path).standardOutput
    try withTemporaryFolder { folder in
      let file = folder.appendingPathComponent("thumbnail.jpg")
      try data.write(to: file)
      let thumbnail = try Picture(storedIn: file)
      #expect(thumbnail.width == 160 && thumbnail.height == 120)
      #expect(try thumbnail.corners == Picture(storedIn: photo).corners)
    }
  }

  @Test func portraitPhotoIsAsIPhonesStoreIt() throws {
    let photo = try tags(of: Fixture.portrait.files().photo)
    #expect(photo["File:ExifByteOrder"] == "MM")
    #expect(photo["File:YCbCrSubSampling"] == "2 2")
    #expect([photo["File:ImageWidth"], photo["File:ImageHeight"]] == ["1024", "768"])
    #expect(photo["ICC_Profile:ProfileDescription"] == "Display P3")
    #expect(photo["ExifIFD:SubjectArea"] == "451 538 174 131")
    #expect(photo["GPS:GPSLatitude"] != nil)
    #expect(photo["Apple:AccelerationVector"]?.split(separator: " ").count == 3)
    #expect(photo["Apple:RunTimeValue"] == "93067287468541")
    #expect(photo.keys.count { $0.hasPrefix("Apple:") } >= 12)
    #expect(photo["XMP-mwg-rs:RegionType"] == "Face")
    #expect(photo["XMP-dc:Description"] == "A drawn scene")
  }

  @Test func portraitMovieIsAsIPhonesStoreIt() throws {
    let file = Fixture.portrait.files().movie
    let movie = try tags(of: file, "-ee")
    #expect(movie["Track1:MatrixStructure"] == "0 1 0 -1 0 0 360 0 1")
    #expect(movie["Track1:CleanApertureDimensions"] == "436 326")
    #expect(movie["Track1:EncodedPixelsDimensions"] == "480 360")
    #expect(movie["Track1:CameraLensModel-und-US"] == "iPhone 6s back camera 4.15mm f/2.2")
    #expect(movie["Track3:ContentDescribes"] == "1")
    #expect(movie["Track4:StillImageTime"] == "-1")
    #expect(try topLevelAtoms(of: file) == ["ftyp", "wide", "mdat", "moov"])
    let dump = try Tools.output("exiftool", "-v2", "-U", file.path).text
    #expect(dump.components(separatedBy: "Unknown_xtra = kept as it is").count - 1 == 2)

    let streams = try streams(of: file)
    #expect(streams["streams.stream.0.codec_name"] == "h264")
    #expect(streams["streams.stream.0.profile"] == "High")
    #expect(streams["streams.stream.0.color_range"] == "pc")
    #expect(streams["streams.stream.0.has_b_frames"] == "0")
    #expect(streams["streams.stream.1.codec_tag_string"] == "lpcm")
    #expect(streams["streams.stream.1.channels"] == "1")
    #expect(streams["streams.stream.2.nb_frames"] == "40")
    #expect(streams["streams.stream.3.nb_frames"] == "1")
  }

  @Test func mirroredHasADeterminantOfMinusOne() throws {
    let file = Fixture.mirrored.files().movie
    let movie = try tags(of: file, "-ee")
    #expect(movie["Track2:MatrixStructure"] == "0 1 0 1 0 0 0 0 1")
    #expect(movie["Track3:VideoOrientation"] == "5")
    #expect(movie["Track4:StillImageTime"] == "-1")

    let streams = try streams(of: file)
    #expect(streams["streams.stream.0.codec_type"] == "audio")
    #expect(streams["streams.stream.1.codec_name"] == "h264")
    #expect(streams["streams.stream.1.color_range"] == "tv")
    #expect(try framesAreReordered(in: file))
  }

  @Test func landscapeHasOffsetsBehindAnEditList() throws {
    let files = Fixture.landscape.files()
    #expect(try topLevelAtoms(of: files.movie) == ["wide", "mdat", "moov"])
    let streams = try streams(of: files.movie)
    #expect(streams["streams.stream.0.codec_name"] == "hevc")
    #expect(streams["streams.stream.0.codec_tag_string"] == "hvc1")
    #expect(streams["streams.stream.0.time_base"] == "1/30000")
    #expect(streams["streams.stream.0.start_time"] == "0.000000")
    #expect(!streams.values.contains("audio"))
    #expect(try framesAreReordered(in: files.movie))
    // Without the edit list, the frames are shown later by the first frame's offset.
    let raw = try Tools.output(
      "ffprobe", "-v", "error", "-ignore_editlist", "1", "-select_streams", "v:0", "-show_entries",
      "stream=start_pts", "-of", "csv=p=0", files.movie.path)
    #expect(raw.lines == ["2002"])

    let photo = try tags(of: files.photo)
    #expect(photo["File:ExifByteOrder"] == "II")
    #expect([photo["File:ImageWidth"], photo["File:ImageHeight"]] == ["1000", "750"])
    #expect(photo["IPTC:Caption-Abstract"] == "A drawn scene")
  }

  /// Whether packets are stored in a different order from the display order, as in a movie with B-frames.
  private func framesAreReordered(in movie: URL) throws -> Bool {
    let result = try Tools.output(
      "ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", "packet=pts", "-of", "csv=p=0",
      movie.path)
    let times = result.lines.compactMap { Int($0.split(separator: ",").first ?? "") }
    return times.count == 36 && times != times.sorted()
  }

  private func topLevelAtoms(of movie: URL) throws -> [String] {
    let data = [UInt8](try Data(contentsOf: movie))
    var kinds: [String] = []
    var at = 0
    while at + 8 <= data.count {
      let size = data[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      guard size >= 8 else { break }
      kinds.append(String(decoding: data[at + 4..<at + 8], as: UTF8.self))
      at += size
    }
    #expect(at == data.count)
    return kinds
  }
}
