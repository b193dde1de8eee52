import Foundation
import TestSupport
import Testing

/// Tests of the memory that a render needs, in the command and its helper: 64 MB, sixteen bytes for each pixel of each
/// frame in flight, and the memory of an encoder for the same movie.
@Suite struct RenderMemoryTests {
  struct Pair: CustomTestStringConvertible {
    let folder: String
    let photo: String
    let movie: String
    /// The number of pixels in the photo and in a frame.
    let pixels: (photo: Int, frame: Int)
    let encoder: [String]

    var testDescription: String { folder }
  }

  private static let h264 = ["-c:v", "libx264", "-preset", "veryfast", "-threads", "2"]
  private static let hevc = [
    "-c:v", "libx265", "-preset", "ultrafast", "-threads", "2", "-x265-params",
    "log-level=none:pools=4:frame-threads=1:rc-lookahead=5:bframes=3",
  ]
  /// One pair made by ffmpeg, and two from LIVEEDIT_SAMPLES.
  static let pairs =
    [
      Pair(
        folder: "made", photo: "IMG_0001.JPG", movie: "IMG_0001.MOV", pixels: (4000 * 3000, 1440 * 1080),
        encoder: h264)
    ] + (TestFiles.samples == nil ? [] : real)
  private static let real = [
    Pair(
      folder: "iphone-6s-jpeg", photo: "IMG_0728.JPG", movie: "IMG_0728.MOV",
      pixels: (4032 * 3024, 1440 * 1080), encoder: h264),
    Pair(
      folder: "iphone-15plus-heic", photo: "IMG_3853.HEIC", movie: "IMG_3853.MOV",
      pixels: (5712 * 4284, 1920 * 1440), encoder: hevc),
  ]

  /// Two frames wait before processing and two after it, two are being processed, and noise analysis uses five.
  private static let framesInFlight = 11

  /// Returns the peak memory of a command or of a process that it waited for, in bytes.
  private func peak(_ words: [String], in folder: URL? = nil) throws -> Int {
    let measuring = """
      import resource, subprocess, sys
      subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
      print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)
      """
    let output = try Tools.run(["python3", "-c", measuring] + words, in: folder)
    return try #require(
      Int(output.text.trimmingCharacters(in: .whitespacesAndNewlines)), "\(output.standardError)")
  }

  /// Creates a 12-megapixel Live Photo.
  private func made(in folder: TemporaryFolder) throws -> URL {
    let source = ["ffmpeg", "-v", "error", "-f", "lavfi", "-i"]
    let (photo, movie) = (folder.file("IMG_0001.JPG").path, folder.file("IMG_0001.MOV").path)
    for words in [
      source + ["testsrc2=size=4000x3000", "-frames:v", "1", photo],
      source + ["testsrc2=size=1440x1080:rate=30:duration=1", "-pix_fmt", "yuv420p"] + Self.h264 + [movie],
      [
        Command.path, "create", "--photo", photo, "--movie", movie, "-o",
        folder.file("made").path,
      ],
    ] {
      let answer = try Tools.run(words)
      try #require(answer.status == 0, "\(answer.standardError)")
    }
    return folder.file("made")
  }

  @Test(
    .enabled(if: Tools.canLimit, "a sanitizer takes memory of its own"),
    arguments: pairs)
  func rendersTakeWhatTheirPicturesNeed(_ pair: Pair) throws {
    let source = try TemporaryFolder()
    let place =
      try TestFiles.samples.flatMap { pair.folder == "made" ? nil : $0.appendingPathComponent(pair.folder) }
      ?? made(in: source)
    let encoder = try peak(
      ["ffmpeg", "-v", "error", "-i", place.appendingPathComponent(pair.movie).path, "-an"] + pair.encoder
        + ["-f", "null", "-"])
    let most =
      64 << 20 + 16 * (pair.pixels.photo + Self.framesInFlight * pair.pixels.frame) + encoder
    let edits = [
      ["rotate", "--degrees", "90"],
      ["adjust", "--exposure", "0.2", "--shadows", "0.3", "--noise-reduction", "0.5", "--sharpness", "0.3"],
    ]
    for edit in edits {
      let folder = try TemporaryFolder()
      let taken = try peak(
        [Command.path] + edit + ["-o", folder.url.path, place.appendingPathComponent(pair.photo).path])
      print(
        "\(pair.folder), \(edit[0]): \(taken >> 20) MB of \(most >> 20), an encoder alone \(encoder >> 20)")
      #expect(taken <= most, "\(edit[0]) took \(taken >> 20) MB of \(most >> 20)")
    }
  }
}
