import EditModel
import Foundation
import RenderEngine
import TestSupport
import Testing

/// Tests of depth in the XMP of JPEGs, which scripts/fixtures/google_depth.py writes. exiftool reassembles it, and
/// scripts/fixtures/map_error.py compares it with slow edits.
@Suite(.enabled(if: Tools.hasPillowHEIF)) struct GoogleDepthTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func script(_ name: String) -> String {
    TestFiles.project.appendingPathComponent("scripts/fixtures/\(name)").path
  }

  func photo(_ options: String) throws -> URL {
    let file = folder.file("photo.jpg")
    let answer = try Tools.run(
      ["python3", script("google_depth.py"), file.path] + options.split(separator: " ").map(String.init))
    guard answer.status == 0 else { throw ToolFailure(answer.standardError) }
    return file
  }

  func rendered(
    _ edit: Edit, _ photo: URL, _ settings: RenderSettings = .standard
  ) throws -> (result: RenderResult, photo: URL) {
    try folder.rendered(photo, edit, settings, as: "out.jpg")
  }

  func likeness(_ old: URL, _ new: URL, _ options: String) throws -> [String: Double] {
    let answer = try Tools.run(
      ["python3", script("map_error.py"), old.path, new.path] + options.split(separator: " ").map(String.init)
    )
    guard answer.status == 0 else { throw ToolFailure(answer.standardError) }
    return Dictionary(
      answer.lines.compactMap { line in
        let parts = line.split(separator: " ")
        return parts.count == 5 ? Double(parts[3]).map { (String(parts[0]), $0) } : nil
      }, uniquingKeysWith: { $1 })
  }

  /// Returns the XMP tags that exiftool reads, with its warnings, by group and name.
  func tags(_ photo: URL) throws -> [String: String] {
    let answer = try Tools.output("exiftool", "-a", "-n", "-G1", "-s", "-XMP:all", "-Warning", photo.path)
    return Dictionary(
      answer.lines.compactMap { line in
        let parts = line.split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        let name = parts[0].split(whereSeparator: { " []".contains($0) }).joined(separator: ":")
        return (name, parts[1].trimmingCharacters(in: .whitespaces))
      }, uniquingKeysWith: { $1 })
  }

  /// Returns the extended packet, reassembled here, and the GUID in its segments.
  private func extendedPacket(_ photo: URL) throws -> (guid: String, packet: Data)? {
    let file = try Data(contentsOf: photo)
    let head = Data("http://ns.adobe.com/xmp/extension/\0".utf8)
    var (chunks, guids, totals): ([Int: Data], Set<String>, Set<Int>) = ([:], [], [])
    var at = file.startIndex
    while let found = file.range(of: head, in: at..<file.endIndex) {
      let length = Int(file[found.lowerBound - 2]) << 8 | Int(file[found.lowerBound - 1])
      let end = found.lowerBound - 2 + length
      guids.insert(String(decoding: file[found.upperBound..<found.upperBound + 32], as: UTF8.self))
      func number(_ place: Int) -> Int { file[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
      totals.insert(number(found.upperBound + 32))
      chunks[number(found.upperBound + 36)] = file[found.upperBound + 40..<end]
      at = end
    }
    guard !chunks.isEmpty else { return nil }
    let packet = chunks.sorted { $0.key < $1.key }.reduce(Data()) { $0 + $1.value }
    try #require(guids.count == 1 && totals == [packet.count])
    return (try #require(guids.first), packet)
  }

  func checkPacket(_ photo: URL) throws {
    guard let (guid, packet) = try extendedPacket(photo) else { return }
    let sum = try Tools.run(["md5sum"], input: packet).text.prefix(32).uppercased()
    #expect(guid == sum)
    let tags = try tags(photo)
    #expect(tags["XMP-xmpNote:HasExtendedXMP"] == sum)
    #expect(!tags.keys.contains { $0.hasSuffix("Warning") })
  }

  static let kinds = [
    "--mime image/jpeg", "--mime image/png --orientation 6", "--mime image/png --deep",
    "--main --size 240x176 --orientation 3",
  ]

  /// The focus point refers to the stored picture. The crop extends from 0.2 to 0.7 of 480 columns and from 0.3 to 0.9
  /// of 352 rows.
  @Test func theFocusFollows() throws {
    var edit = Edit.identity
    edit.geometry.crop = .rectangle(
      try Crop.Rectangle(left: 200_000, top: 300_000, width: 500_000, height: 600_000))
    let tags = try tags(try rendered(edit, photo("")).photo)
    func number(_ name: String) throws -> Double {
      try #require(tags["XMP-GFocus:" + name].flatMap { Double($0) })
    }
    #expect(abs(try number("FocalPointX") - 0.4) < 0.003)
    #expect(abs(try number("FocalPointY") - 0.25 / 0.6) < 0.003)
    let diagonals: (old: Double, new: Double) = (hypot(480, 352), hypot(240, 211))
    let blur: Double = 0.02 * diagonals.old / diagonals.new
    #expect(abs(try number("BlurAtInfinity") - blur) < 0.0003)
    // A crop that does not contain the point.
    edit.geometry.crop = .rectangle(
      try Crop.Rectangle(left: 500_000, top: 300_000, width: 500_000, height: 600_000))
    let (result, output) = try rendered(edit, photo(""))
    #expect(result.removals.map(\.name) == ["GImage", "GFocus"])
    #expect(try !self.tags(output).keys.contains { $0.hasPrefix("XMP-GFocus") })
  }

  @Test func aTurnMovesTheFocus() throws {
    let tags = try tags(try rendered(Edit(orientation: .right), photo("--mime image/png")).photo)
    #expect(tags["XMP-GFocus:FocalPointX"].flatMap { Double($0) } == 0.45)
    #expect(tags["XMP-GFocus:FocalPointY"].flatMap { Double($0) } == 0.4)
    #expect(tags["XMP-GFocus:BlurAtInfinity"] == "0.02")
  }

  /// Rotating PNG samples does not change them.
  @Test(arguments: ["--mime image/png", "--mime image/png --deep"]) func turnedPNGsAreTheSame(_ kind: String)
    throws
  {
    let old = try photo(kind)
    let (_, new) = try rendered(Edit(orientation: .left), old)
    let samples = try [(old, 270), (new, 0)].map { file, turn in
      let depth = try Tools.run(["exiftool", "-b", "-XMP-GDepth:DepthImage", file.path]).standardOutput
      return try Tools.run(["convert", "png:-", "-rotate", "\(turn)", "gray:-"], input: depth).standardOutput
    }
    #expect(samples[0].count >= 480 * 352 && samples[0] == samples[1])
  }

  /// A light edit only removes the picture from before the edit.
  @Test(arguments: kinds) func coloursLeaveDepthAlone(_ kind: String) throws {
    var edit = Edit.identity
    edit[.exposure] = 0.4
    let options = kind.replacingOccurrences(of: #"--orientation \d"#, with: "", options: .regularExpression)
    let old = try photo(options)
    let (result, new) = try rendered(edit, old)
    #expect(result.removals.map(\.name) == ["GImage"])
    try checkPacket(new)
    for tag in ["DepthImage", "Confidence"] {
      let data = try [old, new].map {
        try Tools.run(["exiftool", "-b", "-XMP-GDepth:" + tag, $0.path]).standardOutput
      }
      #expect(!data[0].isEmpty && data[0] == data[1])
    }
    let (before, after) = (try tags(old), try tags(new))
    let lost = Set(before.keys).subtracting(after.keys)
    #expect(lost.isSubset(of: ["XMP-GImage:ImageMimeType", "XMP-GImage:ImageData"]))
    for name in ["GDepth:ImageWidth", "GFocus:FocalPointX", "GFocus:BlurAtInfinity"] {
      #expect(after["XMP-" + name] == before["XMP-" + name])
    }
  }

  /// If the depth map has another shape than the picture, its alignment is unknown.
  @Test func depthOfAnotherShapeIsNamed() throws {
    let (result, output) = try rendered(Edit(orientation: .right), photo("--size 352x480"))
    #expect(result.removals.map(\.name) == ["GImage", "GDepth", "GFocus"])
    let tags = try tags(output)
    #expect(!tags.keys.contains { $0.hasPrefix("XMP-GDepth") })
    #expect(tags["XMP-dc:Format"] == "image/jpeg" && tags["XMP-dc:Source"] == "kept")
    try checkPacket(output)
  }

  /// A confidence map that cannot be decoded is removed alone.
  @Test func damagedConfidenceIsNamed() throws {
    let old = try photo("--main --size 240x176")
    var bytes = try Data(contentsOf: old)
    let place = try #require(bytes.range(of: Data("GDepth:Confidence=\"".utf8)))
    bytes.replaceSubrange(place.upperBound..<place.upperBound + 40, with: Data(repeating: 0x2A, count: 40))
    try bytes.write(to: old)
    let (result, output) = try rendered(Edit(orientation: .right), old)
    #expect(result.removals.map(\.name) == ["GImage", "GDepth:Confidence"])
    #expect(try likeness(old, output, "--turn 90").keys.sorted() == ["DepthImage"])
    let tags = try tags(output)
    #expect(tags["XMP-GDepth:ConfidenceMime"] == nil && tags["XMP-GDepth:Near"] == "0.5")
  }

  /// The rest of an extended packet contains no known name, and could be the unedited picture.
  @Test func anExtendedPacketWithoutItsBeginningGoes() throws {
    let old = try photo("")
    var bytes = try Data(contentsOf: old)
    let head = Data("http://ns.adobe.com/xmp/extension/\0".utf8)
    var rest = bytes.startIndex..<bytes.endIndex
    while let found = bytes.range(of: head, in: rest) {
      rest = found.upperBound..<bytes.endIndex
      let offset = bytes[found.upperBound + 36..<found.upperBound + 40]
      guard offset.allSatisfy({ $0 == 0 }) else { continue }
      let start = found.lowerBound - 4
      bytes.removeSubrange(start..<start + 2 + (Int(bytes[start + 2]) << 8 | Int(bytes[start + 3])))
      break
    }
    try #require(bytes.range(of: head) != nil && bytes.count < (try Data(contentsOf: old)).count)
    try bytes.write(to: old)
    let (result, output) = try rendered(Edit(orientation: .right), old)
    #expect(result.removals.map(\.name).contains("extended XMP"))
    #expect(try Data(contentsOf: output).range(of: head) == nil)
    #expect(try tags(output)["XMP-xmpNote:HasExtendedXMP"] == nil)
  }

  /// Extended packets with a missing or repeated part, or with a wrong size. Their contents cannot be edited.
  @Test(arguments: ["missing", "twice", "total"]) func damagedExtendedPacketsAreNamed(_ damage: String) throws
  {
    let old = try photo("")
    var bytes = try Data(contentsOf: old)
    let head = Data("http://ns.adobe.com/xmp/extension/\0".utf8)
    // The first segment in the file contains the end of the packet.
    let last = try #require(bytes.range(of: head))
    let start = last.lowerBound - 4
    let end = start + 2 + (Int(bytes[start + 2]) << 8 | Int(bytes[start + 3]))
    switch damage {
    case "missing": bytes.removeSubrange(start..<end)
    case "twice": bytes.insert(contentsOf: bytes[start..<end], at: end)
    default: bytes[last.upperBound + 32 + 3] ^= 1
    }
    try bytes.write(to: old)
    let (result, output) = try rendered(Edit(orientation: .right), old)
    let names = Set(result.removals.map(\.name))
    #expect(names.isSuperset(of: ["GImage", "GDepth", "GFocus", "extended XMP"]))
    #expect(names.subtracting(["GImage", "GDepth", "GFocus", "extended XMP"]).isSubset(of: ["XMP"]))
    let tags = try tags(output)
    #expect(!tags.keys.contains { $0.hasPrefix("XMP-GDepth") || $0.hasPrefix("XMP-GImage") })
    #expect(tags["XMP-xmpNote:HasExtendedXMP"] == nil && tags["XMP-dc:Source"] == "kept")
    #expect(!tags.keys.contains { $0.hasSuffix("Warning") })
    #expect(try Data(contentsOf: output).range(of: head) == nil)
  }

  /// Depth that is encoded at higher quality than before may no longer fit into the main packet. It is then removed,
  /// and the rest of the packet is kept.
  @Test func depthThatOutgrowsItsPacketIsNamed() throws {
    let old = try photo("--main --size 960x704 --quality 25")
    var edit = Edit.identity
    edit.geometry.straighten = 1
    let (result, output) = try rendered(edit, old)
    #expect(Set(result.removals.map(\.name)) == ["GImage", "GDepth", "GFocus"])
    #expect(
      result.removals.first { $0.name == "GDepth" }?.reason == "has become too large for a JPEG segment")
    let tags = try tags(output)
    #expect(!tags.keys.contains { $0.hasPrefix("XMP-GDepth") || $0.hasPrefix("XMP-GFocus") })
    #expect(tags["XMP-dc:Source"] == "kept" && tags["XMP-dc:Format"] == "image/jpeg")
  }

  /// Depth belongs to the photo that was taken, not to a frame of the movie.
  @Test(arguments: ["", "--main --size 240x176"]) func aKeyPhotoHasNoDepth(_ kind: String) throws {
    let old = try photo(kind)
    let outputs = (folder.file("out.jpg"), folder.file("out.mov"))
    let job = RenderJob(
      photo: .init(source: old.path, output: outputs.0.path),
      movie: .init(source: TestFiles.fixture("IMG_0001.MOV").path, output: outputs.1.path),
      edit: Edit(motion: try Motion(keyPhoto: 0.5)), settings: .standard,
      identifier: nil)
    let result = try render(job, progress: { _ in }, isCancelled: { false })
    #expect(Set(result.removals.map(\.name)).isSuperset(of: ["GImage", "GDepth"]))
    let tags = try tags(outputs.0)
    #expect(!tags.keys.contains { $0.hasPrefix("XMP-GDepth") || $0.hasPrefix("XMP-GImage") })
    #expect(tags["XMP-dc:Source"] == "kept")
    try checkPacket(outputs.0)
  }
}
