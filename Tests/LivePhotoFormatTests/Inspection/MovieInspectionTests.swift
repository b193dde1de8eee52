import Basics
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import LivePhotoFormat

@Suite struct MovieInspectionTests {
  @Test(arguments: movieFiles())
  func headersAreThoseOfExiftool(_ file: URL) throws {
    let movie = try MovieInspection(reading: try bytes(file))
    let tags = try Tools.exiftool(file)
    #expect(movie.brand == tags["QuickTime:MajorBrand"])
    #expect(movie.timeScale == tags["QuickTime:TimeScale"].flatMap(UInt32.init))
    #expect(close(movie.seconds, tags["QuickTime:Duration"]))
    #expect(movie.identifier == tags["Keys:ContentIdentifier"])
    #expect(movie.created == isoDate(tags["QuickTime:CreateDate"]))
    #expect(movie.modified == isoDate(tags["QuickTime:ModifyDate"]))
    let media = movie.atoms.filter { $0.type == "mdat" }
    #expect(media.count == 1)
    #expect(media.first.map { $0.size - 8 } == tags["QuickTime:MediaDataSize"].flatMap { Int($0) })
    for (index, track) in movie.tracks.enumerated() {
      func tag(_ name: String) -> String? { tags["Track\(index + 1):\(name)"] }
      #expect(track.number == tag("TrackID").flatMap(UInt32.init))
      #expect(track.handler == tag("HandlerType"))
      #expect(track.timeScale == tag("MediaTimeScale").flatMap(UInt32.init))
      #expect(close(track.seconds, tag("MediaDuration")))
      #expect(track.created == isoDate(tag("TrackCreateDate")))
      #expect(track.language == tag("MediaLanguageCode"))
      if let video = track.video { check(video, tag) }
      #expect(track.sound == nil || track.format == tag("AudioFormat"))
    }
  }

  private func check(_ video: VideoInspection, _ tag: (String) -> String?) {
    let matrix = (tag("MatrixStructure") ?? "").split(separator: " ").compactMap { Double($0) }
    #expect(video.matrix == matrix)
    func text(_ size: VideoInspection.Size?) -> String? { size.map { "\(Int($0.width)) \(Int($0.height))" } }
    #expect(Int(video.trackSize.width) == tag("ImageWidth").flatMap { Int($0) })
    #expect(Int(video.storedSize.height) == tag("SourceImageHeight").flatMap { Int($0) })
    #expect(text(video.trackApertures["clef"]) == tag("CleanApertureDimensions"))
    #expect(text(video.trackApertures["prof"]) == tag("ProductionApertureDimensions"))
    #expect(text(video.trackApertures["enof"]) == tag("EncodedPixelsDimensions"))
    #expect(close(video.frameRate, tag("VideoFrameRate")))
  }

  @Test(arguments: movieFiles())
  func soundAndHandlersAreThoseOfFFprobe(_ file: URL) throws {
    let movie = try MovieInspection(reading: try bytes(file))
    let names = try Tools.ffprobe(file, "-show_entries", "stream_tags=handler_name")
    #expect(movie.tracks.map(\.handlerName) == names.map { $0.replacingOccurrences(of: ",", with: "") })
    let sounds = try Tools.ffprobe(
      file, "-select_streams", "a", "-show_entries", "stream=sample_rate,channels,bits_per_sample")
    #expect(
      movie.tracks.compactMap(\.sound).map { "\(Int($0.sampleRate)),\($0.channels),\($0.bits)" } == sounds)
  }

  @Test(arguments: movieFiles())
  func framesAreThoseOfFFprobe(_ file: URL) throws {
    let movie = try MovieInspection(reading: try bytes(file))
    let track = try #require(movie.tracks.first { $0.handler == "vide" })
    let video = try #require(track.video)
    let packets = try Tools.ffprobe(
      file, "-ignore_editlist", "1", "-select_streams", "v:0", "-show_entries",
      "packet=dts_time,size,flags"
    ).map { $0.split(separator: ",") }
    // ffprobe's durations are wrong for reordered frames, but its decode times are correct.
    let times = packets.compactMap { Double($0[0]) }.sorted()
    let durations = zip(times, times.dropFirst()).map { $1 - $0 }
    #expect(track.sampleCount == packets.count)
    #expect(track.mediaBytes == packets.compactMap { Int($0[1]) }.reduce(0, +))
    #expect(video.syncFrameCount == packets.count { $0[2].hasPrefix("K") })
    #expect(abs(video.leastFrameRate - 1 / (try #require(durations.max()))) < 0.01)
    #expect(abs(video.greatestFrameRate - 1 / (try #require(durations.min()))) < 0.01)
    let stream = try Tools.ffprobe(
      file, "-select_streams", "v:0", "-show_entries", "stream=has_b_frames")
    #expect(video.isReordered == (stream.first?.hasPrefix("0") == false))
  }

  @Test(arguments: movieFiles())
  func stillTimeIsWhereFFprobeSeesTheTrackBegin(_ file: URL) throws {
    let movie = try MovieInspection(reading: try bytes(file))
    let track = try #require(
      movie.tracks.firstIndex { $0.timedKeys.contains { $0.name == Movie.stillImageTimeKey } })
    let start = try Tools.ffprobe(
      file, "-select_streams", "\(track)", "-show_entries", "packet=pts_time"
    ).first.map { $0.replacingOccurrences(of: ",", with: "") }
    #expect(close(movie.stillImageTime ?? -1, start))
  }

  @Test(arguments: movieFiles())
  func keysAreThoseOfOtherReaders(_ file: URL) throws {
    let movie = try MovieInspection(reading: try bytes(file))
    let answer = try Tools.run([
      "ffprobe", "-v", "error", "-show_entries", "format_tags", "-of", "json", file.path,
    ])
    let json = try JSONSerialization.jsonObject(with: answer.standardOutput) as? [String: [String: Any]]
    let theirs = try #require(json?["format"]?["tags"] as? [String: String])
    // exiftool reads 8-byte numbers; ffprobe does not.
    let tags = try Tools.exiftool(file)
    for key in movie.keys {
      switch key.value {
      case .text(let text):
        #expect(theirs[key.name] == text)
      case .signed(let number):
        #expect(tags[exiftoolName(key.name)] == String(number))
      case .unsigned(let number):
        #expect(tags[exiftoolName(key.name)] == String(number))
      case .float(let number):
        #expect(close(number, tags[exiftoolName(key.name)]))
      default:
        Issue.record("\(key.name) has a type that no sample had so far")
      }
    }
    #expect(movie.keys.count == theirs.keys.count { $0.hasPrefix("com.apple.quicktime.") })
  }

  @Test func timedKeysEditListAndUnknownAtomsAreThoseThatTheFixtureWasMadeWith() throws {
    let movie = try MovieInspection(reading: try bytes(TestFiles.fixture("IMG_0001.MOV")))
    #expect(movie.unknownAtoms == ["moov/xtra"])
    let still = try #require(movie.tracks.last)
    #expect(still.timedKeys.map(\.name) == [Movie.stillImageTimeKey])
    #expect(still.timedKeys.first?.firstValue == .signed(-1))
    #expect(still.timedKeys.first?.sampleCount == 1)
    #expect(still.editList.map(\.mediaTime) == [-1, 0])
    #expect(still.editList.map(\.duration) == [480, 1])
    #expect(still.references == [TrackInspection.Reference(type: "cdsc", tracks: [1581])])
    #expect(movie.tracks[2].timedKeys.first?.sampleCount == 40)
    #expect(movie.tracks[0].unknownAtoms == ["trak/xtra"])
  }

  @Test(arguments: movieFiles())
  func mediaIsNotReadButForTimedMetadata(_ file: URL) throws {
    let source = CountingSource(try bytes(file))
    let movie = try MovieInspection(reading: source)
    let moov = try #require(movie.atoms.first { $0.type == "moov" })
    let metadata = movie.tracks.filter { $0.format == "mebx" }.reduce(0) { $0 + $1.mediaBytes }
    #expect(source.bytesRead.load(ordering: .relaxed) <= moov.size + metadata + 16 * movie.atoms.count + 4)
  }

  @Test func valuesAreReadAsTheirTypesSay() {
    // The types are from QuickTime File Format, “Well-known types”.
    #expect(MetadataValue(type: 21, bytes: [0xFF, 0xFE]) == .signed(-2))
    #expect(MetadataValue(type: 22, bytes: [0xFF, 0xFE]) == .unsigned(65_534))
    #expect(MetadataValue(type: 23, bytes: [0x3F, 0x40, 0, 0]) == .float(0.75))
    #expect(MetadataValue(type: 24, bytes: [0xBF, 0xF0, 0, 0, 0, 0, 0, 0]) == .float(-1))
    #expect(MetadataValue(type: 65, bytes: [0x80]) == .signed(-128))
    #expect(MetadataValue(type: 78, bytes: [UInt8](repeating: 255, count: 8)) == .unsigned(.max))
    #expect(MetadataValue(type: 2, bytes: [0x00, 0x41, 0x20, 0xAC]) == .text("A€"))
    #expect(MetadataValue(type: 71, bytes: [0x44, 0xF0, 0, 0, 0x44, 0xB4, 0, 0]) == .floats([1920, 1440]))
    // A value that does not fit its type is kept as bytes.
    #expect(MetadataValue(type: 66, bytes: [1]) == .bytes([1]))
    #expect(MetadataValue(type: 1, bytes: [0xFF]) == .bytes([0xFF]))
    #expect(MetadataValue(type: 21, bytes: []) == .bytes([]))
  }

  @Test func damagedMoviesNeverCrash() throws {
    let whole = try Data(contentsOf: TestFiles.fixture("IMG_0001.MOV"))
    var random = SeededGenerator(seed: 7)
    var read = 0
    for _ in 0..<300 {
      var bytes = [UInt8](whole)
      for _ in 0..<4 {
        bytes[Int.random(in: bytes.count - 4446..<bytes.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      if (try? MovieInspection(reading: MemoryByteSource(bytes))) != nil { read += 1 }
      _ = try MovieEvidence(reading: MemoryByteSource(bytes))
    }
    #expect(read > 0 && read < 300)
  }
}

/// A source that counts the bytes requested.
private final class CountingSource: ByteSource {
  private let source: MemoryByteSource
  let bytesRead = Atomic<Int>(0)

  init(_ source: MemoryByteSource) { self.source = source }

  var count: Int { source.count }

  func read(at offset: Int, count: Int) throws -> [UInt8] {
    bytesRead.add(count, ordering: .relaxed)
    return try source.read(at: offset, count: count)
  }
}

private func bytes(_ file: URL) throws -> MemoryByteSource {
  MemoryByteSource([UInt8](try Data(contentsOf: file)))
}

private func close(_ number: Double, _ text: String?) -> Bool {
  text.flatMap(Double.init).map { abs($0 - number) <= max(abs(number), 1) * 1e-5 } ?? false
}

/// Converts exiftool's date format to ISO 8601.
private func isoDate(_ text: String?) -> String? {
  guard let text, !text.hasPrefix("0000") else { return nil }
  let parts = text.split(separator: " ")
  guard parts.count == 2 else { return nil }
  return parts[0].replacingOccurrences(of: ":", with: "-") + "T" + parts[1] + "Z"
}

/// Returns exiftool's name for a key: the joined words after Apple's prefix.
private func exiftoolName(_ key: String) -> String {
  if key.hasSuffix("full-frame-rate-playback-intent") { return "Keys:Full-frame-rate-playback-intent" }
  let words = key.dropFirst("com.apple.quicktime.".count).split { ".-_".contains($0) }
  return "Keys:" + words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
}
