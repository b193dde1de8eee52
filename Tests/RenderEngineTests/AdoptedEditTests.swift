import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import RenderEngine

/// Tests of further edits of an adopted photo, with a movie that gets both edits. According to ffmpeg, every spot of
/// the photo matches a spot of the movie.
@Suite struct AdoptedEditTests {
  struct Case: Sendable {
    let first: Edit
    let second: Edit
    let pair: MarkedPair
  }

  static func cases() throws -> [Case] {
    let rectangle = try Crop.Rectangle(left: 60_000, top: 40_000, width: 860_000, height: 900_000)
    let wide = Geometry(crop: .aspect(try Crop.AspectRatio(width: 4, height: 3), .center), straighten: 4)
    return [
      Case(
        first: Edit(orientation: .right, geometry: Geometry(crop: .rectangle(rectangle))),
        second: Edit(orientation: .flippedHorizontally, geometry: wide), pair: MarkedPair()),
      Case(
        first: Edit(geometry: Geometry(straighten: -3, verticalPerspective: 0.2)),
        second: Edit(orientation: .right),
        pair: MarkedPair(aperture: (30, 23, 420, 315), orientation: .right)),
      Case(
        first: Edit(orientation: .rightMirrored), second: Edit(geometry: Geometry(straighten: 5)),
        pair: MarkedPair(aperture: (20, 15, 400, 300), orientation: .upMirrored)),
      Case(
        first: Edit(geometry: Geometry(crop: .rectangle(rectangle))), second: .identity,
        pair: MarkedPair(photoSize: (639, 479), orientation: .down)),
    ]
  }

  func render(_ job: RenderJob) throws -> RenderResult {
    try RenderEngine.render(job, progress: { _ in }, isCancelled: { false })
  }

  @Test(arguments: 0..<4) func bothHalvesShowTheSamePlaces(_ index: Int) throws {
    let one = try Self.cases()[index]
    let folder = try TemporaryFolder()
    let (photo, movie) = try one.pair.make(in: folder)
    let edited = folder.file("edited.JPG")
    _ = try render(
      RenderJob(
        photo: .init(source: photo.path, output: edited.path), movie: nil, edit: one.first,
        settings: .standard, identifier: nil))
    let (outPhoto, outMovie) = (folder.file("out.JPG"), folder.file("out.MOV"))
    let isPhotoKept = one.second.isIdentity
    let result = try render(
      RenderJob(
        photo: isPhotoKept ? nil : .init(source: edited.path, output: outPhoto.path),
        movie: .init(source: movie.path, output: outMovie.path), edit: one.second,
        adopted: .init(edit: one.first, photo: photo.path), settings: .standard, identifier: nil))
    #expect(result.movie == .encoded)
    let stills = try MarkedPair.spots(isPhotoKept ? edited : outPhoto)
    let frames = try MarkedPair.spots(outMovie)
    #expect(stills.places.count >= 3 && abs(stills.places.count - frames.places.count) <= 2)
    let shape = Double(stills.size.0) / Double(stills.size.1)
    #expect(abs(Double(frames.size.0) / Double(frames.size.1) / shape - 1) < 0.03)
    var matched = 0
    for place in stills.places {
      let near = frames.places.contains {
        abs($0.x - place.x) < 0.006 && abs($0.y - place.y) / shape < 0.006
      }
      if near { matched += 1 }
    }
    #expect(matched >= 3 && matched >= stills.places.count - 2, "\(stills.places) \(frames.places)")
  }

  @Test func aLongExposureOfAnAdoptedPhotoIsRefused() throws {
    let folder = try TemporaryFolder()
    let (photo, movie) = try MarkedPair().make(in: folder)
    let job = RenderJob(
      photo: .init(source: photo.path, output: folder.file("out.JPG").path),
      movie: .init(source: movie.path, output: folder.file("out.MOV").path),
      edit: Edit(motion: try Motion(effect: .longExposure)),
      adopted: .init(edit: Edit(orientation: .right), photo: photo.path), settings: .standard,
      identifier: nil)
    let error = #expect(throws: EditError.self) { try render(job) }
    #expect(error?.code == .invalidEdit && error?.file == photo.path)
    #expect(!FileManager.default.fileExists(atPath: folder.file("out.MOV").path))
  }
}
