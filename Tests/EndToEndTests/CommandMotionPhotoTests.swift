import Foundation
import TestSupport
import Testing

/// Motion Photos from the command line: what they are handed on as, and what is said of them.
@Suite struct CommandMotionPhotoTests {
  private let folder: TemporaryFolder
  /// The Live Photo of which the Motion Photo is made.
  private let pair: TemporaryFolder

  init() throws {
    (folder, pair) = (try TemporaryFolder(), try TemporaryFolder())
    try pair.copy(TestFiles.fixture("IMG_0003.JPG"), TestFiles.fixture("IMG_0003.MOV"))
    let made = try Command.run(
      "export", "--as", "motion-photo", "--samsung", "-o", "out", "IMG_0003.JPG", in: pair.url)
    try #require(made.status == 0, "\(made.standardError)")
    try FileManager.default.moveItem(at: pair.file("out/IMG_0003.MP.JPG"), to: folder.file("motion.jpg"))
  }

  private func export(_ form: String, _ options: String...) throws -> (files: [URL], output: ToolOutput) {
    let target = folder.file("out-\(form)")
    let output = try Tools.run(
      [Command.path, "export", "--as", form, "-o", target.path] + options + ["motion.jpg"], in: folder.url)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: target.path).sorted()) ?? []
    return (names.map { target.appendingPathComponent($0) }, output)
  }

  private func coded(_ movie: URL) throws -> String {
    let answer = try Tools.run([
      "ffmpeg", "-v", "error", "-i", movie.path, "-map", "0:v:0", "-map", "0:a?", "-c", "copy", "-f",
      "streamhash",
      "-",
    ])
    try #require(answer.text.contains("SHA256"), "\(answer.standardError)")
    return answer.text
  }

  @Test func itIsValidAndListedAsOne() throws {
    let before = try content(of: folder.url)
    let verified = try Command.run("verify", "motion.jpg", in: folder.url)
    #expect(verified.status == 0 && verified.text.contains("a valid Motion Photo"), "\(verified.text)")
    let listed = try Command.run("list", in: folder.url)
    #expect(listed.text.contains("motionPhoto"), "\(listed.text)")
    #expect(try content(of: folder.url) == before)
  }

  /// Commands that edit, and whether they change the movie's time; nil where that depends on whether the file says it.
  static let edits: [(words: String, changesTime: Bool?)] = [
    ("rotate --degrees 90", false), ("flip --horizontal", false), ("crop --aspect 1:1", false),
    ("straighten --degrees 3", false), ("adjust --exposure 0.5 --sharpness 0.3", false),
    ("apply --preset vivid", false), ("date --shift 1h", false), ("place --set 48.137,11.575", false),
    ("describe --title Title", false), ("effect long-exposure", false), ("effect bounce", nil),
    ("key-photo --best", true), ("trim --from 0.2 --key-photo 0.5", true),
  ]

  /// A quick run turns, changes colours, moves dates, makes a frame and a movie of frames, and trims.
  @Test(arguments: Cases.chosen(Array(edits.indices)) { _, edit in [0, 4, 6, 9, 10, 12].contains(edit) })
  func everyEditLeavesAMotionPhoto(_ index: Int) throws {
    try check(folder, "motion.jpg", Self.edits[index])
  }

  /// The same with real ones, where they are there: an edit of each sort, since each takes seconds. A quick run turns them.
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

  @Test func aStillHasNoMovie() throws {
    let (files, output) = try export("still")
    #expect(output.status == 0 && files.map(\.lastPathComponent) == ["motion.jpg"], "\(output.standardError)")
    let file = try #require(files.first)
    let bytes = try Data(contentsOf: file)
    #expect(bytes.range(of: Data("ftyp".utf8)) == nil && bytes.range(of: Data("MotionPhoto".utf8)) == nil)
    #expect(try CodedPictures.digest(file) == CodedPictures.digest(pair.file("IMG_0003.JPG")))
    #expect(output.text.contains("The movie in motion.jpg was left out."), "\(output.text)")
  }

  @Test func itsMovieIsHandedOnAsItIs() throws {
    let (files, output) = try export("movie")
    #expect(output.status == 0 && files.map(\.lastPathComponent) == ["motion.mp4"], "\(output.standardError)")
    #expect(try coded(#require(files.first)) == coded(pair.file("IMG_0003.MOV")))
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

  @Test func asAMotionPhotoItIsACopy() throws {
    let (files, output) = try export("motion-photo")
    #expect(output.status == 0 && files.map(\.lastPathComponent) == ["motion.jpg"], "\(output.standardError)")
    #expect(try Data(contentsOf: #require(files.first)) == Data(contentsOf: folder.file("motion.jpg")))
  }

  @Test func aPairIsMadeByAnotherCommand() throws {
    let (files, output) = try export("pair")
    #expect(output.status == 1 && files.isEmpty)
    #expect(output.sentences.count == 1 && output.standardError.contains("liveedit create --from"))
    let made = try Command.run("create", "--from", "motion.jpg", "-o", "made", in: folder.url)
    #expect(made.status == 0, "\(made.standardError)")
  }

  /// Nothing private is left in the photo, in its movie, or in the blocks around it.
  @Test func strippedItSaysNothingInAnyPart() throws {
    let (files, output) = try export("motion-photo", "--strip", "all")
    #expect(output.status == 0, "\(output.standardError)")
    let file = try #require(files.first)
    let tags = try Tools.exiftool(file)
    #expect(tags["XMP-GCamera:MotionPhoto"] == "1" && tags["Samsung:EmbeddedVideoType"] == "MotionPhoto_Data")
    #expect(tags["ExifIFD:DateTimeOriginal"] == nil && tags["IFD0:Model"] == nil)
    let movie = folder.file("movie.mp4")
    try Tools.run(["exiftool", "-b", "-EmbeddedVideoFile", file.path]).standardOutput.write(to: movie)
    let said = try Tools.exiftool(movie)
    for (name, value) in said where name.contains("Date") && !name.hasPrefix("System:") {
      #expect(value.hasPrefix("0000"), "\(name) \(value)")
    }
    for name in said.keys { #expect(!name.contains("GPS") && !name.hasSuffix("Model"), "\(name)") }
    #expect(try coded(movie) == coded(pair.file("IMG_0003.MOV")))
  }

  /// Samsung's phones write the country of their network behind every photo.
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
