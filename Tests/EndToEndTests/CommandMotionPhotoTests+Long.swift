import Foundation
import TestSupport
import Testing

extension CommandMotionPhotoTests {
  /// Every edit leaves a valid Motion Photo. A quick run rotates, adjusts colours, shifts dates, makes a photo or movie
  /// from frames, and trims.
  @Test(arguments: Cases.chosen(Array(edits.indices)) { _, edit in [0, 4, 6, 9, 10, 12].contains(edit) })
  func everyEditLeavesAMotionPhoto(_ index: Int) throws {
    try check(folder, "motion.jpg", Self.edits[index])
  }

  /// Edits real Motion Photos, if samples are available, with one edit of each kind, because each takes seconds. A
  /// quick run only rotates them.
  @Test(
    .enabled(if: samples != nil), arguments: Cases.chosen([0, 2, 6, 11, 12]) { index, _ in index == 0 })
  func everyEditLeavesAMotionPhotoOfRealOnes(_ index: Int) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: Self.samples?.path ?? "") {
      let folder = try TemporaryFolder()
      try folder.copy(try #require(Self.samples).appendingPathComponent(name))
      try check(folder, name, Self.edits[index])
    }
  }

  private static let samples: URL? = {
    guard let folder = ProcessInfo.processInfo.environment["LIVEEDIT_SAMPLES"] else { return nil }
    let found = URL(fileURLWithPath: folder).appendingPathComponent("motion-photo")
    return FileManager.default.fileExists(atPath: found.path) ? found : nil
  }()

  private func check(_ folder: TemporaryFolder, _ name: String, _ edit: (words: String, changesTime: Bool?))
    throws
  {
    let before = try content(of: folder.url)
    let words = edit.words.split(separator: " ").map(String.init)
    let answer = try Tools.run([Command.path] + words + [name], in: folder.url)
    try #require(answer.status == 0, "\(edit.words) \(name): \(answer.standardError)")
    let render = try #require(
      try folder.names().first { before[$0] == nil && !$0.hasSuffix(".AAE") && !$0.hasPrefix(".") })
    #expect(try content(of: folder.url)[name] == before[name])
    let verified = try Command.run("verify", render, in: folder.url)
    #expect(verified.status == 0 && verified.text.contains("a valid Motion Photo"), "\(verified.text)")
    let tags = try (Tools.exiftool(folder.file(name)), Tools.exiftool(folder.file(render)))
    for tag in ["MotionPhoto", "MotionPhotoVersion", "MicroVideo"] {
      #expect(tags.0["XMP-GCamera:" + tag] == tags.1["XMP-GCamera:" + tag], "\(tag)")
    }
    #expect(tags.0["Samsung:EmbeddedVideoType"] == tags.1["Samsung:EmbeddedVideoType"])
    let place = "XMP-GCamera:MotionPhotoPresentationTimestampUs"
    if let changesTime = edit.changesTime {
      #expect((tags.0[place] != tags.1[place]) == changesTime, "\(tags.1[place] ?? "")")
    }
    let reverted = try Command.run("revert", name, in: folder.url)
    #expect(try reverted.status == 0 && content(of: folder.url) == before)
  }

  @Test func aSheetShowsItsFrames() throws {
    let made = try Command.run("sheet", "-o", "sheet.png", "motion.jpg", in: folder.url)
    #expect(made.status == 0 && made.text.hasPrefix("12 pictures"), "\(made.text)\(made.standardError)")
  }

  @Test(arguments: ["video": "motion.mp4", "gif": "motion.gif", "image": "motion.jpg"])
  func otherFormsAreMadeOfIt(_ form: String, _ name: String) throws {
    let (files, output) = try export(form)
    #expect(output.status == 0 && files.map(\.lastPathComponent) == [name], "\(output.standardError)")
    let facts = try Tools.ffprobe(
      #require(files.first), "-count_frames", "-show_entries", "stream=nb_read_frames")
    let frames = facts.compactMap { Int($0.filter(\.isNumber)) }.first
    #expect(form == "image" ? frames == 1 : (frames ?? 0) > 5, "\(facts)")
  }

  /// Samsung phones append the country of their network to every photo, and it counts as a location.
  @Test func theCountryBehindAPhotoIsAPlace() throws {
    func little(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    let name = Array("MCC_Data".utf8)
    let block = [0, 0, 0xA1, 0x0A] + little(name.count) + name + Array("310".utf8)
    let list =
      Array("SEFH".utf8) + little(107) + little(1) + [0, 0, 0xA1, 0x0A] + little(block.count)
      + little(block.count)
    let tail = block + list + little(list.count) + Array("SEFT".utf8)
    let file = folder.file("motion.jpg")
    try (Data(contentsOf: pair.file("IMG_0003.JPG")) + Data(tail)).write(to: file)
    #expect(try Tools.exiftool(file)["Samsung:MCCData"]?.isEmpty == false)
    let (files, output) = try export("still", "--strip", "location")
    #expect(output.status == 0, "\(output.standardError)")
    let stripped = try #require(files.first)
    #expect(try Tools.exiftool(stripped)["Samsung:MCCData"] == nil)
    #expect(try Data(contentsOf: stripped).range(of: Data("MCC_Data".utf8)) == nil)
    #expect(output.text.contains("Samsung MCC_Data"), "\(output.text)")
    #expect(try CodedPictures.digest(stripped) == CodedPictures.digest(pair.file("IMG_0003.JPG")))
  }
}
