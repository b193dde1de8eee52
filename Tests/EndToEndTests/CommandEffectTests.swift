import Foundation
import TestSupport
import Testing

/// Tests of the `effect` command; ffprobe, ffmpeg and exiftool inspect the results.
@Suite struct CommandEffectTests {
  typealias Pair = CommandTrimTests.Pair

  /// Returns a movie's frames as greyscale pixels, decoded by ffmpeg.
  static func frames(_ movie: URL) throws -> [[UInt8]] {
    let size = try #require(
      try Tools.ffprobe(movie, "-select_streams", "v:0", "-show_entries", "stream=width,height").first)
    let sides = size.split(separator: ",").compactMap { Int($0) }
    let bytes = try Tools.output(
      "ffmpeg", "-v", "error", "-noautorotate", "-i", movie.path, "-map", "0:v:0", "-fps_mode", "passthrough",
      "-f", "rawvideo", "-pix_fmt", "gray", "-"
    ).bytes
    let count = sides[0] * sides[1]
    return stride(from: 0, to: bytes.count, by: count).map { Array(bytes[$0..<$0 + count]) }
  }

  static func difference(_ one: [UInt8], _ other: [UInt8]) -> Double {
    zip(one, other).reduce(0.0) { $0 + abs(Double($1.0) - Double($1.1)) } / Double(max(one.count, 1))
  }

  @Test func whatCannotHaveAnEffectIsRefused() throws {
    let pair = try Pair()
    try pair.folder.copy(TestFiles.fixture("IMG_0003.JPG"))
    let before = try content(of: pair.folder.url)
    func refused(_ arguments: String..., said words: String) throws {
      let answer = try Tools.run([Command.path] + arguments, in: pair.folder.url)
      #expect(answer.status == 1 && answer.sentences.count == 1, "\(answer.standardError)")
      #expect(answer.standardError.contains(words), "\(answer.standardError)")
    }
    try refused("effect", "loop", "IMG_0003.JPG", said: "IMG_0003.JPG: has no movie")
    try refused("effect", "bounce", "--dry-run", "IMG_0003.JPG", said: "IMG_0003.JPG: has no movie")
    try refused(
      "effect", "bounce", "--lossless", "IMG_0001.JPG", said: "cannot be given an effect losslessly")
    let frames = try CommandTrimTests.times(pair.originalMovie).count
    for (most, isRefused) in [(frames - 1, true), (frames, false)] {
      let answer = try Tools.run(
        [Command.path, "effect", "bounce", "--dry-run", "IMG_0001.JPG"], in: pair.folder.url,
        environment: ["LIVEEDIT_LIMITS": "effect-frames=\(most)"])
      #expect(
        answer.standardError.contains("has \(frames) frames, but an effect can use at most \(most)")
          == isRefused)
    }
    #expect(try content(of: pair.folder.url).filter { !$0.key.hasPrefix(".liveedit") } == before)
    try pair.run("trim", "--frames", "18..21")
    try refused(
      "effect", "loop", "IMG_0001.JPG", said: "IMG_0001.MOV: has 4 frames, but a loop needs at least 8")
    try pair.run("effect", "bounce")
    try refused("trim", "--frames", "19..20", "IMG_0001.JPG", said: "a bounce needs at least 3")
    #expect(try CommandTrimTests.times(pair.editedMovie).count == 6)
  }

  /// Presets can include an effect, and copied edits carry it. A photo without a movie gets only the rest of the edit.
  @Test func effectsArePresetAndCopied() throws {
    let pair = try Pair()
    try pair.folder.copy(
      TestFiles.fixture("IMG_0002.JPG"), TestFiles.fixture("IMG_0002.MOV"), TestFiles.fixture("IMG_0003.JPG"))
    try pair.run("adjust", "--exposure", "0.2")
    try pair.run("effect", "bounce")
    let home = ["XDG_CONFIG_HOME": pair.folder.file("home").path]
    func run(_ arguments: String...) throws -> ToolOutput {
      try Tools.run([Command.path] + arguments, in: pair.folder.url, environment: home)
    }
    #expect(try run("preset", "save", "mine", "--from", "IMG_0001.JPG").status == 0)
    #expect(try run("preset", "show", "mine").text.contains("exposure +0.2, bounce effect"))
    #expect(try run("apply", "--preset", "mine", "IMG_0002.JPG", "IMG_0003.JPG").status == 0)
    #expect(try run("history", "IMG_0002.JPG").text.contains("exposure +0.2, bounce effect"))
    let alone = try run("history", "IMG_0003.JPG").text
    #expect(alone.contains("exposure +0.2") && !alone.contains("effect"))
    #expect(try run("effect", "none", "IMG_0002.JPG").status == 0)
    #expect(try run("apply", "--from", "IMG_0001.JPG", "--only", "effect", "IMG_0002.JPG").status == 0)
    #expect(
      try run("history", "IMG_0002.JPG").lines.last { $0.contains("version") }?.contains("bounce effect")
        == true)
    #expect(try run("apply", "--from", "IMG_0001.JPG", "--only", "light", "IMG_0002.JPG").status != 1)
    #expect(try run("auto", "IMG_0002.JPG").status != 1)
    #expect(
      try run("history", "IMG_0002.JPG").lines.last { $0.contains("version") }?.contains("bounce effect")
        == true)
  }

  /// In a long exposure, a still scene looks like the photo even if the camera shakes, and moving objects are blurred.
  @Test func aLongExposureSmearsWhatMoves() throws {
    let folder = try TemporaryFolder()
    let scene = TestFiles.fixture("IMG_0003.JPG").path
    // Half a second of a shaken scene with a disc moving through it. The photo is the first frame at twice the
    // resolution.
    func make(_ size: Int, _ frames: Int, _ output: [String]) throws {
      let shake = "x='24+12*sin(n*2.1)*min(n,1)':y='18+9*cos(n*1.3)*min(n,1)-9*(1-min(n,1))'"
      try folder.run(
        "ffmpeg",
        [
          "-v", "error", "-y", "-loop", "1", "-framerate", "30", "-i", scene, "-f", "lavfi", "-i",
          "color=white:size=90x90:rate=30", "-filter_complex",
          "[0]scale=1008:756[a];[a][1]overlay=x='100+26*n':y=480[b];[b]crop=960:720:\(shake),scale=\(size):-2:flags=lanczos",
          "-frames:v", "\(frames)",
        ] + output)
    }
    try make(960, 1, ["-q:v", "1", "photo.jpg"])
    try make(480, 24, ["-c:v", "libx264", "-crf", "12", "-pix_fmt", "yuvj420p", "movie.mov"])
    let made = try Tools.run(
      [
        Command.path, "create", "--photo", "photo.jpg", "--movie", "movie.mov", "--still-at", "0", "-o",
        "pair",
      ],
      in: folder.url)
    #expect(made.status == 0, "\(made.standardError)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("pair").path)
    let photo = try #require(names.first { $0.lowercased().hasSuffix("jpg") })
    let report = try Tools.run([Command.path, "effect", "long-exposure", photo], in: folder.file("pair"))
    #expect(report.status == 0, "\(report.standardError)")
    let edited = try #require(
      try FileManager.default.contentsOfDirectory(atPath: folder.file("pair").path).first {
        $0.lowercased().hasSuffix("jpg") && $0 != photo
      })
    func grey(_ name: String) throws -> [UInt8] {
      try Tools.output(
        "ffmpeg", "-v", "error", "-i", folder.file("pair").appendingPathComponent(name).path, "-f",
        "rawvideo",
        "-pix_fmt", "gray", "-"
      ).bytes
    }
    let (old, new) = (try grey(photo), try grey(edited))
    #expect(old.count == 960 * 720 && new.count == old.count)
    // The upper half of the scene does not move and keeps its detail.
    func detail(_ picture: [UInt8]) -> Double {
      (1..<380).reduce(0.0) { sum, y in
        (1..<959).reduce(sum) { sum, x in
          let at = y * 960 + x
          let around = [at - 1, at + 1, at - 960, at + 960].reduce(0) { $0 + Int(picture[$1]) }
          let value = Double(4 * Int(picture[at]) - around)
          return sum + value * value
        }
      }
    }
    #expect(detail(new) > 0.9 * detail(old), "\(detail(new)) of \(detail(old))")
    // The disc's path is brighter than the scene, and the disc's first position is darker than the disc.
    func mean(_ picture: [UInt8], _ columns: Range<Int>) -> Double {
      var sum = 0.0
      for y in 485..<530 { for x in columns { sum += Double(picture[y * 960 + x]) } }
      return sum / Double(45 * columns.count)
    }
    #expect(mean(new, 90..<150) < mean(old, 90..<150) - 20, "\(mean(new, 90..<150)) \(mean(old, 90..<150))")
    #expect(
      mean(new, 400..<500) > mean(old, 400..<500) + 3, "\(mean(new, 400..<500)) \(mean(old, 400..<500))")
    let verified = try Tools.run([Command.path, "verify", edited], in: folder.file("pair"))
    #expect(verified.status == 0, "\(verified.text)")
  }
}
