import Foundation
import TestSupport
import Testing

extension CommandExportTests {
  /// Apple's adjustment data without the render that it belongs to, as in copied “unmodified originals”, does not count
  /// as a version.
  @Test(arguments: ["pair", "still", "movie", "pvt"]) func adjustmentDataAloneIsNoVersion(form: String) throws
  {
    let (folder, out) = try prepared("IMG_0003.JPG", "IMG_0003.MOV")
    let adjustments: [String: Any] = [
      "adjustmentFormatIdentifier": "com.apple.photo", "adjustmentFormatVersion": "1.5",
      "adjustmentBaseVersion": 0, "adjustmentData": Data([1, 2, 3]),
    ]
    try PropertyListSerialization.data(fromPropertyList: adjustments, format: .xml, options: 0)
      .write(to: folder.file("IMG_0003.AAE"))
    for file in ["IMG_0003.JPG", "IMG_0003.AAE"] {
      let answer = try Command.run("export", "--as", form, "-o", "out", file, in: folder.url)
      #expect(answer.status == 0, "\(answer.standardError)")
      var written = try FileManager.default.contentsOfDirectory(atPath: out.path)
      if form == "pvt" {
        written = try FileManager.default.contentsOfDirectory(atPath: out.path + "/IMG_0003.pvt")
      }
      for name in ["IMG_0003.JPG", "IMG_0003.MOV"] where form == "pair" || form == "pvt" {
        #expect(written.contains(name))
        let copy = out.appendingPathComponent(form == "pvt" ? "IMG_0003.pvt/" + name : name)
        #expect(try Data(contentsOf: copy) == Data(contentsOf: folder.file(name)))
      }
      for item in try FileManager.default.contentsOfDirectory(atPath: out.path) {
        try FileManager.default.removeItem(at: out.appendingPathComponent(item))
      }
    }
  }

  @Test func theMovieAloneKeepsItsFramesInBothContainers() throws {
    let (folder, out) = try prepared("IMG_0001.JPG", "IMG_0001.MOV")
    _ = try export(folder, "--as", "movie", "IMG_0001.JPG")
    _ = try export(folder, "--as", "movie", "--container", "mp4", "IMG_0001.JPG")
    let original = folder.file("IMG_0001.MOV")
    for name in ["IMG_0001.MOV", "IMG_0001.mp4"] {
      let movie = out.appendingPathComponent(name)
      #expect(try frames(of: movie) == frames(of: original))
      #expect(try identifier(of: movie) == nil)
      let times = try zip(frameTimes(of: movie), frameTimes(of: original))
      #expect(times.allSatisfy { abs($0 - $1) < 0.001 })
      let found = try streams(of: movie)
      #expect(
        found["streams.stream.0.codec_name"] == (try streams(of: original))["streams.stream.0.codec_name"])
    }
    let mp4 = try Tools.ffprobe(
      out.appendingPathComponent("IMG_0001.mp4"), "-show_entries", "stream=codec_name")
    #expect(mp4.contains("aac"))
    let (old, new) = (try tags(of: original), try tags(of: out.appendingPathComponent("IMG_0001.mp4")))
    let keys = old.keys.filter { $0.hasPrefix("Keys:") && $0 != "Keys:ContentIdentifier" }
    #expect(keys.contains("Keys:GPSCoordinates") && keys.contains("Keys:CreationDate"))
    for key in keys { #expect(new[key] == old[key], "\(key)") }
    // The clean aperture atom: its name, followed by eight numbers.
    let clap = try #require(Data(contentsOf: original).range(of: Data("clap".utf8)))
    let aperture = try Data(contentsOf: original)[clap.lowerBound..<clap.upperBound + 32]
    #expect(try Data(contentsOf: out.appendingPathComponent("IMG_0001.mp4")).range(of: aperture) != nil)
    #expect(new["UserData:GPSCoordinates"] == old["Keys:GPSCoordinates"])
    #expect(
      try tags(of: out.appendingPathComponent("IMG_0001.mp4"))["QuickTime:MajorBrand"]?.hasPrefix("iso")
        ?? false)
  }

  /// The edited HEVC movie has reordered frames. In MP4, the movie lasts 447 of 600 ticks, as the fixture's script
  /// says, and its last frame lasts 20 ticks.
  @Test(arguments: [["movie", "--container", "mp4"], ["motion-photo"]])
  func reorderedFramesEndWhereTheyEnded(_ form: [String]) throws {
    let (folder, out) = try prepared("IMG_0004.HEIC", "IMG_0004.MOV")
    #expect(try Command.run("adjust", "--exposure", "0.2", "IMG_0004.HEIC", in: folder.url).status == 0)
    let edited = try Tools.ffprobe(
      folder.file("IMG_E0004.MOV"), "-select_streams", "v", "-show_entries", "stream=has_b_frames")
    #expect(edited != ["0"])
    let answer = try Tools.run(
      [Command.path, "export", "--as"] + form + ["-o", "out", "IMG_0004.HEIC"], in: folder.url)
    #expect(answer.status == 0, "\(answer.standardError)")
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: out.path).first)
    let bytes = try Data(contentsOf: out.appendingPathComponent(name))
    func number(_ place: Int) -> Int { bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
    // `mdhd`: version and flags, two dates, the time scale. `stts`: version and flags, the number of entries, then
    // sample counts with durations.
    let mdhd = try #require(bytes.range(of: Data("mdhd".utf8))).upperBound
    let stts = try #require(bytes.range(of: Data("stts".utf8))).upperBound
    let scale = number(mdhd + 12)
    let entries = (0..<number(stts + 4)).map { (number(stts + 8 + 8 * $0), number(stts + 12 + 8 * $0)) }
    #expect(entries.reduce(0) { $0 + $1.0 * $1.1 } * 600 == 447 * scale, "\(entries)")
    #expect((entries.last?.1 ?? 0) * 600 == 20 * scale, "\(entries)")
  }

  /// Strings that reveal a location, a person, a camera or a time.
  private static let telling = [
    "Zanzibar", "Jane Doe", "FX-900", "Phonemaker", "SN-12345678", "2021:03:04", "2021-03-04", "+48.1370",
    "Lens 7",
  ]

  /// Pairs with private metadata, keyed by their photos' names.
  private static let planted = Dictionary(
    uniqueKeysWithValues: ["IMG_0003", "IMG_0004"].map { stem in
      let name = stem + (stem == "IMG_0003" ? ".JPG" : ".HEIC")
      return (
        name,
        Result {
          let (folder, _) = try prepared(name, stem + ".MOV")
          try plant(folder.file(name), folder.file(stem + ".MOV"))
          return folder
        }
      )
    })

  @Test(
    arguments: Cases.chosen(
      ["pair", "still", "movie", "motion-photo", "pvt", "mp4"].map { ("IMG_0003.JPG", $0) }
        + [("IMG_0004.HEIC", "pair"), ("IMG_0004.HEIC", "motion-photo")]
    ) { index, _ in index % 3 == 0 })
  func nothingPrivateIsLeft(name: String, form: String) throws {
    let stem = String(name.prefix(8))
    let (folder, out) = try prepared()
    let planted = try #require(try Self.planted[name]?.get())
    try folder.copy(planted.file(name), planted.file(stem + ".MOV"))
    let options = form == "mp4" ? ["movie", "--container", "mp4"] : [form]
    let answer = try Tools.run(
      [Command.path, "export", "-o", "out", "--strip", "all", "--as"] + options + [name], in: folder.url)
    #expect(answer.status == 0, "\(answer.standardError)")
    let files = try #require(
      FileManager.default.enumerator(at: out, includingPropertiesForKeys: nil)?.allObjects as? [URL]
    )
    .filter { !$0.hasDirectoryPath }
    #expect(!files.isEmpty)
    for file in files {
      let bytes = try Data(contentsOf: file)
      for word in Self.telling { #expect(bytes.range(of: Data(word.utf8)) == nil, "\(word) in \(file)") }
      guard file.pathExtension != "plist" else { continue }
      let text = try Tools.output("exiftool", "-a", "-G1", "-s", "-n", "-ee", "-U", file.path).text
      // The size of the media data is arbitrary and could match.
      for line in text.split(separator: "\n") where !line.hasPrefix("[System]") && !line.contains("MediaData")
      {
        #expect(!line.contains("GPS") && !line.contains("2021") && !line.contains("48.137"), "\(line)")
        for word in Self.telling { #expect(!line.contains(word), "\(line)") }
      }
    }
    if form == "pair" {
      let verified = try Command.run("verify", "out/" + name, in: folder.url)
      #expect(verified.status == 0, "\(verified.text)")
      #expect(try identifier(of: files[0]) != (try identifier(of: folder.file(name))))
    }
  }
}
