import Foundation
import TestSupport
import Testing

extension CommandAcceptTests {
  @Test(arguments: Cases.chosen(Array(pairs.dropFirst())) { index, _ in index == 1 })
  func tagsOfOthersAreTakenIn(_ names: [URL]) throws {
    try tagsAreTakenIn(names)
  }

  /// `check --accept` refuses a changed picture, however small the difference, and records nothing.
  @Test func anotherPictureIsRefused() throws {
    let folder = try Self.edited([TestFiles.fixture("IMG_0001.JPG"), TestFiles.fixture("IMG_0001.MOV")])
    let photo = folder.file("IMG_0001.JPG")
    let original = try folder.read("IMG_0001.JPG")
    let catalogue = try folder.read(".liveedit/library.sqlite")
    func expectRefusal(_ what: String) throws {
      let refused = try Self.run(folder, "check", "--accept", "IMG_0001.JPG", status: 1)
      #expect(
        refused.sentences.count == 1 && refused.standardError.contains(what), "\(refused.standardError)")
      #expect(try folder.read(".liveedit/library.sqlite") == catalogue)
    }
    // Flips one bit in the scan.
    var bytes = original
    bytes[bytes.count - 2000] ^= 4
    try folder.write(bytes, to: "IMG_0001.JPG")
    try expectRefusal("its picture does not match the record")
    // Changes one pixel and encodes the picture again with the same tables and the same tags.
    try folder.write(original, to: "old.JPG")
    try folder.run("djpeg", ["-outfile", "pixels.ppm", "old.JPG"])
    var pixels = try folder.read("pixels.ppm")
    pixels[pixels.count / 2] ^= 0x80
    try folder.write(pixels, to: "pixels.ppm")
    try folder.run("cjpeg", ["-quality", "95", "-outfile", "IMG_0001.JPG", "pixels.ppm"])
    try folder.run(
      "exiftool",
      ["-q", "-overwrite_original", "-TagsFromFile", "old.JPG", "-all:all", "-unsafe", "IMG_0001.JPG"])
    try expectRefusal("its picture does not match the record")
    // Rotates the picture by changing only its orientation tag.
    try folder.write(original, to: "IMG_0001.JPG")
    try Self.write(["-n", "-Orientation=1"], into: photo)
    try expectRefusal("its picture does not match the record")
    // Changes one byte of the movie's video data.
    try folder.write(original, to: "IMG_0001.JPG")
    var movie = try folder.read("IMG_0001.MOV")
    movie[movie.count / 2] ^= 1
    try folder.write(movie, to: "IMG_0001.MOV")
    try expectRefusal("its video or audio does not match the record")
    // A file that lost its identifier no longer counts as half of a pair.
    movie[movie.count / 2] ^= 1
    try folder.write(movie, to: "IMG_0001.MOV")
    try Self.write(["-MakerNotes:all="], into: photo)
    try expectRefusal("same identifier")
  }

  /// A library written by an earlier liveedit has no digests that identify the picture. New tags are accepted only
  /// after a repair has seen the original unchanged.
  @Test func anOlderLibraryKnowsNoDigests() throws {
    let folder = try Self.edited([TestFiles.fixture("IMG_0001.JPG"), TestFiles.fixture("IMG_0001.MOV")])
    try Tools.output(
      "python3", "-c",
      """
      import glob, json, sqlite3, sys
      with sqlite3.connect(sys.argv[1] + "/library.sqlite") as catalogue:
        catalogue.executescript("DROP TABLE media; DROP TABLE transfer; ALTER TABLE version DROP COLUMN batch;"
          "DROP TABLE library; ALTER TABLE asset DROP COLUMN digest; PRAGMA user_version = 2")
      for name in glob.glob(sys.argv[1] + "/versions/*/*/version.json"):
        with open(name) as file: version = json.load(file)
        del version["generation"], version["checksum"]
        with open(name, "w") as file: json.dump(version, file)
      """, folder.file(".liveedit").path)
    let original = try folder.read("IMG_0001.JPG")
    try Self.run(folder, "history", "IMG_0001.JPG")
    try Self.run(folder, "check")
    try Self.write(["-Artist=Somebody"], into: folder.file("IMG_0001.JPG"))
    let refused = try Self.run(folder, "check", "--accept", "IMG_0001.JPG", status: 1)
    #expect(refused.standardError.contains("earlier liveedit recorded no digest"))
    try folder.write(original, to: "IMG_0001.JPG")
    try Self.run(folder, "check", "--repair")
    try Self.write(["-Artist=Somebody"], into: folder.file("IMG_0001.JPG"))
    try Self.run(folder, "check", "--accept", "IMG_E0001.MOV")
    try Self.run(folder, "check")
  }
}
