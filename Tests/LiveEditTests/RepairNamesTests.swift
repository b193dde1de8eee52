import EditLibrary
import Foundation
import TestSupport
import Testing

@testable import LiveEdit
@testable import RenderClient
@testable import Workflows

/// Tests of the information in file names, and of matching sidecars to files.
@Suite struct RepairNamesTests {
  @Test(arguments: [
    ("IMG_0001", "img_0001", false, false), ("IMG_0001_HEVC", "img_0001", false, false),
    ("IMG_0001 (1)", "img_0001", false, true), ("IMG_0001(12)", "img_0001", false, true),
    ("IMG_0001 2", "img_0001", false, true), ("IMG_0001 copy", "img_0001", false, true),
    ("IMG_0001 copy 2", "img_0001", false, true), ("IMG_0001-edited", "img_0001", true, false),
    ("IMG_0001-bearbeitet(1)", "img_0001", true, true), ("IMG_E0001", "img_0001", true, false),
    ("IMG_E0001 (1)", "img_0001", true, true), ("holiday_edited", "holiday", true, false),
    ("IMG_0001.HEIC", "img_0001", false, false), ("IMG_0001.HEIC(1)", "img_0001", false, true),
    // Names without a recognised addition.
    ("2021-05-01 12.30", "2021-05-01 12.30", false, false), ("IMG_2021", "img_2021", false, false),
    ("(1)", "(1)", false, false), ("IMG_(a)", "img_(a)", false, false),
    ("IMG 1234", "img 1234", false, false),
  ])
  func namesComeFromACamerasName(_ stem: String, _ root: String, _ isEdited: Bool, _ isCopy: Bool) {
    let form = NameForm(stem: stem)
    #expect(form.root == root && form.isEdited == isEdited && form.isCopy == isCopy, "\(form)")
  }

  @Test(arguments: [
    ("img_0001.jpg", "img_0001.jpg"), ("img_0001.jpg(2)", "img_0001(2).jpg"),
    ("img_0001.jpg.supplemental-metadata", "img_0001.jpg"),
    ("img_0001.jpg.supplemental-meta", "img_0001.jpg"), ("img_0001.jpg.s", "img_0001.jpg"),
    ("img_0001.heic.supplemental-metadata(3)", "img_0001(3).heic"), ("img_0001", "img_0001"),
    ("trip.summary", "trip.summary"),
  ])
  func sidecarsStandForFiles(_ name: String, _ subject: String) {
    #expect(TakeoutSidecars.subject(name) == subject)
  }

  @Test func sidecarsAreReadAsFarAsTheyGo() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      Array(
        #"{"title":"IMG_1.JPG","photoTakenTime":{"timestamp":"1620000000","formatted":"x"},"#.utf8)
        + Array(#""geoData":{"latitude":48.5,"longitude":11.25,"altitude":1.0},"url":"https://a"}"#.utf8),
      to: "full.json")
    try folder.write(
      Array(#"{"title":"IMG_2.JPG","geoData":{"latitude":0.0,"longitude":0.0},"more":[]}"#.utf8),
      to: "little.json")
    try folder.write(Array(#"{"title":7}"#.utf8), to: "other.json")
    try folder.write(
      Array(#"{"title":"A","photoTakenTime":{"timestamp":"99999999999999999999"}}"#.utf8), to: "far.json")
    let full = try #require(try TakeoutSidecar(path: folder.file("full.json").path))
    #expect(full.title == "IMG_1.JPG" && full.taken == 1_620_000_000_000 && full.address == "https://a")
    #expect(full.location?.latitude == 48.5 && full.location?.longitude == 11.25)
    let little = try #require(try TakeoutSidecar(path: folder.file("little.json").path))
    #expect(little.taken == nil && little.location == nil && little.address == nil)
    #expect(try TakeoutSidecar(path: folder.file("other.json").path) == nil)
    #expect(try TakeoutSidecar(path: folder.file("far.json").path)?.taken == nil)
    try folder.write(
      Array(#"{"title":"A","photoTakenTime":{"timestamp":"\#(Int.min)"}}"#.utf8), to: "first.json")
    #expect(try TakeoutSidecar(path: folder.file("first.json").path)?.taken == nil)
  }

  /// Names that Takeout truncated refer to one sidecar, which is read once for all of them.
  @Test func aSidecarOfManyNamesIsReadOnce() throws {
    let folder = try TemporaryFolder()
    let name = String(repeating: "n", count: 46)
    let filling = String(repeating: "1,", count: 500_000) + "1"
    try folder.write(Array(#"{"title":"a.jpg","more":[\#(filling)]}"#.utf8), to: name + ".json")
    var sidecars = TakeoutSidecars(in: try FolderListing(folder: folder.url.path))
    for number in 0..<500 {
      let sidecar = try sidecars.sidecar(of: "\(name)\(number).jpg")
      #expect(sidecar?.title == "a.jpg")
      // A sidecar that was already read is not read again.
      if number == 0 { try FileManager.default.removeItem(at: folder.file(name + ".json")) }
    }
    let none = try sidecars.sidecar(of: "other.jpg")
    #expect(none == nil)
  }

  /// If hundreds of files share a date, the date is not used and no pictures are compared, but names still count.
  @Test func manyHalvesOfOneDateGoByTheirNames() throws {
    let folder = try TemporaryFolder()
    try folder.copy(TestFiles.fixture("IMG_0003.JPG"), TestFiles.fixture("IMG_0003.MOV"))
    try Tools.output(
      "exiftool", "-q", "-overwrite_original", "-MakerNotes=", "-GPS:all=", folder.file("IMG_0003.JPG").path)
    let many = folder.file("many")
    try FileManager.default.createDirectory(at: many, withIntermediateDirectories: false)
    for number in 0..<600 {
      for kind in ["JPG", "MOV"] {
        try FileManager.default.linkItem(
          at: folder.file("IMG_0003." + kind), to: many.appendingPathComponent("p\(number)." + kind))
      }
    }
    var compared = 0
    let plan = try RepairPlan(folders: [many.path]) { _, _ in
      compared += 1
      return nil
    }
    #expect(compared == 0 && plan.rest.isEmpty)
    #expect(Set(plan.pairs.map(\.photo)).count == 600)
    #expect(
      plan.pairs.allSatisfy { $0.photo.dropLast(3) == $0.movie.dropLast(3) && $0.basis == .nameAndTime })
  }
}
