import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import RenderEngine

/// Tests that movies which cannot be rotated are refused with one error message, and that no files remain.
@Suite struct OddMovieRefusalTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  static let one: UInt32 = 0x10000

  /// Movies that no method can rotate, with words of the error message.
  static let always: [(OddMovie, String)] = [
    (OddMovie("no video track", OddMovie.sound + ["-map", "1"]), "has no video track"),
    (
      OddMovie("two video tracks", ["-map", "0", "-map", "0"] + OddMovie.h264),
      "has 2 video tracks, but a Live Photo has only one"
    ),
    (
      OddMovie("scaled") { $0.setMatrix([2 * one, 0, 0, 0, 2 * one, 0, 0, 0, 1 << 30]) },
      "is displayed scaled"
    ),
    (OddMovie("sheared") { $0.setMatrix([one, one / 2, 0, 0, one, 0, 0, 0, 1 << 30]) }, "sheared"),
    (
      OddMovie("a matrix for all tracks") { movie in
        movie.moov.change(["mvhd"]) { $0.bytes.replaceSubrange(36..<40, with: [0, 2, 0, 0]) }
      }, "movie header contains a transformation matrix"
    ),
    (
      OddMovie("no frames") { movie in
        movie.track(0, "mdia", "minf", "stbl") { stbl in
          stbl.children.removeAll { ["ctts", "stss", "sdtp", "sgpd", "sbgp"].contains($0.kind) }
          for kind in ["stts", "stsc", "stco"] {
            stbl.change([kind]) { $0.bytes = [0, 0, 0, 0, 0, 0, 0, 0] }
          }
          stbl.change(["stsz"]) { $0.bytes = [UInt8](repeating: 0, count: 12) }
        }
      }, "has no frames"
    ),
    (
      OddMovie("media in another file") { movie in
        movie.track(0, "mdia", "minf", "dinf") { dinf in
          guard let flags = dinf.bytes.indices.last else { return }
          dinf.bytes[flags] = 0
        }
      }, "media in another file; save the movie as a self-contained file"
    ),
    (
      OddMovie("a table with too many entries") { movie in
        movie.track(0, "mdia", "minf", "stbl", "stts") {
          $0.bytes.replaceSubrange(4..<8, with: [0x7F, 0, 0, 0])
        }
      }, "too short to contain them"
    ),
  ]

  /// Movies whose pixels cannot be re-encoded, but that can be rotated by a matrix.
  static let baked: [(OddMovie, String)] = [
    (
      OddMovie("interlaced H.264", OddMovie.h264 + ["-flags", "+ilme+ildct", "-x264opts", "tff=1"]),
      "is interlaced; deinterlace the movie first, or rotate it with --lossless"
    ),
    (
      OddMovie("MPEG-4", ["-c:v", "mpeg4"]),
      "the video uses mpeg4, which is not supported for re-encoding; use"
    ),
    (
      OddMovie("VP9", ["-c:v", "libvpx-vp9", "-pix_fmt", "yuv420p"], suffix: "mp4"),
      "the video uses vp9, which is not supported for re-encoding; use"
    ),
  ]

  func expectRefusal(
    _ movie: URL, _ words: String, lossless: Bool, codec: RenderSettings.VideoCodec? = nil,
    edit: Orientation = .right
  ) throws {
    let before = try folder.names()
    do {
      _ = try OddMovie.turn(movie, to: folder.file("out.mov"), lossless: lossless, codec: codec, edit: edit)
      Issue.record("\(movie.lastPathComponent) was rendered")
    } catch let error as EditError {
      #expect(error.description.contains(words), "\(error)")
      #expect(error.file == movie.path)
    }
    #expect(try folder.names() == before)
  }

  @Test(arguments: always.indices)
  func isRefused(_ index: Int) throws {
    let (odd, words) = Self.always[index]
    let movie = try odd.make(in: folder)
    try expectRefusal(movie, words, lossless: false)
    try expectRefusal(movie, words, lossless: true)
  }

  @Test(arguments: baked.indices)
  func isTurnedByItsMatrixOnly(_ index: Int) throws {
    let (odd, words) = Self.baked[index]
    let movie = try odd.make(in: folder)
    try expectRefusal(movie, words, lossless: false)
    let output = folder.file("out." + odd.suffix)
    _ = try OddMovie.turn(movie, to: output, lossless: true)
    let names = ["stream_index", "pts", "size", "data_hash"]
    let (before, after) = (try ProbedMovie(movie), try ProbedMovie(output))
    #expect(after.packets(ofVideo: true, names) == before.packets(ofVideo: true, names))
    #expect(try MovieFile(output).moov["trak", "tkhd"]?.numbers(after: 40).first == 0)
    #expect(try MovieFile(output).moov["trak", "tkhd"]?.numbers(after: 44).first == Self.one)
  }

  /// If the chroma samples keep their positions, chroma remains subsampled, and H.264 then needs even sizes.
  @Test func oddSizes() throws {
    let crop = ["-vf", "crop=127:95:0:0:exact=1", "-c:v", "mjpeg", "-pix_fmt", "yuvj420p"]
    let movie = try OddMovie("odd size", crop).make(in: folder)
    try expectRefusal(
      movie,
      "the frames are 95x127, but H.264 needs an even width and height; rotate the movie with --lossless",
      lossless: false,
      codec: .h264, edit: .leftMirrored)
    let output = folder.file("out.mov")
    _ = try OddMovie.turn(movie, to: output, lossless: false, codec: .h264)
    let after = try ProbedMovie(output).video
    #expect([after["width"], after["height"], after["nb_frames"]] == ["95", "127", "12"])
  }

  /// Text over the picture is kept. The result reports that its position was chosen for another shape.
  @Test(arguments: [false, true])
  func aTextTrackWithAPlaceIsNamed(_ lossless: Bool) throws {
    let text = ["-i", "text.srt", "-map", "0", "-map", "1", "-c:s", "mov_text"] + OddMovie.h264
    let placed = OddMovie("placed text", text) { movie in
      movie.track(1, "tkhd") { $0.bytes.replaceSubrange(76..<84, with: [0, 128, 0, 0, 0, 20, 0, 0]) }
    }
    let movie = try placed.make(in: folder)
    for (edit, noted) in [(Orientation.right, true), (.down, false), (.flippedVertically, false)] {
      let output = folder.file("out-\(edit).mov")
      let result = try OddMovie.turn(movie, to: output, lossless: lossless, edit: edit)
      #expect(result.notes.count == (noted ? 1 : 0))
      #expect(result.notes.allSatisfy { $0.contains("Track 2 ") && $0.contains("text") })
      let tracks = { (file: URL) in try MovieFile(file).moov.children.filter { $0.kind == "trak" } }
      #expect(try tracks(output)[1]["tkhd"] == tracks(movie)[1]["tkhd"])
    }
  }

  /// The preview of an old QuickTime file shows the unedited picture.
  @Test(arguments: [false, true])
  func aPreviewIsRemovedAndNamed(_ lossless: Bool) throws {
    let picture = Array("the picture as it was".utf8)
    let odd = OddMovie("preview") { movie in
      let preview = AtomTree(
        kind: "pnot", bytes: [0, 0, 0, 0, 0, 0] + Array("PICT".utf8) + [0, 1])
      movie.after = preview.serialized + AtomTree(kind: "PICT", bytes: picture).serialized
    }
    let movie = try odd.make(in: folder)
    let output = folder.file("out.mov")
    let result = try OddMovie.turn(movie, to: output, lossless: lossless)
    #expect(result.removals.map(\.name) == ["preview (pnot)"])
    #expect(try Data(contentsOf: output).range(of: Data(picture)) == nil)
  }
}

extension MovieFile {
  /// Sets the matrix of the first track.
  mutating func setMatrix(_ entries: [UInt32]) {
    track(0, "tkhd") { $0.bytes.replaceSubrange(40..<76, with: entries.flatMap { AtomTree.big($0) }) }
  }

  /// Compresses the `moov` atom (QuickTime File Format, “Allowing for Compressed Movie Resources”).
  mutating func compress() throws {
    let plain = moov.serialized
    let packed = try Tools.run(
      ["python3", "-c", "import sys,zlib;sys.stdout.buffer.write(zlib.compress(sys.stdin.buffer.read()))"],
      input: Data(plain))
    let size = AtomTree.big(UInt32(plain.count))
    moov.children = [
      AtomTree(
        kind: "cmov",
        bytes: AtomTree(kind: "dcom", bytes: Array("zlib".utf8)).serialized
          + AtomTree(kind: "cmvd", bytes: size + packed.standardOutput).serialized)
    ]
  }
}
