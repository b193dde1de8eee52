import Foundation
import TestSupport
import Testing

/// Tests of `liveedit repair` on Live Photos that were broken in known ways.
@Suite struct RepairKindsTests {
  /// Tries each kind of breakage and trap once or twice; run by hand, Tests/Long/pairs/check-repair creates a thousand
  /// assets.
  @Test(arguments: Cases.chosen([7, 8]) { index, _ in index == 0 }) func drawnPairsAreFoundAndNoneIsWrong(
    seed: Int
  ) throws {
    let script = TestFiles.project.appendingPathComponent("Tests/Long/pairs/check-repair").path
    let output = try Tools.run([
      "python3", script, Command.path, "--assets", "64", "--seed", "\(seed)", "--verbose",
    ])
    #expect(output.status == 0, "\(output.text)\(output.standardError)")
    let found = try #require(output.text.firstMatch(of: /(\d+) broken pairs: (\d+) found .*, 0 wrong/))
    #expect(found.1 == found.2)
    #expect(try #require(Int(found.1)) >= 25)
  }

  /// A way to break a copy of a real Live Photo: new names for its halves, and tags for exiftool to remove.
  struct Break: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var photo = "IMG_7000"
    var movie = "IMG_7000"
    var losses: [String] = []
    var isWritten = false
  }

  static let breaks = [
    Break(testDescription: "identifier alone", movie: "clip"),
    Break(testDescription: "_HEVC", movie: "IMG_7000_HEVC", losses: ["-MakerNotes="]),
    Break(testDescription: "(1)", photo: "IMG_7000 (1)", losses: ["-MakerNotes="]),
    Break(testDescription: "-edited", photo: "IMG_7000-edited", losses: ["-MakerNotes="]),
    Break(testDescription: "IMG_E", photo: "IMG_E7000", losses: ["-MakerNotes="]),
    Break(testDescription: "no dates", losses: ["-MakerNotes=", "-AllDates=", "-SubSecTime*="]),
    Break(testDescription: "no names", photo: "one", movie: "two", losses: ["-MakerNotes="], isWritten: true),
    Break(testDescription: "two folders", movie: "movies/IMG_7000", losses: ["-MakerNotes="]),
  ]
  static let pairs = [
    "iphone-6s-jpeg/IMG_0728.JPG", "iphone-7plus-jpeg/IMG_2016.JPG", "iphone-15plus-heic/IMG_3853.HEIC",
    "iphone-15pro-heic/IMG_3582.HEIC",
  ]

  /// All real pairs in one folder, broken in the same way, are found. A quick run uses one name that shows where a file
  /// belongs, and one that does not.
  @Test(
    .enabled(if: TestFiles.samples != nil, "LIVEEDIT_SAMPLES names no samples"),
    arguments: Cases.chosen(breaks) { index, way in index == 2 || way.isWritten })
  func realPairsAreFound(_ way: Break) throws {
    let folder = try TemporaryFolder()
    let files = FileManager.default
    try files.createDirectory(at: folder.file("movies"), withIntermediateDirectories: true)
    var expected: Set<String> = []
    for (number, name) in Self.pairs.enumerated() {
      let source = try #require(TestFiles.sample(name))
      func broken(_ name: String) -> String { name.replacingOccurrences(of: "7000", with: "700\(number)") }
      var (photo, movie) = (broken(way.photo), broken(way.movie))
      if way.photo == "one" { (photo, movie) = ("\(photo)\(number)a", "\(movie)\(number)b") }
      if way.movie == "clip" { movie += "\(number)" }
      photo += "." + source.pathExtension
      movie += ".MOV"
      try files.copyItem(at: source, to: folder.file(photo))
      try files.copyItem(
        at: source.deletingPathExtension().appendingPathExtension("MOV"), to: folder.file(movie))
      if !way.losses.isEmpty {
        try folder.run("exiftool", ["-q", "-m", "-overwrite_original"] + way.losses + [photo])
      }
      expected.insert("\(photo) + \(movie): ")
    }
    let before = try content(of: folder.url)
    let plan = try Command.run("repair", "-r", "--dry-run", in: folder.url)
    #expect(plan.status == 0, "\(plan.standardError)")
    #expect(plan.lines.last?.hasPrefix("4 Live Photos to pair") == true, "\(plan.text)")
    for line in expected {
      #expect(plan.lines.contains { $0.hasPrefix(line) }, "\(line) is missing in \(plan.text)")
    }
    // Decoding every pair for every kind of breakage would take minutes and prove nothing more.
    guard way.isWritten else { return }
    let answer = try Command.run("repair", "-r", "-o", "out", in: folder.url)
    #expect(answer.status == 0, "\(answer.standardError)")
    #expect(try content(of: folder.url).filter { !$0.key.hasPrefix("out") } == before)
    let made = try files.contentsOfDirectory(atPath: folder.file("out").path).sorted()
    #expect(made.count == 8, "\(made)")
    let verified = try Tools.run(
      [Command.path, "verify"] + made.filter { !$0.hasSuffix("MOV") }.map { "out/" + $0 }, in: folder.url)
    #expect(verified.status == 0, "\(verified.text)")
  }
}
