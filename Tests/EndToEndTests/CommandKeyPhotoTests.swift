import Foundation
import TestSupport
import Testing

/// `key-photo` and `trim --key-photo` from the command line. ffmpeg, djpeg, exiftool and ffprobe read what comes out.
@Suite struct CommandKeyPhotoTests {
  typealias Pair = CommandTrimTests.Pair

  /// A frame of a movie as its clean aperture shows it, upright, counted from 0.
  func frame(_ number: Int, of movie: URL) throws -> Picture {
    let apertures = try Tools.exiftool(movie).first { $0.key.hasSuffix(":CleanApertureDimensions") }?.value
    let size = (apertures ?? "").split(separator: " ").compactMap { Int($0) }
    let stored = try Tools.ffprobe(
      movie, "-select_streams", "v", "-show_entries",
      "stream=width,height,color_range,color_space:stream_side_data=rotation"
    )[0].split(separator: ",").map(String.init)
    let (width, height) = (size.first ?? Int(stored[0]) ?? 0, size.last ?? Int(stored[1]) ?? 0)
    let range = stored[2] == "pc" ? "full" : "limited"
    let matrix = ["bt709": "709", "smpte170m": "170m"][stored[3]] ?? "709"
    let isSideways = stored.count > 4 && abs(Int(stored[4]) ?? 0) % 180 == 90
    // Upright, in the movie's own primaries, the middle of it. Chroma on the left comes to lie at the top.
    let filter =
      "select=eq(n\\,\(number)),zscale=cin=\(isSideways ? "top" : "left"):rin=\(range):min=\(matrix):r=full:m=gbr,format=gbrp,"
      + "crop=\(isSideways ? "\(height):\(width)" : "\(width):\(height)")"
    let shown = try Tools.output(
      "ffmpeg", "-v", "error", "-i", movie.path, "-map", "0:v:0", "-vf", filter, "-frames:v", "1", "-f",
      "image2pipe", "-c:v", "ppm", "-")
    return try Picture(ppm: shown.standardOutput)
  }

  /// A rendered photo, upright, decoded by djpeg; HEIC and mirrored photos go through liveedit's export, which its own tests
  /// compare with other decoders.
  func photo(_ file: URL) throws -> Picture {
    let orientation = Int(try Tools.exiftool(file)["IFD0:Orientation"] ?? "1") ?? 1
    if file.pathExtension != "HEIC", let turn = [1: 0, 3: 180, 6: 90, 8: 270][orientation] {
      return try Picture(storedIn: file).turned(byDegrees: turn)
    }
    let folder = try TemporaryFolder()
    let alone = folder.file("alone." + file.pathExtension)
    try FileManager.default.copyItem(at: file, to: alone)
    let answer = try Tools.run(
      [
        Command.path, "export", "--as", "image", "--format", "png", "--profile", "keep", "-o", "out",
        alone.lastPathComponent,
      ], in: folder.url)
    #expect(answer.status == 0, "\(answer.standardError)")
    let made = try FileManager.default.contentsOfDirectory(atPath: folder.file("out").path)[0]
    return try Picture(
      ppm: Tools.output(
        "ffmpeg", "-v", "error", "-i", folder.file("out/" + made).path, "-f", "image2pipe", "-c:v", "ppm", "-"
      ).standardOutput)
  }

  /// The mean CIEDE2000 of two pictures whose codes are taken for sRGB; some pixels stand for all.
  func difference(_ one: Picture, _ other: Picture) -> Double {
    guard (one.width, one.height) == (other.width, other.height) else { return 100 }
    let step = max(1, one.width * one.height / 20_000)
    let places = stride(from: 0, to: one.width * one.height, by: step)
    let sum = places.reduce(0.0) {
      $0 + ColorDifference.ciede2000(Self.lab(one.pixels, $1), Self.lab(other.pixels, $1))
    }
    return sum / Double(max(1, one.width * one.height / step))
  }

  private static func lab(_ pixels: [UInt8], _ place: Int) -> [Double] {
    let light = (0..<3).map { channel -> Double in
      let code = Double(pixels[3 * place + channel]) / 255
      return code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4)
    }
    let matrix = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    return ColorDifference.lab(matrix.map { zip($0, light).reduce(0) { $0 + $1.0 * $1.1 } })
  }

  /// Milliseconds of a photo's date, and its offset.
  func date(_ photo: URL) throws -> (milliseconds: Double, offset: String?) {
    let tags = try Tools.exiftool(photo)
    let form = DateFormatter()
    form.locale = Locale(identifier: "en_US_POSIX")
    form.timeZone = TimeZone(identifier: "UTC")
    form.dateFormat = "yyyy:MM:dd HH:mm:ss"
    let seconds = try #require(tags["ExifIFD:DateTimeOriginal"].flatMap(form.date)).timeIntervalSince1970
    let fraction = tags["ExifIFD:SubSecTimeOriginal"].flatMap { Double("0.\($0)") } ?? 0
    #expect(tags["ExifIFD:CreateDate"] == tags["ExifIFD:DateTimeOriginal"])
    return ((seconds + fraction) * 1000, tags["ExifIFD:OffsetTimeOriginal"])
  }

  /// The photo is the frame, at its size, with its time, and the pair is a Live Photo whose movie is the same otherwise.
  @Test(arguments: CommandTrimTests.pairs(2, hasSample: true))
  func thePhotoIsTheFrame(_ original: URL) throws {
    let pair = try Pair(original)
    let before = try content(of: pair.folder.url)
    let times = try CommandTrimTests.times(pair.originalMovie)
    let still = try #require(try CommandTrimTests.still(pair.originalMovie))
    let number = 4
    // A time within the frame names it.
    let report = try pair.run("key-photo", "--at", "\((times[number] + times[number + 1]) / 2)", "--verbose")
    let wanted = try frame(number, of: pair.originalMovie)
    let made = try photo(pair.editedPhoto)
    #expect((made.width, made.height) == (wanted.width, wanted.height))
    let size = "\(wanted.width)x\(wanted.height) pixels; the photo that was taken has"
    #expect(report.text.contains(size), "\(report.text)")
    let mean = difference(made, wanted)
    #expect(mean < 1, "\(mean)")
    // What the frame says of its colours is what the photo says.
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

  /// Turn, preset, trim and key photo are one render of the originals, in whatever order they were asked for; what comes
  /// out is the frame, turned, at the kept frames' times, with the sound of the span.
  @Test(arguments: CommandTrimTests.pairs(3)) func allOfItIsOneRender(_ original: URL) throws {
    let pair = try Pair(original)
    let before = try content(of: pair.folder.url)
    let times = try CommandTrimTests.times(pair.originalMovie)
    let (first, last, key) = (3, times.count - 4, 6)
    let wanted = try frame(key, of: pair.originalMovie).turned(byDegrees: 90)
    // The moment of the photo that was taken is cut off.
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
      of: pair, from: times[first], to: times[last], said: report.text.contains("cut in whole packets"))
    let made = try photo(pair.editedPhoto)
    #expect((made.width, made.height) == (wanted.width, wanted.height))
    try pair.checkPair()
    // At once, in another order, it is the same to the byte.
    let render = try [pair.editedPhoto, pair.editedMovie].map { try Data(contentsOf: $0) }
    try pair.run("revert", "--to", "original")
    #expect(try content(of: pair.folder.url) == before)
    try pair.run("apply", "--preset", "vivid")
    try pair.run("key-photo", "--frame", "\(key + 1)")
    try pair.run("trim", "--frames", "\(first + 1)..\(last)")
    try pair.run("rotate", "--degrees", "90")
    #expect(try [pair.editedPhoto, pair.editedMovie].map { try Data(contentsOf: $0) } == render)
    // The copy of the frame that follows the light and the turn looks like the movie at that place.
    let shown = try frame(key - first, of: pair.editedMovie)
    #expect(difference(made, shown) < 2.5, "\(difference(made, shown))")
    try pair.run("revert", "--to", "original")
    #expect(try content(of: pair.folder.url) == before)
  }

  @Test func cropAndLightApplyToTheFrame() throws {
    for name in ["IMG_0001.JPG", "IMG_0004.HEIC"] {
      let pair = try Pair(name)
      let whole = try frame(8, of: pair.originalMovie)
      try pair.run("key-photo", "--frame", "9")
      try pair.run("crop", "--rect", "0,0,\(whole.width / 2),\(whole.height / 2)")
      let part = try photo(pair.editedPhoto)
      #expect(
        abs(part.width - whole.width / 2) <= 2 && abs(part.height - whole.height / 2) <= 2, "\(part.width)")
      let corner = Picture(part: whole, width: part.width, height: part.height)
      #expect(difference(part, corner) < 1.5, "\(difference(part, corner))")
      try pair.run("crop", "--reset")
      try pair.run("adjust", "--exposure", "-1")
      let dark = try photo(pair.editedPhoto)
      #expect(dark.mean < whole.mean * 0.85)
      try pair.run("live", "off")
      let alone = try photo(pair.editedPhoto)
      #expect(alone.pixels == dark.pixels && !FileManager.default.fileExists(atPath: pair.editedMovie.path))
      try checkVersionAgain(pair)
    }
  }

  /// Other versions, and going back, render the frame again.
  func checkVersionAgain(_ pair: Pair) throws {
    let bytes = try Data(contentsOf: pair.editedPhoto)
    try pair.run("revert")
    try pair.run("redo")
    #expect(try Data(contentsOf: pair.editedPhoto) == bytes)
  }

  /// The movie's coded frames stay with `--lossless`, and the photo is encoded anew.
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

  /// `--best` finds the sharp one of the frames that are kept.
  @Test func theBestFrameIsSharp() throws {
    let folder = try TemporaryFolder()
    try folder.run(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x240:rate=15:duration=2", "-vf",
        "boxblur=4:enable='not(eq(n,9)+eq(n,22))',boxblur=1:enable='eq(n,22)'", "-c:v", "libx264", "-crf",
        "8",
        "-pix_fmt", "yuv420p", "movie.mov",
      ])
    try folder.copy(TestFiles.fixture("IMG_0001.JPG"))
    let made = try Tools.run(
      [
        Command.path, "create", "--photo", "IMG_0001.JPG", "--movie", "movie.mov", "--still-at", "1.5", "-o",
        "out",
      ],
      in: folder.url)
    #expect(made.status == 0, "\(made.standardError)")
    let out = folder.file("out")
    let photo = try #require(
      try FileManager.default.contentsOfDirectory(atPath: out.path).first { $0.hasSuffix(".JPG") })
    func said(_ arguments: [String]) throws -> String {
      let answer = try Tools.run([Command.path] + arguments + [photo], in: out)
      #expect(answer.status == 0, "\(answer.standardError)")
      return try Tools.run([Command.path, "history", photo], in: out).text
    }
    #expect(try said(["key-photo", "--best"]).contains("key photo at 0.6 s"))
    // Of what is kept.
    #expect(
      try said(["trim", "--from", "0.8", "--to", "1.8", "--key-photo", "1"]).contains("key photo at 1 s"))
    #expect(try said(["key-photo", "--best"]).contains("key photo at 1.466667 s"))
  }

  /// The photo of an HLG movie has the colours that SDR displays show, by the formula of ITU-R BT.2100 and the shoulder.
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

  /// A frame with the primaries of PAL keeps its codes, and a profile says what they mean: the primaries of ITU-R BT.470 BG,
  /// adapted to D50 by the matrix of Bradford (ICC.1:2022, annex E).
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

  /// A JPEG of Display P3 whose new picture has the colours of BT.709 keeps a profile: that of sRGB (IEC 61966-2-1).
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

  @Test(arguments: [
    (["key-photo", "--at", "9"], "IMG_0001.MOV: lasts 1.702 s, and the key photo is to be taken at 9.0 s"),
    (["key-photo", "--frame", "41"], "has 40 frames, and no frame 41"),
    (["trim", "--to", "0.5", "--key-photo", "0.6"], "the key photo at 0.6"),
    (["trim", "--frames", "3..9", "--key-photo", "9"], "the key photo is to be taken at 9.0 s"),
  ])
  func nonsenseIsRefused(_ arguments: [String], _ words: String) throws {
    try Pair().expectRefusal(of: arguments, words)
  }

  /// The movie's length, as it is printed, names its last frame.
  @Test func theEndIsTheLastFrame() throws {
    let pair = try Pair()
    let times = try CommandTrimTests.times(pair.originalMovie)
    try pair.run("key-photo", "--at", "1.702")
    let still = try #require(try CommandTrimTests.still(pair.editedMovie))
    #expect(abs(still - (times.last ?? 0)) < 0.002)
  }

  @Test func whatIsNoNumberOrTooMuchIsWrongUsage() throws {
    let pair = try Pair()
    for arguments in [
      ["--at", "nan"], ["--at", "-1"], ["--at", "inf"], ["--frame", "0"], ["--frame", "1.5"],
      ["--at", "1", "--best"], [],
      ["--at", "0.5", "--frame", "3"],
    ] {
      let answer = try Tools.run([Command.path, "key-photo"] + arguments + [pair.photo], in: pair.folder.url)
      #expect(answer.status == 64 || answer.status == 2, "\(arguments) \(answer.status)")
      #expect(answer.sentences.count == 1, "\(answer.standardError)")
    }
  }

  @Test func halvesAloneAreRefused() throws {
    let pair = try Pair()
    try FileManager.default.removeItem(at: pair.originalMovie)
    let photo = try Command.run("key-photo", "--at", "0.5", "IMG_0001.JPG", in: pair.folder.url)
    #expect(photo.status == 1 && photo.standardError.contains("IMG_0001.JPG: has no movie"))
    let other = try Pair()
    try FileManager.default.removeItem(at: other.folder.file("IMG_0001.JPG"))
    for arguments in [
      ["key-photo", "--best"], ["key-photo", "--at", "0.5"], ["trim", "--to", "1", "--key-photo", "0.5"],
    ] {
      let movie = try Tools.run([Command.path] + arguments + ["IMG_0001.MOV"], in: other.folder.url)
      #expect(
        movie.status == 1 && movie.standardError.contains("IMG_0001.MOV: has no photo"),
        "\(movie.standardError)")
    }
  }

  /// A later trim cannot cut the key photo off; presets and copies leave it, unless it is named.
  @Test func otherEditsKeepToIt() throws {
    let pair = try Pair()
    try pair.folder.copy(TestFiles.fixture("IMG_0002.JPG"), TestFiles.fixture("IMG_0002.MOV"))
    try pair.run("key-photo", "--at", "0.3")
    let cut = try Tools.run([Command.path, "trim", "--from", "0.6", pair.photo], in: pair.folder.url)
    #expect(cut.status == 1 && cut.standardError.contains("cut off by the trim"), "\(cut.standardError)")
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

extension Picture {
  /// The upper left part of a picture.
  init(part picture: Picture, width: Int, height: Int) {
    self = picture
    pixels = (0..<height).flatMap { (y: Int) -> ArraySlice<UInt8> in
      let start = 3 * y * picture.width
      return picture.pixels[start..<start + 3 * width]
    }
    (self.width, self.height) = (width, height)
  }

  /// The mean of all codes.
  var mean: Double { Double(pixels.reduce(0) { $0 + Int($1) }) / Double(max(1, pixels.count)) }

  /// The picture turned clockwise by quarter turns.
  func turned(byDegrees degrees: Int) -> Picture {
    let turns = ((degrees / 90) % 4 + 4) % 4
    guard turns > 0 else { return self }
    var turned = self
    (turned.width, turned.height) = (height, width)
    for y in 0..<turned.height {
      for x in 0..<turned.width {
        let (from, to) = (3 * ((height - 1 - x) * width + y), 3 * (y * turned.width + x))
        for channel in 0..<3 { turned.pixels[to + channel] = pixels[from + channel] }
      }
    }
    return turned.turned(byDegrees: 90 * (turns - 1))
  }
}
