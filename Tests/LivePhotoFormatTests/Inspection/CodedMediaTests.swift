import Foundation
import TestSupport
import Testing

@testable import Basics
@testable import LivePhotoFormat

/// Tests that find the parts of files which determine their picture and audio. exiftool and planted bytes change the
/// files.
@Suite struct CodedMediaTests {
  /// Returns all relevant parts of a file in sequence.
  static func media(_ bytes: [UInt8], isMovie: Bool) throws -> [UInt8] {
    let source = MemoryByteSource(bytes)
    let media = isMovie ? try Movie(source).codedMedia(of: source) : try Photo(source).codedMedia()
    return media.parts.flatMap { part in
      switch part {
      case .bytes(let bytes): bytes
      case .file(let range): Array(bytes[range])
      }
    }
  }

  static func media(_ file: URL) throws -> [UInt8] {
    try media([UInt8](try Data(contentsOf: file)), isMovie: file.pathExtension == "MOV")
  }

  static let photoTags = [
    "-Artist=Somebody", "-XMP-dc:Subject+=holiday", "-XMP:Rating=5", "-GPSLatitude=48.1", "-GPSLatitudeRef=N",
    "-IPTC:Keywords+=beach", "-ImageDescription=" + String(repeating: "longer than before ", count: 400),
  ]
  static let movieTags = ["-Keys:Title=Beach", "-XMP:Rating=5", "-QuickTime:CreateDate=2020:01:01 00:00:00"]

  static var files: [URL] {
    [
      "IMG_0001.JPG", "IMG_0002.JPG", "gainmap.JPG", "ultrahdr.JPG", "IMG_0004.HEIC", "IMG_0001.MOV",
      "IMG_0004.MOV",
    ].map { TestFiles.fixture($0) }
  }

  /// Tags that exiftool writes, removes, or both make no difference.
  @Test(arguments: files)
  func tagsDoNotCount(_ file: URL) throws {
    let folder = try TemporaryFolder()
    let copy = try folder.copy(file)[0]
    let before = try Self.media(copy)
    let tags = file.pathExtension == "MOV" ? Self.movieTags : Self.photoTags
    try Tools.output("exiftool", "-q", "-overwrite_original", "-m", tags[0], tags[1], copy.path)
    #expect(try Self.media(copy) == before)
    #expect(try Tools.run(["exiftool", "-q", "-overwrite_original", "-m"] + tags + [copy.path]).status == 0)
    #expect(try Data(contentsOf: copy) != Data(contentsOf: file))
    #expect(try Self.media(copy) == before)
  }

  /// A tag that rotates the picture changes its appearance.
  @Test func theOrientationOfAJPEGCounts() throws {
    let folder = try TemporaryFolder()
    let copy = try folder.copy(TestFiles.fixture("IMG_0001.JPG"))[0]
    let before = try Self.media(copy)
    try Tools.output("exiftool", "-q", "-overwrite_original", "-n", "-Orientation=8", copy.path)
    #expect(try Self.media(copy) != before)
  }

  /// The matrix of a movie's track and the colour profile of a JPEG also change the appearance.
  @Test func theMatrixAndTheProfileCount() throws {
    let folder = try TemporaryFolder()
    let movie = try folder.copy(TestFiles.fixture("IMG_0003.MOV"))[0]
    var before = try Self.media(movie)
    try Tools.output("exiftool", "-q", "-overwrite_original", "-Rotation=180", movie.path)
    #expect(try Self.media(movie) != before)
    let photo = [UInt8](try Data(contentsOf: TestFiles.fixture("gainmap.JPG")))
    before = try Self.media(photo, isMovie: false)
    let profile: [UInt8] = Array("ICC_PROFILE\0".utf8) + [1, 1] + [UInt8](repeating: 7, count: 200)
    let comment = [0xFF, 0xFE, 0, UInt8(profile.count + 2)] + profile
    #expect(try Self.media(Array(photo[..<2]) + comment + photo[2...], isMovie: false) == before)
    let segment = [0xFF, 0xE2, 0, UInt8(profile.count + 2)] + profile
    #expect(try Self.media(Array(photo[..<2]) + segment + photo[2...], isMovie: false) != before)
  }

  /// Every bit of the coded data counts. The test changes some hundred bits spread over the file's picture or samples.
  @Test(arguments: ["IMG_0001.JPG", "ultrahdr.JPG", "IMG_0004.HEIC", "shared.HEIC", "IMG_0001.MOV"])
  func everyBitOfTheMediaCounts(_ name: String) throws {
    let bytes = [UInt8](try Data(contentsOf: TestFiles.fixture(name)))
    let isMovie = name.hasSuffix("MOV")
    let before = try Self.media(bytes, isMovie: isMovie)
    let source = MemoryByteSource(bytes)
    let media = isMovie ? try Movie(source).codedMedia(of: source) : try Photo(source).codedMedia()
    let places = media.parts.flatMap { part -> [Int] in
      guard case .file(let range) = part else { return [] }
      return Array(stride(from: range.lowerBound, to: range.upperBound, by: max(1, range.count / 7)))
    }
    #expect(places.count > 10)
    var generator = SeededGenerator(seed: 17)
    for place in places.shuffled(using: &generator).prefix(100) {
      var changed = bytes
      changed[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      // A file that is no longer valid proves nothing.
      guard let after = try? Self.media(changed, isMovie: isMovie) else { continue }
      #expect(after != before, "byte \(place)")
    }
  }

  /// The parts contain the picture's coded data up to the last byte, as found by an independent reader.
  @Test func aHEICsItemsAreAllThere() throws {
    let file = TestFiles.fixture("IMG_0004.HEIC")
    let walked = try WalkedHEIF.read(file)
    let bytes = [UInt8](try Data(contentsOf: file))
    var covered: [Bool] = Array(repeating: false, count: bytes.count)
    for part in try Photo(MemoryByteSource(bytes)).codedMedia().parts {
      guard case .file(let range) = part else { continue }
      for place in range { covered[place] = true }
    }
    for item in walked.items.values where item.method == 0 {
      let isDescription = ["Exif", "mime"].contains(item.type)
      for place in item.places {
        #expect(covered[place[0]..<place[0] + place[1]].allSatisfy { $0 != isDescription }, "\(item.type)")
      }
    }
  }

  /// Sample tables that repeat the same bytes do not cause hours of hashing.
  @Test func thePartsAreBounded() throws {
    let source = MemoryByteSource([UInt8](repeating: 0, count: 1000))
    var media = CodedMedia(of: source)
    try media.add("twice", in: [0..<1000, 0..<1000])
    #expect(throws: MediaError.self) { try media.add("thrice", in: [0..<1]) }
    let other = [UInt8](repeating: 0, count: 1 << 25)
    try media.add("one", other)
    try media.add("two", other)
    #expect(throws: MediaError.self) { try media.add("three", [0]) }
  }
}
