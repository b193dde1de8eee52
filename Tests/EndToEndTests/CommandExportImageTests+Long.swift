import Foundation
import TestSupport
import Testing

extension CommandExportImageTests {
  @Test(arguments: Cases.chosen(["IMG_0001", "IMG_0002", "IMG_0003"]) { index, _ in index == 0 })
  func videosOfOthersAreWhatEveryBrowserPlays(_ stem: String) throws {
    try videosAreWhatEveryBrowserPlays(stem)
  }

  private func meanDifference(_ one: Picture, _ other: Picture) -> Double {
    let sum = zip(one.pixels, other.pixels).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    return Double(sum) / Double(max(one.pixels.count, 1))
  }

  /// The ffmpeg filters that rotate a stored picture upright, by Exif orientation.
  private static let turns = [
    "1": "null", "2": "hflip", "3": "hflip,vflip", "4": "vflip", "5": "transpose=0", "6": "transpose=1",
    "7": "transpose=3", "8": "transpose=2",
  ]

  /// Exported images match ffmpeg's rendition. Only JPEGs are compared, because ffmpeg uses their colours as they are.
  @Test(
    arguments: Cases.chosen(["IMG_0001.JPG", "IMG_0002.JPG", "IMG_0003.JPG"]) { index, _ in index == 1 },
    [("png", 300), ("jpeg", 300), ("jpeg", 90_000)])
  func imagesLookAsFFmpegHasThem(_ name: String, _ form: (format: String, size: Int)) throws {
    let (folder, out) = try prepared(name, String(name.prefix(8)) + ".MOV")
    _ = try export(folder, "--as", "image", "--size", "\(form.size)", "--format", form.format, name)
    let made = try picture(
      out.appendingPathComponent(String(name.prefix(8)) + (form.format == "jpeg" ? ".jpg" : ".png")))
    let turn = try #require(Self.turns[try tags(of: folder.file(name))["IFD0:Orientation"] ?? "1"])
    let shown = try picture(
      folder.file(name),
      "\(turn),scale=\(made.width):\(made.height):flags=lanczos+accurate_rnd+full_chroma_int")
    #expect(shown.pixels.count == made.pixels.count)
    #expect(meanDifference(made, shown) < 2)
  }

  /// Exports images from real photos, if samples are available.
  @Test(
    .enabled(if: TestFiles.samples != nil, "LIVEEDIT_SAMPLES names no samples"),
    arguments: ["iphone-6s-jpeg/IMG_0728.JPG", "iphone-15pro-heic/IMG_3582.HEIC"])
  func samplesAreUprightAndFit(_ name: String) throws {
    let sample = try #require(TestFiles.sample(name))
    let folder = try TemporaryFolder()
    try folder.copy(sample)
    let file = sample.lastPathComponent
    _ = try export(folder, "--as", "image", "--size", "1440", "--format", "png", file)
    let made = try picture(folder.file("out/\(file.prefix(8)).png"))
    #expect((made.width, made.height) == (1080, 1440))
    guard name.hasSuffix("JPG") else { return }
    let shown = try picture(sample, "transpose=1,scale=1080:1440:flags=lanczos+accurate_rnd+full_chroma_int")
    #expect(meanDifference(made, shown) < 2)
  }

  @Test func coloursBecomeSRGBWhereAsked() throws {
    let (folder, out) = try prepared("IMG_0004.HEIC", "IMG_0004.MOV")
    for profile in ["keep", "srgb"] {
      _ = try export(
        folder, "--as", "image", "--format", "png", "--profile", profile, "--name", profile, "IMG_0004.HEIC")
    }
    let (kept, changed) = (out.appendingPathComponent("keep.png"), out.appendingPathComponent("srgb.png"))
    let profile = try tags(of: kept)["ICC_Profile:ProfileDescription"]
    #expect(profile?.contains("P3") ?? false)
    #expect(try tags(of: changed)["ICC_Profile:ProfileDescription"] == nil)
    let managed = try picture(
      kept, "format=gbrp,zscale=min=gbr:pin=smpte432:tin=iec61966-2-1:m=gbr:p=709:t=iec61966-2-1,format=gbrp")
    let (one, other) = (try picture(kept), try picture(changed))
    #expect(other.corners == "RGBY" && meanDifference(one, other) > 2)
    #expect(meanDifference(managed, other) < 1)
  }

  @Test func strippedImagesTellNothing() throws {
    let (folder, out) = try prepared("IMG_0001.JPG", "IMG_0001.MOV")
    for format in ["jpeg", "png", "webp"] {
      _ = try export(
        folder, "--as", "image", "--format", format, "--strip", "all", "--name", "all", "IMG_0001.JPG")
      _ = try export(
        folder, "--as", "image", "--format", format, "--strip", "location", "--name", "place", "IMG_0001.JPG")
      let suffix = format == "jpeg" ? "jpg" : format
      let all = try tags(of: out.appendingPathComponent("all." + suffix))
      let place = try tags(of: out.appendingPathComponent("place." + suffix))
      #expect(!all.keys.contains { $0.hasPrefix("GPS:") || $0.hasPrefix("ExifIFD:") || $0 == "IFD0:Model" })
      #expect(!place.keys.contains { $0.hasPrefix("GPS:") } && place["IFD0:Model"] != nil)
    }
  }

  /// Compares the centre of frames. ffmpeg converts the colours with zscale: wide colours and full range become BT.709.
  @Test func videosKeepTheirColours() throws {
    let (folder, out) = try prepared("IMG_0004.HEIC", "IMG_0004.MOV")
    _ = try export(folder, "--as", "video", "IMG_0004.HEIC")
    let info = try streams(of: folder.file("IMG_0004.MOV"))
    func named(_ key: String) -> String {
      ["smpte432": "smpte432", "smpte170m": "170m"][info["streams.stream.0." + key] ?? ""] ?? "709"
    }
    let range = info["streams.stream.0.color_range"] == "pc" ? "full" : "limited"
    func frame(_ movie: URL, _ source: String) throws -> Picture {
      let decoded = try Tools.output(
        "ffmpeg", "-v", "error", "-i", movie.path, "-frames:v", "1", "-vf",
        "zscale=\(source):tin=iec61966-2-1:r=full:m=gbr:p=709:t=iec61966-2-1,format=gbrp", "-f", "image2pipe",
        "-c:v", "ppm", "-")
      return try Picture(ppm: decoded.standardOutput)
    }
    let old = try frame(
      folder.file("IMG_0004.MOV"), "rin=\(range):min=\(named("color_space")):pin=\(named("color_primaries"))")
    let new = try frame(out.appendingPathComponent("IMG_0004.mp4"), "rin=limited:min=709:pin=709")
    #expect(old.pixels.count == new.pixels.count && meanDifference(old, new) < 3)
  }

  /// HLG reference white becomes slightly darker than white, brighter values lie between the two, and greys stay
  /// neutral.
  @Test func videosOfHDRBecomeSDR() throws {
    let folder = try TemporaryFolder()
    try folder.run(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i",
        "color=gray:size=192x96:rate=10:duration=0.5,format=yuv420p10le,"
          + "geq=lum='64+876*if(lt(X,96),0.75,if(lt(X,144),1,0.25))':cb=512:cr=512", "-c:v", "libx265",
        "-x265-params",
        "log-level=none:colorprim=bt2020:transfer=arib-std-b67:colormatrix=bt2020nc:lossless=1",
        "-color_primaries", "bt2020", "-color_trc", "arib-std-b67", "-colorspace", "bt2020nc", "-tag:v",
        "hvc1",
        "IMG_0009.MOV",
      ])
    let answer = try export(folder, "--as", "video", "IMG_0009.MOV")
    #expect(answer.text.contains("HDR"))
    let movie = folder.file("out/IMG_0009.mp4")
    let found = try streams(of: movie)
    #expect(
      found["streams.stream.0.pix_fmt"] == "yuv420p" && found["streams.stream.0.color_transfer"] == "bt709")
    let decoded = try Tools.output(
      "ffmpeg", "-v", "error", "-i", movie.path, "-frames:v", "1", "-vf",
      "zscale=rin=limited:min=709:r=full:m=gbr,format=gbrp", "-f", "image2pipe", "-c:v", "ppm", "-")
    let frame = try Picture(ppm: decoded.standardOutput)
    // A linear value of 0.853 is 0.931 in sRGB. A scene-linear value of 0.25² / 3 is 0.0786 of reference white.
    for (x, wanted) in [(40, 237), (120, 255), (170, 79)] {
      #expect(frame.pixel(x, 48).allSatisfy { abs($0 - wanted) <= 2 }, "\(frame.pixel(x, 48)), not \(wanted)")
    }
  }

  /// Frames with uneven durations behind an edit list, with audio: video and audio keep their start and end times.
  @Test func videosKeepTheirTimes() throws {
    let folder = try TemporaryFolder()
    try folder.run(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x120:rate=30:duration=3", "-f", "lavfi", "-i",
        "sine=frequency=440:duration=3", "-vf", "select='not(mod(n,3))+lt(mod(n,7),2)'", "-fps_mode", "vfr",
        "-g", "15",
        "-c:v", "libx264", "-bf", "2", "-c:a", "pcm_s16le", "whole.mov",
      ])
    try folder.run("ffmpeg", ["-v", "error", "-ss", "0.7", "-i", "whole.mov", "-c", "copy", "IMG_0008.MOV"])
    _ = try export(folder, "--as", "video", "--size", "100", "IMG_0008.MOV")
    let (old, new) = (folder.file("IMG_0008.MOV"), folder.file("out/IMG_0008.mp4"))
    let times = (try frameTimes(of: old), try frameTimes(of: new))
    #expect(times.0.count == times.1.count && times.0.count > 30)
    for (a, b) in zip(times.0, times.1) { #expect(abs(a - b) < 0.002) }
    func soundEnd(_ movie: URL) throws -> Double {
      let packets = try Tools.ffprobe(
        movie, "-select_streams", "a:0", "-show_entries", "packet=pts_time,duration_time")
      return packets.compactMap { line -> Double? in
        let numbers = line.split(separator: ",").compactMap { Double($0) }
        return numbers.count >= 2 ? numbers[0] + numbers[1] : nil
      }.max() ?? 0
    }
    #expect(try abs(soundEnd(old) - soundEnd(new)) < 0.05)
  }

  @Test func namesFollowAPattern() throws {
    let (folder, out) = try prepared("IMG_0001.JPG", "IMG_0001.MOV", "IMG_0003.JPG", "IMG_0003.MOV")
    let pattern = "{date:%Y-%m}/{stem}-{kind}"
    let date = try #require(try tags(of: folder.file("IMG_0001.JPG"))["ExifIFD:DateTimeOriginal"])
    let month = date.prefix(7).replacingOccurrences(of: ":", with: "-")
    for dry in [true, false] {
      let answer = try export(
        folder, "--as", "pair", "--name", pattern, dry ? "--dry-run" : "--json", "IMG_0001.JPG")
      #expect(answer.text.contains("out/\(month)/IMG_0001-live.MOV"))
      #expect(FileManager.default.fileExists(atPath: out.path + "/" + month) == !dry)
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: out.path + "/" + month).sorted()
        == ["IMG_0001-live.JPG", "IMG_0001-live.MOV"])
    let again = try export(folder, status: 1, "--as", "pair", "--name", pattern, "IMG_0001.JPG")
    #expect(again.standardError.contains("already exists"))
    for (form, names) in [
      ("pvt", ["x.pvt", "x-2.pvt"]), ("motion-photo", ["x.MP.JPG", "x-2.MP.JPG"]),
      ("gif", ["x.gif", "x-2.gif"]),
      ("image", ["x.jpg", "x-2.jpg"]), ("still", ["x.JPG", "x-2.JPG"]),
    ] {
      let planned = try export(
        folder, "--as", form, "--name", "x", "--number", "--dry-run", "IMG_0001.JPG", "IMG_0003.JPG")
      _ = try export(folder, "--as", form, "--name", "x", "--number", "IMG_0001.JPG", "IMG_0003.JPG")
      for name in names {
        #expect(planned.text.contains("out/" + name), "\(planned.text)")
        #expect(FileManager.default.fileExists(atPath: out.path + "/" + name), "\(name)")
      }
    }
  }

  /// Missing folders are created, but not by a dry run or a failed command. Symbolic links in the path are not
  /// followed.
  @Test func missingFoldersAreMade() throws {
    let (folder, out) = try prepared("IMG_0003.JPG", "IMG_0003.MOV", "IMG_0002.MOV")
    func run(_ arguments: String...) throws -> ToolOutput {
      try Tools.run([Command.path, "export"] + arguments, in: folder.url)
    }
    let before = try folder.names()
    #expect(
      try run("--as", "image", "-o", "a/b/c", "--name", "{kind}/{stem}", "--dry-run", "IMG_0003.JPG").status
        == 0)
    #expect(try run("--as", "still", "-o", "a/b/c", "--name", "{kind}/{stem}", "IMG_0002.MOV").status == 1)
    #expect(try folder.names() == before)
    #expect(try run("--as", "image", "-o", "a/b/c/", "--name", "{kind}/{stem}", "IMG_0003.JPG").status == 0)
    #expect(FileManager.default.fileExists(atPath: folder.file("a/b/c/live/IMG_0003.jpg").path))
    try FileManager.default.createSymbolicLink(
      atPath: out.path + "/live", withDestinationPath: folder.url.path)
    let now = try folder.names()
    for dry in ["--dry-run", "--json"] {
      let refused = try run("--as", "image", "-o", "out", "--name", "{kind}/{stem}", dry, "IMG_0003.JPG")
      #expect(refused.status == 1 && refused.standardError.contains("symbolic link"))
      let inFile = try run("--as", "image", "-o", "IMG_0003.JPG/x", dry, "IMG_0003.JPG")
      #expect(inFile.status == 1 && inFile.standardError.contains("is not a folder"))
    }
    #expect(try folder.names() == now)
  }
}
