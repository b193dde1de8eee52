import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import Codecs

/// Tests that the damaged frames of a movie are named. ffmpeg decodes the intact and the damaged movie to show which
/// frames changed.
@Suite struct FrameDamageTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Returns the presentation time, size and position of each packet of the video track, in decoding order.
  func packets(_ path: String) throws -> [(time: Int, size: Int, place: Int)] {
    try Tools.output(
      "ffprobe", "-v", "error", "-ignore_editlist", "1", "-select_streams", "v:0", "-show_entries",
      "packet=pts,size,pos", "-of", "csv=p=0", path
    ).lines.map { line in
      let numbers = line.split(separator: ",").compactMap { Int($0) }
      return (numbers[0], numbers[1], numbers[2])
    }
  }

  /// Returns the hash of each frame that ffmpeg decodes, keyed by the frame's time.
  func frames(_ path: String) throws -> [Int: String] {
    let lines = try Tools.run([
      "ffmpeg", "-v", "quiet", "-ignore_editlist", "1", "-threads", "1", "-i", path, "-map", "0:v:0",
      "-fps_mode",
      "passthrough", "-enc_time_base", "-1", "-copyts", "-f", "framemd5", "-",
    ]).lines.filter { !$0.hasPrefix("#") }
    var frames: [Int: String] = [:]
    for line in lines {
      let parts = line.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      frames[try #require(Int(parts[2]))] = parts[5]
    }
    return frames
  }

  /// Returns the frames that decode differently or not at all.
  func changed(_ path: String, from whole: [Int: String]) throws -> Set<Int> {
    let now = try frames(path)
    let times = whole.keys.sorted()
    return Set(times.indices.filter { now[times[$0]] != whole[times[$0]] })
  }

  func named(_ path: String, track: Int = 1) throws -> Set<Int> {
    let damage = try FrameDamage.find(path: path, trackID: track, isCancelled: { false })
    let named = Set(damage.spans.flatMap { $0.first...$0.last })
    #expect(named.count == damage.count)
    return named
  }

  func isSound(_ path: String, track: Int = 1) throws -> Bool {
    do {
      try VideoCheck.decode(path: path, trackID: track, checksHashes: true, isCancelled: { false })
      return true
    } catch let error as MediaError where !error.isUnsupported {
      return false
    }
  }

  /// Creates a movie with a hash for each frame. The picture's sides are not multiples of eight, so its edges are
  /// cropped.
  func hashed(_ hash: Int, _ format: String) throws -> String {
    try folder.ffmpeg(
      [
        "-f", "lavfi", "-i", "testsrc2=size=158x118:rate=15:duration=2", "-pix_fmt", format, "-c:v",
        "libx265",
        "-x265-params", "hash=\(hash):keyint=10:log-level=none", "-tag:v", "hvc1",
      ], to: "\(hash)-\(format).mov")
  }

  /// The check of a truncated file does not fail because samples lie past the end of the file.
  @Test func aCutMovieHasDamage() throws {
    let path = try hashed(1, "yuv420p")
    let packets = try packets(path)
    let file = folder.file("cut.mov")
    // In this movie the headers precede the media.
    let fast = try folder.ffmpeg(["-i", path, "-c", "copy", "-movflags", "+faststart"], to: "fast.mov")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: fast))
    try bytes.dropLast(packets.suffix(5).reduce(0) { $0 + $1.size } + 10).write(to: file)
    #expect(try !isSound(file.path))
    #expect(try named(file.path).count <= 1)
  }

  @Test func aStopIsObeyed() throws {
    let path = try hashed(1, "yuv420p")
    #expect(throws: CancellationError.self) {
      try FrameDamage.find(path: path, trackID: 1, isCancelled: { true })
    }
  }

  /// Spans are runs of consecutive frame numbers. If there are very many spans, only the first are kept, but all are
  /// counted.
  @Test func spansAreRuns() {
    var damage = MediaDamage()
    for number in [3, 4, 5, 9, 11, 12] { damage.add(number, at: Double(number) / 10) }
    #expect(damage.count == 6)
    #expect(damage.spans.map { [$0.first, $0.last] } == [[3, 5], [9, 9], [11, 12]])
    #expect(damage.spans.map { [$0.start, $0.end] } == [[0.3, 0.5], [0.9, 0.9], [1.1, 1.2]])
    for number in stride(from: 20, to: 20_000, by: 2) { damage.add(number, at: 0) }
    #expect(damage.count == 6 + 9990 && damage.spans.count == 256)
  }
}
