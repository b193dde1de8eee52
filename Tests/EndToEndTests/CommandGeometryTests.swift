import Foundation
import TestSupport
import Testing

/// Tests of the `crop`, `straighten` and `perspective` commands.
@Suite struct CommandGeometryTests {
  func pair(_ stem: String = "IMG_0003") throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.copy(TestFiles.fixture(stem + ".JPG"), TestFiles.fixture(stem + ".MOV"))
    return folder
  }

  /// Runs the program on the pair and expects it to succeed.
  func run(_ arguments: [String], _ folder: TemporaryFolder, stem: String = "IMG_0003") throws -> ToolOutput {
    let answer = try Tools.run([Command.path] + arguments + [stem + ".JPG"], in: folder.url)
    #expect(answer.status == 0, "\(arguments) \(answer.standardError)")
    return answer
  }

  @Test func cropsTurnsAndResetsMeet() throws {
    let folder = try pair()
    _ = try run(["crop", "--rect", "25,10,50,80", "--unit", "percent"], folder)
    let photo = folder.file("IMG_E0003.JPG")
    let cropped = try [photo, folder.file("IMG_E0003.MOV")].map { try Data(contentsOf: $0) }
    for _ in 1...4 { _ = try run(["rotate", "--degrees", "90"], folder) }
    #expect(try [photo, folder.file("IMG_E0003.MOV")].map { try Data(contentsOf: $0) } == cropped)
    _ = try run(["straighten", "--degrees", "3.5"], folder)
    _ = try run(["perspective", "--vertical", "-0.2"], folder)
    let history = try run(["history"], folder).text
    #expect(
      history.contains(
        "vertical perspective −0.2, straightened by +3.5°, cropped to 50% x 80% at 25%, 10%"))
    _ = try run(["straighten", "--degrees", "0"], folder)
    _ = try run(["perspective", "--reset"], folder)
    #expect(try [photo, folder.file("IMG_E0003.MOV")].map { try Data(contentsOf: $0) } == cropped)
    let before = try pair()
    _ = try run(["crop", "--reset"], folder)
    #expect(try content(of: folder.url) == content(of: before.url))
    #expect(
      try Tools.run([Command.path, "crop", "--reset", "IMG_0003.JPG"], in: folder.url).status == 2)
  }

  /// Pixel coordinates refer to the photo as displayed, whatever its orientation tag.
  @Test func pixelsAreThoseOfThePhoto() throws {
    let folder = try pair()
    let size = try Tools.exiftool(folder.file("IMG_0003.JPG"))
    let isSideways = (Int(size["IFD0:Orientation"] ?? "1") ?? 1) > 4
    let names = isSideways ? ("File:ImageHeight", "File:ImageWidth") : ("File:ImageWidth", "File:ImageHeight")
    let width = try #require(size[names.0].flatMap { Int($0) })
    let height = try #require(size[names.1].flatMap { Int($0) })
    _ = try run(["crop", "--rect", "\(width / 4),\(height / 4),\(width / 2),\(height / 2)"], folder)
    let after = try Tools.exiftool(folder.file("IMG_E0003.JPG"))
    #expect(after["File:ImageWidth"] == "\(width / 2)" && after["File:ImageHeight"] == "\(height / 2)")
    let beyond = try Tools.run(
      [Command.path, "crop", "--rect", "0,0,\(width + 1),10", "IMG_0003.JPG"], in: folder.url)
    #expect(beyond.status == 1)
    #expect(
      beyond.standardError.contains(
        "has \(width)x\(height) pixels, and the rectangle lies outside the picture"))
    #expect(beyond.sentences.count == 1)
  }

  @Test(arguments: [
    (["crop"], "crop needs --aspect, --rect or --reset"), (["crop", "--aspect", "4"], "such as 4:3"),
    (["crop", "--aspect", "0:3"], "such as 4:3"),
    (["crop", "--aspect", "1:101"], "--aspect cannot be 1:101"),
    (["crop", "--aspect", "4:3", "--reset"], "crop needs --aspect, --rect or --reset"),
    (["crop", "--anchor", "top"], "--anchor needs"),
    (["crop", "--aspect", "4:3", "--anchor", "above"], "does not accept “above”"),
    (["crop", "--unit", "pixel", "--aspect", "1:1"], "--unit needs --rect"),
    (["crop", "--rect", "0,0,10"], "left, top, width and height"),
    (["crop", "--rect", "0,0,0,10"], "is empty"), (["crop", "--rect=-1,0,10,10"], "begins outside"),
    (["crop", "--rect", "0,0,nan,10"], "left, top, width and height"),
    (["crop", "--rect", "60,0,50,10", "--unit", "percent"], "can be 100 percent at most"),
    (["crop", "--rect", "0,0,1e-9,10", "--unit", "percent"], "no width"),
    (["straighten"], "--degrees 2.5"), (["straighten", "--degrees", "46"], "from -45 to 45"),
    (["straighten", "--degrees", "far"], "needs a number"),
    (["straighten", "--degrees", "1", "--reset"], "needs --degrees or --reset"),
    (["perspective"], "--horizontal, --vertical, both"),
    (["perspective", "--vertical", "1.5"], "from -1 to 1"),
    (["perspective", "--vertical", "1", "--reset"], "both, or --reset"),
  ])
  func whatCannotBeIsSaid(_ arguments: [String], _ words: String) throws {
    let folder = try TemporaryFolder()
    let answer = try Tools.run([Command.path] + arguments + ["IMG_0001.JPG"], in: folder.url)
    #expect(answer.status == 64)
    #expect(answer.standardError.contains(words), "\(answer.standardError)")
  }

  @Test func losslessIsRefusedWithTheReason() throws {
    let folder = try pair()
    let before = try content(of: folder.url)
    let answer = try Tools.run(
      [Command.path, "crop", "--aspect", "1:1", "--lossless", "IMG_0003.JPG"], in: folder.url)
    #expect(answer.status == 1 && answer.standardError.contains("every picture must be re-encoded"))
    #expect(try content(of: folder.url) == before)
  }

  /// The new files contain nothing of the old picture data, thumbnail or frames.
  @Test func nothingThatWasCutOffStays() throws {
    let folder = try pair("IMG_0001")
    let answer = try run(["crop", "--rect", "0,0,40,100", "--unit", "percent"], folder, stem: "IMG_0001")
    let (photo, movie) = (folder.file("IMG_0001.JPG"), folder.file("IMG_0001.MOV"))
    let thumbnail = try Tools.output("exiftool", "-b", "-ThumbnailImage", photo.path).standardOutput
    let frames = folder.file("frames.h264")
    try Tools.output(
      "ffmpeg", "-v", "error", "-i", movie.path, "-map", "0:v:0", "-c", "copy", "-bsf:v", "null", "-f",
      "data",
      frames.path)
    let scan = try Data(contentsOf: photo).suffix(40_000)
    let new = try [folder.file("IMG_E0001.JPG"), folder.file("IMG_E0001.MOV")].map {
      try Data(contentsOf: $0)
    }
    #expect(thumbnail.count > 2000)
    for old in [Data(thumbnail.dropFirst(700)), Data(scan), try Data(contentsOf: frames)] {
      for start in stride(from: 0, to: old.count - 24, by: 997) {
        let piece = old.subdata(in: start..<start + 24)
        guard Set(piece).count > 12 else { continue }
        for file in new { #expect(file.range(of: piece) == nil) }
      }
    }
    // The new thumbnail shows the cropped area.
    let small = try Tools.output("exiftool", "-b", "-ThumbnailImage", folder.file("IMG_E0001.JPG").path)
    try small.standardOutput.write(to: folder.file("small.jpg"))
    let (one, two) = (
      try Picture(storedIn: folder.file("small.jpg")), try Picture(storedIn: folder.file("IMG_E0001.JPG"))
    )
    #expect(
      abs(Double(one.width) / Double(one.height) * Double(two.height) / Double(two.width) - 1) < 0.03)
    for (x, y) in [(1, 1), (3, 1), (2, 2), (1, 3), (3, 3)] {
      let (a, b) = (
        one.pixel(one.width * x / 4, one.height * y / 4), two.pixel(two.width * x / 4, two.height * y / 4)
      )
      #expect(zip(a, b).allSatisfy { abs($0 - $1) < 40 })
    }
    #expect(answer.text.contains("live-photo-info"))
    let verdict = try Tools.run([Command.path, "verify", "IMG_E0001.JPG"], in: folder.url)
    #expect(verdict.status == 0, "\(verdict.text)")
  }
}
