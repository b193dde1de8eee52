import Basics
import EditModel
import Foundation
import RenderEngine
import TestSupport
import Testing

/// Tests of complete renders of damaged photos, which cause an error message or a picture that can be decoded.
@Suite struct OddPhotoHostileTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  static let fixtures = ["IMG_0001.JPG", "IMG_0002.JPG", "IMG_0003.JPG"]

  /// Renders damaged photos and has djpeg decode the results.
  private func survive(_ photos: [[UInt8]]) throws {
    var made = 0
    for (index, photo) in photos.enumerated() {
      let edits: [Orientation] = [.right, .flippedHorizontally, .down]
      do {
        let (bytes, result) = try folder.rendered(
          photo, edits[index % 3], isLossless: index % 4 == 3,
          identifier: index % 2 == 0 ? nil : OddPhotoMetadataTests.identifier)
        // A picture that is copied bit for bit keeps its damage.
        guard result.photo != .copied else { continue }
        try folder.write(bytes, to: "made\(index).jpg")
        made += 1
      } catch let error as EditError {
        #expect(error.file != nil && !error.problem.isEmpty && !error.problem.contains("\n"))
        #expect(error.code == .invalidFile || error.code == .unsupported, "\(error)")
        #expect(!FileManager.default.fileExists(atPath: folder.file("rendered.jpg").path))
      }
    }
    guard made > 0 else { return }
    try folder.run("sh", ["-c", "for f in made*.jpg; do djpeg -strict -outfile p.ppm $f || exit 1; done"])
  }

  @Test(arguments: fixtures)
  func truncated(_ name: String) throws {
    let photo = [UInt8](try Data(contentsOf: TestFiles.fixture(name)))
    let lengths = (0..<60).map { $0 * photo.count / 60 } + (0..<20).map { 2 + 7 * $0 }
    try survive(lengths.map { Array(photo.prefix($0)) })
    // Truncated, but with an end marker.
    try survive(lengths.suffix(40).map { Array(photo.prefix($0)) + [0xFF, 0xD9] })
  }

  @Test(arguments: fixtures)
  func changedBytes(_ name: String) throws {
    let photo = [UInt8](try Data(contentsOf: TestFiles.fixture(name)))
    let scan = try #require(photo.indices.last { photo[$0...].starts(with: [0xFF, 0xDA]) })
    var generator = SeededGenerator(seed: UInt64(name.utf8.reduce(0) { $0 + Int($1) }))
    var photos: [[UInt8]] = []
    for round in 0..<80 {
      var damaged = photo
      // The last kilobyte before the scan contains the tables and the frame header.
      let range = [2..<scan, max(2, scan - 700)..<scan + 14, scan..<photo.count][round % 3]
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let value = [0, 0xFF, 0xD9, UInt8.random(in: 0...255, using: &generator)]
        damaged[Int.random(in: range, using: &generator)] = value.randomElement(using: &generator) ?? 0
      }
      photos.append(damaged)
    }
    try survive(photos)
  }

  // The same test for codings that the fixtures do not use.
  @Test(
    arguments: [["-progressive"], ["-arithmetic"], ["-restart", "1"], ["-grayscale"], ["-sample", "4x1"]],
    [(75, 53), (96, 64)])
  func changedBytesOfOtherKinds(_ kind: [String], _ size: (Int, Int)) throws {
    let photo = try folder.photo(width: size.0, height: size.1, cjpeg: ["-quality", "93"] + kind)
    var generator = SeededGenerator(seed: 7)
    try survive(
      (0..<80).map { _ in
        var damaged = photo
        let at = Int.random(in: 20..<photo.count - 2, using: &generator)
        damaged[at] = UInt8.random(in: 0...255, using: &generator)
        return damaged
      })
  }

  // Tiny files that claim to have too many pixels or to be longer than they are. The test uses a separate process with
  // a limit of 2²⁰ pixels.
  @Test func claimsOfSize() async {
    await #expect(processExitsWith: .success) {
      ReadingLimit.set([.pixels: 1])
      let folder = try TemporaryFolder()
      for kind in [["-arithmetic"], ["-progressive"], ["-arithmetic", "-progressive"]] {
        let photo = try folder.photo(width: 64, height: 64, cjpeg: kind)
        let frame = try #require(
          photo.indices.first { photo[$0] == 0xFF && [0xC0, 0xC2, 0xC9, 0xCA].contains(photo[$0 + 1]) })
        for (size, isTooLarge) in [([8, 0, 8, 0], true), ([4, 1, 4, 0], true), ([4, 0, 0, 64], false)]
          as [([UInt8], Bool)]
        {
          var claiming = photo
          claiming.replaceSubrange(frame + 5..<frame + 9, with: size)
          let error = try folder.refusal(claiming)
          #expect(error.code == .invalidFile || error.code == .unsupported, "\(error)")
          #expect(error.problem.description.contains("too large") == isTooLarge, "\(error)")
        }
      }
    }
  }
}
