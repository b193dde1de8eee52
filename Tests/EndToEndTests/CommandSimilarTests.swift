import Foundation
import Synchronization
import TestSupport
import Testing

/// Tests of `liveedit duplicates --similar` with copies made by ImageMagick, exiftool and ffmpeg.
@Suite struct CommandSimilarTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The clouds for each seed, kept because painting them takes longer than cropping them.
  private static let clouds = Mutex<[Int: [UInt8]]>([:])

  /// Paints a picture of clouds that is different for each seed.
  func paint(_ name: String, seed: Int, _ options: String...) throws {
    let painted = try Self.clouds.withLock { clouds in
      if let known = clouds[seed] { return known }
      let new = try folder.run(
        "convert",
        [
          "-size", "1760x1320", "-seed", "\(seed)", "plasma:", "-blur", "0x2", "+level", "15%,85%",
          "-modulate", "100,50", "-depth", "8", "ppm:-",
        ])
      clouds[seed] = new
      return new
    }
    let clouds = try folder.write(painted, to: "clouds.ppm")
    defer { try? FileManager.default.removeItem(at: clouds) }
    try folder.run(
      "convert",
      ["clouds.ppm"] + (options.isEmpty ? ["-crop", "1600x1200+80+60"] : options)
        + ["+repage", "-quality", "97", name])
  }

  func copy(_ name: String, _ options: String..., as copy: String) throws {
    try folder.run("convert", [name] + options + [copy])
  }

  struct Group: Equatable {
    var best: String
    var copies: [String: Double] = [:]
  }

  /// Returns the groups of similar pictures.
  func similar(status: Int32 = 0) throws -> [Group] {
    let answer = try Command.run("duplicates", "--similar", "--json", in: folder.url)
    #expect(answer.status == status, "\(answer.standardError)")
    return try answer.lines.compactMap { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      guard object?["kind"] as? String == "similar", let copies = object?["copies"] as? [[String: Any]] else {
        return nil
      }
      var group = Group(best: object?["file"] as? String ?? "")
      for copy in copies {
        group.copies[copy["photo"] as? String ?? copy["movie"] as? String ?? ""] = copy["likeness"] as? Double
      }
      return group
    }
  }

  /// Typical changes to copies, as ImageMagick options.
  static let changes: [[String]] = [
    ["-quality", "50"], ["-quality", "90"], ["-resize", "1024x1024", "-quality", "80"],
    ["-resize", "1280x1280", "-quality", "60"], ["-resize", "320x320", "-quality", "75"],
    ["-gravity", "center", "-crop", "98%x98%+0+0", "+repage", "-quality", "85"],
    ["-gravity", "southeast", "-crop", "98%x98%+0+0", "+repage", "-quality", "84"],
    ["-modulate", "110,125", "-quality", "85"], ["-brightness-contrast", "-8x15", "-quality", "85"],
    ["-channel", "R", "-evaluate", "multiply", "1.08", "+channel", "-quality", "85"],
    ["-gamma", "1.2", "-quality", "85"], ["-rotate", "90", "-quality", "85"], ["-flop", "-quality", "85"],
    ["-transverse", "-resize", "800x800", "-quality", "70"],
  ]

  @Test func copiesAreFoundAndStrangersAreNot() throws {
    for seed in 1...6 { try paint("\(seed).jpg", seed: seed) }
    for (number, change) in Self.changes.enumerated() {
      try folder.run("convert", ["1.jpg"] + change + ["copy\(number).jpg"])
    }
    let before = try content(of: folder.url)
    let groups = try similar()
    #expect(try content(of: folder.url) == before)
    #expect(groups.map(\.best) == ["1.jpg"])
    for (number, change) in Self.changes.enumerated() {
      let likeness = groups.first?.copies["copy\(number).jpg"]
      #expect(likeness.map { 0.98...1 ~= $0 } == true, "\(change): \(likeness ?? 0)")
    }
    #expect(groups.first?.copies.count == Self.changes.count)
    // An ordinary duplicate search finds none of these copies.
    let plain = try Command.run("duplicates", in: folder.url)
    #expect(plain.lines == ["0 groups, 0 redundant copies, 0 bytes"], "\(plain.text)")
  }
}
