import Foundation
import LivePhotoFormat
import TestSupport
import Testing

/// Tests of `trim` and `sound`; ffprobe, ffmpeg and exiftool inspect the results.
@Suite struct CommandTrimTests {
  /// A pair in its own folder, with the names of its renders.
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

    /// Runs the program on the pair and expects it to succeed.
    @discardableResult func run(_ arguments: String...) throws -> ToolOutput {
      let answer = try Tools.run([Command.path] + arguments + [photo], in: folder.url)
      #expect(answer.status == 0, "\(arguments) \(answer.standardError)")
      return answer
    }

    /// Runs the program on the pair and expects it to be refused with one message and to change nothing.
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

    /// Verifies the render, also with the checker that `LIVEEDIT_CHECKER` names, if any.
    func checkPair() throws {
      let answer = try Tools.run([Command.path, "verify", editedPhoto.lastPathComponent], in: folder.url)
      #expect(answer.status == 0, "\(answer.text) \(answer.standardError)")
      guard let verdict = try Checker.ask("-", "-", editedPhoto.path, editedMovie.path, "--pair-only") else {
        return
      }
      #expect(verdict.status == 0, "\(verdict.text) \(verdict.standardError)")
    }

    /// Verifies the render, and compares it with the original using the checker that `LIVEEDIT_CHECKER` names, if any.
    ///
    /// - Parameters:
    ///   - report: The program's output about the render.
    ///   - checks: The checker's options that describe the edit.
    func verify(_ report: ToolOutput, _ checks: String...) throws {
      let answer = try Tools.run([Command.path, "verify", editedPhoto.lastPathComponent], in: folder.url)
      #expect(answer.status == 0, "\(answer.text) \(answer.standardError)")
      guard Checker.isThere else { return }
      let said = try TemporaryFolder()
      try report.standardOutput.write(to: said.file("report.txt"))
      let verdict = try #require(
        try Checker.ask(
          [
            folder.file(photo).path, originalMovie.path, editedPhoto.path, editedMovie.path, "--motion",
            "--report", said.file("report.txt").path,
          ] + checks))
      #expect(
        verdict.status == 0, "\(verdict.lines.filter { $0.hasPrefix("FAIL") }) \(verdict.standardError)")
    }
  }

  /// Returns the times at which frames are shown, according to ffprobe.
  static func times(_ movie: URL) throws -> [Double] {
    try Tools.ffprobe(movie, "-select_streams", "v", "-show_entries", "frame=pts_time")
      .compactMap { Double($0.split(separator: ",")[0]) }
  }

  /// Returns the audio as ffmpeg decodes it; empty if the movie is silent.
  static func sound(_ movie: URL) throws -> [UInt8] {
    let tracks = try Tools.ffprobe(movie, "-select_streams", "a", "-show_entries", "stream=index")
    if tracks.isEmpty { return [] }
    return try Tools.output("ffmpeg", "-v", "error", "-i", movie.path, "-map", "0:a", "-f", "s16le", "-")
      .bytes
  }

  /// Returns the movie's still-image-time, when the photo was taken, according to ffprobe: the start of the last
  /// metadata track with a single sample.
  static func still(_ movie: URL) throws -> Double? {
    try Tools.ffprobe(movie, "-select_streams", "d", "-show_entries", "stream=start_time,nb_frames")
      .compactMap { line -> Double? in
        let fields = line.split(separator: ",")
        return fields.count > 1 && fields[1] == "1" ? Double(fields[0]) : nil
      }.last
  }

  /// Expects the render's audio to equal a span of the original's, sample by sample. Compressed audio, which decoders
  /// start in different ways, is aligned to a sample first.
  ///
  /// - Parameter said: Whether the render's report mentioned hidden packets.
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

  /// Frames that another program's edit list hides do not count, and remain hidden.
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
    #expect(try pair.run("history").text.contains("audio at 50%"))
    try pair.verify(report)
    let mute = try pair.run("sound", "--mute")
    #expect(mute.text.contains("removed from the movie: sound track"))
    #expect(
      try Tools.ffprobe(pair.editedMovie, "-select_streams", "a", "-show_entries", "stream=index").isEmpty)
    try pair.verify(mute)
    try pair.run("sound", "--reset")
    #expect(try content(of: pair.folder.url) == before)
  }

  /// Each error is one message, and nothing is written.
  @Test(arguments: [
    (["trim", "--to", "9"], "IMG_0001.MOV: lasts 1.702 s"),
    (["trim", "--from", "9"], "the part to keep begins at 9.0 s"),
    (["trim", "--frames", "1..41"], "has 40 frames"),
    (
      ["trim", "--to", "0.5"],
      "has its key photo at 0.8 s, which the trim would remove; keep that moment, or choose another key photo"
    ),
    (["trim", "--from", "1"], "has its key photo at 0.8 s"),
    (["trim", "--from", "0.801", "--to", "0.802"], "has no frame from 0.801 s"),
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
      (["sound", "--mute", "IMG_0003.JPG"], "IMG_0003.MOV: has no audio"),
    ] {
      let answer = try Tools.run([Command.path] + arguments, in: pair.folder.url)
      #expect(answer.status == 1 && answer.sentences.count == 1)
      #expect(answer.standardError.contains(words), "\(answer.standardError)")
    }
  }
}
