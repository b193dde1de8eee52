import EditModel
import Foundation
import TestSupport
import Testing

@testable import RenderEngine

/// Tests of every stored orientation with every rotation and flip, for both halves. A quick run uses two edits per
/// orientation, so that every orientation, edit and result occurs.
@Suite struct OrientationMatrixTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  static let edits: [Orientation] = [.right, .down, .left, .flippedHorizontally, .flippedVertically]

  /// The names of ffmpeg's filters for the eight orientations.
  static let filters: [Orientation: String] = [
    .up: "null", .upMirrored: "hflip", .down: "hflip,vflip", .downMirrored: "vflip",
    .leftMirrored: "transpose=cclock_flip", .right: "transpose=clock", .rightMirrored: "transpose=clock_flip",
    .left: "transpose=cclock",
  ]

  /// Returns the matrix of an orientation with its translation, for a picture of w by h, as 16.16 numbers (the last
  /// column 2.30).
  static func matrix(_ orientation: Orientation, _ w: Int32, _ h: Int32) -> [Int32] {
    let one: Int32 = 0x10000
    let last: Int32 = 0x4000_0000
    return switch orientation {
    case .up: [one, 0, 0, 0, one, 0, 0, 0, last]
    case .upMirrored: [-one, 0, 0, 0, one, 0, w * one, 0, last]
    case .down: [-one, 0, 0, 0, -one, 0, w * one, h * one, last]
    case .downMirrored: [one, 0, 0, 0, -one, 0, 0, h * one, last]
    case .leftMirrored: [0, one, 0, one, 0, 0, 0, 0, last]
    case .right: [0, one, 0, -one, 0, 0, h * one, 0, last]
    case .rightMirrored: [0, -one, 0, -one, 0, 0, h * one, w * one, last]
    case .left: [0, -one, 0, one, 0, 0, 0, w * one, last]
    }
  }

  static func bytes(_ matrix: [Int32]) -> [UInt8] {
    matrix.flatMap { value in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
  }

  /// Returns the position of the video's matrix, which follows the track header with a size (audio has none).
  static func matrixOffset(_ movie: [UInt8], _ w: Int, _ h: Int) throws -> Int {
    let size = [UInt8(w >> 8), UInt8(w & 255), 0, 0, UInt8(h >> 8), UInt8(h & 255), 0, 0]
    for start in 0..<movie.count - 92 where Array(movie[start..<start + 4]) == Array("tkhd".utf8) {
      if Array(movie[start + 80..<start + 88]) == size { return start + 44 }
    }
    throw ToolFailure("no track header with a size")
  }

  /// Returns a pair of one second in a given orientation. All stored pictures have the same size.
  func pair(_ orientation: Orientation) throws -> (photo: URL, movie: URL) {
    let photo = folder.file("IMG_000\(orientation.rawValue).JPG")
    let movie = folder.file("IMG_000\(orientation.rawValue).MOV")
    try FileManager.default.copyItem(at: TestFiles.fixture("IMG_0001.JPG"), to: photo)
    let tagged = try Tools.run([
      "exiftool", "-q", "-n", "-overwrite_original", "-IFD0:Orientation=\(orientation.rawValue)", photo.path,
    ])
    try #require(tagged.status == 0, "\(tagged.standardError)")
    var bytes = [UInt8](try Data(contentsOf: TestFiles.fixture("IMG_0001.MOV")))
    let offset = try Self.matrixOffset(bytes, 480, 360)
    bytes.replaceSubrange(offset..<offset + 36, with: Self.bytes(Self.matrix(orientation, 480, 360)))
    try Data(bytes).write(to: movie)
    return (photo, movie)
  }

  /// Returns the lowest luma PSNR over all frames of two pictures or movies, with a filter applied to the reference.
  func leastPSNR(_ output: URL, _ reference: URL, filter: String, format: String) throws -> Double {
    let log = folder.file("psnr.log")
    let answer = try Tools.run(
      [
        "ffmpeg", "-v", "error", "-noautorotate", "-i", output.path, "-noautorotate", "-i", reference.path,
        "-lavfi",
        "[0:v]format=\(format),settb=1/600[a];[1:v]\(filter),format=\(format),settb=1/600[b];"
          + "[a][b]psnr=stats_file=psnr.log", "-f", "null", "-",
      ], in: folder.url)
    try #require(answer.status == 0, "\(answer.standardError)")
    let lines = try String(contentsOf: log, encoding: .utf8).split(separator: "\n")
    let values = lines.map { line -> Double in
      guard let field = line.split(separator: " ").first(where: { $0.hasPrefix("psnr_y:") }) else {
        return -1
      }
      return field == "psnr_y:inf" ? 99 : Double(field.dropFirst(7)) ?? -1
    }
    return values.min() ?? -1
  }

  @Test(arguments: Orientation.allCases)
  func bothHalvesTurnAlike(_ stored: Orientation) throws {
    let (photo, movie) = try pair(stored)
    for edit in Cases.chosen(Self.edits, isQuick: { number, _ in (number + stored.rawValue) % 5 < 2 }) {
      let outPhoto = folder.file("out.JPG")
      let outMovie = folder.file("out.MOV")
      let result = try render(
        RenderJob(
          photo: .init(source: photo.path, output: outPhoto.path),
          movie: .init(source: movie.path, output: outMovie.path),
          edit: Edit(orientation: edit), settings: .standard,
          identifier: "01234567-89AB-5DEF-8123-456789ABCDEF"),
        progress: { _ in }, isCancelled: { false })
      defer {
        try? FileManager.default.removeItem(at: outPhoto)
        try? FileManager.default.removeItem(at: outMovie)
      }
      let transform = stored.then(edit)
      #expect((result.photo == .copied) == (transform == .up))
      #expect((result.movie == .copied) == (transform == .up))

      let filter = try #require(Self.filters[transform])
      #expect(
        try leastPSNR(outPhoto, photo, filter: filter, format: "yuvj420p") > 45, "photo \(stored) \(edit)")
      #expect(
        try leastPSNR(outMovie, movie, filter: filter, format: "yuvj420p") > 34, "movie \(stored) \(edit)")

      let tags = try Tools.exiftool(outPhoto)
      #expect(tags["IFD0:Orientation"] == "1")
      let (w, h) = transform.swapsAxes ? (360, 480) : (480, 360)
      let bytes = [UInt8](try Data(contentsOf: outMovie))
      let offset = try Self.matrixOffset(bytes, w, h)
      #expect(Array(bytes[offset..<offset + 36]) == Self.bytes(Self.matrix(.up, Int32(w), Int32(h))))
    }
  }
}
