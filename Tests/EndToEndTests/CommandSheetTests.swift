import Foundation
import TestSupport
import Testing

/// Tests of contact sheets. ffmpeg decodes each sheet, and its cells are compared with frames that ffmpeg decodes.
@Suite struct CommandSheetTests {
  func decoded(_ file: URL, _ filters: String = "null") throws -> Picture {
    let output = try Tools.output(
      "ffmpeg", "-v", "error", "-i", file.path, "-frames:v", "1", "-vf", filters, "-f", "image2pipe",
      "-c:v", "ppm", "-")
    return try Picture(ppm: output.standardOutput)
  }

  /// Returns the bounding box of all long horizontal lines with approximately the given colour.
  func box(of colour: [Int], in picture: Picture) -> (x: Int, y: Int, width: Int, height: Int)? {
    var (left, top, right, bottom) = (Int.max, Int.max, -1, -1)
    for y in 0..<picture.height {
      var start = 0
      for x in 0...picture.width {
        let isLike =
          x < picture.width && zip(picture.pixel(x, y), colour).allSatisfy { abs($0 - $1) < 6 }
        if isLike { continue }
        if x - start >= 150 {
          (left, top, right, bottom) = (min(left, start), min(top, y), max(right, x - 1), max(bottom, y))
        }
        start = x + 1
      }
    }
    return right < 0 ? nil : (left, top, right - left + 1, bottom - top + 1)
  }

  /// Several photos are shown in a grid. A photo that cannot be shown is named and leaves an empty cell.
  @Test func severalAreAGrid() throws {
    let folder = try TemporaryFolder()
    for name in [
      "IMG_0001.JPG", "IMG_0001.MOV", "IMG_0002.JPG", "IMG_0002.MOV", "IMG_0004.HEIC", "gainmap.JPG",
    ] {
      try FileManager.default.copyItem(at: TestFiles.fixture(name), to: folder.file(name))
    }
    try FileManager.default.moveItem(
      at: folder.file("gainmap.JPG"), to: folder.file("سلام — 東京 \u{1F600}.JPG"))
    let whole = try Data(contentsOf: TestFiles.fixture("IMG_0003.JPG"))
    try whole.prefix(whole.count / 4).write(to: folder.file("cut.JPG"))
    #expect(try Command.run("rotate", "--degrees", "90", "IMG_0002.JPG", in: folder.url).status == 0)
    try FileManager.default.createDirectory(at: folder.file("out"), withIntermediateDirectories: false)
    for format in ["png", "jpg", "webp"] {
      let answer = try Command.run("sheet", "-o", "out/sheet.\(format)", ".", in: folder.url)
      #expect(answer.status == 1 && answer.sentences.count == 1, "\(answer.standardError)")
      #expect(
        answer.standardError.contains("cut.JPG") && answer.text.contains("5 pictures → out/sheet.\(format)"))
      let sheet = try decoded(folder.file("out/sheet.\(format)"))
      #expect(sheet.width == 2 * 24 + 4 * 240 + 3 * 16)
      let type = try Tools.output("exiftool", "-s3", "-MIMEType", folder.file("out/sheet.\(format)").path)
        .lines
      #expect(type == ["image/" + (format == "jpg" ? "jpeg" : format)])
      // The cell of the truncated photo is empty.
      if format == "png" {
        let blank = try #require(box(of: [236, 236, 236], in: sheet))
        #expect(blank.width >= 240 && blank.height >= 240)
      }
    }
  }

  @Test func whatMakesNoSheetIsOneSentence() throws {
    let folder = try TemporaryFolder()
    for name in ["IMG_0001.JPG", "IMG_0001.MOV"] {
      try FileManager.default.copyItem(at: TestFiles.fixture(name), to: folder.file(name))
    }
    // The edit list shows only a part after the last frame.
    var movie = try Data(contentsOf: TestFiles.fixture("IMG_0002.MOV"))
    let sound = try #require(movie.range(of: Data("elst".utf8))).upperBound
    let list = try #require(movie[sound...].range(of: Data("elst".utf8))).upperBound
    movie.replaceSubrange(list + 12..<list + 16, with: [0x7F, 0, 0, 0])
    try folder.write(Array(movie), to: "empty.MOV")
    let before = try content(of: folder.url)
    for (words, word, status) in [
      (["-o", "sheet.png", "empty.MOV"], "hides the whole video", 1),
      (["IMG_0001.JPG"], "needs -o FILE", 64),
      (["-o", "sheet.gif", "IMG_0001.JPG"], ".jpg, .png or .webp", 64),
      (["-o", "none/sheet.png", "IMG_0001.JPG"], "no such folder", 1),
      (["-o", "sheet.png", "none.JPG"], "no such file", 1),
      (["-o", "IMG_0001.JPG", "IMG_0001.MOV"], "already exists", 1),
    ] as [([String], String, Int32)] {
      let answer = try Tools.run([Command.path, "sheet"] + words, in: folder.url)
      #expect(answer.status == status && answer.standardError.contains(word), "\(answer.standardError)")
    }
    let plan = try Command.run("sheet", "-o", "sheet.png", "--dry-run", "IMG_0001.JPG", in: folder.url)
    #expect(plan.status == 0 && plan.text.contains("12 pictures → sheet.png"), "\(plan.text)")
    #expect(try content(of: folder.url) == before)
  }
}
