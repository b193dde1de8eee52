import Foundation
import TestSupport
import Testing

extension CommandUnknownMovieTests {
  /// Commands that write another photo, and whether the movie stays in that photo.
  private static let commands: [(words: String, keeps: Bool)] = [
    ("export --as still --strip location", false), ("export --as still --strip all", false),
    ("export --as still", false), ("export --as image", false), ("rotate --degrees 90", false),
    ("rotate --degrees 90 --lossless", false), ("flip --horizontal", false), ("crop --aspect 1:1", false),
    ("adjust --exposure 0.3", false), ("rotate --degrees 90 --photo-format jpeg", false),
    ("place --set 48.137,11.575", false), ("describe --title Title", true),
  ]

  /// A quick run tests each kind of file with a rotation, a colour adjustment, a location and a stripped copy.
  private static let cases = Cases.chosen(
    MovieLayout.all.flatMap { layout in commands.map { (layout, $0) } }
  ) { _, value in
    ["huawei.jpg", "gain.jpg", "sefd.heic", "bare.heic", "bare.png"].contains(value.0.name)
      && [0, 5, 8, 10].contains(commands.firstIndex { $0.words == value.1.words })
  }

  @Test(arguments: 0..<cases.count) func noPlaceOfTheMovieStays(_ index: Int) throws {
    let (layout, command) = Self.cases[index]
    let folder = try TemporaryFolder()
    try Data(layout.bytes).write(to: folder.file(layout.name))
    try FileManager.default.createDirectory(at: folder.file("out"), withIntermediateDirectories: true)
    let words = command.words.split(separator: " ").map { String($0) }
    let output = try Tools.run([Command.path] + words + ["-o", "out", layout.name], in: folder.url)
    #expect(output.status == 0, "\(layout.name) \(command.words): \(output.standardError)")
    #expect(try Data(contentsOf: folder.file(layout.name)) == Data(layout.bytes))
    let made = try FileManager.default.contentsOfDirectory(
      at: folder.file("out"), includingPropertiesForKeys: nil
    ).filter { $0.pathExtension != "AAE" }
    let file = try #require(made.first)
    let bytes = try Data(contentsOf: file)
    #expect(
      (bytes.range(of: Data("ISO6709".utf8)) != nil) == command.keeps, "\(layout.name) \(command.words)")
    #expect(
      output.text.contains("movie in an unknown layout") == !command.keeps,
      "\(layout.name) \(command.words): \(output.text)")
    let tags = try Tools.exiftool(file)
    #expect(tags["ExifTool:Error"] == nil, "\(tags["ExifTool:Error"] ?? "")")
  }

  /// If a Motion Photo contains a second movie, an edit that cannot keep that movie names it.
  @Test func aSecondMovieBehindAMotionPhotosGoes() throws {
    let (pair, folder) = (try TemporaryFolder(), try TemporaryFolder())
    try pair.copy(TestFiles.fixture("IMG_0003.JPG"), TestFiles.fixture("IMG_0003.MOV"))
    let made = try Command.run("export", "--as", "motion-photo", "-o", "out", "IMG_0003.JPG", in: pair.url)
    try #require(made.status == 0, "\(made.standardError)")
    let whole = try [UInt8](Data(contentsOf: pair.file("out/IMG_0003.MP.JPG")))
    let movie = try #require(Data(whole).range(of: Data("ftyp".utf8))).lowerBound - 4
    // OPPO phones write it this way: the lengths in XMP extend to the end of the file.
    let second = Array(MovieLayout.movie[..<20]) + MovieLayout.box("mdat", [UInt8](repeating: 3, count: 100))
    let tail = [UInt8](repeating: 3, count: 100) + second
    let length = whole.count - movie
    let text = String(decoding: whole[..<movie], as: Unicode.ASCII.self)
    try #require(text.contains("\"\(length)\""))
    var head = Data(whole[..<movie])
    let (old, new) = (Data("\"\(length)\"".utf8), Data("\"\(length + tail.count)\"".utf8))
    try #require(old.count == new.count)
    while let range = head.range(of: old) { head.replaceSubrange(range, with: new) }
    try (head + Data(whole[movie...]) + Data(tail)).write(to: folder.file("motion.jpg"))
    for words in [
      ["rotate", "--degrees", "90"], ["export", "--as", "still", "--strip", "location"],
      ["export", "--as", "motion-photo", "--strip", "location"],
    ] {
      let out = "out-\(words.joined())"
      try FileManager.default.createDirectory(at: folder.file(out), withIntermediateDirectories: true)
      let output = try Tools.run([Command.path] + words + ["-o", out, "motion.jpg"], in: folder.url)
      #expect(output.status == 0, "\(output.standardError)")
      #expect(output.text.contains("movie in an unknown layout"), "\(words) \(output.text)")
      let files = try FileManager.default.contentsOfDirectory(
        at: folder.file(out), includingPropertiesForKeys: nil)
      let bytes = try Data(contentsOf: #require(files.first { $0.pathExtension != "AAE" }))
      #expect(bytes.range(of: Data("\u{3}\u{3}\u{3}\u{3}\u{3}\u{3}\u{3}\u{3}".utf8)) == nil)
    }
  }
}
