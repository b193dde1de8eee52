import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

/// Tests of movies with the longest tables and the largest numbers that their fields allow.
@Suite struct MovieNumbersTests {
  /// Returns a box with the given content.
  private func box(_ kind: [UInt8], _ content: [UInt8]) -> [UInt8] {
    ByteOrder.big.bytes(of: content.count + 8, width: 4) + kind + content
  }

  private func word(_ value: Int) -> [UInt8] { ByteOrder.big.bytes(of: value, width: 4) }

  /// Returns typed metadata with keys of these numbers, each with its number as text.
  private func metadata(_ numbers: [Int]) -> [UInt8] {
    let handler = box(
      Array("hdlr".utf8), word(0) + word(0) + Array("mdta".utf8) + [UInt8](repeating: 0, count: 14))
    var keys = word(0) + word(numbers.count)
    var list: [UInt8] = []
    for (index, number) in numbers.enumerated() {
      keys += box(Array("mdta".utf8), Array("key.\(number)".utf8))
      list += box(word(index + 1), box(Array("data".utf8), word(1) + word(0) + Array("\(number)".utf8)))
    }
    return handler + box(Array("keys".utf8), keys) + box(Array("ilst".utf8), list)
  }

  /// 100,000 keys: an algorithm with one step per pair of keys would take an hour.
  @Test(.timeLimit(.minutes(1))) func manyKeysAreTakenOutAtOnce() throws {
    let count = 100_000
    let meta = Atom("meta", metadata(Array(0..<count)))
    let gone = Set((0..<count).filter { $0 % 3 == 0 }.map { "key.\($0)" })
    let kept = try MetadataItems.removing(gone, from: meta)
    #expect(kept.bytes == metadata((0..<count).filter { $0 % 3 != 0 }))
    #expect(try MetadataItems(kept)?.items.count == count - gone.count)
    #expect(try MetadataItems.replacing(meta, "key.5", with: "new").bytes.count == meta.bytes.count + 2)
  }

  @Test func oneNameForAllItemsIsBounded() throws {
    let handler = box(
      Array("hdlr".utf8), word(0) + word(0) + Array("mdta".utf8) + [UInt8](repeating: 0, count: 14))
    let name = [UInt8](repeating: 0x61, count: 1 << 20)
    let keys = box(Array("keys".utf8), word(0) + word(1) + box(Array("mdta".utf8), name))
    let item = box(word(1), box(Array("data".utf8), word(1) + word(0)))
    func meta(_ count: Int) -> Atom {
      Atom("meta", handler + keys + box(Array("ilst".utf8), (0..<count).flatMap { _ in item }))
    }
    #expect(try MetadataItems(meta(10))?.items.count == 10)
    #expect(throws: MediaError.self) { try MetadataItems(meta(100)) }
  }

  /// A file of impossible size that contains only the structure.
  private struct HugeSource: ByteSource {
    let bytes: [UInt8]
    let count: Int

    func read(at offset: Int, count: Int) throws -> [UInt8] {
      (0..<count).map { offset + $0 < bytes.count ? bytes[offset + $0] : 0 }
    }
  }

  @Test func mediaAsLargeAsNumbersGoIsBounded() throws {
    // Samples of 4 GB each that share one position in a file with a stated size of 8 EB.
    var bytes = [UInt8](try Data(contentsOf: TestFiles.fixture("IMG_0001.MOV")))
    let movie = try Movie(MemoryByteSource(bytes))
    var moov = movie.moov
    let tracks = try moov.children.map { child in
      var child = child
      guard child.kind == "trak" else { return child }
      try child.update("mdia", "minf", "stbl", "stsz") { stsz in
        let count = stsz.bytes.count / 4 - 3
        for sample in 0..<max(0, count) {
          stsz.bytes.replaceSubrange(12 + 4 * sample..<16 + 4 * sample, with: word(-1))
        }
      }
      return child
    }
    moov = Atom("moov", children: tracks)
    let place = try #require(movie.fileAtoms.first { $0.kind == "moov" })
    bytes = Array(bytes[..<place.offset]) + moov.serialized
    let rest = Int.max - bytes.count
    bytes += word(1) + Array("free".utf8) + ByteOrder.big.bytes(of: rest, width: 8)
    do { _ = try Movie(HugeSource(bytes: bytes, count: .max)) } catch { #expect(error is MediaError) }
    do { _ = try MovieEvidence(reading: HugeSource(bytes: bytes, count: .max)) } catch {
      #expect(error is MediaError)
    }
  }

  @Test(arguments: [Int64.min, Int64.max, 1 << 48, -(1 << 48)]) func framesAtImpossibleTimes(_ time: Int64)
    throws
  {
    let source = MemoryByteSource([UInt8](try Data(contentsOf: TestFiles.fixture("IMG_0001.MOV"))))
    let movie = try Movie(source)
    let video = EncodedVideo(
      format: "avc1", configuration: [1, 2, 3], width: 96, height: 128, pixelTransform: .identity)
    let writer = try MovieWriter(
      movie: movie, source: source, video: video, orientation: .up, identifier: nil, sink: MemoryByteSink())
    #expect(throws: MediaError.self) { try writer.append([0], presentationTime: time, isSync: true) }
  }

  @Test func aStillTimeBeyondAllTimesIsNotKnown() throws {
    let photo = MemoryByteSource([UInt8](try Data(contentsOf: TestFiles.fixture("IMG_0001.JPG"))))
    for time in [1e19, -1e19, .infinity, .nan] {
      let sink = MemoryByteSink()
      _ = try MotionPhoto.write(
        photo: Photo(photo), movie: MemoryByteSource([1, 2, 3]), stillTime: time, to: sink)
      let text = String(decoding: sink.bytes, as: UTF8.self)
      #expect(text.contains("MotionPhotoPresentationTimestampUs=\"-1\""))
    }
  }
}
