import Basics
import EditModel
import Foundation
import TestSupport
import Testing

/// Tests of photos that are refused, each with its own error message, and of harmless faults.
@Suite struct OddPhotoRefusalTests {
  let folder: TemporaryFolder
  let photo: [UInt8]
  let frame: Int

  init() throws {
    folder = try TemporaryFolder()
    let photo = try folder.photo(width: 96, height: 64)
    self.photo = photo
    frame = try #require(Self.frame(of: photo))
  }

  /// Returns the position of the frame header.
  static func frame(of photo: [UInt8]) -> Int? {
    photo.indices.first { photo[$0...].starts(with: [0xFF, 0xC0]) }
  }

  /// Returns the photo with other bytes in its frame header.
  func changing(_ offset: Int, to bytes: [UInt8]) -> [UInt8] {
    var changed = photo
    changed.replaceSubrange(frame + offset..<frame + offset + bytes.count, with: bytes)
    return changed
  }

  func inserting(_ bytes: [UInt8], at place: Int) -> [UInt8] {
    Array(photo[..<place] + bytes + photo[place...])
  }

  func expectRefusal(
    _ photo: [UInt8], _ words: String, _ code: EditError.Code,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let error = try folder.refusal(photo)
    #expect(error.code == code, sourceLocation: sourceLocation)
    #expect(error.problem.contains(words), "\(error)", sourceLocation: sourceLocation)
    #expect(error.file?.hasSuffix("odd.jpg") == true, sourceLocation: sourceLocation)
    #expect(error.remedy != nil, sourceLocation: sourceLocation)
    #expect(!error.description.contains("\n"), sourceLocation: sourceLocation)
  }

  @Test func processesThatAreNotHandled() throws {
    try expectRefusal(changing(4, to: [12]), "12 bits per sample", .unsupported)
    try expectRefusal(changing(1, to: [0xC3]), "lossless-process", .unsupported)
    for marker: UInt8 in [0xC5, 0xC6, 0xC7, 0xCD] {
      try expectRefusal(changing(1, to: [marker]), "hierarchical", .unsupported)
    }
    let header = Array(photo[frame..<frame + 19])
    try expectRefusal(inserting([0xFF, 0xDE] + header[2...], at: frame), "hierarchical", .unsupported)
    try expectRefusal(changing(5, to: [0, 0]), "the picture's height", .unsupported)
    try expectRefusal(inserting(header, at: frame), "two SOF", .invalidFile)
    let two = header[..<3] + [14] + header[4..<9] + [2] + header[10..<16]
    try expectRefusal(
      Array(photo[..<frame] + two + photo[(frame + 19)...]), "2 colour components", .unsupported)
  }

  @Test(arguments: ["3x1", "1x4", "4x2", "2x4", "1x1,2x2,2x2", "2x2,2x1,1x2", "3x1,3x1,3x1", "1x3,1x3,1x3"])
  func unusualSampling(_ factors: String) throws {
    let photo = try folder.photo(width: 75, height: 47, cjpeg: ["-sample", factors])
    try expectRefusal(photo, "sampling of the colour components", .unsupported)
    let flagged = try folder.rendered(photo, .right, isLossless: true)
    #expect(flagged.result.photo == .copied)
    #expect(flagged.result.notes.first?.contains("sampling of the colour components") == true)
    #expect(try folder.luma(flagged.bytes) == folder.luma(photo))
    #expect(try Tools.exiftool(folder.file("rendered.jpg"))["IFD0:Orientation"] == "6")
  }

  @Test func losslessProcessIsTurnedByItsFlag() throws {
    try folder.write(Array("P6 16 8 255\n".utf8) + (0..<384).map { UInt8($0 & 255) }, to: "p.ppm")
    try folder.run(
      "ffmpeg", ["-v", "error", "-i", "p.ppm", "-c:v", "ljpeg", "-pix_fmt", "yuvj444p", "l.jpg"])
    let photo = try folder.read("l.jpg")
    try expectRefusal(photo, "lossless-process", .unsupported)
    #expect(try folder.rendered(photo, .right, isLossless: true).result.photo == .copied)
    #expect(try Tools.exiftool(folder.file("rendered.jpg"))["IFD0:Orientation"] == "6")
  }

  @Test func tooManyScansAreRefused() throws {
    // One scan for all DC coefficients, then one for each AC coefficient of luma.
    let script = "0,1,2: 0-0, 0, 0; " + (1...63).map { "0: \($0)-\($0), 0, 0; " }.joined()
    try folder.write(Array(script.utf8), to: "many.txt")
    let photo = try folder.photo(width: 64, height: 48, cjpeg: ["-progressive", "-scans", "many.txt"])
    #expect(try folder.rendered(photo, .right).result.photo == .lossless)
    let more = script + (1...10).map { "1: \($0)-\($0), 0, 0; " }.joined()
    try folder.write(Array(more.utf8), to: "many.txt")
    try expectRefusal(
      try folder.photo(width: 64, height: 48, cjpeg: ["-progressive", "-scans", "many.txt"]), "scans",
      .unsupported)
  }

  @Test func damageIsRefused() throws {
    try expectRefusal(Array(photo.dropLast(2)), "ends before its picture is complete", .invalidFile)
    try expectRefusal(inserting([1, 2, 3], at: frame), "segments are damaged", .invalidFile)
    try expectRefusal(Array(photo.dropLast(300)) + [0xFF, 0xD9], "picture data is damaged", .invalidFile)
    // Damaged codes also leave bytes before EOI, but those are not zero.
    let rest = [UInt8](repeating: 0x5A, count: 40)
    try expectRefusal(inserting(rest, at: photo.count - 2), "picture data is damaged", .invalidFile)
    try expectRefusal(Array(photo.prefix(1)), "not a JPEG", .invalidFile)
    try expectRefusal([], "empty", .invalidFile)
  }

  @Test(arguments: [(96, 64), (75, 53)])
  func paddingDoesNoHarm(_ size: (Int, Int)) throws {
    let photo = try folder.photo(width: size.0, height: size.1, cjpeg: ["-quality", "93"])
    let wanted = try folder.luma(photo).turned(.right)
    for padding in [[UInt8](repeating: 0, count: 40), [0xFF, 0xFF, 0xFF]] {
      let padded = Array(photo.dropLast(2)) + padding + [0xFF, 0xD9]
      #expect(try folder.luma(folder.rendered(padded, .right).bytes).psnr(wanted) >= 37.5)
    }
    let frame = try #require(Self.frame(of: photo))
    let filled = Array(photo[..<frame] + [0xFF, 0xFF] + photo[frame...])
    #expect(try folder.luma(folder.rendered(filled, .right).bytes).psnr(wanted) >= 37.5)
  }
}
