import Foundation
import TestSupport
import Testing

/// Tests with damaged input: the output passes `verify`, or the command fails with one message about the damaged file
/// and leaves no files behind.
@Suite struct DamagedInputTests {
  /// Returns the bytes with random damage.
  private static func damaged(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    // Photos have their headers at the beginning, and movies at the end.
    func place() -> Int {
      let edge = Int.random(in: 0..<min(6000, bytes.count), using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: return edge
      case 1: return bytes.count - 1 - edge
      default: return Int.random(in: 0..<bytes.count, using: &random)
      }
    }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: bytes[place()] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 1: for _ in 0..<8 { bytes[place()] = UInt8.random(in: 0...255, using: &random) }
    case 2: bytes.removeLast(Int.random(in: 1..<bytes.count * 2 / 3, using: &random))
    default:
      let at = place()
      for index in at..<min(bytes.count, at + 400) { bytes[index] = 0 }
    }
    return bytes
  }

  private static let commands = [
    ["create", "--photo", "PHOTO", "--movie", "MOVIE"], ["pair", "PHOTO", "MOVIE"],
    ["rotate", "--degrees", "90", "--lossless", "PHOTO"], ["rotate", "--degrees", "90", "PHOTO"],
    ["export", "--as", "pair", "PHOTO"],
  ]

  @Test(arguments: Cases.chosen(Array(0..<25)) { index, _ in index % 3 == 0 })
  func whatIsWrittenIsValid(_ seed: Int) throws {
    let folder = try TemporaryFolder()
    var random = SeededGenerator(seed: UInt64(seed))
    let names = seed % 2 == 0 ? ["IMG_0003.JPG", "IMG_0003.MOV"] : ["IMG_0004.HEIC", "IMG_0004.MOV"]
    let files = try folder.copy(TestFiles.fixture(names[0]), TestFiles.fixture(names[1]))
    let victim = seed / 2 % 2
    let bytes = Self.damaged([UInt8](try Data(contentsOf: files[victim])), &random)
    try Data(bytes).write(to: files[victim])

    let command = Self.commands[seed % Self.commands.count].map {
      $0 == "PHOTO" ? names[0] : $0 == "MOVIE" ? names[1] : $0
    }
    if command[0] == "pair" {
      // Uses another movie, so that `pair` has something to do.
      try Data(contentsOf: TestFiles.fixture("IMG_0001.MOV")).write(to: files[1])
      if victim == 1 {
        try Data(Self.damaged([UInt8](Data(contentsOf: files[1])), &random)).write(to: files[1])
      }
    }
    let out = folder.file("out")
    try FileManager.default.createDirectory(at: out, withIntermediateDirectories: false)
    let answer = try Tools.run([Command.path] + command + ["-o", out.path], in: folder.url)
    let written = try FileManager.default.contentsOfDirectory(atPath: out.path).sorted()
    guard answer.status == 0 else {
      #expect(answer.status == 1 && written == [], "\(command) \(answer.status) \(written)")
      let lines = answer.standardError.split(separator: "\n")
      #expect(lines.count == 1, "\(answer.standardError)")
      // The error does not blame the intact half for damage in the other half.
      #expect(
        !answer.standardError.contains("liveedit: \(names[1 - victim]): its"), "\(answer.standardError)")
      return
    }
    #expect(written.count == 2)
    let verdict = try Tools.run(
      [Command.path, "verify"] + written.map { out.appendingPathComponent($0).path })
    let errors = verdict.lines.filter { $0.contains("  error") }
    // Data that is copied without decoding is as intact as in the original.
    let isCopied = command.contains("--lossless")
    let known = isCopied ? try Tools.run([Command.path, "verify"] + names, in: folder.url).text : ""
    let new = errors.filter { line in
      !["photo-decodes", "movie-decodes"].contains { line.contains($0) && known.contains($0) }
    }
    #expect(new == [], "\(command) \(verdict.text)")
  }

  /// Damage in copied data does not show in any header, so liveedit decodes what it exports.
  @Test(arguments: commands.indices.filter { !commands[$0].contains("--lossless") })
  func aDamagedFrameIsFound(_ index: Int) throws {
    let folder = try TemporaryFolder()
    let files = try folder.copy(TestFiles.fixture("IMG_0003.JPG"), TestFiles.fixture("IMG_0003.MOV"))
    var bytes = [UInt8](try Data(contentsOf: files[1]))
    let packets = try Tools.ffprobe(
      files[1], "-select_streams", "v", "-show_entries", "packet=pos,size")
    let frame = try #require(packets.first).split(separator: ",").compactMap { Int($0) }
    let (size, place) = (try #require(frame.first), try #require(frame.last))
    for at in place..<place + size { bytes[at] = 0 }
    try Data(bytes).write(to: files[1])
    if Self.commands[index][0] == "pair" {
      try Data(contentsOf: TestFiles.fixture("IMG_0001.JPG")).write(to: files[0])
    }
    let out = folder.file("out")
    try FileManager.default.createDirectory(at: out, withIntermediateDirectories: false)
    let command = Self.commands[index].map {
      $0 == "PHOTO" ? "IMG_0003.JPG" : $0 == "MOVIE" ? "IMG_0003.MOV" : $0
    }
    let answer = try Tools.run([Command.path] + command + ["-o", out.path], in: folder.url)
    #expect(answer.status == 1 && answer.standardError.hasPrefix("liveedit: IMG_0003.MOV: "))
    #expect(answer.standardError.contains("damaged"), "\(answer.standardError)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: out.path) == [])
  }

  /// libavcodec reports damage from a single flipped bit in a frame late. `verify` still finds it every time.
  @Test func aDamagedBitIsFoundEachTime() throws {
    let folder = try TemporaryFolder()
    let files = try folder.copy(TestFiles.fixture("IMG_0002.JPG"), TestFiles.fixture("IMG_0002.MOV"))
    var bytes = try Data(contentsOf: files[1])
    bytes[157_174] ^= 16
    try bytes.write(to: files[1])
    for _ in 1...4 {
      let verdict = try Tools.run([Command.path, "verify", "IMG_0002.JPG"], in: folder.url)
      #expect(verdict.text.contains("movie-decodes"), "\(verdict.text)")
    }
  }

  /// A HEIC photo whose properties and grid declare a size that its tiles do not cover is refused. A rotation that
  /// changes only a property would otherwise write the photo without decoding it.
  @Test(arguments: commands.filter { $0[0] != "pair" }.indices) func aPictureOfImpossibleSizeIsRefused(
    _ index: Int
  ) throws {
    let command = Self.commands.filter { $0[0] != "pair" }[index].map {
      $0 == "PHOTO" ? "IMG_0004.HEIC" : $0 == "MOVIE" ? "IMG_0004.MOV" : $0
    }
    let folder = try TemporaryFolder()
    let files = try folder.copy(TestFiles.fixture("IMG_0004.HEIC"), TestFiles.fixture("IMG_0004.MOV"))
    var bytes = try Data(contentsOf: files[0])
    // The size 720 by 540, in `ispe` and in the grid.
    for (old, new) in [
      ([0, 0, 2, 0xD0, 0, 0, 2, 0x1C], [0, 0, 4, 0, 0, 0, 4, 0]),
      ([2, 0xD0, 2, 0x1C], [4, 0, 4, 0]),
    ] as [([UInt8], [UInt8])] {
      while let place = bytes.range(of: Data(old)) { bytes.replaceSubrange(place, with: new) }
    }
    try bytes.write(to: files[0])
    let out = folder.file("out")
    try FileManager.default.createDirectory(at: out, withIntermediateDirectories: false)
    let answer = try Tools.run([Command.path] + command + ["-o", out.path], in: folder.url)
    let told = answer.standardError
    #expect(answer.status == 1 && told.hasPrefix("liveedit: IMG_0004.HEIC: "), "\(command) \(told)")
    #expect(told.contains("has tiles that do not cover its whole area"), "\(told)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: out.path) == [])
  }

  /// Every command that reads both halves blames the damaged half.
  @Test(arguments: [["JPG", "MOV"], ["HEIC", "MOV"]], [0, 1]) func theRightHalfIsBlamed(
    _ kinds: [String], _ broken: Int
  )
    throws
  {
    let stem = kinds[0] == "JPG" ? "IMG_0003" : "IMG_0004"
    let names = kinds.map { stem + "." + $0 }
    for command in Self.commands + [
      ["export", "--as", "motion-photo", "PHOTO"], ["inspect", "PHOTO", "MOVIE"],
    ] {
      let folder = try TemporaryFolder()
      let files = try folder.copy(TestFiles.fixture(names[0]), TestFiles.fixture(names[1]))
      let bytes = try Data(contentsOf: files[broken])
      // Truncates the file within the picture data or the movie's headers.
      try bytes.prefix(bytes.count - 2000).write(to: files[broken])
      let out = folder.file("out")
      try FileManager.default.createDirectory(at: out, withIntermediateDirectories: false)
      let arguments = command.map { $0 == "PHOTO" ? names[0] : $0 == "MOVIE" ? names[1] : $0 }
      let target = command[0] == "inspect" ? [] : ["-o", out.path]
      let answer = try Tools.run([Command.path] + arguments + target, in: folder.url)
      // `pair` has nothing to do for halves that are already paired.
      if command[0] == "pair", answer.status == 2 { continue }
      if command[0] == "inspect", answer.status == 0 { continue }
      #expect(answer.status == 1, "\(arguments) \(answer.text)")
      #expect(
        answer.standardError.hasPrefix("liveedit: \(names[broken]): "), "\(arguments) \(answer.standardError)"
      )
      #expect(!answer.standardError.contains(".liveedit-"))
    }
  }
}
