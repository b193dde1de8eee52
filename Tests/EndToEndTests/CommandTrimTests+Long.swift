import Foundation
import LivePhotoFormat
import TestSupport
import Testing

extension CommandTrimTests {
  /// Returns the pairs for a test; a quick run uses one fixture.
  ///
  /// - Parameters:
  ///   - test: A number that is different for each test.
  ///   - hasSample: Whether a quick run also uses a sample.
  static func pairs(_ test: Int, hasSample: Bool = false) -> [URL] {
    let fixtures = ["IMG_0001.JPG", "IMG_0002.JPG", "IMG_0004.HEIC"].map { TestFiles.fixture($0) }
    let samples = [
      "iphone-6s-jpeg/IMG_0728.JPG", "iphone-7plus-jpeg/IMG_2016.JPG", "iphone-15plus-heic/IMG_3853.HEIC",
      "iphone-15pro-heic/IMG_3582.HEIC",
    ].compactMap { TestFiles.sample($0) }
    return Cases.chosen(fixtures) { number, _ in (number + 2 * test) % fixtures.count == 1 }
      + Cases.chosen(samples) { number, _ in number == 0 && hasSample }
  }

  /// Changes the audio volume and reverts it, with the independent checker.
  @Test func soundIsSetForTheChecker() throws {
    try soundIsSetAndTakenBack()
  }

  /// A trim, a rotation and a preset are combined in one render of the original. `revert` restores the original byte
  /// for byte.
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
    // The same edit made at once produces the same render.
    let render = try Data(contentsOf: pair.editedMovie)
    try pair.run("trim", "--reset")
    #expect(try Self.times(pair.editedMovie).count == old.count)
    try pair.run("trim", "--frames", "\(first + 1)..\(last)")
    #expect(try Data(contentsOf: pair.editedMovie) == render)
    try pair.run("revert", "--to", "original")
    #expect(try content(of: pair.folder.url) == before)
  }

  /// A lossless trim copies coded frames bit for bit, and players show only the requested frames.
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
      #expect(answer.text.contains("because decoding needs") == (hidden > 0), "\(hidden) \(answer.text)")
      if hidden == first, hidden > 1 {
        #expect(answer.text.contains("\(first) hidden frames before the cut remain"))
      }
      try pair.verify(answer, "--no-pixels")
    }
    // Without --lossless, no hidden frames are kept.
    let answer = try pair.run("trim", "--frames", "3..\(old.count - 3)")
    #expect(!answer.text.contains("because decoding needs"))
    #expect(try packets(pair.editedMovie).count == old.count - 5)
  }

  /// A copied edit includes the volume. It includes a trim and `live off` only if they are named.
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
    #expect(copied.status == 0 && copied.said.contains("audio at 50%"), "\(copied.said)")
    #expect(!copied.said.contains("trimmed") && !copied.said.contains("photo only"), "\(copied.said)")
    let named = try words("IMG_0002", "--only", "trim")
    #expect(named.status == 0 && named.said.contains("trimmed to 0.1 s – 1.2 s"), "\(named.said)")
    #expect(named.said.contains("audio at 50%") && !named.said.contains("photo only"))
    let alone = try words("IMG_0002", "--only", "live,trim")
    #expect(alone.status == 0 && alone.said.contains("photo only"), "\(alone.said)")
    // A silent movie has no volume, and a movie may be too short for the trim.
    #expect(try words("IMG_0003").status == 2)
    let short = try words("IMG_0003", "--only", "trim,sound")
    #expect(short.status == 0 && short.said.contains("trimmed") && !short.said.contains("audio"))
    try pair.run("live", "on")
    try pair.run("trim", "--from", "0.1", "--to", "1.6")
    let refused = try words("IMG_0003", "--only", "trim")
    #expect(refused.status == 1 && refused.said.contains("IMG_0003.MOV: lasts 1.202 s"), "\(refused.said)")
  }

  /// Presets, copied edits and `auto` do not change the trim or the audio.
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
