import TestSupport
import Testing

@testable import LiveEdit

/// What names say about files, and which sidecar belongs to which.
@Suite struct RepairNamesTests {
  @Test(arguments: [
    ("IMG_0001", "img_0001", false, false), ("IMG_0001_HEVC", "img_0001", false, false),
    ("IMG_0001 (1)", "img_0001", false, true), ("IMG_0001(12)", "img_0001", false, true),
    ("IMG_0001 2", "img_0001", false, true), ("IMG_0001 copy", "img_0001", false, true),
    ("IMG_0001 copy 2", "img_0001", false, true), ("IMG_0001-edited", "img_0001", true, false),
    ("IMG_0001-bearbeitet(1)", "img_0001", true, true), ("IMG_E0001", "img_0001", true, false),
    ("IMG_E0001 (1)", "img_0001", true, true), ("holiday_edited", "holiday", true, false),
    ("IMG_0001.HEIC", "img_0001", false, false), ("IMG_0001.HEIC(1)", "img_0001", false, true),
    // What is no addition.
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
}
