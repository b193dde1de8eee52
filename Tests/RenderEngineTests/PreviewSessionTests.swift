import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import RenderEngine

/// Tests that compare replies for shaders with rendered files. ffmpeg decodes both.
@Suite struct PreviewSessionTests {
  private let folder: TemporaryFolder
  private let session = PreviewSession(
    PreviewJob(photo: TestFiles.fixture("IMG_0003.JPG").path, movie: TestFiles.fixture("IMG_0003.MOV").path))

  init() throws { folder = try TemporaryFolder() }

  /// A reply, parsed as a page parses it.
  struct Parts {
    let header: [String: Any]
    let numbers: [UInt16]

    init(_ bytes: [UInt8]) throws {
      let length = bytes[..<4].reversed().reduce(0) { $0 << 8 | Int($1) }
      try #require(length % 4 == 0)
      let json = try JSONSerialization.jsonObject(with: Data(bytes[4..<4 + length]))
      header = try #require(json as? [String: Any])
      let rest = bytes[(4 + length)...]
      numbers = stride(from: rest.startIndex, to: rest.endIndex, by: 2).map {
        UInt16(rest[$0]) | UInt16(rest[$0 + 1]) << 8
      }
    }

    func member<Value>(_ part: String, _ name: String) -> Value? {
      (header[part] as? [String: Any])?[name] as? Value
    }

    /// Returns the position in the small picture for a position in the render, both in fractions.
    func place(_ x: Double, _ y: Double) throws -> (x: Double, y: Double) {
      let m = try #require(header["place"] as? [Double])
      let w = m[6] * x + m[7] * y + m[8]
      return ((m[0] * x + m[1] * y + m[2]) / w, (m[3] * x + m[4] * y + m[5]) / w)
    }

    /// Returns a colour from the table, interpolated between nodes.
    func color(_ rgb: [Double]) throws -> [Double] {
      let nodes: Int = try #require(member("table", "nodes"))
      guard nodes > 0 else { return rgb }
      let start: Int = try #require(member("table", "at"))
      // Interpolating only along red, with the nearest green and blue, would be too coarse, so all eight corners are
      // used.
      let places = rgb.map { $0 * Double(nodes - 3) + 1 }
      let cells = places.map { min(Int($0), nodes - 2) }
      var sum = [0.0, 0, 0]
      for corner in 0..<8 {
        let steps = [corner & 1, corner >> 1 & 1, corner >> 2]
        var weight = 1.0
        for axis in 0..<3 {
          let part = places[axis] - Double(cells[axis])
          weight *= steps[axis] == 1 ? part : 1 - part
        }
        let node = ((cells[2] + steps[2]) * nodes + cells[1] + steps[1]) * nodes + cells[0] + steps[0]
        for channel in 0..<3 {
          sum[channel] += weight * Double(Float16(bitPattern: numbers[start / 2 + 3 * node + channel]))
        }
      }
      return sum.map { min(max($0, 0), 1) }
    }
  }

  private func ask(_ edit: Edit, _ half: HalfKind = .photo, known: Set<String> = []) throws
    -> Parts
  {
    try Parts(
      session.answer(
        PreviewRequest(
          edit, on: half, in: .srgb, known: known, picture: TestFiles.fixture("IMG_0003.JPG").path)))
  }

  /// Returns the red, green and blue of a picture.
  private func pixels(_ file: URL, _ width: Int) throws -> (Int, Int) -> [Double] {
    let bytes = try folder.run(
      "ffmpeg",
      [
        "-v", "error", "-noautorotate", "-i", file.path, "-frames:v", "1", "-f", "rawvideo", "-pix_fmt",
        "rgb24", "-",
      ])
    return { x, y in (0..<3).map { Double(bytes[3 * (y * width + x) + $0]) / 255 } }
  }

  private static func edit(_ values: [Parameter: Double]) -> Edit {
    var edit = Edit.identity
    for (parameter, value) in values { edit[parameter] = value }
    return edit
  }

  @Test(arguments: [
    [Parameter.exposure: 0.6], [.saturation: 0.6], [.contrast: -0.5, .warmth: 0.4], [.monochrome: 1],
  ])
  func tablesShowWhatIsRendered(_ values: [Parameter: Double]) throws {
    let edit = Self.edit(values)
    let source = TestFiles.fixture("IMG_0003.JPG")
    var settings = RenderSettings.standard
    settings.quality = .high
    let output = try folder.rendered(source, edit, settings, as: "out.jpg").photo
    let parts = try ask(edit)
    #expect(parts.header["width"] as? Int == 1000 && parts.header["height"] as? Int == 750)
    #expect(parts.header["missing"] as? [String] == [])
    let (before, after) = (try pixels(source, 1000), try pixels(output, 1000))
    var sum = 0.0
    for y in stride(from: 5, to: 750, by: 31) {
      for x in stride(from: 4, to: 1000, by: 29) {
        let shown = try parts.color(before(x, y))
        sum += zip(shown, after(x, y)).map { abs($0 - $1) }.reduce(0, +) / 3
      }
    }
    // Four of 255 codes, because both pictures have JPEG coding and 4:2:0 chroma.
    #expect(sum / Double(25 * 35) < 4.0 / 255, "\(sum / Double(25 * 35) * 255)")
  }

  @Test(arguments: [
    "turned", "mirrored and cropped", "straightened", "in perspective",
  ])
  func placesAreThoseOfRenders(_ kind: String) throws {
    var edit = Edit.identity
    switch kind {
    case "turned": edit.orientation = Orientation(quarterTurns: 1)
    case "mirrored and cropped":
      edit.orientation = .flippedHorizontally
      edit.geometry.crop = .aspect(try Crop.AspectRatio(width: 1, height: 1), .left)
    case "straightened":
      edit.orientation = Orientation(quarterTurns: 2)
      edit.geometry.straighten = 8
    default:
      edit.geometry.horizontalPerspective = 0.5
      edit.geometry.verticalPerspective = -0.4
    }
    let output = folder.file("out.jpg")
    let source = TestFiles.fixture("IMG_0003.JPG")
    let job = RenderJob(
      photo: .init(source: source.path, output: output.path), movie: nil, edit: edit, settings: .standard,
      identifier: nil)
    _ = try render(job, progress: { _ in }, isCancelled: { false })
    let parts = try ask(edit)
    let (width, height) = (
      try #require(parts.header["width"] as? Int), try #require(parts.header["height"] as? Int)
    )
    let tags = try Tools.exiftool(output)
    #expect([tags["File:ImageWidth"], tags["File:ImageHeight"]] == ["\(width)", "\(height)"])
    let (before, after) = (try pixels(source, 1000), try pixels(output, width))
    // Compares means of small squares, so that neither noise nor half a pixel matters. A wrong orientation would cause
    // a large difference.
    func square(_ pixel: (Int, Int) -> [Double], _ x: Double, _ y: Double, _ w: Int, _ h: Int) -> Double {
      var sum = 0.0
      for dy in -2...2 {
        for dx in -2...2 {
          sum += pixel(min(max(Int(x) + dx, 0), w - 1), min(max(Int(y) + dy, 0), h - 1))[1]
        }
      }
      return sum / 25
    }
    var (apart, elsewhere, count) = (0.0, 0.0, 0.0)
    for y in stride(from: 8, to: height - 8, by: 37) {
      for x in stride(from: 8, to: width - 8, by: 37) {
        let place = try parts.place((Double(x) + 0.5) / Double(width), (Double(y) + 0.5) / Double(height))
        #expect(-0.001...1.001 ~= place.x && -0.001...1.001 ~= place.y)
        let here = square(after, Double(x), Double(y), width, height)
        apart += abs(here - square(before, place.x * 1000 - 0.5, place.y * 750 - 0.5, 1000, 750))
        elsewhere += abs(here - square(before, (1 - place.x) * 1000 - 0.5, place.y * 750 - 0.5, 1000, 750))
        count += 1
      }
    }
    #expect(apart / count < 0.02 && elsewhere > 3 * apart, "\(apart / count) \(elsewhere / count)")
  }

  @Test func whatIsKnownIsNotSentAgain() throws {
    let edit = Self.edit([.shadows: 0.5, .exposure: 0.3])
    let first = try ask(edit)
    let table: String = try #require(first.member("table", "name"))
    let areas: String = try #require(first.member("areas", "name"))
    #expect(first.member("table", "nodes") == 33 && first.member("areas", "columns") == 250)
    let second = try ask(Self.edit([.shadows: 0.7, .exposure: 0.3]), known: [table, areas])
    #expect(second.member("table", "name") == table && second.member("areas", "name") == areas)
    #expect((second.member("table", "at") as Int?) == nil && (second.member("areas", "at") as Int?) == nil)
    // The values that the sliders change are sent each time: 3 numbers for each of 1280 steps, and 2 for each of 2048.
    #expect(second.numbers.count == 3 * 1280 + 2 * 2048)
    #expect(first.numbers != second.numbers)
    // A different exposure results in a different table, and a different crop in different areas.
    var other = Self.edit([.shadows: 0.7, .exposure: 0.4])
    other.geometry.straighten = 3
    let third = try ask(other, known: [table, areas])
    #expect(third.member("table", "name") != table && third.member("areas", "name") != areas)
  }

  /// The areas of a movie are sent with the times of its frames, which match ffprobe's. While a slider moves, the reply
  /// does not wait for the areas.
  @Test func areasOfAMovieAreThoseOfItsFrames() throws {
    let file = TestFiles.fixture("IMG_0003.MOV")
    let times = String(
      decoding: try folder.run(
        "ffprobe",
        [
          "-v", "error", "-select_streams", "v:0", "-show_entries", "frame=pts_time", "-of", "csv=p=0",
          file.path,
        ]), as: UTF8.self
    ).split(separator: "\n").compactMap { Double($0.split(separator: ",")[0]) }
    var request = PreviewRequest(
      Self.edit([.shadows: 0.6]), on: .movie, in: .srgb, isRough: true, picture: file.path)
    let rough = try Parts(session.answer(request))
    #expect(rough.header["missing"] as? [String] == ["light"] && rough.header["areas"] == nil)
    request.isRough = false
    let fine = try Parts(session.answer(request))
    #expect(fine.header["missing"] as? [String] == [])
    let found: [Double] = try #require(fine.member("areas", "times"))
    #expect(found.count == times.count && zip(found, times).allSatisfy { abs($0 - $1) < 0.01 })
    #expect((fine.member("areas", "airlights") as [Double]?)?.count == times.count)
    let cells =
      (try #require(fine.member("areas", "columns") as Int?))
      * (try #require(fine.member("areas", "rows") as Int?))
    let start: Int = try #require(fine.member("areas", "at"))
    #expect(fine.numbers.count - start / 2 == 4 * cells * times.count)
    // Once the areas are known, they are also sent while the slider moves.
    request.isRough = true
    request.known = [try #require(fine.member("areas", "name") as String?)]
    #expect(try Parts(session.answer(request)).header["missing"] as? [String] == [])
  }

  @Test func whatOnlyARenderShowsIsNamed() throws {
    let edit = Self.edit([.noiseReduction: 0.4, .sharpness: 0.2, .grain: 0.1, .vignette: -0.5])
    let photo = try ask(edit)
    #expect(photo.header["missing"] as? [String] == ["noiseReduction", "sharpness", "grain"])
    #expect(photo.member("vignette", "isWhite") == true)
    #expect((photo.member("table", "nodes") as Int?) == 0)
    #expect(try ask(.identity).header["vignette"] == nil)
  }

  /// Invalid files are reported, and the next request is still answered.
  @Test func badFilesAreSentences() throws {
    let text = try folder.write(Array("no photo at all".utf8), to: "IMG_9.JPG")
    let bad = PreviewSession(PreviewJob(photo: text.path))
    for _ in 0..<2 {
      let error = #expect(throws: EditError.self) {
        try bad.answer(PreviewRequest(.identity, on: .photo, in: .p3))
      }
      #expect(error?.file == text.path && error?.code == .invalidFile)
    }
    #expect(throws: EditError.self) { try bad.answer(PreviewRequest(.identity, on: .movie, in: .p3)) }
    let gone = #expect(throws: EditError.self) {
      try session.answer(
        PreviewRequest(Self.edit([.shadows: 1]), on: .photo, in: .p3, picture: folder.file("gone.jpg").path))
    }
    #expect(gone?.file == folder.file("gone.jpg").path)
    #expect(try ask(.identity).header["width"] as? Int == 1000)
  }
}
