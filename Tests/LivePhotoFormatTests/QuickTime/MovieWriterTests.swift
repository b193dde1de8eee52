import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

/// A sink that collects a writer's bytes in memory.
final class MemorySink: ByteSink {
  var bytes: [UInt8] = []

  func write(_ new: [UInt8]) throws { bytes += new }

  func overwrite(at offset: Int, _ new: [UInt8]) throws {
    bytes.replaceSubrange(offset..<offset + new.count, with: new)
  }
}

/// Returns the fixtures' movies.
func movieFiles() -> [URL] {
  ["IMG_0001.MOV", "IMG_0002.MOV", "IMG_0003.MOV"].map(TestFiles.fixture)
}

func source(_ file: URL) throws -> MemoryByteSource {
  MemoryByteSource([UInt8](try Data(contentsOf: file)))
}

@Suite struct MovieWriterTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  static let newIdentifier = "01234567-89AB-5DEF-8123-456789ABCDEF"

  /// Returns every packet of every track, with track, times, size and hash as seen by ffmpeg's demuxer.
  func packets(_ file: URL, dropping dropped: Set<String> = []) throws -> [String] {
    try Tools.ffprobe(
      file, "-show_entries", "packet=stream_index,pts,dts,duration,size,flags,data_hash", "-show_data_hash",
      "md5"
    ).filter { !dropped.contains(String($0.prefix(1))) }
  }

  func write(_ file: URL, orientation: Orientation, identifier: String? = newIdentifier) throws -> URL {
    let source = try source(file)
    let sink = MemorySink()
    let writer = try MovieWriter(
      movie: try Movie(source), source: source, video: nil, orientation: orientation, identifier: identifier,
      sink: sink)
    try writer.finish()
    #expect(writer.removals.isEmpty)
    let output = folder.file("out-" + file.lastPathComponent)
    try Data(sink.bytes).write(to: output)
    return output
  }

  @Test(arguments: movieFiles())
  func keptFramesKeepEveryPacketAndTag(_ file: URL) throws {
    let orientation = try MovieSummary(try source(file)).orientation
    let output = try write(file, orientation: orientation)
    #expect(try packets(output).sorted() == packets(file).sorted())

    var before = try Tools.exiftool(file)
    var after = try Tools.exiftool(output)
    #expect(after["Keys:ContentIdentifier"] == Self.newIdentifier)
    for tags in [
      "Keys:ContentIdentifier", "QuickTime:MediaDataOffset", "QuickTime:MediaDataSize", "SourceFile",
    ] {
      before[tags] = nil
      after[tags] = nil
    }
    let own = { (tags: [String: String]) in
      tags.filter {
        !$0.key.hasPrefix("System:") && !$0.key.hasPrefix("ExifTool:") && !$0.key.hasPrefix("Composite:")
      }
    }
    // Photos writes translations that move the picture away from the origin; liveedit's are correct.
    let matrix = { (tags: [String: String]) in tags.filter { !$0.key.hasSuffix(":MatrixStructure") } }
    #expect(matrix(own(after)) == matrix(own(before)))
  }

  @Test(arguments: ["IMG_0001.MOV", "IMG_0002.MOV", "IMG_0003.MOV"])
  func everyMatrixShowsTheFrameAsExpected(_ name: String) throws {
    let file = TestFiles.fixture(name)
    let summary = try MovieSummary(try source(file))
    for orientation in Orientation.allCases {
      let output = try write(file, orientation: orientation)
      #expect(try MovieSummary(try source(output)).orientation == orientation)
      // ffmpeg applies the matrix itself, so its picture must have the rotated shape.
      let frame = folder.file("frame.pgm")
      let answer = try Tools.run([
        "ffmpeg", "-v", "error", "-y", "-i", output.path, "-frames:v", "1", "-pix_fmt", "gray", frame.path,
      ])
      #expect(answer.status == 0, "\(answer.standardError)")
      let header = String(decoding: try Data(contentsOf: frame).prefix(16), as: UTF8.self).split(
        separator: "\n")
      let (w, h) = (summary.storedWidth, summary.storedHeight)
      #expect(header[1] == (orientation.swapsAxes ? "\(h) \(w)" : "\(w) \(h)"))
    }
  }

  /// Writes new frames. Here they are the old frames, passed as if an encoder had produced them.
  func recompress(
    _ file: URL, transform: Orientation, identifier: String? = newIdentifier
  ) throws -> (output: URL, removals: [Removal]) {
    let source = try source(file)
    let movie = try Movie(source)
    let track = try movie.video
    let summary = try MovieSummary(movie)
    let stsd = try #require(try track.atom.first("mdia", "minf", "stbl", "stsd"))
    let description = try VisualSampleDescription(stsd: stsd)
    let configuration = try #require(description.first("avcC") ?? description.first("hvcC"))
    let size =
      transform.swapsAxes
      ? (summary.storedHeight, summary.storedWidth) : (summary.storedWidth, summary.storedHeight)
    let sink = MemorySink()
    let writer = try MovieWriter(
      movie: movie, source: source,
      video: EncodedVideo(
        format: summary.videoFormat, configuration: configuration.bytes, width: size.0, height: size.1,
        pixelTransform: transform),
      orientation: .up, identifier: identifier, sink: sink)
    let times = track.samples.compositionTimes
    for chunk in track.samples.chunks {
      var offset = chunk.offset
      for index in chunk.firstSample..<chunk.firstSample + chunk.sampleCount {
        let bytes = try source.read(at: offset, count: track.samples.size(of: index))
        offset += bytes.count
        try writer.append(
          bytes, presentationTime: Int64(times[index]),
          isSync: track.samples.syncSamples?.contains(index + 1) ?? true)
      }
    }
    try writer.finish()
    let output = folder.file("recompressed-" + file.lastPathComponent)
    try Data(sink.bytes).write(to: output)
    return (output, writer.removals)
  }

  @Test(arguments: movieFiles())
  func newFramesKeepTimesAndOtherTracks(_ file: URL) throws {
    let (output, removals) = try recompress(file, transform: .right)
    let video = { (file: URL) in
      try Tools.ffprobe(
        file, "-select_streams", "v:0", "-show_entries", "packet=pts,dts,duration,size,flags,data_hash",
        "-show_data_hash", "md5")
    }
    #expect(try video(output) == video(file))
    let sound = { (file: URL) in
      try Tools.ffprobe(
        file, "-select_streams", "a", "-show_entries", "packet=pts,duration,size,data_hash",
        "-show_data_hash", "md5")
    }
    #expect(try sound(output) == sound(file))

    // Metadata with positions in the unrotated picture is removed and reported.
    let tags = try Tools.run(["exiftool", "-ee", "-G3", "-a", output.path]).text
    for key in ["live-photo-info", "still-image-transform"] {
      let had = try Tools.run(["grep", "-c", key, file.path]).status == 0
      #expect(removals.contains { $0.name.contains(key) } == had)
      #expect(try Tools.run(["grep", "-c", key, output.path]).status != 0)
    }
    #expect(tags.contains("Still Image Time"))
    let still = { (file: URL) in
      try Tools.ffprobe(file, "-show_entries", "stream=codec_tag_string,start_time").filter {
        $0.contains("mebx")
      }
    }
    #expect(try still(output).last == still(file).last)
    let before = try Tools.exiftool(file)
    let after = try Tools.exiftool(output)
    let number = try #require(Movie(source(file)).tracks.firstIndex { $0.handler == "vide" }) + 1
    #expect(
      after["Track\(number):ImageWidth"] == before["Track\(number):ImageHeight"]
        || before["Track\(number):ImageHeight"] == nil)
    for key in ["CleanApertureDimensions", "ProductionApertureDimensions", "EncodedPixelsDimensions"] {
      let old = before["Track\(number):\(key)"]?.split(separator: " ").reversed().joined(separator: " ")
      #expect(after["Track\(number):\(key)"] == old)
    }
  }

  @Test func moovBeforeTheMediaStaysThere() throws {
    let fast = folder.file("fast.mov")
    let made = try Tools.run([
      "ffmpeg", "-v", "error", "-i", TestFiles.fixture("IMG_0001.MOV").path, "-map", "0:v", "-map", "0:a",
      "-c",
      "copy", "-movflags", "+faststart+use_metadata_tags", fast.path,
    ])
    #expect(made.status == 0, "\(made.standardError)")
    let output = try write(fast, orientation: .right, identifier: nil)
    #expect(try packets(output) == packets(fast))
    let atoms = try FileAtom.scan(try source(output)).map(\.kind.description)
    #expect(atoms.firstIndex(of: "moov") ?? 9 < atoms.firstIndex(of: "mdat") ?? 0)
    let recompressed = try recompress(fast, transform: .down, identifier: nil)
    #expect(try packets(recompressed.output).sorted() == packets(fast).sorted())
  }

  @Test func tooFewAndTooManyFramesAreErrors() throws {
    let source = try source(TestFiles.fixture("IMG_0001.MOV"))
    let video = EncodedVideo(format: "avc1", configuration: [1], width: 8, height: 8, pixelTransform: .right)
    let writer = try MovieWriter(
      movie: try Movie(source), source: source, video: video, orientation: .up, identifier: nil,
      sink: MemorySink())
    #expect(throws: MediaError.self) { try writer.finish() }
    let count = try MovieSummary(source).frameCount
    for index in 0..<count { try writer.append([0], presentationTime: Int64(index), isSync: true) }
    #expect(throws: MediaError.self) { try writer.append([0], presentationTime: 0, isSync: true) }
  }

  @Test func noMediaIsLeftThatBelongsToNoTrack() throws {
    var bytes = [UInt8](try Data(contentsOf: TestFiles.fixture("IMG_0001.MOV")))
    let secret = Array("cropped away and forgotten".utf8)
    for atom in [Atom("free", secret), Atom("mdat", secret)] { bytes += atom.serialized }
    let file = folder.file("dead.mov")
    try Data(bytes).write(to: file)
    let output = try write(file, orientation: .up)
    #expect(try Data(contentsOf: output).range(of: Data(secret)) == nil)
  }
}
