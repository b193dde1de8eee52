import Foundation
import TestSupport
import Testing

/// Tests of `liveedit create` with many kinds of sources; exiftool, ffprobe and `verify` inspect the resulting pairs.
@Suite struct CommandCreateTests {
  /// A movie that the test creates with ffmpeg: its file name and the ffmpeg output options.
  struct Source: CustomTestStringConvertible {
    let name: String
    let options: [String]
    /// Whether the frames can be copied without re-encoding.
    var isCopied = true
    var hasSound = true
    var testDescription: String { name }
  }

  static let h264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"]

  static let sources = [
    Source(name: "h264.mp4", options: h264 + ["-c:a", "aac"]),
    Source(
      name: "hev1.mp4",
      options: [
        "-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none", "-pix_fmt", "yuv420p",
        "-tag:v",
        "hev1", "-c:a", "aac",
      ]),
    Source(name: "prores.mov", options: ["-c:v", "prores_ks", "-c:a", "pcm_s16le"], isCopied: false),
    Source(
      name: "vp9.mkv",
      options: [
        "-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-pix_fmt", "yuv420p", "-c:a",
        "libopus",
      ],
      isCopied: false),
    Source(
      name: "av1.webm",
      options: ["-c:v", "libaom-av1", "-usage", "realtime", "-cpu-used", "8", "-pix_fmt", "yuv420p", "-an"],
      isCopied: false, hasSound: false),
    Source(name: "rotated.mp4", options: h264 + ["-c:a", "aac", "-metadata:s:v", "rotate=90"]),
    Source(name: "sixty.mov", options: ["-r", "60"] + h264 + ["-c:a", "aac"]),
    Source(
      name: "variable.mp4",
      options: ["-vf", "select=not(eq(mod(n\\,5)\\,0))", "-vsync", "vfr"] + h264 + ["-an"],
      hasSound: false),
    Source(name: "mpeg4.avi", options: ["-c:v", "mpeg4", "-c:a", "mp3"], isCopied: false),
    Source(name: "stream.ts", options: h264 + ["-c:a", "aac"]),
    Source(
      name: "fragments.mp4", options: h264 + ["-c:a", "aac", "-movflags", "frag_keyframe+empty_moov"]),
    Source(
      name: "odd.mkv", options: ["-vf", "scale=161:119", "-c:v", "ffv1", "-an"], isCopied: false,
      hasSound: false),
  ]

  /// Returns a folder with a moving scene saved as `name`, and an empty folder in it for the results.
  func scene(_ name: String, _ options: [String]) throws -> (folder: TemporaryFolder, out: URL) {
    let folder = try TemporaryFolder()
    try folder.run(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x120:rate=30:duration=1.5", "-f", "lavfi", "-i",
        "sine=frequency=440:duration=1.5",
      ] + options + [name])
    let out = folder.file("out")
    try FileManager.default.createDirectory(at: out, withIntermediateDirectories: false)
    return (folder, out)
  }

  /// Returns ffmpeg's PSNR between two pictures, in dB.
  func likeness(_ picture: URL, _ other: URL) throws -> Double {
    let measured = try Tools.run([
      "ffmpeg", "-i", picture.path, "-i", other.path, "-lavfi",
      "[0]format=rgb24[a];[1]format=rgb24[b];[a][b]psnr", "-f", "null", "-",
    ])
    let average = measured.standardError.components(separatedBy: "average:").last?.split(separator: " ").first
    return average.flatMap { Double($0) } ?? 0
  }

  /// Returns the PSNR between a picture and frame 27 of `clip.mov`, in dB.
  func likenessToFrame27(_ picture: URL, in folder: TemporaryFolder) throws -> Double {
    try folder.run(
      "ffmpeg", ["-v", "error", "-i", "clip.mov", "-vf", "select=eq(n\\,27)", "-frames:v", "1", "27.png"])
    return try likeness(picture, folder.file("27.png"))
  }

  /// Returns the photo's time in the movie, as ffprobe reads it with the edit list applied.
  func stillTime(of movie: URL) throws -> Double? {
    try Tools.ffprobe(movie, "-show_entries", "stream=codec_tag_string,start_time").last {
      $0.contains("mebx")
    }?
    .split(separator: ",").last.flatMap { Double($0) }
  }

  @Test(arguments: ["cover.png", "cover.webp", "cover.tiff"])
  func photosOfOtherKindsBecomeJPEGs(name: String) throws {
    let (folder, out) = try scene("clip.mp4", Self.h264 + ["-an"])
    try folder.run("ffmpeg", ["-v", "error", "-ss", "0.5", "-i", "clip.mp4", "-frames:v", "1", name])
    try folder.run(
      "exiftool",
      [
        "-q", "-overwrite_original", "-Keys:GPSCoordinates=48.137, 11.575, 500", "-Keys:Model=FX-900",
        "-Keys:CreationDate=2021:03:04 10:11:12-08:00", "clip.mp4",
      ])
    let answer = try Command.run(
      "create", "--photo", name, "--movie", "clip.mp4", "--still-at", "0.5", "-o", "out", in: folder.url)
    #expect(answer.status == 0, "\(answer.standardError)")
    let photo = out.appendingPathComponent("cover.JPG")
    let tags = try tags(of: photo)
    #expect(tags["ExifIFD:DateTimeOriginal"] == "2021:03:04 10:11:12")
    #expect(tags["ExifIFD:OffsetTimeOriginal"] == "-08:00")
    #expect(tags["IFD0:Model"] == "FX-900")
    #expect(abs((tags["GPS:GPSLatitude"].flatMap { Double($0) } ?? 0) - 48.137) < 0.0001)
    #expect(abs((tags["GPS:GPSLongitude"].flatMap { Double($0) } ?? 0) - 11.575) < 0.0001)
    #expect(abs((try #require(try stillTime(of: out.appendingPathComponent("cover.MOV")))) - 0.5) < 0.002)
    // The JPEG shows the same picture as the source.
    #expect(try likeness(photo, folder.file(name)) > 30)
  }

  @Test func theMovieTakesDatePlaceAndCameraFromThePhoto() throws {
    let (folder, out) = try scene("clip.mp4", Self.h264 + ["-an"])
    try folder.run("ffmpeg", ["-v", "error", "-i", "clip.mp4", "-frames:v", "1", "cover.jpg"])
    try folder.run(
      "exiftool",
      [
        "-q", "-overwrite_original", "-Make=Phonemaker", "-Model=FX-900",
        "-DateTimeOriginal=2021:03:04 10:11:12",
        "-OffsetTimeOriginal=+01:00", "-GPSLatitude=33.5", "-GPSLatitudeRef=S", "-GPSLongitude=70.25",
        "-GPSLongitudeRef=W", "cover.jpg",
      ])
    let answer = try Command.run(
      "create", "--photo", "cover.jpg", "--movie", "clip.mp4", "-o", "out", in: folder.url)
    #expect(answer.status == 0, "\(answer.standardError)")
    let tags = try tags(of: out.appendingPathComponent("cover.mov"))
    #expect(tags["Keys:Make"] == "Phonemaker" && tags["Keys:Model"] == "FX-900")
    #expect(tags["Keys:CreationDate"] == "2021:03:04 10:11:12+01:00")
    #expect(tags["Keys:GPSCoordinates"] == "-33.5 -70.25")
  }

  @Test func aMovieAloneGivesItsFrameAsThePhoto() throws {
    let (folder, out) = try scene("clip.mov", Self.h264 + ["-c:a", "aac", "-metadata:s:v", "rotate=90"])
    let answer = try Command.run(
      "create", "--movie", "clip.mov", "--still-at", "0.91", "--trim", "0.4..1.4", "-o", "out", in: folder.url
    )
    #expect(answer.status == 0, "\(answer.standardError)")
    let made = out.appendingPathComponent("clip.MOV")
    let times = try frameTimes(of: made)
    #expect(times.count == 30)
    let still = try #require(try stillTime(of: made))
    // Frame 27 begins at 0.9 s, which is 0.5 s into the kept part.
    #expect(abs(still - 0.5) < 0.005)
    #expect(try likenessToFrame27(out.appendingPathComponent("clip.JPG"), in: folder) > 26)
    #expect(try Command.run("verify", "out/clip.JPG", in: folder.url).status == 0)
  }

  @Test(arguments: ["--json", "--samsung"])
  func aMotionPhotoComesBackAsALivePhoto(option: String) throws {
    let folder = try TemporaryFolder()
    try folder.copy(TestFiles.fixture("IMG_0001.JPG"), TestFiles.fixture("IMG_0001.MOV"))
    for name in ["out", "back"] {
      try FileManager.default.createDirectory(at: folder.file(name), withIntermediateDirectories: false)
    }
    #expect(
      try Command.run("export", "--as", "motion-photo", option, "-o", "out", "IMG_0001.JPG", in: folder.url)
        .status == 0)
    let answer = try Command.run("create", "--from", "out/IMG_0001.MP.JPG", "-o", "back", in: folder.url)
    #expect(answer.status == 0, "\(answer.standardError)")
    let (old, new) = (folder.file("IMG_0001.MOV"), folder.file("back").appendingPathComponent("IMG_0001.MOV"))
    #expect(try frameTimes(of: new).count == frameTimes(of: old).count)
    #expect(abs(try #require(try stillTime(of: new)) - #require(try stillTime(of: old))) < 0.003)
    let photo = folder.file("back").appendingPathComponent("IMG_0001.JPG")
    let tags = try tags(of: photo)
    #expect(!tags.keys.contains { $0.hasPrefix("XMP-GCamera") || $0.hasPrefix("Samsung") })
    let pixels = try [photo, folder.file("IMG_0001.JPG")].map { try Tools.output("djpeg", $0.path).bytes }
    #expect(pixels[0] == pixels[1])
    #expect(try Command.run("verify", "back/IMG_0001.JPG", in: folder.url).status == 0)
  }
}
