import Foundation
import TestSupport
import Testing

/// Tests of configured limits: input at a limit passes, and input above the limit is refused with one message.
@Suite struct CommandLimitsTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["IMG_0001.JPG", "IMG_0001.MOV"] { try folder.copy(TestFiles.fixture(name)) }
  }

  private func run(_ limits: String, _ words: String...) throws -> ToolOutput {
    try Tools.run([Command.path] + words, in: folder.url, environment: ["LIVEEDIT_LIMITS": limits])
  }

  /// Returns an ffprobe entry for the movie's audio, the track with the most samples and the longest duration.
  private func sound(_ entry: String) throws -> Double {
    let text = try Tools.output(
      "ffprobe", "-v", "error", "-select_streams", "a", "-show_entries", "stream=\(entry)", "-of", "csv=p=0",
      folder.file("IMG_0001.MOV").path
    ).text
    return try #require(Double(text.trimmingCharacters(in: .whitespacesAndNewlines)))
  }

  @Test func samplesAndSecondsOfATrack() throws {
    let count = Int(try sound("duration_ts"))
    let seconds = Int(try sound("duration").rounded(.up))
    for (limits, problem) in [
      ("samples=\(count)", nil), ("samples=\(count - 1)", "has more than \(count - 1) samples"),
      ("duration=\(seconds)", nil), ("duration=\(seconds - 1)", "is longer than \(seconds - 1) seconds"),
    ] {
      let answer = try run(limits, "rotate", "--degrees", "90", "--dry-run", "IMG_0001.JPG")
      #expect(answer.status == (problem == nil ? 0 : 1), "\(limits): \(answer.standardError)")
      if let problem { #expect(answer.standardError.contains("a track \(problem)")) }
    }
  }

  @Test func versionsOfAnAsset() throws {
    for count in 1...3 {
      let answer = try run("versions=2", "rotate", "--degrees", "90", "--lossless", "IMG_0001.JPG")
      #expect(answer.status == (count < 3 ? 0 : 1))
      #expect(answer.standardError.contains("has 2 versions and cannot have more") == (count == 3))
    }
    // Existing versions are kept, and a higher limit allows more.
    #expect(try run("versions=2", "check", ".").status == 0)
    #expect(try run("versions=3", "rotate", "--degrees", "90", "--lossless", "IMG_0001.JPG").status == 0)
  }

  /// Keywords from several edits are combined in one edit, which liveedit must still be able to read.
  @Test func wordsOfManyEdits() throws {
    func describe(_ words: Range<Int>) throws -> ToolOutput {
      try run(
        "", "describe", "--keyword", words.map { "+word\($0)" }.joined(separator: ","), "IMG_0001.JPG")
    }
    for words in [0..<600, 600..<1000] {
      let done = try describe(words)
      #expect(done.status == 0, "\(done.standardError)")
    }
    let refused = try describe(1000..<1001)
    #expect(refused.status == 1 && refused.sentences.count == 1, "\(refused.text)")
    #expect(refused.standardError.contains("IMG_0001.JPG: cannot store this much descriptive text"))
    // A rotation keeps the existing keywords.
    #expect(try run("", "rotate", "--degrees", "90", "IMG_0001.JPG").status == 0)
    let keywords = try Tools.output(
      "exiftool", "-s3", "-sep", ",", "-XMP-dc:Subject", folder.file("IMG_E0001.JPG").path)
    #expect(keywords.lines == [(0..<1000).map { "word\($0)" }.joined(separator: ",")])
    #expect(try run("", "check", ".").status == 0)
  }

  @Test func megabytesOfASidecar() throws {
    let head = Array(
      "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'/></x:xmpmeta>"
        .utf8)
    for (size, isRead) in [(1 << 20, true), ((1 << 20) + 1, false)] {
      let spaces = [UInt8](repeating: UInt8(ascii: " "), count: size - head.count)
      try folder.write(head + spaces, to: "IMG_0001.JPG.xmp")
      let answer = try run("sidecar=1", "describe", "--title", "Beach", "--dry-run", "IMG_0001.JPG")
      #expect(
        (answer.text + answer.standardError).contains("the sidecar is larger than 1 MB") == !isRead,
        "\(answer.text)\(answer.standardError)")
    }
  }

  /// Returns a GPX track with points one second apart.
  private func track(points: Int, bytes: Int = 0) -> [UInt8] {
    let all = (0..<points).map {
      "<trkpt lat=\"48\" lon=\"11\"><time>2024-05-01T10:00:0\($0)Z</time></trkpt>"
    }
    let text = "<gpx><trk><trkseg>\(all.joined())</trkseg></trk>"
    return Array(text.utf8)
      + [UInt8](repeating: UInt8(ascii: " "), count: max(0, bytes - text.utf8.count - 6))
      + Array("</gpx>".utf8)
  }

  @Test func megabytesAndPointsOfATrack() throws {
    for (limits, points, bytes, problem) in [
      ("track-size=1", 2, 1 << 20, nil),
      (
        "track-size=1", 2, (1 << 20) + 1,
        "it is larger than 1 MB; if you trust the file, raise the limit, for example with LIVEEDIT_LIMITS=track-size=2"
      ),
      ("track-points=4", 4, 0, nil),
      (
        "track-points=3", 4, 0,
        "it has more than 3 timestamped points; if you trust the file, raise the limit, for example with LIVEEDIT_LIMITS=track-points=6"
      ),
    ] as [(String, Int, Int, String?)] {
      try folder.write(track(points: points, bytes: bytes), to: "walk.gpx")
      let answer = try run(limits, "place", "--gpx", "walk.gpx", "--dry-run", "IMG_0001.JPG")
      let told = answer.text + answer.standardError
      if let problem {
        #expect(answer.status == 1 && told.contains("walk.gpx") && told.contains(problem), "\(told)")
      } else {
        // Other errors are fine here, because the photo was taken at a time outside the track.
        #expect(!told.contains("larger than") && !told.contains("more than"), "\(told)")
      }
    }
    let nested = String(repeating: "<a>", count: 64) + String(repeating: "</a>", count: 64)
    try folder.write(Array("<gpx>\(nested)</gpx>".utf8), to: "walk.gpx")
    let answer = try run("", "place", "--gpx", "walk.gpx", "--dry-run", "IMG_0001.JPG")
    #expect(answer.standardError.contains("it is nested more than 64 levels deep"), "\(answer.standardError)")
  }

  @Test func megabytesOfAPreset() throws {
    let preset = try Data(contentsOf: TestFiles.project.appendingPathComponent("Presets/autumn.json"))
    for (size, isRead) in [(4 << 20, true), ((4 << 20) + 1, false)] {
      let spaces = [UInt8](repeating: UInt8(ascii: " "), count: size - preset.count)
      try folder.write([UInt8](preset) + spaces, to: "mine.json")
      let answer = try run("", "apply", "--preset", "mine.json", "--dry-run", "IMG_0001.JPG")
      let told = answer.text + answer.standardError
      #expect(told.contains("it is too large for a preset") == !isRead, "\(told)")
      #expect((answer.status == 0) == isRead, "\(told)")
    }
  }

  /// A valid packet that is nested too deeply is refused by name, and is read if the limit is raised.
  @Test func levelsOfXMP() throws {
    let nested = String(repeating: "<b>", count: 70) + String(repeating: "</b>", count: 70)
    let packet =
      "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>"
      + "<rdf:Description>\(nested)</rdf:Description></rdf:RDF></x:xmpmeta>"
    try folder.write(Array(packet.utf8), to: "IMG_0001.JPG.xmp")
    for (limits, isRead) in [("", false), ("xmp-nesting=100", true)] {
      let answer = try run(limits, "describe", "--title", "Beach", "--dry-run", "IMG_0001.JPG")
      let told = answer.text + answer.standardError
      #expect(told.contains("the XMP is nested more than 64 levels deep") == !isRead, "\(told)")
    }
  }

  /// A name that is too long for some file systems is refused before anything is done, for a render as well as for an
  /// export.
  @Test func bytesOfANewName() throws {
    let stem = String(repeating: "n", count: 90)
    for half in ["JPG", "MOV"] {
      try FileManager.default.moveItem(
        at: folder.file("IMG_0001.\(half)"), to: folder.file("\(stem).\(half)"))
    }
    let before = try folder.names()
    let edit = ["rotate", "--degrees", "90", "--lossless", "\(stem).JPG"]
    let export = [
      "export", "--as", "pair", "--name", String(repeating: "e", count: 90), "-o", "out", "\(stem).JPG",
    ]
    try FileManager.default.createDirectory(at: folder.file("out"), withIntermediateDirectories: false)
    for words in [edit, export] {
      let isEdit = words == edit
      let answer = try Tools.run(
        [Command.path] + words, in: folder.url, environment: ["LIVEEDIT_LIMITS": "names=93"])
      #expect(answer.status == 1)
      let told = answer.standardError
      #expect(told.contains(isEdit ? "and the limit is 93" : "the name is too long"), "\(told)")
      #expect(told.contains("shorter name"), "\(told)")
    }
    #expect(try folder.names() == (before + ["out"]).sorted())
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("out").path).isEmpty)
    for words in [edit, export] {
      let answer = try Tools.run(
        [Command.path] + words, in: folder.url, environment: ["LIVEEDIT_LIMITS": "names=120"])
      #expect(answer.status == 0, "\(answer.standardError)")
    }
  }

  /// Very long files that contain only null bytes are refused as lists and as plans.
  @Test func bytesOfAListAndOfAPlan() throws {
    try Tools.output("truncate", "-s", "\((200 << 20) + 1)", folder.file("names").path)
    let list = try run("", "rotate", "--degrees", "90", "--files-from", "names")
    #expect(
      list.status == 1 && list.standardError.contains("names: is too large for a list of files"), "\(list)")
    try Tools.output("truncate", "-s", "\((1 << 32) + 1)", folder.file("long.plan").path)
    let plan = try run("", "work", "--root", ".", "long.plan")
    #expect(plan.status == 1 && plan.standardError.contains("long.plan: exceeds the 4 GB limit"), "\(plan)")
    try Tools.output("truncate", "-s", "\(1 << 20)", folder.file("long.plan").path)
    let shorter = try run("", "work", "--root", ".", "long.plan")
    #expect(
      shorter.status == 1 && shorter.standardError.contains("long.plan: is not a plan"), "\(shorter)")
    #expect(try folder.names() == ["IMG_0001.JPG", "IMG_0001.MOV", "long.plan", "names"])
  }

  @Test func bytesOfTheConfigurationFile() throws {
    let place = folder.file("settings/liveedit")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    for (size, isRead) in [(1 << 16, true), ((1 << 16) + 1, false)] {
      let comment = "#" + String(repeating: " ", count: size - 2) + "\n"
      try folder.write(Array(comment.utf8), to: "settings/liveedit/config")
      let answer = try Tools.run(
        [Command.path, "inspect", "IMG_0001.JPG"], in: folder.url,
        environment: ["XDG_CONFIG_HOME": folder.file("settings").path])
      #expect(answer.status == (isRead ? 0 : 1), "\(answer)")
      #expect(
        answer.standardError.contains("config: exceeds the 64 kB limit") == !isRead, "\(answer)")
    }
  }
}
