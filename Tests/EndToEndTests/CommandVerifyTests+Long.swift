import Foundation
import TestSupport
import Testing

extension CommandVerifyTests {
  /// Audio packets that cannot be decoded are named as lost, and the rest is still a Live Photo.
  @Test func packetsOfSoundThatCannotBeDecodedAreNamed() throws {
    try withTemporaryFolder { folder in
      _ = try Tools.output(
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x240:rate=15:duration=2", "-f",
        "lavfi",
        "-i", "anoisesrc=d=2:c=pink:r=44100", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt",
        "yuv420p",
        "-c:a", "aac", "clip.mp4", in: folder)
      _ = try Tools.output(
        "ffmpeg", "-v", "error", "-i", "clip.mp4", "-frames:v", "1", "cover.jpg", in: folder)
      let out = folder.appendingPathComponent("out")
      try FileManager.default.createDirectory(at: out, withIntermediateDirectories: false)
      let create = try Command.run(
        "create", "--photo", "cover.jpg", "--movie", "clip.mp4", "-o", "out", in: folder)
      try #require(create.status == 0, "\(create.standardError)")
      let movie = out.appendingPathComponent("cover.mov")
      #expect(try rules("cover.mov", in: out) == [])
      let packets = try Tools.output(
        "ffprobe", "-v", "error", "-select_streams", "a:0", "-show_entries", "packet=pos,size", "-of",
        "csv=p=0",
        movie.path
      ).lines.map { $0.split(separator: ",").compactMap { Int($0) } }
      var bytes = try Data(contentsOf: movie)
      for packet in packets[20..<24] {
        bytes.replaceSubrange(
          packet[1]..<packet[1] + packet[0], with: Data(repeating: 0x55, count: packet[0]))
      }
      try bytes.write(to: movie)
      let (answers, status) = try verify("cover.mov", in: out)
      let answer = try #require(answers.first)
      #expect(status == 0 && answer.verdict == "valid")
      #expect(answer.findings.map(\.rule) == ["sound-decodes"])
      #expect(answer.findings.first?.severity == "warning")
      #expect(
        answer.findings.first?.message.hasPrefix("4 of the \(packets.count) packets") ?? false, "\(answer)")
    }
  }

  @Test func aThumbnailOfAnotherPictureIsNamed() throws {
    try withTemporaryFolder { folder in
      let pair = try Fixture.portrait.copy(to: folder)
      let thumbnail = folder.appendingPathComponent("thumbnail.jpg")
      try Tools.output("exiftool", "-b", "-ThumbnailImage", pair.photo.path).standardOutput.write(
        to: thumbnail)
      let turned = try Tools.output("jpegtran", "-rotate", "180", "-trim", thumbnail.path).standardOutput
      try turned.write(to: thumbnail)
      _ = try Tools.output(
        "exiftool", "-overwrite_original", "-ThumbnailImage<=\(thumbnail.path)", pair.photo.path)
      #expect(try rules("IMG_0001.JPG", in: folder) == ["thumbnail"])
      try Data("no picture".utf8).write(to: thumbnail)
    }
  }

  @Test func aSyncTableThatMarksOtherFramesIsNamed() throws {
    try withTemporaryFolder { folder in
      let pair = try Fixture.portrait.copy(to: folder)
      var bytes = try Data(contentsOf: pair.movie)
      // The table's last entry now names a different, existing frame.
      let table = try #require(bytes.range(of: Data("stss".utf8), options: .backwards)).upperBound
      let count = Int(bytes[table + 7])
      try #require(count > 1)
      bytes[table + 8 + 4 * (count - 1) + 3] += 1
      try bytes.write(to: pair.movie)
      #expect(try rules("IMG_0001.MOV", in: folder) == ["sync-table"])
    }
  }

  /// The sample files, each with the expected verdict and findings.
  @Test(arguments: [
    ("iphone-6s-jpeg/IMG_0728.JPG", "valid", []), ("iphone-6s-jpeg/IMG_E0728.MOV", "valid", []),
    ("iphone-7plus-jpeg/IMG_2016.JPG", "valid", []),
    ("iphone-15plus-heic/IMG_3853.HEIC", "valid", []), ("iphone-15pro-heic/IMG_3582.MOV", "valid", []),
    ("iphone-15pro-heic/IMG_E3582.HEIC", "valid", ["matrix-origin"]),
    ("broken/ids-differ/IMG_0001.JPG", "invalid", ["identifiers-equal"]),
    ("broken/photo-without-id/IMG_0002.MOV", "invalid", ["photo-identifier"]),
    ("broken/jpeg-named.HEIC", "invalid", ["movie-missing", "file-type"]),
    ("motion-photo/PXL_20200710_061629144.MP.jpg", "valid", ["further-video"]),
    ("motion-photo/20240214_samsung.heic", "valid", []), ("odd/S22Ultra.heic", "valid", []),
    ("odd/media3.heic", "valid", []),
    ("odd/marked-without-movie.jpg", "invalid", ["movie-missing", "photo-identifier", "embedded-movie"]),
  ])
  func samples(_ path: String, _ verdict: String, _ rules: [String]) throws {
    guard let file = TestFiles.sample(path) else { return }
    let (answers, status) = try verify(file.path, in: file.deletingLastPathComponent())
    #expect(answers.map(\.verdict) == [verdict])
    #expect(answers.first?.findings.map(\.rule) == rules)
    #expect(status == (verdict == "valid" ? 0 : 1))
  }
}
