import Basics
import EditModel
import Foundation
import RenderEngine
import TestSupport
import Testing

/// Tests of files with the largest numbers that their fields allow. They are rendered and converted in the test
/// process, which a trap would end.
@Suite struct BorderNumberTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Returns the fixture with one more item that has a 4-byte number, and without anything named Exif.
  private func photo(item: UInt32) throws -> URL {
    let output = folder.file("in.heic")
    try Tools.output(
      "python3", "-c",
      """
      import struct, sys
      data = open(sys.argv[1], "rb").read().replace(b"Exif\\0", b"Exix\\0", 1)
      new = struct.pack(">I", 21 + 2) + b"infe" + bytes([3, 0, 0, 1]) + struct.pack(">IH", int(sys.argv[3]), 0) + b"none\\0"
      def find(kind, at, end):
          while at < end:
              size = int.from_bytes(data[at:at + 4], "big")
              if data[at + 4:at + 8] == kind: return at, at + size
              at += size
          raise SystemExit("no " + kind.decode())
      def grow(out, at, by):
          out[at:at + 4] = (int.from_bytes(out[at:at + 4], "big") + by).to_bytes(4, "big")
      meta, end = find(b"meta", 0, len(data))
      iinf, stop = find(b"iinf", meta + 12, end)
      iloc, _ = find(b"iloc", meta + 12, end)
      assert data[iinf + 8] == 0 and data[iloc + 8] == 1 and data[iloc + 12:iloc + 14] == b"\\x44\\x00"
      out = bytearray(data)
      at = iloc + 16
      for _ in range(int.from_bytes(data[iloc + 14:iloc + 16], "big")):
          method, count = data[at + 3] & 15, int.from_bytes(data[at + 6:at + 8], "big")
          for extent in range(count):
              if method == 0: grow(out, at + 8 + 8 * extent, len(new))
          at += 8 + 8 * count
      count = int.from_bytes(out[iinf + 12:iinf + 14], "big") + 1
      out[iinf + 12:iinf + 14] = count.to_bytes(2, "big")
      grow(out, iinf, len(new))
      grow(out, meta, len(new))
      out[stop:stop] = new
      open(sys.argv[2], "wb").write(out)
      """, TestFiles.fixture("IMG_0004.HEIC").path, output.path, "\(item)")
    return output
  }

  /// Returns the types of a file's items by item number, as found by the independent parser.
  private func items(_ file: URL) throws -> [UInt32: String] {
    let script = TestFiles.project.appendingPathComponent("scripts/fixtures/walk-heif").path
    let walked = try JSONSerialization.jsonObject(
      with: Tools.output("python3", script, file.path).standardOutput)
    let items = try #require((walked as? [String: Any])?["items"] as? [String: [String: Any]])
    return Dictionary(
      uniqueKeysWithValues: try items.map { (try #require(UInt32($0)), $1["type"] as? String ?? "") })
  }

  @Test(arguments: [0x1_0000, 0x7FFF_FFFF, 0xFFFF_FFFE, 0xFFFF_FFFF] as [UInt32])
  func itemsOfTheLargestNumbers(_ item: UInt32) throws {
    let photo = try photo(item: item)
    #expect(try items(photo)[item] == "none")
    // A colour edit replaces the tiles, and a rotation only changes properties. Both add an Exif block with the
    // identifier.
    var colours = Edit.identity
    colours[.saturation] = -1
    for (index, edit) in [colours, Edit(orientation: .right)].enumerated() {
      let output = folder.file("out\(index).heic")
      let job = RenderJob(
        photo: .init(source: photo.path, output: output.path), movie: nil, edit: edit, settings: .standard,
        identifier: "00000000-0000-4000-8000-000000000000")
      _ = try InProcessRenderer().render(job, progress: { _ in }, isCancelled: { false })
      let walked = try items(output)
      #expect(walked[item] == "none")
      let exif = walked.filter { $0.value == "Exif" }.keys
      #expect(exif.count == 1 && exif.allSatisfy { (1...0xFFFF).contains($0) })
    }
  }

  /// Returns a fragmented movie in which the fragments of some tracks have this start time.
  private func movie(start: UInt64, tracks: Set<Int>) throws -> URL {
    let file = folder.file("in.mp4")
    try? FileManager.default.removeItem(at: file)
    try Tools.output(
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=10:duration=0.6", "-f", "lavfi",
      "-i",
      "sine=sample_rate=48000:duration=0.6", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p",
      "-c:a",
      "mp3", "-movflags", "frag_keyframe+empty_moov+default_base_moof", file.path)
    var bytes = [UInt8](try Data(contentsOf: file))
    var track = 0
    for at in 0..<bytes.count - 20 {
      if bytes[at..<at + 4].elementsEqual("tfhd".utf8) { track = Int(bytes[at + 11]) }
      guard bytes[at..<at + 4].elementsEqual("tfdt".utf8), tracks.contains(track) else { continue }
      try #require(bytes[at + 4] == 1)
      bytes.replaceSubrange(
        at + 8..<at + 16, with: (0..<8).map { UInt8(truncatingIfNeeded: start >> (56 - 8 * UInt64($0))) })
    }
    try Data(bytes).write(to: file)
    return file
  }

  @Test(
    arguments: [
      0x7000_0000_0000_0000, 0x7FFF_FFFF_FFFF_FFFF, 0x8000_0000_0000_0000, 0xFFFF_FFFF_FFFF_FFFF, 1 << 62,
      1 << 53,
    ] as [UInt64], [[1], [2], [1, 2]] as [Set<Int>])
  func fragmentsAtTheEndOfTime(_ start: UInt64, _ tracks: Set<Int>) throws {
    let source = try movie(start: start, tracks: tracks).path
    let output = folder.file("out").path
    let jobs: [ConversionJob] = [
      .movie(MovieConversion(source: source, output: output, container: .mov)),
      .movie(MovieConversion(source: source, output: output, container: .mov, range: 0.1...0.4)),
      .movie(MovieConversion(source: source, output: output, container: .mp4, range: 1e299...1e300)),
      .preview(movie: source, output: output, kind: .gif),
      .frame(movie: source, seconds: 0.3, output: output),
      .frame(movie: source, seconds: 1e300, output: output),
      .stillTime(photo: TestFiles.fixture("IMG_0003.JPG").path, movie: source),
    ]
    for job in jobs {
      do throws(EditError) {
        _ = try InProcessRenderer().convert(job, isCancelled: { false })
        try? FileManager.default.removeItem(atPath: output)
      } catch {
        #expect(error.file == source, "\(error)")
        #expect(!FileManager.default.fileExists(atPath: output))
      }
    }
  }

  @Test func ordinaryFragmentsAreConverted() throws {
    let source = try movie(start: 0, tracks: []).path
    let output = folder.file("out.mov")
    _ = try convert(
      .movie(MovieConversion(source: source, output: output.path, container: .mov)), isCancelled: { false })
    let frames = try Tools.ffprobe(
      output, "-select_streams", "v", "-count_frames", "-show_entries", "stream=nb_read_frames")
    #expect(frames == ["6"])
  }
}
