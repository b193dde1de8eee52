import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import RenderEngine

/// Tests that compare previews with rendered files. ffmpeg decodes both.
@Suite struct PreviewPainterTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  static func job(_ name: String) -> PreviewJob {
    PreviewJob(
      photo: TestFiles.fixture(name + ".JPG").path, movie: TestFiles.fixture(name + ".MOV").path)
  }

  static func edit(_ values: [Parameter: Double]) -> Edit {
    var edit = Edit.identity
    for (parameter, value) in values { edit[parameter] = value }
    return edit
  }

  /// Returns the red, green and blue of one picture of a file as displayed.
  ///
  /// - Parameter matrix: The colour matrix of a movie. swscale uses another one unless it is told.
  func pixels(_ file: URL, frame: Int = 0, matrix: String? = nil) throws -> [UInt8] {
    let scale = matrix.map { ",scale=in_color_matrix=\($0):flags=accurate_rnd+full_chroma_int" } ?? ""
    return try folder.run(
      "ffmpeg",
      [
        "-v", "error", "-i", file.path, "-vf", "select=eq(n\\,\(frame))" + scale, "-frames:v", "1", "-f",
        "rawvideo", "-pix_fmt", "rgb24", "-",
      ])
  }

  func painted(_ session: PreviewSession, _ picture: PreviewPicture) throws -> URL {
    let file = folder.file("painted-\(UUID().uuidString).jpg")
    try Data(session.answer(.picture(picture))).write(to: file)
    return file
  }

  /// Returns the mean difference of the codes.
  func difference(_ one: [UInt8], _ other: [UInt8]) -> Double {
    guard one.count == other.count, !one.isEmpty else { return .infinity }
    return Double(zip(one, other).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }) / Double(one.count)
  }

  static let edits: [[Parameter: Double]] = [
    [.sharpness: 0.8], [.grain: 0.7, .grainSize: 0.4], [.noiseReduction: 0.6],
    [.definition: 0.6, .exposure: 0.5],
    [.vignette: 0.6, .sharpness: 0.4, .noiseReduction: 0.3, .grain: 0.3, .shadows: 0.4, .saturation: 0.3],
  ]

  /// State kept between requests does not change any reply.
  @Test func answersAreThoseOfAFreshHelper() throws {
    let kept = PreviewSession(Self.job("IMG_0003"))
    var edit = Self.edit([.noiseReduction: 0.5])
    for step in 0..<6 {
      switch step {
      case 1: edit[.sharpness] = 0.6
      case 2: edit[.exposure] = 0.7
      case 3: edit[.noiseReduction] = 0.9
      case 4: edit.orientation = Orientation(quarterTurns: 1)
      case 5: edit[.noiseReduction] = 0
      default: break
      }
      let question = PreviewQuestion.picture(PreviewPicture(edit, side: 500))
      #expect(try kept.answer(question) == PreviewSession(Self.job("IMG_0003")).answer(question), "\(step)")
    }
  }

  @Test func picturesFitIntoTheirSize() throws {
    let session = PreviewSession(Self.job("IMG_0003"))
    var edit = Self.edit([.sharpness: 0.5])
    edit.orientation = Orientation(quarterTurns: 1)
    let file = try painted(session, PreviewPicture(edit, side: 400))
    let facts = try Tools.exiftool(file)
    #expect(facts["File:ImageWidth"] == "300" && facts["File:ImageHeight"] == "400")
  }

  /// An exact preview is the render as scaled down by ImageMagick, stored without loss and with the photo's profile.
  @Test(arguments: [[.exposure: 0.4], [.saturation: 0.8, .sharpness: 0.5]] as [[Parameter: Double]])
  func exactPicturesAreRendersMadeSmaller(_ values: [Parameter: Double]) throws {
    let edit = Self.edit(values)
    let source = TestFiles.fixture("IMG_0001.JPG")
    var settings = RenderSettings.standard
    settings.quality = .high
    let output = try folder.rendered(source, edit, settings, as: "out.jpg").photo
    let session = PreviewSession(Self.job("IMG_0001"))
    let exact = try folder.write(
      session.answer(.picture(PreviewPicture(edit, side: 400, isExact: true))), to: "exact.png")
    let facts = try Tools.exiftool(exact)
    #expect(facts["File:FileType"] == "PNG")
    #expect(
      try facts["ICC_Profile:ProfileDescription"] == Tools.exiftool(source)["ICC_Profile:ProfileDescription"])
    let wanted = try folder.run(
      "convert",
      [
        output.path, "-auto-orient", "-filter", "Lanczos", "-resize", "400x400", "-depth", "8", "rgb:-",
      ])
    let found = difference(try folder.run("convert", [exact.path, "-depth", "8", "rgb:-"]), wanted)
    #expect(found < 0.8, "\(found)")
    let rough = try painted(session, PreviewPicture(edit, side: 400))
    let other = difference(try folder.run("convert", [rough.path, "-depth", "8", "rgb:-"]), wanted)
    #expect(found < other, "\(other)")
  }

  @Test(arguments: [0, 17])
  func paintedFramesAreThoseOfRenders(_ frame: Int) throws {
    let edit = Self.edit([.sharpness: 0.7, .exposure: 0.4, .shadows: 0.3])
    let output = folder.file("out.mov")
    var settings = RenderSettings.standard
    settings.quality = .high
    let source = TestFiles.fixture("IMG_0002.MOV")
    let job = RenderJob(
      photo: nil, movie: .init(source: source.path, output: output.path), edit: edit, settings: settings,
      identifier: nil)
    _ = try render(job, progress: { _ in }, isCancelled: { false })
    let times = try Tools.ffprobe(source, "-select_streams", "v", "-show_entries", "frame=pts_time")
      .compactMap { Double($0.filter { $0.isNumber || $0 == "." }) }
    let file = try painted(
      PreviewSession(Self.job("IMG_0002")), PreviewPicture(edit, side: 4096, time: times[frame] + 0.001))
    let found = difference(try pixels(file), try pixels(output, frame: frame, matrix: "bt709"))
    #expect(found < 4, "\(found)")
    let other = difference(try pixels(file), try pixels(source, frame: frame, matrix: "bt709"))
    #expect(other > 2 * found, "\(other) \(found)")
  }

  @Test func whatIsMissingIsSaid() throws {
    let photo = PreviewSession(PreviewJob(photo: TestFiles.fixture("IMG_0003.JPG").path))
    #expect(throws: EditError.self) {
      try photo.answer(.picture(PreviewPicture(.identity, side: 400, time: 0)))
    }
    let gone = PreviewSession(PreviewJob(photo: folder.file("gone.jpg").path))
    #expect(throws: EditError.self) { try gone.answer(.picture(PreviewPicture(.identity, side: 400))) }
  }
}
