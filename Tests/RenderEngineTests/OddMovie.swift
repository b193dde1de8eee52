import EditModel
import Foundation
import TestSupport
import Testing

@testable import RenderEngine

/// A kind of movie that cameras do not produce but that people have.
struct OddMovie: CustomTestStringConvertible, Sendable {
  let name: String
  /// The ffmpeg arguments from the end of its test picture to the output's name.
  var arguments: [String]
  var suffix = "mov"
  /// A change of the file that ffmpeg made.
  var change: @Sendable (inout MovieFile) throws -> Void = { _ in }
  /// The minimum PSNR in dB after a rotation of the pixels.
  var leastPSNR = 30.0

  var testDescription: String { name }

  init(
    _ name: String, _ arguments: [String] = OddMovie.h264, suffix: String = "mov", leastPSNR: Double = 30,
    change: @escaping @Sendable (inout MovieFile) throws -> Void = { _ in }
  ) {
    self.name = name
    self.arguments = arguments
    self.suffix = suffix
    self.leastPSNR = leastPSNR
    self.change = change
  }

  static let h264 = ["-c:v", "libx264", "-preset", "veryfast", "-crf", "12", "-pix_fmt", "yuv420p"]
  static let hevc = [
    "-c:v", "libx265", "-preset", "ultrafast", "-crf", "12", "-x265-params", "log-level=none", "-tag:v",
    "hvc1",
  ]
  static let sound = ["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=44100:duration=1", "-ac", "2"]

  /// Creates the movie in a folder.
  func make(in folder: TemporaryFolder) throws -> URL {
    try Data("1\n00:00:00,100 --> 00:00:00,600\nHello\n".utf8).write(to: folder.file("text.srt"))
    let chapters = [(0, 500, "One"), (500, 1000, "Two")].map {
      "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\($0)\nEND=\($1)\ntitle=\($2)\n"
    }
    try Data((";FFMETADATA1\n" + chapters.joined()).utf8).write(to: folder.file("chapters.txt"))
    let file = folder.file("movie." + suffix)
    let made = try Tools.run(
      ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=128x96:rate=12:duration=1"]
        + arguments + [file.lastPathComponent], in: folder.url)
    guard made.status == 0 else { throw ToolFailure("ffmpeg said: \(made.standardError)") }
    guard let last = try AtomTree.read(file).last, last.kind == "moov" else { return file }
    var movie = try MovieFile(file)
    try change(&movie)
    try movie.write(file)
    return file
  }

  /// Renders a movie alone, rotated clockwise by 90°.
  static func turn(
    _ movie: URL, to output: URL, lossless: Bool, codec: RenderSettings.VideoCodec? = nil,
    edit: Orientation = .right
  ) throws -> RenderResult {
    try render(
      RenderJob(
        photo: nil, movie: .init(source: movie.path, output: output.path), edit: Edit(orientation: edit),
        settings: RenderSettings(videoCodec: codec, isLossless: lossless), identifier: nil),
      progress: { _ in }, isCancelled: { false })
  }
}

/// A movie as ffprobe sees it.
struct ProbedMovie {
  typealias Fields = [String: String]
  let streams: [Fields]
  let packets: [Fields]

  init(_ file: URL) throws {
    let answer = try Tools.run([
      "ffprobe", "-v", "error", "-ignore_editlist", "1", "-show_streams", "-show_packets", "-show_data_hash",
      "md5", "-of", "json",
      file.path,
    ])
    let json = try JSONSerialization.jsonObject(with: answer.standardOutput) as? [String: Any] ?? [:]
    func list(_ name: String) -> [Fields] {
      (json[name] as? [[String: Any]] ?? []).map { fields in
        var text = (fields["tags"] as? [String: Any] ?? [:]).mapValues { "\($0)" }
        for (key, value) in fields where !(value is [String: Any]) { text[key] = "\(value)" }
        return text
      }
    }
    streams = list("streams")
    packets = list("packets")
  }

  var videoIndex: String? {
    streams.first { $0["codec_type"] == "video" }?["index"]
  }

  var video: Fields { streams.first { $0["codec_type"] == "video" } ?? [:] }

  /// Returns the packets of the video, or of all other streams, without fields that depend on the file's layout.
  func packets(ofVideo isVideo: Bool, _ names: [String]) -> [[String]] {
    packets.filter { ($0["stream_index"] == videoIndex) == isVideo }
      .map { packet in names.map { packet[$0] ?? "" } }.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// The streams other than the video. ffprobe guesses the starts and durations of unknown streams.
  var others: [Fields] {
    let guessed: Set<String> = ["start_pts", "start_time", "duration_ts", "duration"]
    return streams.filter { $0["index"] != videoIndex }.map { $0.filter { !guessed.contains($0.key) } }
  }
}
