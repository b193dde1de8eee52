import Foundation
import TestSupport
import Testing

/// Tests of `live off` and `live on`.
@Suite struct CommandLiveTests {
  func identifier(_ photo: URL) throws -> String? {
    let tags = try Tools.exiftool(photo)
    return tags["MakerNotes:ContentIdentifier"] ?? tags["MakerNotes:MediaGroupUUID"]
      ?? tags["Apple:ContentIdentifier"] ?? tags["Apple:MediaGroupUUID"]
  }

  @Test(arguments: ["IMG_0001.JPG", "IMG_0004.HEIC"]) func thePhotoStandsAlone(_ photo: String) throws {
    let pair = try CommandTrimTests.Pair(photo)
    let before = try content(of: pair.folder.url)
    try pair.run("rotate", "--degrees", "90")
    let turned = try content(of: pair.folder.url)
    #expect(try identifier(pair.editedPhoto) != nil)
    let off = try pair.run("live", "off")
    #expect(off.text.contains("removed from the photo: ContentIdentifier"))
    let names = try FileManager.default.contentsOfDirectory(atPath: pair.folder.url.path).filter {
      $0 != ".liveedit"
    }
    #expect(
      Set(names) == [pair.photo, pair.movie, pair.editedPhoto.lastPathComponent, "\(photo.prefix(8)).AAE"])
    #expect(try identifier(pair.editedPhoto) == nil)
    let answer = try Tools.run(
      [Command.path, "verify", pair.editedPhoto.lastPathComponent], in: pair.folder.url)
    #expect(
      answer.status == 0 && answer.text.contains("a photo without its movie: live is off"), "\(answer.text)")
    #expect(try Command.run("list", in: pair.folder.url).text.contains("Live is off"))
    #expect(try Command.run("history", photo, in: pair.folder.url).text.contains("photo only"))
    #expect(try Command.run("check", in: pair.folder.url).status == 0)
    // Without its catalogue, the version is still recognised.
    let catalogue = pair.folder.file(".liveedit")
    let aside = pair.folder.file("aside")
    try FileManager.default.moveItem(at: catalogue, to: aside)
    let found = try Command.run("history", photo, in: pair.folder.url).text
    #expect(found.contains("photo only") && !found.contains("changed by another program"), "\(found)")
    _ = try? FileManager.default.removeItem(at: catalogue)
    try FileManager.default.moveItem(at: aside, to: catalogue)
    // Other edits keep Live turned off.
    try pair.run("rotate", "--degrees", "180")
    #expect(!FileManager.default.fileExists(atPath: pair.editedMovie.path))
    try pair.run("rotate", "--degrees", "180")
    try pair.run("live", "on")
    let again = try content(of: pair.folder.url)
    for (name, bytes) in turned where !name.hasSuffix(".AAE") { #expect(again[name] == bytes, "\(name)") }
    try pair.run("live", "off")
    try pair.run("revert", "--to", "original")
    #expect(try content(of: pair.folder.url) == before)
  }

  @Test func aPhotoWithoutMovieIsRefused() throws {
    let pair = try CommandTrimTests.Pair()
    try FileManager.default.removeItem(at: pair.originalMovie)
    let answer = try Command.run("live", "off", "IMG_0001.JPG", in: pair.folder.url)
    #expect(answer.status == 1 && answer.standardError.contains("IMG_0001.JPG: has no movie"))
  }

  @Test func aMovieWithoutPhotoIsRefused() throws {
    let pair = try CommandTrimTests.Pair()
    try FileManager.default.removeItem(at: pair.folder.file("IMG_0001.JPG"))
    let answer = try Command.run("live", "off", "IMG_0001.MOV", in: pair.folder.url)
    #expect(answer.status == 1 && answer.standardError.contains("has no photo"), "\(answer.standardError)")
  }
}
