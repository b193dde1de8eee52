import Foundation
import TestSupport
import Testing

/// Tests of odd and hostile photos with the built program.
@Suite struct OddPhotoTests {
  /// Creates a photo in its own folder.
  func made(
    width: Int = 75, height: Int = 53, _ options: [String] = [],
    change: (inout [UInt8]) throws -> Void = { _ in }
  ) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    var photo = try folder.photo(width: width, height: height, cjpeg: options)
    for name in try folder.names() { try FileManager.default.removeItem(at: folder.file(name)) }
    try change(&photo)
    try folder.write(photo, to: "ODD.JPG")
    return folder
  }

  /// Expects one message about the file, exit status 1 and no files left behind.
  func expectSentence(_ folder: TemporaryFolder, _ sentence: String) throws {
    let before = try content(of: folder.url)
    let output = try Command.run("rotate", "--degrees", "90", "ODD.JPG", in: folder.url)
    #expect(output.status == 1)
    #expect(output.standardError == "liveedit: ODD.JPG: \(sentence)\n")
    #expect(try content(of: folder.url) == before)
  }

  @Test func refusalsAreOneSentence() throws {
    let remedy = "rotate the photo with --lossless, or save it as an ordinary JPEG first"
    try expectSentence(
      made(["-sample", "3x1"]), "the sampling of the colour components is not supported; \(remedy)")
    try expectSentence(
      made(["-rgb"]),
      "the colours are not encoded as Y′CbCr, and the picture's size does not allow lossless rotation; \(remedy)"
    )
    func frame(_ photo: [UInt8]) throws -> Int {
      try #require(photo.indices.first { photo[$0...].starts(with: [0xFF, 0xC0]) })
    }
    try expectSentence(
      made { $0[try frame($0) + 4] = 12 },
      "the JPEG has 12 bits per sample, but only 8 are supported; \(remedy)")
    try expectSentence(
      made { $0[try frame($0) + 1] = 0xC3 },
      "the file is a lossless-process JPEG, which is not supported; \(remedy)")
    try expectSentence(
      made { $0[try frame($0) + 1] = 0xC5 },
      "the file is a hierarchical JPEG, which is not supported; \(remedy)")
    try expectSentence(
      made { photo in
        let at = try frame(photo)
        photo.replaceSubrange(at + 5..<at + 7, with: [0, 0])
      },
      "the JPEG header does not state the picture's height; save the photo as an ordinary JPEG first")
    try expectSentence(
      made { $0.removeLast(2) },
      "the file ends before its picture is complete; copy the file from the phone again")
  }

  @Test func remedyWorks() throws {
    let folder = try made(["-sample", "3x1"])
    let output = try Command.run("rotate", "--degrees", "90", "--lossless", "ODD.JPG", in: folder.url)
    #expect(output.status == 0, "\(output.standardError)")
    #expect(output.text.contains("its Exif orientation was changed instead"))
    #expect(try tags(of: folder.file("ODD_edited.JPG"))["IFD0:Orientation"] == "6")
  }

  /// Damaged photos do not crash the helper, which has one gigabyte of address space and ten seconds of processor time.
  @Test func damageNeverEndsTheHelper() throws {
    let folder = try TemporaryFolder()
    let fixture = [UInt8](try Data(contentsOf: Fixture.landscape.files().photo))
    var names: [String] = []
    for index in 0..<24 {
      var photo = fixture
      switch index % 3 {
      case 0: photo.removeLast(photo.count * index / 25)
      case 1: for at in stride(from: 20 * index, to: photo.count, by: 9973) { photo[at] ^= UInt8(index) | 1 }
      default:
        let start = 2 + index * 500
        photo.replaceSubrange(start..<start + 200, with: [UInt8](repeating: UInt8(index * 10), count: 200))
      }
      names.append("D\(index).JPG")
      try folder.write(photo, to: names[index])
    }
    // A few bytes that declare the maximum number of pixels.
    var huge = try folder.photo(width: 64, height: 64, cjpeg: ["-arithmetic"])
    let frame = try #require(huge.indices.first { huge[$0...].starts(with: [0xFF, 0xC9]) })
    huge.replaceSubrange(frame + 5..<frame + 9, with: [4, 0, 4, 0])
    try folder.write(huge, to: "HUGE.JPG")
    names.append("HUGE.JPG")
    try FileManager.default.createDirectory(at: folder.file("made"), withIntermediateDirectories: false)
    let output = try Tools.run(
      [
        "sh", "-c",
        (Tools.canLimit ? "ulimit -v 1048576; ulimit -t 10; " : "") + "exec \"$0\" \"$@\"",
        Command.path, "rotate", "--quiet", "--degrees", "90", "-o", "made",
      ] + names, in: folder.url, environment: ["LIVEEDIT_LIMITS": "pixels=1"])
    #expect(output.status == 1)
    let complaints = output.sentences
    #expect(!output.standardError.contains("signal"), "\(output.standardError)")
    let made = (try? FileManager.default.contentsOfDirectory(atPath: folder.file("made").path)) ?? []
    #expect(complaints.count + made.count == names.count)
    #expect(!made.isEmpty && complaints.count > 8, "\(complaints)")
    for name in made {
      try folder.run("djpeg", ["-strict", "-outfile", "p.ppm", "made/" + name])
    }
  }
}
