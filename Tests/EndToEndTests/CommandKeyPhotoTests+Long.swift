import Foundation
import TestSupport
import Testing

extension CommandKeyPhotoTests {
  /// The new photo is the chosen frame, with the frame's size and time. The pair is still a Live Photo, and its movie
  /// is otherwise unchanged.
  @Test(arguments: CommandTrimTests.pairs(2, hasSample: true))
  func thePhotoIsTheFrame(_ original: URL) throws {
    let pair = try Pair(original)
    let before = try content(of: pair.folder.url)
    let times = try CommandTrimTests.times(pair.originalMovie)
    let still = try #require(try CommandTrimTests.still(pair.originalMovie))
    let number = 4
    // A time within a frame's duration selects that frame.
    let report = try pair.run("key-photo", "--at", "\((times[number] + times[number + 1]) / 2)", "--verbose")
    let wanted = try frame(number, of: pair.originalMovie)
    let made = try photo(pair.editedPhoto)
    #expect((made.width, made.height) == (wanted.width, wanted.height))
    let size = "\(wanted.width)x\(wanted.height) pixels; the original photo has"
    #expect(report.text.contains(size), "\(report.text)")
    let mean = difference(made, wanted)
    #expect(mean < 1, "\(mean)")
    // The photo declares the same colours as the frame.
    let primaries = try Tools.ffprobe(
      pair.originalMovie, "-select_streams", "v", "-show_entries", "stream=color_primaries"
    ).first
    let profile = try Tools.exiftool(pair.editedPhoto)["ICC_Profile:ProfileDescription"]
    #expect(profile == (primaries?.hasPrefix("smpte432") == true ? "Display P3" : nil))

    let (old, new) = (try date(original), try date(pair.editedPhoto))
    #expect(abs(new.milliseconds - old.milliseconds - (times[number] - still) * 1000) < 2)
    #expect(new.offset == old.offset)
    let moved = try #require(try CommandTrimTests.still(pair.editedMovie))
    #expect(abs(moved - times[number]) < 0.002)
    func streams(_ movie: URL) throws -> [String] {
      try Tools.output(
        "ffmpeg", "-v", "error", "-i", movie.path, "-map", "0:v", "-map", "0:a?", "-c", "copy", "-f",
        "streamhash", "-"
      )
      .lines
    }
    #expect(try streams(pair.editedMovie) == streams(pair.originalMovie))
    #expect(try CommandTrimTests.times(pair.editedMovie) == times)
    try pair.checkPair()
    #expect(try pair.run("history").text.contains("key photo at "))
    let listed = try Command.run("list", "--json", in: pair.folder.url).answers.first ?? ""
    #expect(
      listed.contains("\"width\":\(wanted.width)") && listed.contains("\"height\":\(wanted.height)"),
      "\(listed)")
    try pair.run("key-photo", "--reset")
    #expect(try content(of: pair.folder.url).filter { !$0.key.hasPrefix(".liveedit") } == before)
  }

  /// A rotation, a preset, a trim and a key photo are combined in one render of the originals, in any order. The result
  /// is the rotated frame, at the kept frames' times, with the audio of the kept span.
  @Test(arguments: CommandTrimTests.pairs(3)) func allOfItIsOneRender(_ original: URL) throws {
    let pair = try Pair(original)
    let before = try content(of: pair.folder.url)
    let times = try CommandTrimTests.times(pair.originalMovie)
    let (first, last, key) = (3, times.count - 4, 6)
    let wanted = try frame(key, of: pair.originalMovie).turned(byDegrees: 90)
    // The trim cuts off the moment of the original photo.
    try pair.run("rotate", "--degrees", "90")
    try pair.run(
      "trim", "--frames", "\(first + 1)..\(key + 4)", "--key-photo", "\(times[key])")
    let turned = difference(try photo(pair.editedPhoto), wanted)
    #expect(turned < 1, "\(turned)")
    try pair.run("trim", "--frames", "\(first + 1)..\(last)")
    let report = try pair.run("apply", "--preset", "vivid", "--verbose")
    let new = try CommandTrimTests.times(pair.editedMovie)
    #expect(new.count == last - first)
    for (one, other) in zip(new, times[first..<last]) { #expect(abs(one - (other - times[first])) < 0.0006) }
    let still = try #require(try CommandTrimTests.still(pair.editedMovie))
    #expect(abs(still - (times[key] - times[first])) < 0.002)
    try CommandTrimTests.expectSound(
      of: pair, from: times[first], to: times[last],
      said: report.text.contains("can be cut only between packets"))
    let made = try photo(pair.editedPhoto)
    #expect((made.width, made.height) == (wanted.width, wanted.height))
    try pair.checkPair()
    // The same edits made at once and in another order produce identical bytes.
    let render = try [pair.editedPhoto, pair.editedMovie].map { try Data(contentsOf: $0) }
    try pair.run("revert", "--to", "original")
    #expect(try content(of: pair.folder.url) == before)
    try pair.run("apply", "--preset", "vivid")
    try pair.run("key-photo", "--frame", "\(key + 1)")
    try pair.run("trim", "--frames", "\(first + 1)..\(last)")
    try pair.run("rotate", "--degrees", "90")
    #expect(try [pair.editedPhoto, pair.editedMovie].map { try Data(contentsOf: $0) } == render)
    // The photo rendered with the preset and the rotation looks like the movie at that time.
    let shown = try frame(key - first, of: pair.editedMovie)
    #expect(difference(made, shown) < 2.5, "\(difference(made, shown))")
    try pair.run("revert", "--to", "original")
    #expect(try content(of: pair.folder.url) == before)
  }

  /// With `--lossless`, the movie's coded frames are copied and the photo is encoded again.
  @Test func losslessConcernsTheMovie() throws {
    let pair = try Pair()
    let answer = try pair.run("trim", "--lossless", "--frames", "1..12", "--key-photo", "0.2", "--json")
    #expect(
      answer.text.contains(#""movie":"copied""#) && answer.text.contains(#""photo":"encoded""#),
      "\(answer.text)")
    try pair.checkPair()
    let times = try CommandTrimTests.times(pair.originalMovie)
    let number = try #require(times.lastIndex { $0 <= 0.2 })
    #expect(difference(try photo(pair.editedPhoto), try frame(number, of: pair.originalMovie)) < 1)
  }

  /// A photo taken from an HLG movie has the colours that SDR displays show, by the formula of ITU-R BT.2100 with a
  /// highlight shoulder.
  @Test func framesOfHDRHaveAProfile() throws {
    let folder = try TemporaryFolder()
    try folder.run(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x240:rate=15:duration=1", "-vf",
        "zscale=r=limited:m=2020_ncl:p=2020:t=arib-std-b67:rin=limited:min=709:pin=709:tin=709:npl=203,format=yuv420p10le",
        "-c:v", "libx265", "-crf", "6", "-x265-params", "log-level=none", "-color_primaries", "bt2020",
        "-color_trc",
        "arib-std-b67", "-colorspace", "bt2020nc", "-tag:v", "hvc1", "movie.mov",
      ])
    for name in ["IMG_0001.JPG", "IMG_0004.HEIC"] {
      try folder.copy(TestFiles.fixture(name))
      let made = try Tools.run(
        [Command.path, "create", "--photo", name, "--movie", "movie.mov", "--still-at", "0.5", "-o", "out"],
        in: folder.url)
      #expect(made.status == 0, "\(made.standardError)")
      let out = folder.file("out")
      let answer = try Tools.run([Command.path, "key-photo", "--frame", "3", name], in: out)
      #expect(answer.status == 0, "\(answer.standardError)")
      let edited = out.appendingPathComponent(name.replacing("IMG_", with: "IMG_E"))
      let profile = try Tools.exiftool(edited)["ICC_Profile:ProfileDescription"]
      #expect(profile == "Rec. 2020 HDR, shown as SDR")
    }
  }

  /// A frame with PAL primaries keeps its code values, and a colour profile defines their meaning: the primaries of
  /// ITU-R BT.470 BG, adapted to D50 with the Bradford matrix (ICC.1:2022, annex E).
  @Test(arguments: ["IMG_0001.JPG", "IMG_0004.HEIC"])
  func framesOfOtherPrimariesAreLabelledTruly(_ name: String) throws {
    let folder = try TemporaryFolder()
    try folder.run(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "color=0xC83C28:size=320x240:rate=15:duration=1,format=gbrp",
        "-vf",
        "scale=out_color_matrix=bt601:out_range=tv,format=yuv420p", "-c:v", "libx264", "-crf", "4",
        "-color_primaries", "bt470bg", "-color_trc", "smpte170m", "-colorspace", "bt470bg", "movie.mov",
      ])
    try folder.copy(TestFiles.fixture(name))
    let made = try Tools.run(
      [Command.path, "create", "--photo", name, "--movie", "movie.mov", "--still-at", "0.5", "-o", "out"],
      in: folder.url)
    #expect(made.status == 0, "\(made.standardError)")
    let answer = try Tools.run([Command.path, "key-photo", "--frame", "3", name], in: folder.file("out"))
    #expect(answer.status == 0, "\(answer.standardError)")
    let edited = folder.file("out/" + name.replacing("IMG_", with: "IMG_E"))
    let pixels = try photo(edited).pixels
    for (channel, wanted) in [200, 60, 40].enumerated() {
      #expect(abs(Int(pixels[3 * (320 * 120 + 160) + channel]) - wanted) < 4, "\(pixels.prefix(3))")
    }
    let tags = try Tools.exiftool(edited)
    #expect(tags["ICC_Profile:ProfileDescription"] == "BT.470 BG")
    let columns = [
      ("Red", [0.4552, 0.2323, 0.0145]), ("Green", [0.3676, 0.7078, 0.1049]),
      ("Blue", [0.1414, 0.0599, 0.7055]),
    ]
    for (name, wanted) in columns {
      let found = (tags["ICC_Profile:\(name)MatrixColumn"] ?? "").split(separator: " ").compactMap {
        Double($0)
      }
      #expect(found.count == 3 && zip(found, wanted).allSatisfy { abs($0 - $1) < 0.001 }, "\(name) \(found)")
    }
    #expect(tags["ExifIFD:ColorSpace"] == "65535")
  }

  /// If a frame with BT.709 colours replaces the picture of a Display P3 JPEG, the photo gets an sRGB profile (IEC
  /// 61966-2-1).
  @Test func aProfileGivesWayToThatOfSRGB() throws {
    let pair = try Pair("IMG_0002.JPG")
    #expect(
      try Tools.exiftool(pair.folder.file(pair.photo))["ICC_Profile:ProfileDescription"] == "Display P3")
    try pair.run("key-photo", "--frame", "3")
    let tags = try Tools.exiftool(pair.editedPhoto)
    #expect(tags["ICC_Profile:ProfileDescription"] == "sRGB")
    let red = (tags["ICC_Profile:RedMatrixColumn"] ?? "").split(separator: " ").compactMap { Double($0) }
    #expect(
      red.count == 3 && zip(red, [0.4360, 0.2225, 0.0139]).allSatisfy { abs($0 - $1) < 0.001 }, "\(red)")
    #expect(tags["ExifIFD:ColorSpace"] == "1")
  }

  /// A later trim cannot cut off the key photo. Presets and copied edits leave it alone unless the user names it.
  @Test func otherEditsKeepToIt() throws {
    let pair = try Pair()
    try pair.folder.copy(TestFiles.fixture("IMG_0002.JPG"), TestFiles.fixture("IMG_0002.MOV"))
    try pair.run("key-photo", "--at", "0.3")
    let cut = try Tools.run([Command.path, "trim", "--from", "0.6", pair.photo], in: pair.folder.url)
    #expect(
      cut.status == 1 && cut.standardError.contains("lies outside the trimmed range"), "\(cut.standardError)")
    try pair.run("adjust", "--exposure", "0.2")
    try pair.run("auto")
    try pair.run("apply", "--replace", "--preset", "mono")
    #expect(try pair.run("history").text.contains("key photo at 0.3"))
    func words(_ options: String...) throws -> String {
      let answer = try Tools.run(
        [Command.path, "apply", "--from", "IMG_0001.JPG"] + options + ["IMG_0002.JPG"], in: pair.folder.url)
      #expect(answer.status == 0, "\(answer.standardError)")
      return try Command.run("history", "IMG_0002.JPG", in: pair.folder.url).text
    }
    #expect(try !words().contains("key photo"))
    #expect(try words("--only", "key-photo").contains("key photo at 0.3"))
  }
}
