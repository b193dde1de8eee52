import Foundation
import TestSupport
import Testing

extension CommandEffectTests {
  private func check(_ pair: Pair) throws {
    let answer = try Tools.run(
      [Command.path, "verify", pair.editedPhoto.lastPathComponent], in: pair.folder.url)
    #expect(answer.status == 0, "\(answer.text) \(answer.standardError)")
    // exiftool counts exactly one still-image-time.
    let marks = try Tools.output(
      "exiftool", "-ee", "-G3", "-api", "largefilesupport=1", "-StillImageTime", pair.editedMovie.path
    ).lines
    #expect(marks.count == 1, "\(marks)")
    guard
      let verdict = try Checker.ask(
        pair.folder.file(pair.photo).path, pair.originalMovie.path, pair.editedPhoto.path,
        pair.editedMovie.path, "--pair-only")
    else { return }
    #expect(verdict.status == 0, "\(verdict.lines.filter { $0.hasPrefix("FAIL") }) \(verdict.standardError)")
  }

  @Test(arguments: CommandTrimTests.pairs(4)) func aBounceGoesThereAndBack(_ photo: URL) throws {
    let pair = try Pair(photo)
    let before = try content(of: pair.folder.url)
    let old = try CommandTrimTests.times(pair.originalMovie)
    let still = try #require(try CommandTrimTests.still(pair.originalMovie))
    try pair.run("rotate", "--degrees", "90")
    let report = try pair.run("effect", "bounce", "--verbose")
    #expect(
      try CommandTrimTests.sound(pair.originalMovie).isEmpty || report.text.contains("removed on request"))
    let new = try CommandTrimTests.times(pair.editedMovie)
    #expect(new.count == 2 * old.count - 2)
    let start = old.first ?? 0
    for (one, other) in zip(new, old) { #expect(abs(one - (other - start)) < 0.0006) }
    // Frame times are mirrored around the last frame, which is shown once with its own duration.
    let back = new[old.count...]
    let turn = try #require(back.first) - (old[old.count - 2] - start)
    for (one, other) in zip(back, old.dropFirst().dropLast().reversed()) {
      let length = old[old.count - 2] - other
      #expect(abs(one - (old[old.count - 2] - start + turn + length)) < 0.0012)
    }
    let moved = try #require(try CommandTrimTests.still(pair.editedMovie))
    #expect(abs(moved - (still - start)) < 0.002)
    #expect(try CommandTrimTests.sound(pair.editedMovie).isEmpty)
    let frames = try Self.frames(pair.editedMovie)
    for (number, later) in [(1, frames.count - 1), (old.count - 2, old.count)] {
      let same = Self.difference(frames[number], frames[later])
      #expect(same < 4, "\(number) \(same)")
    }
    try check(pair)
    let history = try Command.run("history", pair.photo, in: pair.folder.url).text
    #expect(history.contains("rotated by 90°, bounce effect"))
    try pair.run("revert", "--to", "original")
    #expect(
      try content(of: pair.folder.url).filter { !$0.key.hasPrefix(".liveedit") }
        == before.filter { !$0.key.hasPrefix(".liveedit") })
  }

  @Test(arguments: CommandTrimTests.pairs(5)) func aLoopGoesOverIntoItsBeginning(_ photo: URL) throws {
    let pair = try Pair(photo)
    let old = try CommandTrimTests.times(pair.originalMovie)
    try pair.run("effect", "loop")
    let new = try CommandTrimTests.times(pair.editedMovie)
    #expect(new.count < old.count && new.count >= old.count / 2 && new.first == 0)
    let frames = try Self.frames(pair.editedMovie)
    #expect(frames.count == new.count)
    let steps = zip(frames, frames.dropFirst()).map(Self.difference)
    let seam = Self.difference(try #require(frames.last), try #require(frames.first))
    // Adjacent frames share encoder artefacts from the preceding frame. The first and last frames do not.
    #expect(seam < max(steps.reduce(0, +) / Double(steps.count) + 0.5, 2), "\(seam) \(steps)")
    let still = try #require(try CommandTrimTests.still(pair.editedMovie))
    #expect(still < new.last ?? 0)
    try check(pair)
  }

  /// A trim, a rotation, a crop, a preset and an effect are combined in one render of the original, in any order.
  @Test func effectsGoWithOtherEdits() throws {
    let pair = try Pair()
    try pair.run("effect", "bounce")
    try pair.run("trim", "--frames", "3..20")
    try pair.run("rotate", "--degrees", "90")
    try pair.run("crop", "--aspect", "1:1")
    try pair.run("apply", "--preset", "vivid")
    #expect(try CommandTrimTests.times(pair.editedMovie).count == 34)
    let size = try Tools.ffprobe(
      pair.editedMovie, "-select_streams", "v:0", "-show_entries", "stream=width,height")
    let sides = try #require(size.first).split(separator: ",").compactMap { Int($0) }
    #expect(sides.count == 2 && sides[0] == sides[1] && 288...360 ~= sides[0], "\(size)")
    try check(pair)
    let history = try Command.run("history", pair.photo, in: pair.folder.url).text
    #expect(history.contains("trimmed to") && history.contains("bounce effect"))
    // The same edits in another order produce the same bytes.
    let bytes = try Data(contentsOf: pair.editedMovie)
    let other = try Pair()
    try other.run("apply", "--preset", "vivid")
    try other.run("crop", "--aspect", "1:1")
    try other.run("rotate", "--degrees", "90")
    try other.run("effect", "loop")
    try other.run("trim", "--frames", "3..20")
    try other.run("effect", "bounce")
    // A crop rotates with the picture. This crop is square.
    #expect(try Data(contentsOf: other.editedMovie) == bytes)
    // `live off` removes the movie, and `live on` restores it with its effect.
    try pair.run("live", "off")
    #expect(!FileManager.default.fileExists(atPath: pair.editedMovie.path))
    try pair.run("live", "on")
    #expect(try Data(contentsOf: pair.editedMovie) == bytes)
    try pair.run("effect", "none")
    #expect(try CommandTrimTests.times(pair.editedMovie).count == 18)
  }

  /// An export with an effect leaves no trace in the library and is rendered from the version's base.
  @Test func exportsGetEffects() throws {
    let pair = try Pair()
    try pair.run("rotate", "--degrees", "90")
    let before = try content(of: pair.folder.url)
    let history = try Command.run("history", pair.photo, in: pair.folder.url).text
    try pair.run("export", "--as", "movie", "--effect", "bounce", "-o", "out")
    let movie = pair.folder.file("out/IMG_E0001.MOV")
    #expect(try CommandTrimTests.times(movie).count == 78)
    #expect(try CommandTrimTests.sound(movie).isEmpty)
    try pair.run("export", "--as", "gif", "--effect", "loop", "-o", "out")
    try pair.run("export", "--as", "webp", "--effect", "bounce", "-o", "out")
    let gif = try Tools.ffprobe(
      pair.folder.file("out/IMG_E0001.gif"), "-count_frames", "-show_entries", "stream=nb_read_frames,width")
    let fields = try #require(gif.first).split(separator: ",").compactMap { Int($0) }
    #expect(fields.count == 2 && 10...24 ~= fields[1], "\(gif)")
    let refused = try Tools.run(
      [Command.path, "export", "--as", "still", "--effect", "loop", "-o", "out", pair.photo],
      in: pair.folder.url)
    #expect(refused.status == 64)
    #expect(try Command.run("history", pair.photo, in: pair.folder.url).text == history)
    try FileManager.default.removeItem(at: pair.folder.file("out"))
    #expect(try content(of: pair.folder.url) == before)
  }
}
