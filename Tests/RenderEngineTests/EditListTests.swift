import Basics
import EditModel
import FileSystem
import Foundation
import LivePhotoFormat
import TestSupport
import Testing

@testable import RenderEngine

/// Tests of trims and effects of movies whose edit lists have several parts, other speeds or unknown durations. ffmpeg
/// decodes the results. The expected values are calculated here or read from ffmpeg's output for the source.
@Suite struct EditListTests {
  private let tests: MotionPlanRenderTests

  init() throws { tests = try MotionPlanRenderTests() }

  /// An entry of an edit list.
  private struct Part {
    var milliseconds: UInt32
    /// The frame with which the entry begins, or nil for a pause.
    var frame: Int?
    var rate: UInt32 = 1 << 16
  }

  /// Returns the counting movie with another edit list for video and audio.
  private func movie(_ parts: [Part]) throws -> String {
    let path = try tests.counting(sound: ["pcm_s16le"])
    let file = URL(fileURLWithPath: path)
    var movie = try MovieFile(file)
    // ffmpeg's time of the first frame, and the duration of a frame, in ticks of the tracks.
    for (track, first, ticks) in [(0, 2048, 1024), (1, 0, 2940)] {
      movie.track(track, "edts", "elst") { elst in
        let entries = parts.flatMap { part -> [UInt32] in
          let start = part.frame.map { UInt32(first + ticks * $0) }
          return [part.milliseconds, start ?? .max, part.rate]
        }
        let words = [0, UInt32(parts.count)] + entries
        elst.bytes = words.flatMap { AtomTree.big($0) }
      }
    }
    try movie.write(file)
    return path
  }

  /// Returns the entries of a track's edit list: duration, start, rate.
  private func list(_ path: String, track: Int) throws -> [[UInt32]] {
    let moov = try #require(AtomTree.read(URL(fileURLWithPath: path)).first { $0.kind == "moov" })
    let tracks = moov.children.filter { $0.kind == "trak" }
    let numbers = try #require(tracks[track]["edts", "elst"]).numbers(after: 8)
    return stride(from: 0, to: numbers.count, by: 3).map { Array(numbers[$0..<$0 + 3]) }
  }

  /// Returns all audio samples, ignoring the edit list.
  private func samples(_ path: String) throws -> [Int16] {
    let data = try Tools.output(
      "ffmpeg", "-v", "error", "-ignore_editlist", "1", "-i", path, "-map", "0:a", "-f", "s16le", "-"
    ).bytes
    return stride(from: 0, to: data.count - 1, by: 2).map { Int16(data[$0]) | Int16(data[$0 + 1]) << 8 }
  }

  /// Returns the audio that plays according to the edit list, at its original speed.
  private func heard(_ path: String) throws -> [Int16] {
    let all = try samples(path)
    return try list(path, track: 1).flatMap { entry -> ArraySlice<Int16> in
      let start = min(Int(entry[1]), all.count)
      return all[start..<min(start + Int((Double(entry[0]) * 44.1).rounded()), all.count)]
    }
  }

  private func expectTimes(_ path: String, _ wanted: [Double]) throws {
    let found = try tests.times(path)
    #expect(found.count == wanted.count)
    for (one, other) in zip(found, wanted) { #expect(abs(one - other) < 1e-3) }
  }

  private func trimmed(
    _ path: String, _ start: Double, _ end: Double, isLossless: Bool = false
  ) throws -> (path: String, result: RenderResult) {
    try tests.rendered(
      path, Motion(trim: Trim(from: start, to: end)), settings: RenderSettings(isLossless: isLossless))
  }

  /// Frames 18 to 23, 3 to 11, and 18 to 20.
  private static let another = [
    Part(milliseconds: 400, frame: 18), Part(milliseconds: 600, frame: 3), Part(milliseconds: 200, frame: 18),
  ]

  @Test func aTrimGoesThroughAllParts() throws {
    let source = try movie(Self.another)
    let (shown, sound) = (try tests.greys(source), try heard(source))
    tests.expectGreys(
      shown, (Array(18...23) + Array(3...11) + Array(18...20)).map(MotionPlanRenderTests.grey))
    let (output, result) = try trimmed(source, 0.2, 1.1)
    tests.expectGreys(try tests.greys(output), Array(shown[3..<17]))
    try expectTimes(output, (0..<14).map { Double($0) / 15 })
    // Two frames of the last part; the movie's ticks are milliseconds.
    let new = try heard(output)
    #expect(abs(new.count - (8820 + 26_460 + 5880)) < 45)
    #expect(new == Array(sound[8820..<8820 + new.count]))
    #expect(result.removals.isEmpty)
    #expect(result.notes.contains { $0.contains("The edit list of audio track 2 skips parts of the audio") })
  }

  /// Six frames in 0.2 s, one frame frozen for 0.2 s, and five frames at their own speed.
  @Test func otherSpeedsAreKept() throws {
    let source = try movie([
      Part(milliseconds: 400, frame: 0, rate: 2 << 16), Part(milliseconds: 200, frame: 12, rate: 0),
      Part(milliseconds: 400, frame: 13),
    ])
    let (output, _) = try trimmed(source, 0.2, 0.9)
    tests.expectGreys(try tests.greys(output), (6...17).map(MotionPlanRenderTests.grey))
    try expectTimes(
      output, (0..<6).map { Double($0) / 30 } + [0.2] + (0..<5).map { 0.4 + Double($0) / 15 })
    // The media begins with the audio at 0.2 s and lasts 0.4 s.
    let expected: [[UInt32]] = [
      [200, 0, 2 << 16], [200, 35_280 - 17_640, 0], [333, 38_220 - 17_640, 1 << 16],
    ]
    #expect(try list(output, track: 1) == expected)
  }

  @Test func oneSpeedForAllIsKept() throws {
    let source = try movie([Part(milliseconds: 1000, frame: 0, rate: 2 << 16)])
    let (output, _) = try trimmed(source, 0.2, 0.5)
    tests.expectGreys(try tests.greys(output), (6...14).map(MotionPlanRenderTests.grey))
    try expectTimes(output, (0..<9).map { Double($0) / 30 })
    #expect(try list(output, track: 1) == [[300, 0, 2 << 16]])
  }

  @Test func partsThatFollowUponEachOtherAreOne() throws {
    let source = try movie([
      Part(milliseconds: 200, frame: 0), Part(milliseconds: 400, frame: 3), Part(milliseconds: 400, frame: 9),
    ])
    let (output, result) = try trimmed(source, 0.1, 0.9, isLossless: true)
    #expect(result.movie == .copied)
    tests.expectGreys(try tests.greys(output), (2...13).map(MotionPlanRenderTests.grey))
    let plan = try #require(
      try Movie(FileByteSource(path: source)).framesOfEffect(of: Motion(effect: .bounce)))
    #expect(plan.frames.map(\.parts[0].number) == Array(0...14))
  }

  @Test func aPauseIsNoFrame() throws {
    let source = try movie([
      Part(milliseconds: 400, frame: 0), Part(milliseconds: 200, frame: nil),
      Part(milliseconds: 400, frame: 6),
    ])
    let refused = #expect(throws: EditError.self) { try trimmed(source, 0.2, 0.8) }
    #expect(
      refused?.description.contains(
        "has a gap from 0.4 s to 0.6 s within the part to be kept") == true)
    tests.expectGreys(
      try tests.greys(trimmed(source, 0.6, 0.9).path), (6...10).map(MotionPlanRenderTests.grey))
  }

  @Test func whatRunsBackwardsIsRefused() throws {
    let source = try movie([Part(milliseconds: 400, frame: 6, rate: 0xFFFF_0000)])
    let refused = #expect(throws: EditError.self) { try trimmed(source, 0, 0.2) }
    #expect(refused?.description.contains("plays part of a track backwards") == true)
  }

  @Test func effectsTakeFramesOneAfterTheOther() throws {
    let movie = try Movie(FileByteSource(path: self.movie(Self.another)))
    let refused = #expect(throws: EditError.self) { try movie.framesOfEffect(of: Motion(effect: .bounce)) }
    #expect(refused?.problem.contains("a bounce needs consecutive frames") == true)
    let plan = try #require(
      try movie.framesOfEffect(of: Motion(trim: Trim(from: 0.4, to: 1), effect: .bounce)))
    #expect(plan.frames.map(\.parts[0].number) == Array(3...11))
    #expect(plan.frames.allSatisfy { $0.duration == 1024 })
  }

  @Test func keyPhotosAreThoseThatAreShown() throws {
    let movie = try Movie(FileByteSource(path: self.movie(Self.another)), photoAt: StillPlace(seconds: 0))
    for (seconds, number) in [(0.0, 18), (0.45, 3), (0.95, 11), (1.1, 19)] {
      #expect(try movie.keyFrame(of: Motion(keyPhoto: seconds))?.number == number)
    }
  }

  @Test func copiedFramesAreOfOnePart() throws {
    let source = try movie(Self.another)
    let (output, _) = try trimmed(source, 0.4, 0.8, isLossless: true)
    tests.expectGreys(try tests.greys(output), (3...8).map(MotionPlanRenderTests.grey))
    let refused = #expect(throws: EditError.self) { try trimmed(source, 0.2, 0.8, isLossless: true) }
    #expect(refused?.description.contains("omit --lossless") == true)
  }

  /// If an entry ends within a frame, the copied frame is shown for the same time.
  @Test func aCopiedFrameIsCutShort() throws {
    let source = try movie([Part(milliseconds: 500, frame: 0), Part(milliseconds: 500, frame: 15)])
    let (output, _) = try trimmed(source, 0.2, 0.5, isLossless: true)
    tests.expectGreys(try tests.greys(output), (3...7).map(MotionPlanRenderTests.grey))
    let shown = try list(output, track: 0)
    #expect(shown.count == 1 && 299...300 ~= shown[0][0])
  }

  /// If an audio entry has no length, the audio plays to its end: here from 0.2 s of the media on.
  @Test func soundWithoutALengthIsHeardToItsEnd() throws {
    let source = try tests.counting(sound: ["pcm_s16le"])
    var file = try MovieFile(URL(fileURLWithPath: source))
    let words: [UInt32] = [0, 1, 0, 8820, 1 << 16]
    file.track(1, "edts", "elst") { $0.bytes = words.flatMap { AtomTree.big($0) } }
    try file.write(URL(fileURLWithPath: source))
    let all = try samples(source)
    let (output, result) = try trimmed(source, 0.4, 1.1)
    let new = try heard(output)
    #expect(result.removals.isEmpty)
    #expect(abs(new.count - 32_340) < 45)
    #expect(new == Array(all[26_460..<26_460 + new.count]))
  }

  /// Timed metadata is kept with the frames that it describes.
  @Test func metadataGoesAlongWithAllParts() throws {
    let original = TestFiles.fixture("IMG_0001.MOV")
    let old = try tests.times(original.path)
    let order = Array(20..<40) + Array(0..<20)
    try #require(old.count == 40)
    var file = try MovieFile(original)
    // Ticks of the movie, its video track and its metadata last 1/600 s.
    let middle = UInt32((old[20] * 600).rounded())
    let length = UInt32(1021)
    for (track, scale) in [(0, 1.0), (1, 73.5), (2, 1.0)] {
      let start = UInt32((Double(middle) * scale).rounded())
      let words: [UInt32] = [0, 2, length - middle, start, 1 << 16, middle, 0, 1 << 16]
      file.track(track, "edts", "elst") { $0.bytes = words.flatMap { AtomTree.big($0) } }
    }
    let source = tests.folder.file("parts.mov")
    try file.write(source)
    func moment(_ place: Int) -> Double {
      place < 20 ? old[order[place]] - old[20] : Double(length - middle) / 600 + old[order[place]]
    }
    let output = try tests.trimmed(source.path, moment(2), moment(37))
    try expectTimes(output, (2..<37).map { moment($0) - moment(2) })
    func metadata(_ path: String) throws -> [String: [String]] {
      let lines = try Tools.ffprobe(
        URL(fileURLWithPath: path), "-ignore_editlist", "1", "-select_streams", "d", "-show_entries",
        "packet=stream_index,data_hash", "-show_data_hash", "md5")
      return Dictionary(grouping: lines) { String($0.split(separator: ",")[0]) }
    }
    let (before, after) = (try metadata(original.path), try metadata(output))
    let described = before.filter { $0.value.count == 40 }
    #expect(!described.isEmpty)
    for (stream, packets) in described {
      #expect(after[stream] == order[2..<37].map { packets[$0] }, "stream \(stream)")
    }
  }
}
