import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import RenderEngine

/// Tests that fragmented movies, and movies with compressed tables, are rendered like the same movie with plain tables.
@Suite struct FragmentedMovieTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Options of ffmpeg's muxer, with the file's suffix.
  static let layouts: [(flags: String, suffix: String)] = [
    ("frag_keyframe+empty_moov", "mov"),
    // The first samples are listed in the `moov` atom's own tables.
    ("frag_keyframe", "mov"),
    ("frag_keyframe+empty_moov+default_base_moof", "mp4"),
    ("frag_every_frame+empty_moov+separate_moof", "mp4"),
    ("frag_keyframe+empty_moov+omit_tfhd_offset", "mp4"),
    ("cmaf+delay_moov+global_sidx", "mp4"),
  ]

  private func make(_ name: String, _ flags: [String], isHEVC: Bool = false) throws -> URL {
    let codec = isHEVC ? OddMovie.hevc : OddMovie.h264 + ["-bf", "2", "-g", "5"]
    let made = try Tools.run(
      [
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=128x96:rate=12:duration=1",
      ] + OddMovie.sound + codec + ["-c:a", "aac"] + flags + [name], in: folder.url)
    try #require(made.status == 0, "\(made.standardError)")
    return folder.file(name)
  }

  /// Returns the hashes of all decoded frames as stored.
  private func pictures(_ movie: URL) throws -> [String] {
    let answer = try Tools.run(
      ["ffmpeg", "-v", "error", "-noautorotate", "-i", movie.path, "-map", "0:v", "-f", "framehash", "-"])
    try #require(answer.status == 0, "\(answer.standardError)")
    return answer.text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      line.split(separator: ",").last.map(String.init) ?? ""
    }
  }

  /// Returns the display times of frames in ticks from the first frame. libavformat counts from a different time in
  /// some fragmented movies.
  private func times(_ movie: ProbedMovie) -> [Int] {
    let all = movie.packets(ofVideo: true, ["pts"]).compactMap { $0.first.flatMap { Int($0) } }.sorted()
    return all.map { $0 - (all.first ?? 0) }
  }

  @Test(arguments: layouts.indices) func isRenderedAsAPlainOne(_ index: Int) throws {
    let (flags, suffix) = Self.layouts[index]
    let fragmented = try make("fragmented." + suffix, ["-movflags", flags])
    try #require(Data(contentsOf: fragmented).range(of: Data("moof".utf8)) != nil)
    let before = try ProbedMovie(fragmented)
    for isLossless in [true, false] {
      let made = folder.file("made-\(isLossless)." + suffix)
      let result = try OddMovie.turn(fragmented, to: made, lossless: isLossless)
      #expect(result.movie == (isLossless ? .copied : .encoded))
      #expect(result.removals == [])
      let after = try ProbedMovie(made)
      let sound = ["stream_index", "pts", "size", "data_hash"]
      #expect(after.packets(ofVideo: false, sound) == before.packets(ofVideo: false, sound))
      #expect(times(after) == times(before))
      #expect(after.video["time_base"] == before.video["time_base"])
      #expect(after.video["nb_frames"] == "12")
      let bytes = try Data(contentsOf: made)
      for kind in ["moof", "mvex", "sidx", "mfra"] {
        #expect(bytes.range(of: Data(kind.utf8)) == nil, "\(kind)")
      }
      if isLossless {
        #expect(try pictures(made) == pictures(fragmented))
      } else {
        #expect(try OddMovieTests().leastPSNR(made, fragmented) > 30)
      }
    }
  }

  @Test func packedTablesAreRead() throws {
    let plain = try OddMovie("plain").make(in: folder)
    let kept = folder.file("kept.mov")
    try FileManager.default.moveItem(at: plain, to: kept)
    let packed = try OddMovie("packed") { try $0.compress() }.make(in: folder)
    for isLossless in [true, false] {
      let (wanted, made) = (folder.file("a-\(isLossless).mov"), folder.file("b-\(isLossless).mov"))
      _ = try OddMovie.turn(kept, to: wanted, lossless: isLossless)
      _ = try OddMovie.turn(packed, to: made, lossless: isLossless)
      #expect(try pictures(made) == pictures(wanted))
      #expect(try Data(contentsOf: made).range(of: Data("cmov".utf8)) == nil)
    }
  }

  /// Fragments with impossible values are refused, in bounded memory.
  @Test func brokenFragmentsAreRefused() throws {
    let whole = try Data(contentsOf: make("whole.mp4", ["-movflags", "frag_keyframe+empty_moov"]))
    func refusal(_ change: (inout Data) throws -> Void) throws -> String {
      var bytes = whole
      try change(&bytes)
      let file = folder.file("broken.mp4")
      try bytes.write(to: file)
      do {
        _ = try OddMovie.turn(file, to: folder.file("out.mp4"), lossless: true)
      } catch let error as EditError {
        return error.description
      }
      return ""
    }
    func place(_ kind: String) throws -> Int { try #require(whole.range(of: Data(kind.utf8))).upperBound }
    let run = try place("trun")
    #expect(try refusal { $0.replaceSubrange(run + 4..<run + 8, with: [0, 0, 0xFF, 0xFF]) } != "")
    // One sample too many, all without their own size.
    let many = try refusal {
      $0.replaceSubrange(run..<run + 8, with: [0, 0, 0, 1, 0, 0x10, 0, 1])
    }
    #expect(many.contains("more than 1048576 samples"), "\(many)")
    let header = try place("tfhd")
    #expect(
      try refusal { $0.replaceSubrange(header + 4..<header + 8, with: [0, 0, 0, 9]) }.contains("track 9"))
    let time = try place("tfdt")
    #expect(try refusal { $0[time + 6] = 9 } != "")
    #expect(
      try refusal { $0.replaceSubrange(run + 8..<run + 12, with: [0x7F, 0, 0, 0]) }.contains("cut off"))
  }
}
