import Foundation
import TestSupport
import Testing

extension CommandKeepingTests {
  /// A render by another program that was missing during a repair, and then came back, is kept.
  @Test func whatCameBackIsKept() throws {
    for name in ["IMG_0001.JPG", "IMG_E0001.JPG"] { try put("IMG_0001.JPG", as: name) }
    try done("rotate", "--degrees", "90", "IMG_0001.JPG")
    let render = versions.appendingPathComponent("1/IMG_E0001.JPG")
    try FileManager.default.moveItem(at: render, to: folder.file("away"))
    try done("check", "--repair", ".")
    try FileManager.default.moveItem(at: folder.file("away"), to: render)
    try refused("forget", "IMG_0001.JPG", with: "cannot be rendered again")
    #expect(try Data(contentsOf: render) == Data(contentsOf: TestFiles.fixture("IMG_0001.JPG")))
  }

  /// “é” as one character, and as “e” with a combining accent: two names for the file system, but equal in Swift.
  private static let (composed, decomposed) = ("Caf\u{E9}", "Cafe\u{301}")

  @Test func aHistoryFollowsFromOneSpellingToTheOther() throws {
    try put("IMG_0001.JPG", as: Self.composed + ".JPG")
    try done("rotate", "--degrees", "90", Self.composed + ".JPG")
    try done("flip", "--vertical", Self.composed + ".JPG")
    try FileManager.default.moveItem(at: folder.file(Self.composed + ".JPG"), to: folder.file("between"))
    try FileManager.default.moveItem(at: folder.file("between"), to: folder.file(Self.decomposed + ".JPG"))
    try done("check", "--repair", ".")
    let query =
      "import sqlite3; [print(row[0]) for row in sqlite3.connect('.liveedit/library.sqlite').execute('SELECT stem FROM asset')]"
    for words in [["/usr/bin/python3", "-c", query], ["ls", ".liveedit/versions"]] {
      let told = try Tools.run(words, in: folder.url)
      #expect(
        told.lines.count == 1 && told.lines[0].utf8.elementsEqual(Self.decomposed.utf8),
        "\(words): \(told.lines)")
    }
    try done("check", ".")
    let answer = try run(["check", "--repair", "."])
    #expect(answer.status == 0 && !answer.text.contains("moved its history"), "\(answer.text)")
    try done("revert", Self.decomposed + ".JPG")
  }

  /// A renamed original is found even if the search covers more folders than a process can have open.
  @Test func anOriginalIsSoughtInManyFolders() throws {
    for number in 0..<120 {
      try FileManager.default.createDirectory(
        at: folder.file("f\(number)"), withIntermediateDirectories: false)
      try folder.write([UInt8(number)], to: "f\(number)/other.JPG")
    }
    try put("gainmap.JPG", as: "f7/IMG_0001.JPG")
    try done("rotate", "--degrees", "90", "--lossless", "f7/IMG_0001.JPG")
    try FileManager.default.moveItem(at: folder.file("f7/IMG_0001.JPG"), to: folder.file("f99/Beach.JPG"))
    let told = try Tools.run(["prlimit", "--nofile=80", Command.path, "check", "-r", "."], in: folder.url)
    #expect(told.text.contains("was renamed to f99/Beach.JPG"), "\(told.text)\(told.standardError)")
  }

  @Test func foldersOfTheTwoSpellingsAreTwo() throws {
    for (name, fixture) in [(Self.composed, "IMG_0001.JPG"), (Self.decomposed, "IMG_0003.JPG")] {
      try FileManager.default.createDirectory(at: folder.file(name), withIntermediateDirectories: false)
      try put(fixture, as: name + "/IMG_0001.JPG")
    }
    try put("IMG_0002.JPG", as: Self.composed + "/IMG_0002.JPG")
    try put("IMG_0004.HEIC", as: Self.decomposed + "/IMG_0002.HEIC")
    let names = [
      Self.composed + "/IMG_0001.JPG", Self.decomposed + "/IMG_0001.JPG", Self.decomposed + "/IMG_0002.HEIC",
    ]
    let output = try run(["rotate", "--degrees", "90"] + names)
    #expect(output.status == 0, "\(output.standardError)")
    // These paths differ here, although Swift treats them as equal.
    let found = try Tools.run(
      ["find", ".", "-name", "IMG_E*", "-not", "-path", "*/.liveedit/*"], in: folder.url)
    let expected = [
      Self.composed + "/IMG_E0001.JPG", Self.decomposed + "/IMG_E0001.JPG",
      Self.decomposed + "/IMG_E0002.HEIC",
    ]
    #expect(
      Set(found.lines.map { Array($0.utf8) }) == Set(expected.map { Array("./".utf8) + Array($0.utf8) }))
  }

  /// An original whose name looks like another original's render is left in place.
  @Test func anOriginalIsNoRender() throws {
    try put("IMG_0001.JPG", as: "IMG_E0001.JPG")
    try folder.run("exiftool", ["-q", "-overwrite_original", "-Comment=other", "IMG_E0001.JPG"])
    let before = try Data(contentsOf: folder.file("IMG_E0001.JPG"))
    try done("rotate", "--degrees", "90", "IMG_E0001.JPG")
    try put("IMG_0001.JPG", as: "IMG_0001.JPG")
    try refused("rotate", "--degrees", "90", "IMG_0001.JPG", with: "has its own history")
    #expect(try Data(contentsOf: folder.file("IMG_E0001.JPG")) == before)
    try FileManager.default.moveItem(at: folder.file("IMG_E0001.JPG"), to: folder.file("Beach.JPG"))
    try done("check", "--repair", ".")
    for name in ["IMG_0001.JPG", "Beach.JPG"] { try done("rotate", "--degrees", "90", name) }
  }

  private func rows(_ query: String) throws -> [String] {
    let script =
      "import sqlite3; [print(*row) for row in sqlite3.connect('.liveedit/library.sqlite').execute('\(query)')]"
    return try Tools.run(["/usr/bin/python3", "-c", script], in: folder.url).lines
  }

  /// A movie that was edited alone, and whose photo arrives later under another name, still has a single history.
  @Test func aMovieKeepsItsHistoryWhenItsPhotoComes() throws {
    try put("IMG_0003.MOV", as: "clip.MOV")
    try done("rotate", "--degrees", "90", "--lossless", "clip.MOV")
    try done("rotate", "--degrees", "90", "--lossless", "clip.MOV")
    try put("IMG_0003.JPG", as: "IMG_0003.JPG")
    let before = try folder.content(of: folder.url)
    for name in ["IMG_0003.JPG", "clip.MOV"] {
      try refused(
        "rotate", "--degrees", "90", "--lossless", name,
        with: "was recorded as clip.MOV, but is now IMG_0003.JPG + clip.MOV")
      let told = try run(["history", name])
      #expect(told.status == 0 && told.text.contains("version 2"), "\(told.text)\(told.standardError)")
    }
    #expect(try rows("SELECT stem FROM asset") == ["clip"])
    for (name, bytes) in before where name.hasSuffix("MOV") || name.hasSuffix("AAE") {
      #expect(try Data(contentsOf: folder.file(name)) == bytes, "\(name)")
    }
    // After `forget`, either half starts a new history based on what is displayed.
    try done("forget", "IMG_0003.JPG")
    try done("rotate", "--degrees", "90", "--lossless", "IMG_0003.JPG")
    #expect(try rows("SELECT stem FROM asset") == ["IMG_0003"])
    #expect(FileManager.default.fileExists(atPath: folder.file("IMG_E0003.JPG").path))
    try done("check", ".")
  }

  /// A repair that hashes an original with changed file times records the new times, so that it need not be hashed
  /// again.
  @Test func aTouchedOriginalIsHashedOnce() throws {
    try put("IMG_0001.JPG", as: "IMG_0001.JPG")
    try done("rotate", "--degrees", "90", "--lossless", "IMG_0001.JPG")
    try folder.run("touch", ["-d", "2001-02-03T04:05:06.789Z", "IMG_0001.JPG"])
    let time = try Tools.run(
      ["/usr/bin/python3", "-c", "import os; print(os.stat('IMG_0001.JPG').st_mtime_ns)"], in: folder.url)
    let query = "SELECT modified FROM file WHERE version = 0"
    try #require(rows(query) != time.lines)
    try done("check", "--repair", ".")
    #expect(try rows(query) == time.lines)
    try done("revert", "IMG_0001.JPG")
  }

  /// Either half identifies a pair with two different names, for `check --accept` and `forget` too.
  @Test func eitherHalfNamesAPair() throws {
    try put("IMG_0003.JPG", as: "IMG_0003.JPG")
    try put("IMG_0003.MOV", as: "clip.MOV")
    try done("rotate", "--degrees", "90", "--lossless", "IMG_0003.JPG")
    try folder.run("exiftool", ["-q", "-m", "-overwrite_original", "-Keys:Title=Beach", "clip.MOV"])
    let accepted = try run(["check", "--accept", "clip.MOV", "IMG_0003.JPG"])
    #expect(
      accepted.status == 0 && accepted.text.contains("clip.MOV: accepted, only its metadata changed"),
      "\(accepted.text)\(accepted.standardError)")
    #expect(!accepted.text.contains("nothing to do"))
    try done("rotate", "--degrees", "90", "--lossless", "clip.MOV")
    try done("forget", "--dry-run", "clip.MOV")
    try done("forget", "IMG_E0003.MOV")
    #expect(try rows("SELECT stem FROM asset") == [])
    try refused("forget", "clip.MOV", with: "has no recorded versions")
  }

  /// Undoing a batch follows a photo that was moved away and ignores another photo that has since taken its name.
  @Test func aBatchIsUndoneWhereItsPhotosAre() throws {
    for number in 1...2 { try put("IMG_000\(number).JPG", as: "IMG_000\(number).JPG") }
    try done("rotate", "--degrees", "90", "IMG_0001.JPG", "IMG_0002.JPG")
    try done("move", "IMG_0001.JPG", "Beach")
    try put("IMG_0003.JPG", as: "IMG_0001.JPG")
    let lists = try FileManager.default.contentsOfDirectory(
      atPath: folder.file("state/liveedit/batches").path)
    let batch = try #require(lists.first { $0.hasSuffix(".jsonl") }?.dropLast(6))
    try done("revert", "--batch", String(batch))
    let left = try folder.content(of: folder.url).keys.filter {
      $0.contains("_E") && !$0.contains(".liveedit")
    }
    #expect(
      left.isEmpty && !FileManager.default.fileExists(atPath: folder.file("Beach_edited.JPG").path), "\(left)"
    )
  }

  /// Exports can play an effect even if a movie frame is the key photo, or if the exported version no longer has its
  /// files.
  @Test func effectsAreSentOfEveryVersion() throws {
    for ending in ["JPG", "MOV"] { try put("IMG_0003." + ending, as: "IMG_0003." + ending) }
    try done("key-photo", "--at", "0.3", "IMG_0003.JPG")
    try done("export", "--as", "gif", "--effect", "bounce", "-o", "out", "IMG_0003.JPG")
    for value in ["0.1", "0.2"] { try done("adjust", "--exposure", value, "IMG_0003.JPG") }
    try #require(
      !FileManager.default.fileExists(atPath: folder.file(".liveedit/versions/IMG_0003/1/IMG_E0003.MOV").path)
    )
    try done(
      "export", "--as", "movie", "--effect", "loop", "--strip", "all", "--version", "1", "-o", "out2",
      "IMG_0003.JPG")
    let made = try folder.content(of: folder.url).keys.filter { $0.hasPrefix("out") }
    #expect(made.count == 2, "\(made)")
  }

  /// The report picture from `adopt` does not count as a second photo with the same name.
  @Test func aReportIsNoPhotoOfTheName() throws {
    for ending in ["JPG", "MOV"] { try put("IMG_0003." + ending, as: "IMG_0003." + ending) }
    try folder.run("convert", ["IMG_0003.JPG", "-brightness-contrast", "10x10", "IMG_E0003.JPG"])
    try done("adopt", "--report", ".", "--dry-run", "IMG_0003.JPG")
    #expect(FileManager.default.fileExists(atPath: folder.file("IMG_0003-adopted.jpg").path))
    try done("rotate", "--degrees", "90", "IMG_0003.JPG")
  }
}
