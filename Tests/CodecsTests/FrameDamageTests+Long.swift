import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import Codecs

extension FrameDamageTests {
  @Test(arguments: [1, 2, 3], Cases.chosen(["yuv420p", "yuv420p10le"]) { index, _ in index == 1 })
  func framesThatAreNotWhatTheStreamSaysAreNamed(_ hash: Int, _ format: String) throws {
    let path = try hashed(hash, format)
    #expect(try isSound(path) && named(path) == [])
    let (whole, packets) = (try frames(path), try packets(path))
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    var random = SeededGenerator(seed: UInt64(hash))
    var damaged = 0
    for number in stride(from: 1, to: packets.count, by: 4) {
      let packet = packets[number]
      var broken = bytes
      // The hash is stored at the end of the packet.
      let at = packet.place + packet.size / 8 + Int.random(in: 0..<packet.size / 2, using: &random)
      broken[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      let file = folder.file("broken.mov")
      try broken.write(to: file)
      let changed = try changed(file.path, from: whole)
      let named = try named(file.path)
      // If the hash is a CRC, only the luma CRC is checked.
      if hash == 2 {
        #expect(named.isSubset(of: changed), "byte \(at)")
      } else {
        #expect(named == changed, "byte \(at)")
      }
      #expect(try isSound(file.path) == named.isEmpty, "byte \(at)")
      if !named.isEmpty { damaged += 1 }
    }
    #expect(damaged > 4)
  }

  /// Without a hash, the check relies on the decoder's error reports. It never names a frame that decodes as before.
  @Test(arguments: Cases.chosen(["IMG_0001.MOV", "IMG_0003.MOV", "IMG_0004.MOV"]) { index, _ in index != 0 })
  func whatTheDecoderReportsIsNamed(_ name: String) throws {
    let source = TestFiles.fixture(name)
    let lines = try Tools.ffprobe(source, "-select_streams", "v:0", "-show_entries", "stream=id")
    let track = try #require(
      lines.first?.split(separator: ",").first.flatMap { Int($0.dropFirst(2), radix: 16) })
    #expect(try isSound(source.path, track: track) && named(source.path, track: track) == [])
    let (whole, packets) = (try frames(source.path), try packets(source.path))
    let times = packets.map(\.time).sorted()
    let bytes = try Data(contentsOf: source)
    for packet in [packets[5], packets[packets.count - 3]] {
      var broken = bytes
      let range = packet.place..<packet.place + packet.size
      broken.replaceSubrange(range, with: Data(repeating: 0x55, count: packet.size))
      let file = folder.file("broken.mov")
      try broken.write(to: file)
      let (changed, named) = (try changed(file.path, from: whole), try named(file.path, track: track))
      let number = try #require(times.firstIndex(of: packet.time))
      #expect(changed.contains(number) && named.contains(number), "frame \(number)")
      #expect(named.isSubset(of: changed))
      #expect(try !isSound(file.path, track: track))
    }
  }
}
