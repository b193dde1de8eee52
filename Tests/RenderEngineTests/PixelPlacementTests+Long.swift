import EditModel
import Foundation
import TestSupport
import Testing

@testable import RenderEngine

/// Tests that edits without rotation keep pixels in their stored positions, together with all metadata about positions.
/// exiftool, ffprobe and the tests' own parser read the results.
@Suite struct PixelPlacementTests {
  /// A photo, and the format in which it is rendered.
  struct Case: CustomTestStringConvertible, Sendable {
    let photo: URL
    let format: RenderSettings.PhotoFormat
    var movie: URL { photo.deletingPathExtension().appendingPathExtension("MOV") }
    var testDescription: String { "\(photo.lastPathComponent) as \(format)" }
  }

  /// Portrait pairs and mirrored pairs, JPEG and HEIC.
  static let cases: [Case] = {
    let samples = ["iphone-7plus-jpeg/IMG_2016.JPG", "iphone-15pro-heic/IMG_3582.HEIC"]
    let photos = ["IMG_0001.JPG", "IMG_0002.JPG", "IMG_0004.HEIC"].map { TestFiles.fixture($0) }
    let cases = (photos + samples.compactMap(TestFiles.sample)).flatMap { photo in
      let isHEIC = photo.pathExtension == "HEIC"
      return [Case(photo: photo, format: .same)] + (isHEIC ? [Case(photo: photo, format: .jpeg)] : [])
    }
    // A quick run skips the large photos. The last fixture has two cases.
    return Cases.chosen(cases) { index, _ in index <= photos.count }
  }()

  /// Returns the samples of all timed metadata tracks by key, without keys that are not rendered.
  private func timedMetadata(_ file: URL) throws -> [String: [UInt8]] {
    let bytes = [UInt8](try Data(contentsOf: file))
    let moov = try #require(try AtomTree.read(bytes[...]).first { $0.kind == "moov" })
    var found: [String: [UInt8]] = [:]
    for track in moov.children where track.kind == "trak" && track.handler == "meta" {
      let table = try #require(track["mdia", "minf", "stbl"])
      let sizes = try #require(table["stsz"])
      let constant = sizes.numbers(after: 4)[0]
      let each = constant > 0 ? Array(repeating: constant, count: Int(sizes.numbers(after: 8)[0])) : []
      let counts = (constant > 0 ? each : sizes.numbers(after: 12)).map { Int($0) }
      let chunks = try #require(table["stsc"]).numbers(after: 8)
      var (samples, sample): ([UInt8], Int) = ([], 0)
      for (index, offset) in try #require(table["stco"]).numbers(after: 8).enumerated() {
        // The entry of the run that contains this chunk: first chunk, samples per chunk, description.
        let run = Array(stride(from: 0, to: chunks.count, by: 3)).last { chunks[$0] <= index + 1 } ?? 0
        var at = Int(offset)
        for _ in 0..<chunks[run + 1] where sample < counts.count {
          samples += bytes[at..<at + counts[sample]]
          at += counts[sample]
          sample += 1
        }
      }
      found[String(decoding: try #require(table["stsd"]).bytes, as: UTF8.self)] = samples
    }
    return found
  }

  private func render(_ edit: Edit, _ settings: RenderSettings, _ item: Case, in folder: TemporaryFolder)
    throws
    -> (result: RenderResult, photo: URL, movie: URL)
  {
    let isJPEG = settings.photoFormat == .jpeg || item.photo.pathExtension == "JPG"
    let (photo, movie) = (folder.file("out." + (isJPEG ? "JPG" : "HEIC")), folder.file("out.MOV"))
    let result = try RenderEngine.render(
      RenderJob(
        photo: .init(source: item.photo.path, output: photo.path),
        movie: .init(source: item.movie.path, output: movie.path), edit: edit, settings: settings,
        identifier: nil), progress: { _ in }, isCancelled: { false })
    return (result, photo, movie)
  }

  private static let placeTags = [
    "IFD0:Orientation", "ExifIFD:SubjectArea", "ExifIFD:SubjectLocation", "XMP-mwg-rs:RegionAreaX",
    "XMP-mwg-rs:RegionAreaY", "XMP-mwg-rs:RegionAreaW", "XMP-mwg-rs:RegionAreaH",
    "XMP-mwg-rs:RegionAppliedToDimensionsW", "XMP-mwg-rs:RegionAppliedToDimensionsH",
  ]

  @Test(arguments: cases) func coloursKeepEveryPlace(_ item: Case) throws {
    let folder = try TemporaryFolder()
    var edit = Edit.identity
    edit[.exposure] = 0.4
    let (result, photo, movie) = try render(edit, RenderSettings(photoFormat: item.format), item, in: folder)
    #expect(result.photo == .encoded && result.movie == .encoded)
    #expect(!result.removals.contains { $0.half == .movie }, "\(result.removals)")
    #expect(!result.removals.contains { $0.reason.contains("coordinates") || $0.reason.contains("rotation") })

    let before = try timedMetadata(item.movie)
    #expect(try !before.isEmpty && timedMetadata(movie) == before)
    let (old, new) = (try Tools.exiftool(item.photo), try Tools.exiftool(photo))
    for tag in Self.placeTags { #expect(new[tag] == old[tag], "\(tag)") }
    for size in ["ImageWidth", "ImageHeight"] { #expect(new["File:" + size] == old["File:" + size]) }
    let (first, last) = (try Tools.exiftool(item.movie), try Tools.exiftool(movie))
    for (tag, value) in first
    where ["MatrixStructure", "ImageWidth", "ImageHeight", "ApertureDimensions", "CleanAperture"]
      .contains(where: tag.hasSuffix)
    {
      #expect(last[tag] == value, "\(tag)")
    }
  }

  /// If pixels are actually rotated upright, metadata about positions is updated or its removal is reported.
  @Test(arguments: cases.filter { !$0.photo.path.contains("iphone") }) func turnsSayWhatTheyRemove(
    _ item: Case
  ) throws {
    let folder = try TemporaryFolder()
    let (result, _, movie) = try render(
      Edit(orientation: .right), RenderSettings(photoFormat: item.format), item, in: folder)
    let (before, after) = (try timedMetadata(item.movie), try timedMetadata(movie))
    for key in ["live-photo-info", "live-photo-still-image-transform"]
    where before.keys.contains(where: { $0.contains(key) }) {
      #expect(!after.keys.contains { $0.contains(key) })
      #expect(result.removals.contains { $0.name.contains(key) && $0.reason.contains("rotation") })
    }
  }
}
