import Basics
import EditModel
import FileSystem
import Foundation
import LivePhotoFormat
import TestSupport
import Testing

@testable import RenderEngine

/// Tests of crops, straightening and perspective on both halves, checked with ffmpeg.
@Suite struct GeometryRenderTests {
  static func geometries() throws -> [Geometry] {
    let rectangle = try Crop.Rectangle(left: 111_111, top: 200_000, width: 700_000, height: 651_000)
    return [
      Geometry(crop: .rectangle(rectangle)),
      Geometry(crop: .aspect(try Crop.AspectRatio(width: 1, height: 1), .right)),
      Geometry(straighten: 6.5), Geometry(horizontalPerspective: -0.4, verticalPerspective: 0.6),
      Geometry(crop: .rectangle(rectangle), straighten: -20, verticalPerspective: -0.3),
      Geometry(crop: .aspect(try Crop.AspectRatio(width: 9, height: 16), .topLeft), straighten: 3),
    ]
  }

  static let pairs: [MarkedPair] = [
    MarkedPair(),
    MarkedPair(aperture: (30, 23, 420, 315), orientation: .right),
    MarkedPair(photoSize: (641, 481), aperture: (31, 22, 421, 315), orientation: .leftMirrored),
    MarkedPair(photoSize: (639, 479), orientation: .down),
    MarkedPair(aperture: (20, 15, 400, 300), orientation: .upMirrored),
    MarkedPair(photoSize: (480, 641), movieSize: (360, 480), orientation: .rightMirrored),
  ]

  /// Renders a pair with a geometry.
  ///
  /// - Parameter still: The time of the photo that the movie marks, in seconds, or nil for none.
  func render(
    _ pair: MarkedPair, _ edit: Edit, marking still: Double? = nil, in folder: TemporaryFolder
  ) throws -> (result: RenderResult, photo: URL, movie: URL) {
    var (photo, movie) = try pair.make(in: folder)
    if let still {
      var surgery = try MovieSurgery(FileByteSource(path: movie.path))
      try surgery.markStill(at: still)
      movie = folder.file("marked.MOV")
      try? FileManager.default.removeItem(at: movie)
      let sink = try FileByteSink(path: movie.path)
      try surgery.write(to: sink)
      try sink.flush()
    }
    let (outPhoto, outMovie) = (folder.file("out.JPG"), folder.file("out.MOV"))
    for old in [outPhoto, outMovie] { try? FileManager.default.removeItem(at: old) }
    let result = try RenderEngine.render(
      RenderJob(
        photo: .init(source: photo.path, output: outPhoto.path),
        movie: .init(source: movie.path, output: outMovie.path), edit: edit, settings: .standard,
        identifier: nil), progress: { _ in }, isCancelled: { false })
    return (result, outPhoto, outMovie)
  }

  /// Every spot of the photo matches a spot of the movie, within half a percent of the width.
  @Test(arguments: pairs.indices) func spotsLandAtTheSamePlaces(_ index: Int) throws {
    let folder = try TemporaryFolder()
    let turns: [Orientation] = [.up, .right, .flippedHorizontally]
    // Each geometry is used with two of the pairs, so that the tests run quickly.
    for (number, geometry) in try Self.geometries().enumerated() where number % 3 == index % 3 {
      let edit = Edit(orientation: turns[(number / 3 + index) % 3], geometry: geometry)
      let (result, photo, movie) = try render(Self.pairs[index], edit, in: folder)
      #expect(result.photo == .encoded && result.movie == .encoded)
      let (one, two) = (try MarkedPair.spots(photo), try MarkedPair.spots(movie))
      #expect(one.places.count >= 3 && abs(one.places.count - two.places.count) <= 2)
      let shape = Double(one.size.0) / Double(one.size.1)
      #expect(two.size.0 % 2 == 0 && two.size.1 % 2 == 0)
      #expect(abs(Double(two.size.0) / Double(two.size.1) / shape - 1) < 0.03)
      var matched = 0
      for place in one.places {
        guard
          let other = two.places.min(by: {
            let (a, b) = ($0 - place, $1 - place)
            return (a * a).sum() < (b * b).sum()
          }), abs(other.x - place.x) < 0.03, abs(other.y - place.y) < 0.03
        else { continue }
        matched += 1
        #expect(
          abs(other.x - place.x) < 0.005
            && abs(other.y - place.y) * Double(one.size.1) < 0.005 * Double(one.size.0),
          "\(edit) \(place) \(other)")
      }
      #expect(matched >= 3 && matched >= one.places.count - 2)
    }
  }

  /// Checks that the spots of a sideways picture are where the formula of `Geometry` places them, calculated here for
  /// straightening alone.
  private func expectSpots(
    in file: URL, of size: (Double, Double), straightened degrees: Double, _ tolerance: Double
  )
    throws
  {
    let (w, h, angle) = (size.0, size.1, degrees * .pi / 180)
    let height = h * h / (w * abs(sin(angle)) + h * cos(angle))
    let found = try MarkedPair.spots(file).places
    for spot in MarkedPair.spots.prefix(5) {
      let p = (spot - 0.5) * SIMD2(w, h)
      let q = SIMD2(p.x * cos(angle) - p.y * sin(angle), p.x * sin(angle) + p.y * cos(angle))
      let wanted = q / SIMD2(height * w / h, height) + 0.5
      guard wanted.min() > 0.05, wanted.max() < 0.95 else { continue }
      #expect(found.contains { abs($0.x - wanted.x) < tolerance && abs($0.y - wanted.y) < tolerance })
    }
  }

  @Test(arguments: [4.0, -15, 45]) func spotsLandWhereTheFormulaSays(_ degrees: Double) throws {
    let folder = try TemporaryFolder()
    let (_, photo, movie) = try render(
      MarkedPair(), Edit(geometry: Geometry(straighten: degrees)), in: folder)
    for (file, tolerance) in [(photo, 0.002), (movie, 0.004)] {
      try expectSpots(in: file, of: (640, 480), straightened: degrees, tolerance)
    }
  }

  /// A frame that becomes the photo is straightened and cropped in its own shape, like the movie, and not in the shape
  /// of the photo that it replaces.
  @Test func aKeyPhotoOfAnotherShapeHasItsOwn() throws {
    let folder = try TemporaryFolder()
    let pair = MarkedPair(photoSize: (400, 480))
    let motion = try Motion(keyPhoto: 0)
    let square = Geometry(crop: .aspect(try Crop.AspectRatio(width: 1, height: 1), .center))
    var (_, photo, movie) = try render(
      pair, Edit(geometry: square, motion: motion), marking: 0, in: folder)
    for file in [photo, movie] { #expect(try MarkedPair.spots(file).size == (360, 360), "\(file)") }
    (_, photo, movie) = try render(
      pair, Edit(geometry: Geometry(straighten: 6), motion: motion), marking: 0, in: folder)
    for file in [photo, movie] {
      try expectSpots(in: file, of: (480, 360), straightened: 6, 0.004)
    }
  }

  @Test func aCroppedMovieHasNoCleanApertureAndNewSizes() throws {
    let folder = try TemporaryFolder()
    let edit = Edit(
      orientation: .right,
      geometry: Geometry(crop: .aspect(try Crop.AspectRatio(width: 1, height: 1), .center)))
    let (result, photo, movie) = try render(Self.pairs[1], edit, in: folder)
    let size = try MarkedPair.spots(movie).size
    let trak = try #require(try AtomTree.read(movie).last { $0.kind == "moov" }?["trak"])
    let sides = [UInt32(size.0) << 16, UInt32(size.1) << 16]
    for kind in ["clef", "prof", "enof"] { #expect(trak["tapt", kind]?.numbers(after: 4) == sides) }
    let header = try #require(trak["tkhd"])
    #expect(
      Array(header.bytes[40..<76]) == OrientationMatrixTests.bytes(OrientationMatrixTests.matrix(.up, 0, 0)))
    #expect(header.numbers(after: 76) == sides)
    #expect(trak["mdia", "minf", "stbl", "stsd"]?.bytes.range(of: "clap") == nil)
    let tags = try Tools.exiftool(photo)
    #expect(tags["IFD0:Orientation"] == "1" && result.removals.isEmpty)
  }

  /// Cropping to a shape that the picture already has changes nothing, so both halves are copied.
  @Test func aShapeThatIsThereIsNoCrop() throws {
    let folder = try TemporaryFolder()
    let edit = Edit(geometry: Geometry(crop: .aspect(try Crop.AspectRatio(width: 4, height: 3), .top)))
    let pair = MarkedPair(aperture: (30, 23, 420, 315))
    let (result, _, movie) = try render(pair, edit, in: folder)
    #expect(result.photo == .copied && result.movie == .copied)
    #expect(try MarkedPair.spots(movie).size == (480, 360))
  }

  @Test func aMovieAloneKeepsItsOwnShape() throws {
    let folder = try TemporaryFolder()
    let (_, movie) = try Self.pairs[1].make(in: folder)
    let output = folder.file("out.MOV")
    _ = try RenderEngine.render(
      RenderJob(
        photo: nil, movie: .init(source: movie.path, output: output.path),
        edit: Edit(geometry: Geometry(straighten: 10)), settings: .standard, identifier: nil),
      progress: { _ in }, isCancelled: { false })
    let size = try MarkedPair.spots(output).size
    // A clean aperture of 420x315, shown upright.
    let height = 315.0 * 315 / (420 * sin(.pi / 18) + 315 * cos(.pi / 18))
    #expect(abs(Double(size.0) - height) <= 1.01 && abs(Double(size.1) - height * 4 / 3) <= 1.01)
  }

  @Test func tooSmallOrLosslessIsRefused() throws {
    let folder = try TemporaryFolder()
    let tiny = try Crop.Rectangle(left: 0, top: 0, width: 20_000, height: 500_000)
    for (edit, isLossless, words) in [
      (Edit(geometry: Geometry(crop: .rectangle(tiny))), false, "pixels would remain"),
      (Edit(geometry: Geometry(straighten: 1)), true, "losslessly"),
    ] {
      let (photo, movie) = try MarkedPair().make(in: folder)
      let error = #expect(throws: EditError.self) {
        try RenderEngine.render(
          RenderJob(
            photo: .init(source: photo.path, output: folder.file("o.JPG").path),
            movie: .init(source: movie.path, output: folder.file("o.MOV").path), edit: edit,
            settings: RenderSettings(isLossless: isLossless), identifier: nil), progress: { _ in },
          isCancelled: { false })
      }
      #expect(error?.problem.contains(words) == true && error?.file != nil && error?.code == .invalidEdit)
      #expect(try !folder.names().contains { $0.hasPrefix("o.") })
    }
  }
}

extension [UInt8] {
  /// Returns the start of a text, or nil if the text does not occur.
  fileprivate func range(of text: String) -> Int? {
    let wanted = Array(text.utf8)
    return indices.first { self[$0...].starts(with: wanted) }
  }
}
