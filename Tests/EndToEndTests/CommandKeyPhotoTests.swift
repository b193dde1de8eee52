import Foundation
import TestSupport
import Testing

/// Tests of `key-photo` and `trim --key-photo`; ffmpeg, djpeg, exiftool and ffprobe inspect the results.
@Suite struct CommandKeyPhotoTests {
  typealias Pair = CommandTrimTests.Pair

  /// Returns a movie frame, counted from 0, cropped to its clean aperture and upright.
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
    // The upright centre of the frame in the movie's own primaries. After the rotation, chroma sited on the left is at
    // the top.
    let filter =
      "select=eq(n\\,\(number)),zscale=cin=\(isSideways ? "top" : "left"):rin=\(range):min=\(matrix):r=full:m=gbr,format=gbrp,"
      + "crop=\(isSideways ? "\(height):\(width)" : "\(width):\(height)")"
    let shown = try Tools.output(
      "ffmpeg", "-v", "error", "-i", movie.path, "-map", "0:v:0", "-vf", filter, "-frames:v", "1", "-f",
      "image2pipe", "-c:v", "ppm", "-")
    return try Picture(ppm: shown.standardOutput)
  }

  /// Returns a rendered photo, upright and decoded by djpeg. HEIC and mirrored photos are decoded by liveedit's export
  /// instead, which its own tests compare with other decoders.
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

  /// Returns the mean CIEDE2000 difference between two pictures, measured at sample pixels and treating codes as sRGB.
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

  /// Returns a photo's date in milliseconds and its offset.
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

  /// Reverting and redoing renders the frame again with the same bytes.
  func checkVersionAgain(_ pair: Pair) throws {
    let bytes = try Data(contentsOf: pair.editedPhoto)
    try pair.run("revert")
    try pair.run("redo")
    #expect(try Data(contentsOf: pair.editedPhoto) == bytes)
  }

  /// `--best` finds the sharpest of the kept frames.
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
    // Only kept frames are considered.
    #expect(
      try said(["trim", "--from", "0.8", "--to", "1.8", "--key-photo", "1"]).contains("key photo at 1 s"))
    #expect(try said(["key-photo", "--best"]).contains("key photo at 1.466667 s"))
  }

  @Test(arguments: [
    (["key-photo", "--at", "9"], "IMG_0001.MOV: lasts 1.702 s, but the new key photo would be at 9.0 s"),
    (["key-photo", "--frame", "41"], "has 40 frames, so frame 41 does not exist"),
    (["trim", "--to", "0.5", "--key-photo", "0.6"], "the key photo at 0.6"),
    (["trim", "--frames", "3..9", "--key-photo", "9"], "the new key photo would be at 9.0 s"),
  ])
  func nonsenseIsRefused(_ arguments: [String], _ words: String) throws {
    try Pair().expectRefusal(of: arguments, words)
  }

  /// The movie's duration, as printed, selects its last frame.
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
}

extension Picture {
  /// Creates a picture from the top left part of another one.
  init(part picture: Picture, width: Int, height: Int) {
    self = picture
    pixels = (0..<height).flatMap { (y: Int) -> ArraySlice<UInt8> in
      let start = 3 * y * picture.width
      return picture.pixels[start..<start + 3 * width]
    }
    (self.width, self.height) = (width, height)
  }

  /// The mean of all code values.
  var mean: Double { Double(pixels.reduce(0) { $0 + Int($1) }) / Double(max(1, pixels.count)) }

  /// Returns the picture rotated clockwise by a multiple of 90°.
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
