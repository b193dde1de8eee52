import Foundation
import TestSupport
import Testing

/// Tests of Motion Photos on the command line: exports and messages.
@Suite struct CommandMotionPhotoTests {
  let folder: TemporaryFolder
  /// The folder with the Live Photo that the Motion Photo is made from.
  let pair: TemporaryFolder

  init() throws {
    (folder, pair) = (try TemporaryFolder(), try TemporaryFolder())
    try pair.copy(TestFiles.fixture("IMG_0003.JPG"), TestFiles.fixture("IMG_0003.MOV"))
    let made = try Command.run(
      "export", "--as", "motion-photo", "--samsung", "-o", "out", "IMG_0003.JPG", in: pair.url)
    try #require(made.status == 0, "\(made.standardError)")
    try FileManager.default.moveItem(at: pair.file("out/IMG_0003.MP.JPG"), to: folder.file("motion.jpg"))
  }

  func export(_ form: String, _ options: String...) throws -> (files: [URL], output: ToolOutput) {
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

  /// Editing commands, and whether each changes the photo's time in the movie; nil if that depends on whether the file
  /// states the time.
  static let edits: [(words: String, changesTime: Bool?)] = [
    ("rotate --degrees 90", false), ("flip --horizontal", false), ("crop --aspect 1:1", false),
    ("straighten --degrees 3", false), ("adjust --exposure 0.5 --sharpness 0.3", false),
    ("apply --preset vivid", false), ("date --shift 1h", false), ("place --set 48.137,11.575", false),
    ("describe --title Title", false), ("effect long-exposure", false), ("effect bounce", nil),
    ("key-photo --best", true), ("trim --from 0.2 --key-photo 0.5", true),
  ]

  @Test func aStillHasNoMovie() throws {
    let (files, output) = try export("still")
    #expect(output.status == 0 && files.map(\.lastPathComponent) == ["motion.jpg"], "\(output.standardError)")
    let file = try #require(files.first)
    let bytes = try Data(contentsOf: file)
    #expect(bytes.range(of: Data("ftyp".utf8)) == nil && bytes.range(of: Data("MotionPhoto".utf8)) == nil)
    #expect(try CodedPictures.digest(file) == CodedPictures.digest(pair.file("IMG_0003.JPG")))
    #expect(output.text.contains("The movie in motion.jpg was not included."), "\(output.text)")
  }

  @Test func itsMovieIsHandedOnAsItIs() throws {
    let (files, output) = try export("movie")
    #expect(output.status == 0 && files.map(\.lastPathComponent) == ["motion.mp4"], "\(output.standardError)")
    #expect(try coded(#require(files.first)) == coded(pair.file("IMG_0003.MOV")))
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

  /// A stripped Motion Photo contains nothing private in the photo, its movie or the blocks around it.
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
}
