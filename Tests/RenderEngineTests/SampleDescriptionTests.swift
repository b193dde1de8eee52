import EditModel
import Foundation
import RenderEngine
import TestSupport
import Testing

/// Movies whose tables list more sample descriptions than their samples have: they are rendered to the bytes of those without.
@Suite struct SampleDescriptionTests {
  private static let unused: [UInt8] = [0, 0, 0, 16] + Array("none".utf8) + [0, 0, 0, 0, 0, 0, 0, 1]

  private static let changes: [(name: String, change: @Sendable (inout [UInt8], inout [UInt8]) -> Void)] = [
    ("twice", { stsd, _ in stsd = [0, 0, 0, 0, 0, 0, 0, 2] + stsd[8...] + stsd[8...] }),
    (
      "twice, the second one in use",
      { stsd, stsc in
        stsd = [0, 0, 0, 0, 0, 0, 0, 2] + stsd[8...] + stsd[8...]
        for at in stride(from: 19, to: stsc.count, by: 12) { stsc[at] = 2 }
      }
    ),
    ("with one that nothing uses", { stsd, _ in stsd = [0, 0, 0, 0, 0, 0, 0, 2] + stsd[8...] + unused }),
  ]

  @Test(arguments: changes.indices, [true, false]) func theyAreReadAsOne(_ index: Int, _ isLossless: Bool)
    throws
  {
    let change = Self.changes[index].change
    let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
    let plain = try OddMovie("plain", OddMovie.sound + OddMovie.h264).make(in: folder)
    let (first, second) = (folder.file("first.mov"), folder.file("second.mov"))
    _ = try OddMovie.turn(plain, to: first, lossless: isLossless)
    let listed = try OddMovie("listed", OddMovie.sound + OddMovie.h264) { movie in
      for track in 0...1 {
        var (stsd, stsc): ([UInt8], [UInt8]) = ([], [])
        movie.track(track, "mdia", "minf", "stbl", "stsd") { stsd = $0.bytes }
        movie.track(track, "mdia", "minf", "stbl", "stsc") { stsc = $0.bytes }
        change(&stsd, &stsc)
        movie.track(track, "mdia", "minf", "stbl", "stsd") { $0.bytes = stsd }
        movie.track(track, "mdia", "minf", "stbl", "stsc") { $0.bytes = stsc }
      }
    }.make(in: other)
    _ = try OddMovie.turn(listed, to: second, lossless: isLossless)
    #expect(try Data(contentsOf: second) == Data(contentsOf: first), "\(Self.changes[index].name)")
  }
}
