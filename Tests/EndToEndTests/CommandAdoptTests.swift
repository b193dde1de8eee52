import Foundation
import TestSupport
import Testing

/// Tests of `adopt` with the built program. ImageMagick edits the photos, and ffmpeg applies the same edit to the
/// frames for comparison.
@Suite struct CommandAdoptTests {
  /// A rotation, a crop and a levels adjustment, as ImageMagick options; `filter` is the same edit for ffmpeg.
  static let edit = [
    "-auto-orient", "-rotate", "90", "-crop", "80%x80%+60+40", "+repage", "-level", "5%,90%",
  ]
  private static let filter =
    // First crops to the clean aperture.
    "crop=326:436,transpose=1,crop=iw*0.8:ih*0.8:iw*60/1024:ih*40/768,format=rgb24,"
    + "lutrgb=r=clip((val-12.75)/0.85\\,0\\,255):g=clip((val-12.75)/0.85\\,0\\,255):b=clip((val-12.75)/0.85\\,0\\,255)"

  func folder(_ edited: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.copy(TestFiles.fixture("IMG_0001.JPG"), TestFiles.fixture("IMG_0001.MOV"))
    let made = try Tools.run(
      ["convert", folder.file("IMG_0001.JPG").path] + Self.edit + [folder.file(edited).path])
    #expect(made.status == 0, "\(made.standardError)")
    return folder
  }

  /// Returns the PSNR, in dB, between the rendered frames and the original frames with the same edit applied by ffmpeg.
  /// The fine stripes in the frames differ if the two crops differ by half a pixel.
  private func likeness(_ folder: TemporaryFolder) throws -> Double {
    let size = try streams(of: folder.file("IMG_E0001.MOV"))
    let (width, height) = (size["streams.stream.0.width"] ?? "", size["streams.stream.0.height"] ?? "")
    let measured = try Tools.run(
      [
        "ffmpeg", "-i", "IMG_E0001.MOV", "-i", "IMG_0001.MOV", "-filter_complex",
        "[0:v]format=rgb24[a];[1:v]\(Self.filter),scale=\(width):\(height):flags=bicubic,format=rgb24[b];[a][b]psnr",
        "-f", "null", "-",
      ], in: folder.url)
    let average = measured.standardError.split(separator: "average:").last?.split(separator: " ").first
    return average.flatMap { Double($0) } ?? 0
  }

  @Test func theMovieFollowsThePhotoBesideTheOriginal() throws {
    let folder = try folder("IMG_E0001.JPG")
    let before = try content(of: folder.url)
    let plan = try Command.run("adopt", "--dry-run", "IMG_0001.JPG", in: folder.url)
    #expect(plan.status == 0 && plan.text.contains("rotated by 90°, cropped to 79.9"), "\(plan.text)")
    #expect(try content(of: folder.url) == before)

    let done = try Command.run("adopt", "IMG_0001.JPG", in: folder.url)
    #expect(done.status == 0, "\(done.standardError)")
    let near = try likeness(folder)
    #expect(near > 22, "\(near) dB")
    let verified = try Command.run("verify", "IMG_E0001.JPG", in: folder.url)
    #expect(verified.status == 0 && verified.text.contains("a valid Live Photo"))

    // A later edit changes both halves, and a revert restores both.
    let adopted = try content(of: folder.url)
    #expect(try Command.run("rotate", "--degrees", "-90", "IMG_0001.JPG", in: folder.url).status == 0)
    let photo = try tags(of: folder.file("IMG_E0001.JPG"))
    let movie = try streams(of: folder.file("IMG_E0001.MOV"))
    let shape = [photo["System:ImageWidth"] ?? photo["File:ImageWidth"], photo["File:ImageHeight"]].compactMap
    {
      $0.flatMap { Double($0) }
    }
    let frame = [movie["streams.stream.0.width"], movie["streams.stream.0.height"]].compactMap {
      $0.flatMap { Double($0) }
    }
    try #require(shape.count == 2 && frame.count == 2)
    #expect(abs(shape[0] / shape[1] / (frame[0] / frame[1]) - 1) < 0.03 && frame[0] < frame[1])
    #expect(try Command.run("revert", "IMG_0001.JPG", in: folder.url).status == 0)
    #expect(try content(of: folder.url) == adopted)
    #expect(try Command.run("revert", "IMG_0001.JPG", in: folder.url).status == 0)
    #expect(try content(of: folder.url) == before)
    #expect(try Command.run("check", in: folder.url).status == 0)
  }

  @Test func whatIsNoPictureIsRefused() throws {
    let folder = try TemporaryFolder()
    try folder.copy(TestFiles.fixture("IMG_0001.JPG"), TestFiles.fixture("IMG_0001.MOV"))
    try folder.write(Array("no picture".utf8), to: "notes.txt")
    for (name, words) in [("notes.txt", "is not a photo"), ("none.tif", "no such file")] {
      let done = try Command.run("adopt", "--photo", name, "IMG_0001.JPG", in: folder.url)
      #expect(done.status == 1 && done.standardError.contains("\(name): "), "\(done.standardError)")
      #expect(done.standardError.contains(words), "\(done.standardError)")
    }
  }
}
