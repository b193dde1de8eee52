import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

/// Tests of movies in photo files without any metadata that announces them. They are found and removed without changing
/// anything else.
@Suite struct UnknownMovieTests {
  static func photo(_ bytes: [UInt8]) throws -> Photo { try Photo(MemoryByteSource(bytes)) }

  private static func holds(_ bytes: [UInt8], _ text: String) -> Bool { bytes.firstIndex(of: text) != nil }

  @Test(arguments: MovieLayout.all) func theyAreFoundAndTakenOut(_ layout: MovieLayout) throws {
    try #require(Self.holds(layout.bytes, "ISO6709"))
    let photo = try Self.photo(layout.bytes)
    let found = try photo.unknownMovies()
    #expect(found.map(\.offset) == layout.movies && found.allSatisfy { $0.brand == "qt  " })
    // Boxes after a movie may belong to the movie.
    #expect(found.first.map { $0.size >= MovieLayout.movie.count } == true)
    let (rest, lost) = try photo.withoutUnknownMovies()
    #expect(lost.first == "movie in an unknown layout")
    let bytes = try rest.source.read(at: 0, count: rest.source.count)
    #expect(bytes == layout.rest, "\(bytes.count) of \(layout.rest?.count ?? 0), \(lost)")
    #expect(try rest.unknownMovies().isEmpty)
  }

  @Test(arguments: MovieLayout.all, PrivateMetadata.allCases)
  func strippedNoPlaceOfTheirsStays(_ layout: MovieLayout, _ what: PrivateMetadata) throws {
    let sink = MemoryByteSink()
    let removals = try Self.photo(layout.bytes).write(without: what, identifier: nil, to: sink)
    #expect(removals.contains { $0.name == "movie in an unknown layout" })
    #expect(!Self.holds(sink.bytes, "ISO6709") && !Self.holds(sink.bytes, "moov"))
    let tags = try TemporaryFolder().tags(sink.bytes)
    #expect(!tags.keys.contains { $0.contains("GPS") } && tags["ExifTool:Error"] == nil, "\(tags)")
    // The result equals that for the photo alone.
    let plain = MemoryByteSink()
    _ = try Self.photo(layout.rest ?? []).write(without: what, identifier: nil, to: plain)
    #expect(sink.bytes == plain.bytes)
  }

  @Test(arguments: [
    "IMG_0001.JPG", "portrait.JPG", "gainmap.JPG", "ultrahdr.JPG", "IMG_0004.HEIC", "depth.HEIC",
    "spatial.HEIC", "rotate.png",
  ])
  func photosWithoutThemHaveNone(_ name: String) throws {
    #expect(try Self.photo(MovieLayout.bytes(of: name)).unknownMovies().isEmpty)
  }

  /// A picture appended to a photo begins like a movie.
  @Test func aPictureIsNoMovie() throws {
    let photo = MovieLayout.bytes(of: "IMG_0001.JPG") + MovieLayout.bytes(of: "IMG_0004.HEIC")
    #expect(try Self.photo(photo).unknownMovies().isEmpty)
  }

  /// A truncated movie, or one of too many movies in sequence, counts as extending to the end of the file.
  @Test func ofDamagedOnesNothingStays() throws {
    let photo = MovieLayout.bytes(of: "IMG_0001.JPG")
    let cut = photo + MovieLayout.movie.dropLast(1000)
    #expect(try Self.photo(cut).unknownMovies().map(\.range) == [photo.count..<cut.count])
    let head = Array(MovieLayout.movie[..<20])
    try #require(Self.holds(head, "ftyp"))
    let many = photo + (0..<1000).flatMap { _ in head + [1, 2, 3] }
    let found = try Self.photo(many).unknownMovies()
    #expect(found.count == 16 && found.last?.range.upperBound == many.count)
    // Picture boxes without an end do not hide a movie.
    let picture = Array(MovieLayout.bytes(of: "IMG_0004.HEIC")[..<24])
    let hidden = photo + (0..<1000).flatMap { _ in picture + [1, 2, 3] } + MovieLayout.movie
    let last = try #require(try Self.photo(hidden).unknownMovies().last)
    #expect(
      last.range.upperBound == hidden.count && last.range.contains(hidden.count - MovieLayout.movie.count))
  }

  /// Pictures listed in an index keep their positions if a movie lies between them.
  @Test func aMovieWithinAnIndexedPictureBecomesZeros() throws {
    let photo = MovieLayout.bytes(of: "gainmap.JPG")
    let file = try JPEGFile(photo)
    let parts = JPEGParts(file)
    let map = try #require(parts.indexedPictures.first)
    // The last bytes of the gain map's range then belong to a movie.
    let head = Array(MovieLayout.movie[..<20])
    var bytes = photo
    bytes.replaceSubrange(map.upperBound - 40..<map.upperBound - 20, with: head)
    let (rest, _) = try Self.photo(bytes).withoutUnknownMovies()
    let after = try JPEGFile(rest.source.read(at: 0, count: rest.source.count))
    #expect(JPEGParts(after).indexedPictures == parts.indexedPictures && after.bytes.count == photo.count)
    #expect(!Self.holds(after.bytes, "ftyp"))
  }

  @Test func inspectionAndVerificationTellOfThem() throws {
    let layout = try #require(MovieLayout.all.first { $0.name == "huawei.jpg" })
    let inspection = try PhotoInspection(Self.photo(layout.bytes))
    #expect(inspection.unknownMovies.map(\.offset) == layout.movies)
    let evidence = try PhotoEvidence(Self.photo(layout.bytes), fileExtension: "jpg")
    let findings = LivePhotoVerification(photo: evidence).findings
    #expect(findings.filter { $0.rule == .unknownMovie }.map(\.severity) == [.warning])
  }
}
