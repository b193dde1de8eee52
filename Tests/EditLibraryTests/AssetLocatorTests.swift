import Basics
import EditModel
import FileSystem
import Foundation
import TestSupport
import Testing

@testable import EditLibrary

@Suite struct AssetLocatorTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  func add(_ fixture: String, as name: String) throws {
    try FileManager.default.copyItem(at: TestFiles.fixture(fixture), to: folder.file(name))
  }

  func locate(_ name: String) throws(EditError) -> OriginalFiles {
    var locator = AssetLocator()
    return try locator.locate(folder.file(name).path)
  }

  func error(_ name: String) -> EditError? {
    #expect(throws: EditError.self) { try locate(name) }
  }

  @Test func everyNameOfAnAssetMeansIt() throws {
    try folder.copy(TestFiles.fixture("IMG_0001.JPG"), TestFiles.fixture("IMG_0001.MOV"))
    try add("IMG_0002.JPG", as: "IMG_E0001.JPG")
    try add("IMG_0002.MOV", as: "IMG_E0001.MOV")
    try Data("x".utf8).write(to: folder.file("IMG_0001.AAE"))
    let tags = try Tools.exiftool(folder.file("IMG_0001.JPG"))
    let identifier = tags["Apple:MediaGroupUUID"] ?? tags["Apple:ContentIdentifier"]
    for name in try folder.names() {
      let asset = try locate(name)
      #expect(asset.photo == "IMG_0001.JPG")
      #expect(asset.movie == "IMG_0001.MOV")
      #expect(asset.identifier == identifier)
      #expect(asset.notes == [])
    }
  }

  @Test func otherNamesFollowTheOtherRule() throws {
    try add("IMG_0003.JPG", as: "holiday.jpg")
    try add("IMG_0003.MOV", as: "holiday.mov")
    try add("IMG_0001.JPG", as: "holiday_edited.jpg")
    #expect(try locate("holiday_edited.jpg").photo == "holiday.jpg")
    #expect(try locate("holiday.mov").photo == "holiday.jpg")
  }

  /// A file named like a render of a render is an original, unless that render has a history of its own.
  @Test func aRenderHasNoRender() throws {
    for name in ["p.JPG", "p_edited.JPG", "p_edited_edited.JPG", "p_edited_edited_edited.JPG"] {
      try add("gainmap.JPG", as: name)
    }
    #expect(try locate("p_edited.JPG").photo == "p.JPG")
    #expect(try locate("p_edited_edited.JPG").photo == "p_edited_edited.JPG")
    #expect(try locate("p_edited_edited_edited.JPG").photo == "p_edited_edited.JPG")
    #expect(try FolderListing(folder: folder.url.path).assetNames == ["p.JPG", "p_edited_edited.JPG"])
    try FileManager.default.createDirectory(
      at: folder.file(".liveedit/versions/p_edited/1"), withIntermediateDirectories: true)
    #expect(try locate("p_edited_edited.JPG").photo == "p_edited.JPG")
    #expect(
      try FolderListing(folder: folder.url.path).assetNames == ["p.JPG", "p_edited_edited_edited.JPG"])
    for name in [".liveedit", "p.JPG"] { try FileManager.default.removeItem(at: folder.file(name)) }
    #expect(try locate("p_edited_edited.JPG").photo == "p_edited.JPG")
  }

  @Test func aRenderWithoutAnOriginalIsAnOriginal() throws {
    try add("IMG_0001.JPG", as: "IMG_E0001.JPG")
    try add("IMG_0001.MOV", as: "IMG_E0001.MOV")
    let asset = try locate("IMG_E0001.MOV")
    #expect(asset.photo == "IMG_E0001.JPG" && asset.movie == "IMG_E0001.MOV")
  }

  @Test(arguments: [["IMG_0001.AAE"], ["IMG_0001.aae"], [".liveedit/versions/IMG_0001/1/version.json"]])
  func aRenderWhoseOriginalIsGoneIsNone(_ traces: [String]) throws {
    try add("IMG_0001.JPG", as: "IMG_E0001.JPG")
    try add("IMG_0001.MOV", as: "IMG_E0001.MOV")
    for trace in traces {
      let file = folder.file(trace)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data("x".utf8).write(to: file)
    }
    for name in ["IMG_E0001.JPG", "IMG_E0001.MOV"] {
      let refused = error(name)
      #expect(refused?.code == .notFound && refused?.file == folder.file(name).path)
      #expect(refused?.problem == "is an edited version of IMG_0001, but that original is not in this folder")
    }
    // If the original's kind cannot be edited here, its render can still be edited.
    try Data("x".utf8).write(to: folder.file("IMG_0001.DNG"))
    #expect(try locate("IMG_E0001.JPG").movie == "IMG_E0001.MOV")
    try FileManager.default.removeItem(at: folder.file("IMG_0001.DNG"))
    try add("IMG_0002.JPG", as: "IMG_0001.jpg")
    #expect(try locate("IMG_E0001.JPG").photo == "IMG_0001.jpg")
  }

  @Test func twoPhotosOrMoviesOfOneNameAreRefused() throws {
    try folder.copy(TestFiles.fixture("IMG_0001.JPG"), TestFiles.fixture("IMG_0001.MOV"))
    try add("IMG_0001.JPG", as: "IMG_0001.HEIC")
    let photos = error("IMG_0001.MOV")
    #expect(photos?.code == .pairing)
    #expect(
      photos?.description.contains("IMG_0001.HEIC") == true
        && photos?.description.contains("IMG_0001.JPG") == true)
    try FileManager.default.removeItem(at: folder.file("IMG_0001.HEIC"))
    try add("IMG_0001.MOV", as: "IMG_0001.mov")
    let movies = error("IMG_0001.JPG")
    #expect(
      movies?.description.contains("IMG_0001.MOV") == true
        && movies?.description.contains("IMG_0001.mov") == true)
  }

  @Test func halvesThatDoNotBelongTogetherAreRefused() throws {
    try folder.copy(TestFiles.fixture("IMG_0001.JPG"))
    try add("IMG_0002.MOV", as: "IMG_0001.MOV")
    let differ = error("IMG_0001.JPG")
    #expect(differ?.code == .pairing)
    #expect(differ?.description.contains("IMG_0001.MOV") == true)
    try stripPhoto()
    #expect(error("IMG_0001.MOV")?.problem.contains("the photo has no identifier") == true)
  }

  @Test func aPhotoAndAMovieWithoutIdentifiersAreAssetsOfTheirOwn() throws {
    try folder.copy(TestFiles.fixture("IMG_0001.JPG"))
    try stripPhoto()
    for name in ["IMG_0001.MOV", "IMG_E0001.MOV"] {
      try folder.run(
        "ffmpeg",
        ["-v", "error", "-i", TestFiles.fixture("IMG_0002.MOV").path, "-map", "0:v", "-c", "copy", name])
    }
    let (photo, movie) = (try locate("IMG_0001.JPG"), try locate("IMG_0001.MOV"))
    #expect(photo.photo == "IMG_0001.JPG" && photo.movie == nil)
    #expect(movie.movie == "IMG_0001.MOV" && movie.photo == nil)
    #expect(photo.notes.last?.contains("IMG_0001.MOV has the same name") == true)
    // The name belongs to the photo, and so do a render and adjustment data of that name.
    #expect(photo.namesake == .second("IMG_0001.MOV") && movie.namesake == .first("IMG_0001.JPG"))
    #expect(try locate("IMG_E0001.MOV").photo == "IMG_0001.JPG")
  }

  private func stripPhoto() throws {
    let stripped = try Tools.run([
      "exiftool", "-q", "-overwrite_original", "-MakerNotes=", folder.file("IMG_0001.JPG").path,
    ])
    #expect(stripped.status == 0)
  }

  /// Among several files of one name, those with the same identifier form a Live Photo, and the others are separate
  /// assets.
  @Test func aPairAmongSeveralOfOneNameIsFound() throws {
    try folder.copy(TestFiles.fixture("IMG_0004.HEIC"), TestFiles.fixture("IMG_0004.MOV"))
    try add("gainmap.JPG", as: "IMG_0004.jpg")
    for name in ["IMG_0004.HEIC", "IMG_0004.MOV"] {
      let pair = try locate(name)
      #expect(pair.photo == "IMG_0004.HEIC" && pair.movie == "IMG_0004.MOV")
    }
    let other = try locate("IMG_0004.jpg")
    #expect(other.photo == "IMG_0004.jpg" && other.movie == nil)
    #expect(other.namesake == .first("IMG_0004.HEIC"))
  }

  @Test func aHalfAloneIsAnAssetWithANote() throws {
    try folder.copy(TestFiles.fixture("IMG_0001.JPG"), TestFiles.fixture("IMG_0002.MOV"))
    let photo = try locate("IMG_0001.JPG")
    #expect(photo.movie == nil && photo.identifier != nil)
    #expect(
      photo.notes == ["IMG_0001.JPG is one half of a Live Photo, but its movie is not in this folder."])
    let movie = try locate("IMG_0002.MOV")
    #expect(movie.photo == nil && movie.notes.count == 1 && movie.notes[0].contains("photo"))
    _ = try Tools.run([
      "exiftool", "-q", "-overwrite_original", "-MakerNotes=", folder.file("IMG_0001.JPG").path,
    ])
    let plain = try locate("IMG_0001.JPG")
    #expect(plain.identifier == nil && plain.notes == [])
  }

  @Test func aHalfOfAnotherNameIsFoundByIdentifier() throws {
    try add("IMG_0001.JPG", as: "photo.JPG")
    try add("IMG_0001.MOV", as: "movie.MOV")
    try folder.copy(TestFiles.fixture("IMG_0002.JPG"), TestFiles.fixture("IMG_0002.MOV"))
    for name in ["photo.JPG", "movie.MOV"] {
      let asset = try locate(name)
      #expect(asset.photo == "photo.JPG" && asset.movie == "movie.MOV" && asset.notes == [])
    }
    try add("IMG_0001.JPG", as: "copy.JPG")
    for name in ["photo.JPG", "movie.MOV", "copy.JPG"] {
      let refused = error(name)
      #expect(refused?.code == .pairing)
      #expect(
        refused?.description.contains("photo.JPG") == true
          && refused?.description.contains("copy.JPG") == true)
    }
  }

  @Test func aCopyBesideAPairIsRefusedAndThePairIsNot() throws {
    try folder.copy(TestFiles.fixture("IMG_0001.JPG"), TestFiles.fixture("IMG_0001.MOV"))
    try add("IMG_0001.JPG", as: "copy.JPG")
    #expect(try locate("IMG_0001.JPG").movie == "IMG_0001.MOV")
    #expect(error("copy.JPG")?.description.contains("IMG_0001.JPG") == true)
  }

  @Test func aLargeFolderIsNotReadForOneHalf() throws {
    try folder.copy(TestFiles.fixture("IMG_0001.JPG"))
    for number in 0...AssetLocator.mostFilesSearched { try Data().write(to: folder.file("x\(number).MOV")) }
    let asset = try locate("IMG_0001.JPG")
    #expect(asset.movie == nil)
    #expect(asset.notes.first?.contains("liveedit did not search the ") == true)
  }

  @Test func linksAreFollowedAndStayWhereTheyAre() throws {
    let elsewhere = try TemporaryFolder()
    try elsewhere.copy(TestFiles.fixture("IMG_0001.JPG"), TestFiles.fixture("IMG_0001.MOV"))
    for name in ["IMG_0001.JPG", "IMG_0001.MOV"] {
      try FileManager.default.createSymbolicLink(
        at: folder.file(name), withDestinationURL: elsewhere.file(name))
    }
    let asset = try locate("IMG_0001.JPG")
    #expect(asset.movie == "IMG_0001.MOV")
    #expect(asset.folder == folder.url.path)
  }

  @Test func oneAssetHasOneIdentity() throws {
    try folder.copy(
      TestFiles.fixture("IMG_0001.JPG"), TestFiles.fixture("IMG_0001.MOV"), TestFiles.fixture("IMG_0002.JPG"))
    var locator = AssetLocator()
    let one = try locator.locate(folder.url.path + "/IMG_0001.JPG")
    let same = try locator.locate(folder.url.path + "/../" + folder.url.lastPathComponent + "//IMG_0001.MOV")
    let other = try locator.locate(folder.url.path + "/IMG_0002.JPG")
    #expect(one.identity == same.identity)
    #expect(one.identity != other.identity)
  }

  @Test func whatIsNoPhotoOrMovieIsRefused() throws {
    #expect(error("none.JPG")?.code == .notFound)
    try FileManager.default.createDirectory(at: folder.file("folder.JPG"), withIntermediateDirectories: false)
    #expect(error("folder.JPG")?.problem == "is a folder")
    try Data().write(to: folder.file("empty.JPG"))
    #expect(error("empty.JPG")?.problem == "is empty")
    try Data().write(to: folder.file("empty.MOV"))
    #expect(error("empty.MOV") != nil)
    for name in ["text.JPG", "movie.MOV", "readme.txt", "noextension"] {
      try Data("This is a text file, and a rather short one.".utf8).write(to: folder.file(name))
      let refused = error(name)
      #expect(refused?.code == .invalidFile)
      #expect(refused?.file == folder.file(name).path)
    }
    try Data("x".utf8).write(to: folder.file("IMG_0009.AAE"))
    #expect(error("IMG_0009.AAE")?.code == .notFound)
    _ = try Tools.run(["mkfifo", folder.file("pipe.JPG").path])
    #expect(error("pipe.JPG")?.code == .invalidFile)
  }

  @Test func anUnknownExtensionLeavesTheBytesToTell() throws {
    try add("IMG_0001.JPG", as: "picture.bak")
    #expect(try locate("picture.bak").photo == "picture.bak")
  }

  /// With many differently named halves in one folder, each file is read only once per search.
  @Test func aSearchRemembersWhatOneBeforeHasRead() throws {
    for (number, name) in [(1, "a"), (2, "b")] {
      try add("IMG_000\(number).JPG", as: name + ".JPG")
      try add("IMG_000\(number).MOV", as: name + "2.MOV")
    }
    var locator = AssetLocator()
    let first = try locator.locate(folder.file("a.JPG").path)
    #expect(first.movie == "a2.MOV")
    for name in ["a2.MOV", "b2.MOV"] { try Data().write(to: folder.file(name)) }
    let second = try locator.locate(folder.file("b.JPG").path)
    #expect(second.movie == "b2.MOV")
    #expect(try locate("b.JPG").movie == nil)
  }

  @Test func theLastListingFollowsItsFolder() throws {
    var listings = LastListing()
    for name in ["a.JPG", "b.JPG", "c.MOV"] {
      try Data().write(to: folder.file(name))
      // Some file systems store times only to a few milliseconds.
      HostSystem.sleep(milliseconds: 20)
      for _ in 1...2 {
        let listing = try listings.of(folder.url.path)
        #expect(try listing.names == folder.names())
      }
    }
    let other = try TemporaryFolder()
    let (empty, again) = (try listings.of(other.url.path), try listings.of(folder.url.path))
    #expect(empty.names == [] && again.halves(kind: .photo) == ["a.JPG", "b.JPG"])
  }
}
