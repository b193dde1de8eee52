import EditModel
import Foundation
import RenderEngine
import TestSupport
import Testing

/// Tests of a JPEG with a disparity map, a matte and a gain map after it, made by scripts/fixtures/gain_map.py. Pillow
/// finds them through the index, and scripts/fixtures/map_error.py compares them with slow edits.
@Suite(.enabled(if: Tools.hasPillowHEIF)) struct JPEGDepthTests {
  let folder: TemporaryFolder

  static let fixture = TestFiles.fixture("portrait.JPG")
  static let kinds = ["depth", "portraiteffectsmatte", "hdrgainmap"]

  init() throws {
    folder = try TemporaryFolder()
  }

  func rendered(
    _ edit: Edit, _ photo: URL = fixture, _ settings: RenderSettings = .standard
  ) throws -> (result: RenderResult, photo: URL) {
    try folder.rendered(photo, edit, settings, as: "out.jpg")
  }

  /// Returns the type and similarity in dB of each map, in file order.
  func likeness(_ edited: URL, _ options: String = "") throws -> [(kind: String, decibels: Double)] {
    let script = TestFiles.project.appendingPathComponent("scripts/fixtures/map_error.py").path
    let answer = try Tools.run(
      ["python3", script, Self.fixture.path, edited.path] + options.split(separator: " ").map(String.init))
    guard answer.status == 0 else { throw ToolFailure(answer.standardError) }
    return answer.text.split(separator: "\n").compactMap { line in
      let parts = line.split(separator: " ")
      return parts.count == 5 ? Double(parts[3]).map { (String(parts[0]), $0) } : nil
    }
  }

  /// Checks the pictures that the index lists, using exiftool: they must fill the file from the end of the first
  /// picture on.
  func checkIndex(_ photo: URL, count: Int) throws {
    let answer = try Tools.output(
      "exiftool", "-s3", "-n", "-a", "-MPImageStart", "-MPImageLength", photo.path)
    let numbers = answer.lines.compactMap { Int($0) }
    try #require(numbers.count == 2 * count)
    // Either all starts or all lengths come first.
    let file = try Data(contentsOf: photo)
    var at = 0
    let (starts, lengths) = (numbers.prefix(count), numbers.suffix(count))
    for (start, length) in zip(starts, lengths) {
      #expect(start == at)
      #expect(file[start..<start + length].starts(with: [0xFF, 0xD8, 0xFF]))
      #expect(file[start..<start + length].suffix(2).elementsEqual([0xFF, 0xD9]))
      at += length
    }
    #expect(at == file.count)
  }

  @Test(arguments: [false, true]) func mapsTurnInTheDCTDomain(isLossless: Bool) throws {
    let (result, photo) = try rendered(
      Edit(orientation: .right), Self.fixture, RenderSettings(isLossless: isLossless))
    #expect(result.photo == .lossless && result.removals.map(\.name) == ["depthData:FocusPlace"])
    let maps = try likeness(photo, "--turn 90")
    #expect(maps.map(\.kind) == Self.kinds)
    for (kind, decibels) in maps { #expect(decibels > 40, "\(kind): \(decibels) dB") }
    try checkIndex(photo, count: 4)
    // The original is stored sideways, so its stored picture is rotated by 180°.
    let text = String(decoding: try Data(contentsOf: photo), as: UTF8.self)
    for part in [
      "ReferenceWidth>4032<", "<rdf:li>2029.75</rdf:li><rdf:li>1485.5</rdf:li>", "OffsetX>2025.5<",
      "OffsetY>1488.75<", "<rdf:li>-1</rdf:li>",
    ] {
      #expect(text.contains(part), "\(part)")
    }
  }

  @Test func coloursLeaveMapsAlone() throws {
    var edit = Edit.identity
    edit[.exposure] = 0.4
    // The photo is upright, so no pixel is rotated.
    let photo = folder.file("upright.jpg")
    try FileManager.default.copyItem(at: Self.fixture, to: photo)
    _ = try Tools.output("exiftool", "-q", "-n", "-overwrite_original", "-Orientation=1", photo.path)
    let (result, output) = try rendered(edit, photo)
    #expect(result.removals == [])
    try checkIndex(output, count: 4)
    for number in 2...4 {
      let pictures = try [photo, output].map {
        try Tools.run(["exiftool", "-b", "-MPImage\(number)", $0.path]).standardOutput
      }
      #expect(!pictures[0].isEmpty && pictures[0] == pictures[1])
    }
  }

  /// A map that cannot be decoded is removed and reported. The index lists the remaining maps.
  @Test func aDamagedMapIsNamed() throws {
    var bytes = [UInt8](try Data(contentsOf: Self.fixture))
    let kind = try #require(Data(bytes).range(of: Data("portraiteffectsmatte\"".utf8)))
    // The precision in the frame header becomes 16 bits.
    let frame = try #require(
      Data(bytes).range(of: Data([0xFF, 0xC0, 0, 11, 8]), in: kind.upperBound..<bytes.count))
    bytes[frame.upperBound - 1] = 16
    let photo = folder.file("odd.jpg")
    try Data(bytes).write(to: photo)
    var edit = Edit.identity
    edit.geometry.straighten = 5
    let (result, output) = try rendered(edit, photo)
    #expect(result.removals.map(\.name).contains("portraiteffectsmatte"))
    #expect(try likeness(output, "--straighten 5").map(\.kind) == ["depth", "hdrgainmap"])
    try checkIndex(output, count: 3)
  }
}
