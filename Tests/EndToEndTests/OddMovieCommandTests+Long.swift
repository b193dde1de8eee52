import Foundation
import TestSupport
import Testing

/// Tests of odd and broken movies with the whole program: each produces one message or a movie, within limited memory.
@Suite struct OddMovieCommandTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  func make(_ name: String, _ arguments: String...) throws {
    let made = try Tools.run(
      ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=128x96:rate=12:duration=1"] + arguments
        + [name], in: folder.url)
    try #require(made.status == 0, "\(made.standardError)")
  }

  @Test func refusedInOneSentence() throws {
    try make("interlaced.mov", "-c:v", "libx264", "-flags", "+ilme+ildct", "-x264opts", "tff=1")
    try make("two.mov", "-map", "0", "-map", "0", "-c:v", "libx264")
    try make("old.mov", "-c:v", "mpeg4")
    let before = try content(of: folder.url)
    for (name, words) in [
      (
        "interlaced.mov", "the video is interlaced; deinterlace the movie first, or rotate it with --lossless"
      ),
      ("two.mov", "the movie has 2 video tracks, but a Live Photo has only one"),
      ("old.mov", "the video uses mpeg4, which is not supported for re-encoding; use --video-codec"),
    ] {
      let answer = try Command.run("rotate", "--degrees", "90", name, in: folder.url)
      #expect(answer.status == 1)
      #expect(answer.text == "")
      #expect(
        answer.standardError.hasPrefix("liveedit: ") && answer.standardError.contains(name + ": " + words))
      #expect(answer.sentences.count == 1, "\(answer.standardError)")
    }
    #expect(try content(of: folder.url) == before)
    // The suggested remedies work.
    for arguments in [["--lossless", "interlaced.mov"], ["--video-codec", "h264", "old.mov"]] {
      let answer = try Tools.run(
        [Command.path, "rotate", "--degrees", "90"] + arguments, in: folder.url)
      #expect(answer.status == 0, "\(answer.standardError)")
    }
  }

  /// Movies with altered tables or media and truncated movies need no more than 1.5 GB of address space.
  @Test(arguments: ["IMG_0001.MOV", "IMG_0003.MOV"])
  func damagedMoviesNeedLittleMemory(_ name: String) throws {
    let bytes = try Data(contentsOf: TestFiles.fixture(name))
    let moov = try #require(bytes.range(of: Data("moov".utf8))).lowerBound
    let file = folder.file("damaged.mov")
    var refused = 0
    for round in 0..<9 {
      var damaged = bytes
      switch round % 3 {
      case 0:
        damaged = bytes.prefix(bytes.count * (round + 1) / 10)
      case 1:
        for step in 0..<6 { damaged[moov + 8 + (round * 977 + step * 331) % (bytes.count - moov - 8)] = 0x7F }
      default:
        for step in 0..<6 { damaged[64 + (round * 7919 + step * 4001) % (moov - 72)] ^= 0x55 }
      }
      try damaged.write(to: file)
      let answer = try Tools.run(
        [
          "sh", "-c",
          (Tools.canLimit ? "ulimit -v 1500000; " : "")
            + "exec timeout 60 \"$0\" rotate --degrees 90 damaged.mov",
          Command.path,
        ], in: folder.url)
      #expect(answer.status == 0 || answer.status == 1, "\(answer.status) \(answer.standardError)")
      #expect(
        answer.sentences.count == Int(answer.status), "\(answer.standardError)")
      // If the helper had died, the error would name it.
      #expect(!answer.standardError.contains("liveedit-render"), "\(answer.standardError)")
      refused += Int(answer.status)
      for left in try folder.names() where left != "damaged.mov" {
        #expect(answer.status == 0, "\(left)")
        try FileManager.default.removeItem(at: folder.file(left))
      }
    }
    #expect(refused >= 3)
  }
}
