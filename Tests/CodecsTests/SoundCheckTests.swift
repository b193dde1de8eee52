import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import Codecs

/// Tests that undecodable audio packets are found. ffprobe gives their positions, and ffmpeg confirms that they are
/// damaged.
@Suite struct SoundCheckTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func movie(_ arguments: [String], to name: String = "in.mov") throws -> String {
    try folder.counting(
      ["-c:v", "libx264", "-preset", "ultrafast", "-strict", "-2", "-c:a"] + arguments, to: name)
  }

  func check(_ path: String) throws -> PictureCheck.Sound {
    try SoundCheck.decode(path: path, trackID: 2, isCancelled: { false })
  }

  /// Returns the time in seconds, the size and the position of each packet of the audio track.
  func packets(_ path: String) throws -> [(time: Double, size: Int, place: Int)] {
    try Tools.output(
      "ffprobe", "-v", "error", "-ignore_editlist", "1", "-select_streams", "a", "-show_entries",
      "packet=pts_time,size,pos", "-of", "csv=p=0", path
    ).lines.map { line in
      let parts = line.split(separator: ",")
      return (try #require(Double(parts[0])), try #require(Int(parts[1])), try #require(Int(parts[2])))
    }
  }

  @Test(arguments: ["aac", "alac"]) func packetsThatCannotBeDecodedAreNamed(_ codec: String) throws {
    let path = try movie([codec])
    let packets = try packets(path)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    var random = SeededGenerator(seed: 5)
    for numbers in [[2], [5, 6, 7, 12], [packets.count - 1]] {
      var broken = bytes
      for number in numbers {
        let packet = packets[number]
        for at in packet.place..<packet.place + packet.size {
          broken[at] = .random(in: 0...255, using: &random)
        }
      }
      let file = folder.file("broken.mov")
      try broken.write(to: file)
      let ffmpeg = try Tools.run(["ffmpeg", "-v", "error", "-i", file.path, "-map", "0:a", "-f", "null", "-"])
      #expect(ffmpeg.standardError != "")
      let sound = try check(file.path)
      #expect(sound.outcome == .decoded && sound.packetCount == packets.count)
      #expect(sound.damage.count == numbers.count)
      #expect(sound.damage.spans.flatMap { $0.first...$0.last } == numbers)
      for span in sound.damage.spans {
        #expect(abs(span.start - (packets[span.first].time - packets[0].time)) < 1e-6)
        #expect(abs(span.end - (packets[span.last].time - packets[0].time)) < 1e-6)
      }
    }
  }

  /// The time table states that the last packet lasts three seconds.
  @Test func soundThatEndsBeforeItsTrackIsNamed() throws {
    let path = try movie(["aac"])
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let track = try #require(bytes.range(of: Data("smhd".utf8))).upperBound
    let table = try #require(bytes.range(of: Data("stts".utf8), in: track..<bytes.count)).upperBound
    let entries = Int(bytes[table + 7])
    let media = try #require(bytes.range(of: Data("mdhd".utf8), options: .backwards, in: 0..<track))
      .upperBound
    func write(_ value: Int, at place: Int) {
      bytes.replaceSubrange(
        place..<place + 4, with: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) })
    }
    try #require(entries > 1)
    write(3 * 44100, at: table + 8 * entries + 4)
    write(10 * 44100, at: media + 16)
    let file = folder.file("long.mov")
    try bytes.write(to: file)
    let last = try #require(try packets(file.path).last)
    let sound = try check(file.path)
    #expect(sound.damage.count == 0)
    let stop = try #require(sound.stop)
    #expect(abs(stop.end - (last.time + 3)) < 0.001)
    #expect(abs(stop.seconds - (last.time + 1024 / 44100)) < 0.001)
  }

  /// Stands for audio in a codec that this FFmpeg does not support, for example spatial audio in Apple's own codec.
  @Test func otherSoundIsSaidToBeSo() throws {
    let path = try movie(["pcm_s16le"])
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let name = try #require(bytes.range(of: Data("sowt".utf8), options: .backwards))
    bytes.replaceSubrange(name, with: Data("apac".utf8))
    let file = folder.file("other.mov")
    try bytes.write(to: file)
    let sound = try check(file.path)
    guard case .unsupported(let problem) = sound.outcome else {
      Issue.record("\(sound)")
      return
    }
    #expect(problem.contains("apac"))
  }

  @Test func aStopIsObeyed() throws {
    let path = try movie(["aac"])
    #expect(throws: CancellationError.self) {
      try SoundCheck.decode(path: path, trackID: 2, isCancelled: { true })
    }
  }
}
