import Basics
import Foundation
import TestSupport
import Testing

@testable import Codecs

/// Tests that reduce the volume of AAC packet by packet. ffmpeg decodes the packets from an ADTS stream that the test
/// builds.
@Suite struct SoundTranscoderTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func movie(_ arguments: [String] = ["-c:a", "aac", "-b:a", "128k"], named name: String = "in.mov") throws
    -> String
  {
    try folder.counting(["-c:v", "libx264", "-preset", "ultrafast"] + arguments, to: name)
  }

  func scaled(_ path: String, by factor: Double = 0.5, _ packets: Range<Int>) throws -> [[UInt8]] {
    try SoundTranscoder.scaledPackets(
      path: path, trackID: 2, by: factor, packets: packets, isCancelled: { false })
  }

  func packetCount(_ path: String) throws -> Int {
    let lines = try Tools.ffprobe(
      URL(fileURLWithPath: path), "-select_streams", "a", "-show_entries", "stream=nb_frames")
    return try #require(Int(lines[0]))
  }

  /// Returns the decoded audio of mono AAC-LC packets at 44.1 kHz (ISO/IEC 13818-7, section 6.2).
  func decoded(_ packets: [[UInt8]]) throws -> [Double] {
    var stream: [UInt8] = []
    for packet in packets {
      let size = packet.count + 7
      let (high, middle, low) = (UInt8(size >> 11), UInt8(size >> 3 & 255), UInt8(size & 7))
      stream += [0xFF, 0xF1, 0x50, 0x40 | high, middle, low << 5 | 0x1F, 0xFC]
      stream += packet
    }
    return try sound(folder.write(stream, to: UUID().uuidString + ".aac").path)
  }

  /// Returns the decoded audio of the source's own packets, extracted by ffmpeg.
  func original(_ path: String) throws -> [Double] {
    try sound(folder.ffmpeg(["-i", path, "-map", "0:a", "-c", "copy"], to: "original.aac"))
  }

  /// ffmpeg reports the channel order only for QuickTime movies, from the atom “chan”.
  @Test(arguments: [(0.25, "in.mov"), (1.0, "in.mov"), (0.25, "in.mp4")])
  func everyPacketSoundsTheSameMoments(_ factor: Double, _ name: String) throws {
    let path = try movie(named: name)
    let count = try packetCount(path)
    let packets = try scaled(path, by: factor, 0..<count)
    #expect(packets.count == count)
    let (before, after) = (try original(path).map { $0 * factor }, try decoded(packets))
    #expect(before.count == after.count)
    #expect(likeness(before[2048..<80000], after[2048..<80000]) > 25)
  }

  /// Compares all packets except the first of a part, because the packet before it overlaps it.
  @Test(arguments: [0..<10, 1..<12, 20..<60, 70..<87]) func aPartIsItsOwnPackets(_ part: Range<Int>) throws {
    let path = try movie()
    let packets = try scaled(path, part)
    #expect(packets.count == part.count)
    let before = try original(path).map { $0 / 2 }
    let after = try decoded(packets)
    #expect(after.count == 1024 * part.count)
    let wanted = before[1024 * (part.lowerBound + 1)..<1024 * part.upperBound]
    // The first packets of a stream are priming: silence.
    let start = part.lowerBound < 2 ? 2048 : 0
    #expect(likeness(wanted.dropFirst(start), after[1024...].dropFirst(start)) > 20)
  }

  @Test func partsBeyondTheSoundAreRefused() throws {
    let path = try movie()
    let count = try packetCount(path)
    for part in [0..<count + 1, count..<count + 1, 3..<3] {
      #expect(throws: MediaError.self) { try scaled(path, part) }
    }
  }

  @Test(arguments: ["alac", "ac3"]) func otherSoundIsRefused(_ codec: String) throws {
    let refused = #expect(throws: MediaError.self) { try scaled(try movie(["-c:a", codec]), 0..<1) }
    #expect(refused?.problem.contains(codec) ?? false)
    #expect(refused?.remedy != nil)
  }

  @Test func damageIsFound() throws {
    let path = try movie()
    let lines = try Tools.ffprobe(
      URL(fileURLWithPath: path), "-select_streams", "a", "-show_entries", "packet=size,pos")
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let numbers = lines[40].split(separator: ",").compactMap { Int($0) }
    for index in numbers[1]..<numbers[1] + numbers[0] { bytes[index] = 0xFF }
    try bytes.write(to: URL(fileURLWithPath: path))
    #expect(throws: MediaError.self) { try scaled(path, 30..<60) }
    #expect(try scaled(path, 50..<60).count == 10)
  }

  @Test func aStopIsObeyed() throws {
    let path = try movie()
    #expect(throws: CancellationError.self) {
      try SoundTranscoder.scaledPackets(
        path: path, trackID: 2, by: 0.5, packets: 0..<10, isCancelled: { true })
    }
  }
}
