import Foundation
import LivePhotoFormat
import TestSupport
import Testing

/// `trim` and `sound` from the command line. ffprobe, ffmpeg and exiftool read what comes out.
@Suite struct CommandTrimTests {
  /// A pair in a folder of its own, with the names of its renders.
  struct Pair {
    let folder: TemporaryFolder
    let photo: String
    let movie: String

    init(_ photo: URL) throws {
      folder = try TemporaryFolder()
      let movie = photo.deletingPathExtension().appendingPathExtension("MOV")
      try folder.copy(photo, movie)
      (self.photo, self.movie) = (photo.lastPathComponent, movie.lastPathComponent)
    }

    init(_ name: String = "IMG_0001.JPG") throws { try self.init(TestFiles.fixture(name)) }

    var originalMovie: URL { folder.file(movie) }
    var editedMovie: URL { folder.file(movie.replacing("IMG_", with: "IMG_E")) }
    var editedPhoto: URL { folder.file(photo.replacing("IMG_", with: "IMG_E")) }

    /// Runs the program on the pair; it must succeed.
    @discardableResult func run(_ arguments: String...) throws -> ToolOutput {
      let answer = try Tools.run([Command.path] + arguments + [photo], in: folder.url)
      #expect(answer.status == 0, "\(arguments) \(answer.standardError)")
      return answer
    }

    /// Runs the program on the pair, which must be refused in one sentence and change nothing.
    func expectRefusal(of arguments: [String], _ words: String) throws {
      let before = try content(of: folder.url)
      for plan in [["--dry-run"], []] {
        let answer = try Tools.run([Command.path] + arguments + plan + [photo], in: folder.url)
        #expect(answer.status == 1)
        #expect(
          answer.sentences.count == 1 && answer.standardError.contains(words), "\(answer.standardError)")
        #expect(try content(of: folder.url) == before)
      }
    }

    /// Verifies the render, also through the checker that `LIVEEDIT_CHECKER` names, where it is set.
    func checkPair() throws {
      let answer = try Tools.run([Command.path, "verify", editedPhoto.lastPathComponent], in: folder.url)
      #expect(answer.status == 0, "\(answer.text) \(answer.standardError)")
      guard let checker = ProcessInfo.processInfo.environment["LIVEEDIT_CHECKER"] else { return }
      let verdict = try Tools.run(
        ["python3", checker, "-", "-", editedPhoto.path, editedMovie.path, "--pair-only"])
      #expect(verdict.status == 0, "\(verdict.text) \(verdict.standardError)")
    }

    /// Verifies the render, and compares it with the original through the checker that `LIVEEDIT_CHECKER` names, where it
    /// is set.
    ///
    /// - Parameters:
    ///   - report: what was printed about the render.
    ///   - checks: what the checker is told of the edit.
    func verify(_ report: ToolOutput, _ checks: String...) throws {
      let answer = try Tools.run([Command.path, "verify", editedPhoto.lastPathComponent], in: folder.url)
      #expect(answer.status == 0, "\(answer.text) \(answer.standardError)")
      guard let checker = ProcessInfo.processInfo.environment["LIVEEDIT_CHECKER"] else { return }
      let said = try TemporaryFolder()
      try report.standardOutput.write(to: said.file("report.txt"))
      let verdict = try Tools.run(
        [
          "python3", checker, folder.file(photo).path, originalMovie.path, editedPhoto.path, editedMovie.path,
          "--motion", "--report", said.file("report.txt").path,
        ] + checks)
      #expect(
        verdict.status == 0, "\(verdict.lines.filter { $0.hasPrefix("FAIL") }) \(verdict.standardError)")
    }
  }

  /// When frames are shown, as ffprobe sees it.
  static func times(_ movie: URL) throws -> [Double] {
    try Tools.ffprobe(movie, "-select_streams", "v", "-show_entries", "frame=pts_time")
      .compactMap { Double($0.split(separator: ",")[0]) }
  }

  /// Sound as ffmpeg decodes it; none where the movie is silent.
  static func sound(_ movie: URL) throws -> [UInt8] {
    let tracks = try Tools.ffprobe(movie, "-select_streams", "a", "-show_entries", "stream=index")
    if tracks.isEmpty { return [] }
    return try Tools.output("ffmpeg", "-v", "error", "-i", movie.path, "-map", "0:a", "-f", "s16le", "-")
      .bytes
  }

  /// When the movie's still-image-time says that the photo was taken, as ffprobe sees it: the last one of the tracks that
  /// last one tick.
  static func still(_ movie: URL) throws -> Double? {
    try Tools.ffprobe(movie, "-select_streams", "d", "-show_entries", "stream=start_time,nb_frames")
      .compactMap { line -> Double? in
        let fields = line.split(separator: ",")
        return fields.count > 1 && fields[1] == "1" ? Double(fields[0]) : nil
      }.last
  }

  /// The sound of a render is that of a span of the original, sample by sample; compressed sound, which decoders begin in
  /// their own way, is aligned to a sample.
  ///
  /// - Parameter said: whether the render's report told of packets that are hidden.
  static func expectSound(of pair: Pair, from start: Double, to end: Double, said: Bool = false) throws {
    let source = try sound(pair.originalMovie)
    guard !source.isEmpty else { return }
    let facts = try #require(
      try Tools.ffprobe(
        pair.originalMovie, "-select_streams", "a", "-show_entries", "stream=codec_name,sample_rate,channels"
      ).first
    ).split(separator: ",")
    let (rate, size) = (Double(facts[1]) ?? 0, 2 * (Int(facts[2]) ?? 1))
    let first = Int((start * rate).rounded()) * size
    let heard = try sound(pair.editedMovie)
    let span = Int(((end - start) * rate).rounded()) * size
    #expect(abs(heard.count - span) <= size)
    #expect(heard == Array(source[first..<first + heard.count]))
    #expect(!said || facts[0] == "aac")
  }

  /// The pairs that a test runs over, of which a quick run takes one fixture.
  ///
  /// - Parameters:
  ///   - test: a number that differs from test to test.
  ///   - hasSample: whether a quick run takes a sample, too.
  static func pairs(_ test: Int, hasSample: Bool = false) -> [URL] {
    let fixtures = ["IMG_0001.JPG", "IMG_0002.JPG", "IMG_0004.HEIC"].map { TestFiles.fixture($0) }
    let samples = [
      "iphone-6s-jpeg/IMG_0728.JPG", "iphone-7plus-jpeg/IMG_2016.JPG", "iphone-15plus-heic/IMG_3853.HEIC",
      "iphone-15pro-heic/IMG_3582.HEIC",
    ].compactMap { TestFiles.sample($0) }
    return Cases.chosen(fixtures) { number, _ in (number + 2 * test) % fixtures.count == 1 }
      + Cases.chosen(samples) { number, _ in number == 0 && hasSample }
  }

  /// A trim, a turn and a preset are one render of the original; `revert` takes them back to the byte.
  @Test(arguments: pairs(0)) func aTrimGoesWithOtherEdits(_ photo: URL) throws {
    let pair = try Pair(photo)
    let before = try content(of: pair.folder.url)
    let old = try Self.times(pair.originalMovie)
    let still = try #require(try Self.still(pair.originalMovie))
    let (first, last) = (3, old.count - 3)
    try pair.run("rotate", "--degrees", "90")
    try pair.run("trim", "--frames", "\(first + 1)..\(last)")
    let report = try pair.run("apply", "--preset", "vivid", "--verbose")
    let new = try Self.times(pair.editedMovie)
    #expect(new.count == last - first)
    for (one, other) in zip(new, old[first..<last]) { #expect(abs(one - (other - old[first])) < 0.0006) }
    let moved = try #require(try Self.still(pair.editedMovie))
    #expect(abs(moved - (still - old[first])) < 0.002)
    try Self.expectSound(of: pair, from: old[first], to: old[last])
    let dates = ["Keys:CreationDate", "QuickTime:CreateDate", "QuickTime:TrackCreateDate"]
    let (tags, others) = (try Tools.exiftool(pair.originalMovie), try Tools.exiftool(pair.editedMovie))
    for date in dates { #expect(tags[date] == others[date], "\(date)") }
    try pair.verify(report, "--turn", "90", "--changed")
    #expect(try pair.run("history").text.contains("trimmed to "))
    let listed = try Command.run("list", "--json", in: pair.folder.url).answers.first ?? ""
    let seconds = listed.firstMatch(of: /"duration":([0-9.]+)/).flatMap { Double($0.1) }
    #expect(abs((seconds ?? 0) - (old[last] - old[first])) < 0.002, "\(listed)")
    // The same edit made at once, in one render.
    let render = try Data(contentsOf: pair.editedMovie)
    try pair.run("trim", "--reset")
    #expect(try Self.times(pair.editedMovie).count == old.count)
    try pair.run("trim", "--frames", "\(first + 1)..\(last)")
    #expect(try Data(contentsOf: pair.editedMovie) == render)
    try pair.run("revert", "--to", "original")
    #expect(try content(of: pair.folder.url) == before)
  }

  /// Coded frames are the source's, bit for bit, and players show those that were asked for.
  @Test(arguments: pairs(1)) func aLosslessTrimCopiesFrames(_ photo: URL) throws {
    let pair = try Pair(photo)
    func packets(_ movie: URL) throws -> [String] {
      try Tools.ffprobe(
        movie, "-ignore_editlist", "1", "-select_streams", "v", "-show_entries", "packet=data_hash",
        "-show_data_hash", "md5"
      ).map { String($0.split(separator: ",")[0]) }
    }
    func pictures(_ movie: URL) throws -> [String] {
      try Tools.output(
        "ffmpeg", "-v", "error", "-i", movie.path, "-map", "0:v", "-fps_mode", "passthrough", "-f",
        "framemd5",
        "-"
      ).lines.filter { !$0.hasPrefix("#") }.compactMap { $0.split(separator: ",").last.map(String.init) }
    }
    let (coded, shown) = (try packets(pair.originalMovie), try pictures(pair.originalMovie))
    let old = try Self.times(pair.originalMovie)
    for (first, last) in [(3, old.count - 3), (0, old.count - 2), (7, old.count)] {
      let answer = try pair.run("trim", "--lossless", "--frames", "\(first + 1)..\(last)")
      #expect(try pictures(pair.editedMovie) == Array(shown[first..<last]), "\(first)..<\(last)")
      let new = try Self.times(pair.editedMovie)
      #expect(new.count == last - first)
      for (one, other) in zip(new, old[first..<last]) { #expect(abs(one - (other - old[first])) < 0.0006) }
      let copied = try packets(pair.editedMovie)
      let place = try #require(coded.indices.first { Array(coded[$0...].prefix(copied.count)) == copied })
      #expect(coded[place..<place + copied.count].elementsEqual(copied))
      let hidden = copied.count - (last - first)
      #expect(answer.text.contains("in the file, hidden") == (hidden > 0), "\(hidden) \(answer.text)")
      if hidden == first, hidden > 1 { #expect(answer.text.contains("\(first) frames before the cut stay")) }
      try pair.verify(answer, "--no-pixels")
    }
    // Without --lossless nothing hidden stays.
    let answer = try pair.run("trim", "--frames", "3..\(old.count - 3)")
    #expect(!answer.text.contains("in the file, hidden"))
    #expect(try packets(pair.editedMovie).count == old.count - 5)
  }

  /// Frames that another program's edit list hides do not count, and stay hidden.
  @Test func hiddenFramesAreNotShown() throws {
    let pair = try Pair()
    try pair.run("trim", "--lossless", "--frames", "6..30")
    let other = try TemporaryFolder()
    for (file, name) in [(pair.editedPhoto, "IMG_0009.JPG"), (pair.editedMovie, "IMG_0009.MOV")] {
      try FileManager.default.copyItem(at: file, to: other.file(name))
    }
    let old = try Self.times(other.file("IMG_0009.MOV"))
    #expect(old.count == 25)
    for options in [[], ["--lossless"]] {
      let answer = try Tools.run(
        [Command.path, "trim", "--frames", "2..25"] + options + ["IMG_0009.JPG"], in: other.url)
      #expect(answer.status == 0, "\(answer.standardError)")
      let new = try Self.times(other.file("IMG_E0009.MOV"))
      #expect(new.count == 24)
      for (one, other) in zip(new, old[1...]) { #expect(abs(one - (other - old[1])) < 0.0006) }
    }
    let beyond = try Command.run("trim", "--frames", "2..26", "IMG_0009.JPG", in: other.url)
    #expect(beyond.status == 1 && beyond.standardError.contains("has 25 frames"))
    let whole = try Command.run("trim", "--frames", "1..25", "IMG_0009.JPG", in: other.url)
    #expect(whole.status == 0 && !FileManager.default.fileExists(atPath: other.file("IMG_E0009.MOV").path))
  }

  @Test func soundIsSetAndTakenBack() throws {
    let pair = try Pair()
    let before = try content(of: pair.folder.url)
    let source = try Self.sound(pair.originalMovie)
    func samples(_ bytes: [UInt8]) -> [Int] {
      stride(from: 0, to: bytes.count - 1, by: 2).map { Int(Int16(bytes[$0]) | Int16(bytes[$0 + 1]) << 8) }
    }
    try pair.run("sound", "--volume", "0.8")
    let report = try pair.run("sound", "--volume", "0.5")
    let quiet = samples(try Self.sound(pair.editedMovie))
    #expect(quiet == samples(source).map { Int((Double($0) * 0.5).rounded()) })
    #expect(try pair.run("history").text.contains("sound at 50 %"))
    try pair.verify(report)
    let mute = try pair.run("sound", "--mute")
    #expect(mute.text.contains("removed from the movie: sound track"))
    #expect(
      try Tools.ffprobe(pair.editedMovie, "-select_streams", "a", "-show_entries", "stream=index").isEmpty)
    try pair.verify(mute)
    try pair.run("sound", "--reset")
    #expect(try content(of: pair.folder.url) == before)
  }

  /// Errors are one sentence, and nothing is written.
  @Test(arguments: [
    (["trim", "--to", "9"], "IMG_0001.MOV: lasts 1.702 s"),
    (["trim", "--from", "9"], "the part that is to be kept begins at 9.0 s"),
    (["trim", "--frames", "1..41"], "has 40 frames"),
    (
      ["trim", "--to", "0.5"],
      "was taken at 0.8 s, a moment that the trim would cut off; keep that moment too"
    ),
    (["trim", "--from", "1"], "was taken at 0.8 s"),
    (["trim", "--from", "0.801", "--to", "0.802"], "shows no frame"),
  ])
  func nonsenseIsRefused(_ arguments: [String], _ words: String) throws {
    try Pair().expectRefusal(of: arguments, words)
  }

  @Test func whatHasNoMovieOrSoundIsRefused() throws {
    let pair = try Pair()
    let silent = TestFiles.fixture("IMG_0003.MOV")
    try pair.folder.copy(TestFiles.fixture("IMG_0003.JPG"), silent)
    try FileManager.default.removeItem(at: pair.originalMovie)
    for (arguments, words) in [
      (["trim", "--from", "0.1", "IMG_0001.JPG"], "IMG_0001.JPG: has no movie"),
      (["sound", "--mute", "IMG_0001.JPG"], "IMG_0001.JPG: has no movie"),
      (["sound", "--mute", "IMG_0003.JPG"], "IMG_0003.MOV: has no sound"),
    ] {
      let answer = try Tools.run([Command.path] + arguments, in: pair.folder.url)
      #expect(answer.status == 1 && answer.sentences.count == 1)
      #expect(answer.standardError.contains(words), "\(answer.standardError)")
    }
  }

  /// The volume goes along with a copied edit; a trim and live off only where they are named.
  @Test func timeIsCopiedWhereItIsNamed() throws {
    let pair = try Pair()
    for stem in ["IMG_0002", "IMG_0003"] {
      try pair.folder.copy(TestFiles.fixture(stem + ".JPG"), TestFiles.fixture(stem + ".MOV"))
    }
    try pair.run("trim", "--from", "0.1", "--to", "1.2")
    try pair.run("sound", "--volume", "0.5")
    try pair.run("live", "off")
    func words(_ stem: String, _ options: String...) throws -> (status: Int32, said: String) {
      let answer = try Tools.run(
        [Command.path, "apply", "--from", "IMG_0001.JPG"] + options + [stem + ".JPG"], in: pair.folder.url)
      let history = try Command.run("history", stem + ".JPG", in: pair.folder.url)
      return (answer.status, answer.standardError + (history.lines.last { $0.contains("version") } ?? ""))
    }
    let copied = try words("IMG_0002")
    #expect(copied.status == 0 && copied.said.contains("sound at 50 %"), "\(copied.said)")
    #expect(!copied.said.contains("trimmed") && !copied.said.contains("alone"), "\(copied.said)")
    let named = try words("IMG_0002", "--only", "trim")
    #expect(named.status == 0 && named.said.contains("trimmed to 0.1 s – 1.2 s"), "\(named.said)")
    #expect(named.said.contains("sound at 50 %") && !named.said.contains("alone"))
    let alone = try words("IMG_0002", "--only", "live,trim")
    #expect(alone.status == 0 && alone.said.contains("photo alone"), "\(alone.said)")
    // A silent movie has no volume, and one may be too short for a trim.
    #expect(try words("IMG_0003").status == 2)
    let short = try words("IMG_0003", "--only", "trim,sound")
    #expect(short.status == 0 && short.said.contains("trimmed") && !short.said.contains("sound"))
    try pair.run("live", "on")
    try pair.run("trim", "--from", "0.1", "--to", "1.6")
    let refused = try words("IMG_0003", "--only", "trim")
    #expect(refused.status == 1 && refused.said.contains("IMG_0003.MOV: lasts 1.202 s"), "\(refused.said)")
  }

  /// Presets, copied edits and `auto` leave time and sound as they are.
  @Test func otherEditsLeaveTimeAlone() throws {
    let pair = try Pair()
    try pair.folder.copy(TestFiles.fixture("IMG_0002.JPG"), TestFiles.fixture("IMG_0002.MOV"))
    try pair.run("trim", "--frames", "3..38")
    try pair.run("adjust", "--exposure", "0.2")
    let copied = try Command.run("apply", "--from", "IMG_0001.JPG", "IMG_0002.JPG", in: pair.folder.url)
    #expect(copied.status == 0, "\(copied.standardError)")
    let other = try Command.run("history", "IMG_0002.JPG", in: pair.folder.url).text
    #expect(other.contains("exposure +0.2") && !other.contains("trimmed"))
    try pair.run("auto")
    try pair.run("apply", "--replace", "--preset", "mono")
    #expect(try Self.times(pair.editedMovie).count == 36)
  }
}
