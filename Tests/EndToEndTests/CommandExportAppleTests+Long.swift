import Foundation
import TestSupport
import Testing

extension CommandExportAppleTests {
  @Test func anEditIsLaidOutAsPhotosTakesIt() throws {
    let (folder, out) = try prepared("IMG_0003.JPG", "IMG_0003.MOV")
    try run(folder, "adjust", "--exposure", "0.5", "IMG_0003.JPG")
    let answer = try run(folder, "export", "--as", "apple", "-o", "out", "IMG_0003.JPG")
    let all = ["IMG_0003.AAE", "IMG_0003.JPG", "IMG_0003.MOV", "IMG_E0003.JPG", "IMG_E0003.MOV"]
    #expect(try names(out) == all)
    for name in all { #expect(try bytes(out, name) == bytes(folder.url, name)) }
    #expect(!answer.text.contains("The export is named"))
    // The property list has Apple's keys with Apple's types.
    let list = try list(out.appendingPathComponent("IMG_0003.AAE"))
    #expect(list["adjustmentBaseVersion"] == "int=0")
    #expect(list["adjustmentRenderTypes"] == "int=0")
    #expect(list["adjustmentFormatIdentifier"] == "str=org.liveedit.edit")
    #expect(list["adjustmentEditorBundleID"] == "str=org.liveedit")
    #expect(list["adjustmentFormatVersion"]?.hasPrefix("str=1.") == true)
    #expect(list["adjustmentData"]?.hasPrefix("bytes=") == true)
    let history = try run(folder, "history", "--json", "IMG_0003.JPG").answers[0]
    let time = try #require(list["adjustmentTimestamp"]?.split(separator: "=").last)
    #expect(list["adjustmentTimestamp"]?.hasPrefix("datetime=") == true && history.contains("\"\(time)\""))
    // Two Live Photos, each paired by its own identifier.
    let original = try identifier(out, "IMG_0003.JPG")
    let render = try identifier(out, "IMG_E0003.JPG")
    #expect(original != nil && render != nil && original != render)
    #expect(try identifier(out, "IMG_0003.MOV") == original)
    #expect(try identifier(out, "IMG_E0003.MOV") == render)
    for prefix in ["IMG_", "IMG_E"] { try expectLivePhoto(out, prefix + "0003", "JPG") }
    let again = try Command.run("export", "--as", "apple", "-o", "out", "IMG_0003.JPG", in: folder.url)
    #expect(again.status == 1 && again.standardError.contains("already exists"))
    #expect(try names(out) == all)
  }

  /// An original with adjustment data but no render keeps the adjustment data, because Photos can render the edit
  /// itself.
  @Test func adjustmentDataAloneGoesAlong() throws {
    let (folder, out) = try prepared("IMG_0003.JPG", "IMG_0003.MOV")
    let adjustments: [String: Any] = [
      "adjustmentFormatIdentifier": "com.apple.photo", "adjustmentFormatVersion": "1.5",
      "adjustmentBaseVersion": 0, "adjustmentData": Data([1, 2, 3]),
    ]
    try PropertyListSerialization.data(fromPropertyList: adjustments, format: .binary, options: 0)
      .write(to: folder.file("IMG_0003.AAE"))
    try run(folder, "export", "--as", "apple", "-o", "out", "IMG_0003.JPG")
    #expect(try names(out) == ["IMG_0003.AAE", "IMG_0003.JPG", "IMG_0003.MOV"])
    #expect(try bytes(out, "IMG_0003.AAE") == bytes(folder.url, "IMG_0003.AAE"))
    try FileManager.default.removeItem(at: out)
    let answer = try run(folder, "export", "--as", "apple", "--dry-run", "-o", "out", "IMG_0003.JPG")
    #expect(answer.text.contains("IMG_0003.JPG + IMG_0003.MOV + IMG_0003.AAE →"))
    try run(folder, "export", "--as", "apple", "--version", "original", "-o", "out", "IMG_0003.JPG")
    #expect(try names(out) == ["IMG_0003.JPG", "IMG_0003.MOV"])
  }

  /// Names that Photos would not accept are replaced with camera-style names, each used only once.
  @Test func otherNamesBecomeNamesOfCameras() throws {
    let (folder, out) = try prepared("IMG_0003.JPG", "IMG_0003.MOV")
    // The copies share one identifier, so each has its own folder.
    for stem in ["holiday", "Été 1", "img_0003-2"] {
      let home = folder.file(stem)
      try FileManager.default.createDirectory(at: home, withIntermediateDirectories: false)
      for ending in ["JPG", "MOV"] {
        try FileManager.default.copyItem(
          at: folder.file("IMG_0003." + ending), to: home.appendingPathComponent(stem + "." + ending))
      }
    }
    try run(folder, "rotate", "--degrees", "90", "holiday/holiday.JPG", "IMG_0003.JPG")
    // A file already has the highest number, in lower case and with another extension.
    try Data("x".utf8).write(to: out.appendingPathComponent("img_e9999.png"))
    let answer = try run(
      folder, "export", "--as", "apple", "-o", "out", "holiday/holiday.JPG", "Été 1/Été 1.JPG",
      "IMG_0003.JPG", "img_0003-2/img_0003-2.JPG")
    let found = try names(out).filter { $0 != "img_e9999.png" }
    #expect(
      found == [
        "IMG_0003.AAE", "IMG_0003.JPG", "IMG_0003.MOV", "IMG_9996.JPG", "IMG_9996.MOV", "IMG_9997.JPG",
        "IMG_9997.MOV", "IMG_9998.AAE", "IMG_9998.JPG", "IMG_9998.MOV", "IMG_E0003.JPG", "IMG_E0003.MOV",
        "IMG_E9998.JPG", "IMG_E9998.MOV",
      ])
    #expect(answer.text.contains("The export is named IMG_9998"))
    #expect(try bytes(out, "IMG_E9998.MOV") == bytes(folder.url, "holiday/holiday_edited.MOV"))
    #expect(try bytes(out, "IMG_9998.AAE") == bytes(folder.url, "holiday/holiday.AAE"))
    // Under the new names, the edit still belongs to that original.
    let history = try Command.run("history", "IMG_9998.JPG", in: out)
    #expect(history.text.contains("rotated by 90"), "\(history.text) \(history.standardError)")
    #expect(!history.text.contains("changed by another program"))
    let numbered = try run(folder, "export", "--as", "apple", "--number", "-o", "out", "IMG_0003.JPG")
    #expect(numbered.text.contains("The export is named IMG_9995"))
    // A photo with the same name in another format would become a second asset with that name.
    try FileManager.default.copyItem(at: TestFiles.fixture("IMG_0004.HEIC"), to: folder.file("IMG_0001.HEIC"))
    try Data("x".utf8).write(to: out.appendingPathComponent("IMG_0001.PNG"))
    let beside = try Command.run("export", "--as", "apple", "-o", "out", "IMG_0001.HEIC", in: folder.url)
    #expect(
      beside.status == 1 && beside.standardError.contains("the same name as another photo or movie: IMG_0001")
    )
  }

  /// Assets with the same name from many folders are all exported in parallel.
  @Test func equalNamesFromManyFoldersAreAllExported() throws {
    let (folder, out) = try prepared()
    for index in 1...8 {
      let home = folder.file("d\(index)")
      try FileManager.default.createDirectory(at: home, withIntermediateDirectories: false)
      for ending in ["JPG", "MOV"] {
        try FileManager.default.copyItem(
          at: TestFiles.fixture("IMG_0003." + ending), to: home.appendingPathComponent("a." + ending))
      }
    }
    let folders = (1...8).map { "d\($0)" }
    let answer = try Tools.run(
      [Command.path, "export", "--as", "apple", "--jobs", "4", "-o", "out"] + folders, in: folder.url)
    #expect(answer.status == 0, "\(answer.standardError)")
    let expected = (9992...9999).flatMap { ["IMG_\($0).JPG", "IMG_\($0).MOV"] }
    #expect(try names(out) == expected)
  }

  /// The adjustment data of a version that is not based on the original states that correctly.
  @Test func aRenderOfARenderIsNoEditOfTheOriginal() throws {
    let (folder, out) = try prepared("IMG_0001.JPG", "IMG_0001.MOV")
    try run(folder, "rotate", "--degrees", "90", "IMG_0001.JPG")
    // Another program's edit, which liveedit's edit is applied on top of.
    let foreign: [String: Any] = [
      "adjustmentFormatIdentifier": "com.example.format", "adjustmentFormatVersion": "1",
      "adjustmentBaseVersion": 0, "adjustmentData": Data([1, 2, 3]),
    ]
    try PropertyListSerialization.data(fromPropertyList: foreign, format: .xml, options: 0)
      .write(to: folder.file("IMG_0001.AAE"))
    try run(folder, "export", "--as", "apple", "-o", "out", "IMG_0001.JPG")
    #expect(try bytes(out, "IMG_0001.AAE") == bytes(folder.url, "IMG_0001.AAE"))
    try run(folder, "adjust", "--exposure", "0.5", "IMG_0001.JPG")
    try FileManager.default.removeItem(at: out)
    try run(folder, "export", "--as", "apple", "-o", "out", "IMG_0001.JPG")
    let list = try list(out.appendingPathComponent("IMG_0001.AAE"))
    #expect(list["adjustmentFormatIdentifier"] == "str=org.liveedit.render")
    #expect(try bytes(out, "IMG_E0001.MOV") == bytes(folder.url, "IMG_E0001.MOV"))
    let revert = try Command.run("revert", "IMG_0001.JPG", in: out)
    #expect(revert.status == 0, "\(revert.standardError)")
    #expect(try content(of: out).keys.sorted() == ["IMG_0001.JPG", "IMG_0001.MOV"])
  }

  /// A version that discarded its files is rendered again with the same adjustment data.
  @Test func olderVersionsAreRenderedAgain() throws {
    let (folder, out) = try prepared("IMG_0003.JPG", "IMG_0003.MOV")
    try run(folder, "rotate", "--degrees", "90", "IMG_0003.JPG")
    let names = ["IMG_E0003.JPG", "IMG_E0003.MOV", "IMG_0003.AAE", "IMG_0003.JPG"]
    let first = try names.map { try bytes(folder.url, $0) }
    for degrees in ["90", "180"] { try run(folder, "rotate", "--degrees", degrees, "IMG_0003.JPG") }
    try run(folder, "adjust", "--exposure", "0.5", "IMG_0003.JPG")
    try run(folder, "export", "--as", "apple", "--version", "1", "-o", "out", "IMG_0003.JPG")
    for (name, data) in zip(names, first) { #expect(try bytes(out, name) == data, "\(name)") }
  }

  @Test func aTrialWritesNothingAndSaysTheSameNames() throws {
    let (folder, out) = try prepared("IMG_0003.JPG", "IMG_0003.MOV")
    try run(folder, "rotate", "--degrees", "90", "IMG_0003.JPG")
    let trial = try run(folder, "export", "--as", "apple", "--dry-run", "-o", "new/out", "IMG_0003.JPG")
    #expect(try names(out).isEmpty)
    #expect(try !names(folder.url).contains("new"))
    let done = try run(folder, "export", "--as", "apple", "-o", "new/out", "IMG_0003.JPG")
    #expect(trial.text == done.text)
    #expect(try names(folder.file("new/out")).count == 5)
  }
}

/// Tests that Apple's own edits are exported unchanged.
@Suite(.enabled(if: TestFiles.samples != nil, "LIVEEDIT_SAMPLES names no samples"))
struct CommandExportAppleSampleTests {
  /// The matrix in Apple's render of the IMG_3582 movie moves the picture off its origin, so the independent checker
  /// skips that render.
  @Test(
    arguments: Cases.chosen([
      ("iphone-6s-jpeg", "0728", "JPG", ["IMG_", "IMG_E"]), ("iphone-15pro-heic", "3582", "HEIC", ["IMG_"]),
    ]) { index, _ in index == 0 })
  func applesOwnEditsGoAlongByteForByte(_ folder: String, _ number: String, _ kind: String, sound: [String])
    throws
  {
    var all = ["IMG_\(number).\(kind)", "IMG_\(number).MOV", "IMG_E\(number).\(kind)", "IMG_E\(number).MOV"]
    all.append("IMG_\(number).AAE")
    if kind == "HEIC" { all.append("IMG_O\(number).AAE") }
    let source = try TemporaryFolder()
    for name in all { try source.copy(try #require(TestFiles.sample(folder + "/" + name))) }
    let answer = try Command.run("export", "--as", "apple", "-o", "out", "IMG_\(number).MOV", in: source.url)
    #expect(answer.status == 0, "\(answer.standardError)")
    let out = source.file("out")
    #expect(try FileManager.default.contentsOfDirectory(atPath: out.path).sorted() == all.sorted())
    for name in all {
      #expect(try Data(contentsOf: out.appendingPathComponent(name)) == Data(contentsOf: source.file(name)))
    }
    for prefix in sound { try expectLivePhoto(out, prefix + number, kind) }
  }
}

/// Asks the independent checker about a pair, if the environment names a checker.
private func expectLivePhoto(_ folder: URL, _ stem: String, _ kind: String) throws {
  let halves = [kind, "MOV"].map { folder.appendingPathComponent(stem + "." + $0).path }
  guard let check = try Checker.ask(["-", "-"] + halves + ["--pair-only"]) else { return }
  #expect(check.status == 0, "\(stem): \(check.text)")
}
