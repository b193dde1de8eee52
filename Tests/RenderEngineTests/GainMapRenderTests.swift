import EditModel
import Foundation
import RenderEngine
import TestSupport
import Testing

/// Tests of JPEGs with a gain map after the picture, made by scripts/fixtures/gain_map.py. exiftool finds the map in
/// the results.
@Suite struct GainMapRenderTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  static let names = ["gainmap.JPG", "ultrahdr.JPG"]

  private func rendered(
    _ name: String, _ edit: Edit, _ settings: RenderSettings = .standard
  ) throws -> (result: RenderResult, photo: URL) {
    try folder.rendered(TestFiles.fixture(name), edit, settings, as: "out.jpg")
  }

  /// Returns the second picture that exiftool finds, decoded by djpeg into grey samples.
  private func map(_ photo: URL) throws -> (width: Int, height: Int, samples: [UInt8], bytes: Data) {
    let answer = try Tools.output(
      "exiftool", "-s3", "-n", "-MPImage2:MPImageStart", "-MPImage2:MPImageLength", photo.path)
    let places = answer.lines.compactMap { Int($0) }
    let file = try Data(contentsOf: photo)
    try #require(places.count == 2 && places[0] + places[1] == file.count)
    let bytes = file[places[0]...]
    try #require(bytes.starts(with: [0xFF, 0xD8, 0xFF]) && bytes.suffix(2).elementsEqual([0xFF, 0xD9]))
    #expect(file[places[0] - 2..<places[0]].elementsEqual([0xFF, 0xD9]))
    try folder.write([UInt8](bytes), to: "map.jpg")
    let plain = try folder.run("djpeg", ["-grayscale", "-pnm", "map.jpg"])
    let head = String(decoding: plain.prefix(32), as: UTF8.self).split(whereSeparator: \.isWhitespace)
    let (width, height) = (try #require(Int(head[1])), try #require(Int(head[2])))
    return (width, height, Array(plain.suffix(width * height)), Data(bytes))
  }

  /// Returns the position of the mark in the corner of the map, as fractions of the rotated map.
  private func mark(_ map: (width: Int, height: Int, samples: [UInt8], bytes: Data)) -> (x: Double, y: Double)
  {
    var (x, y, count) = (0.0, 0.0, 0.0)
    for (index, sample) in map.samples.enumerated() where sample > 210 {
      x += Double(index % map.width)
      y += Double(index / map.width)
      count += 1
    }
    return (x / count / Double(map.width), y / count / Double(map.height))
  }

  @Test(arguments: names, [false, true])
  func turnsWithThePicture(name: String, isLossless: Bool) throws {
    let (result, photo) = try rendered(
      name, Edit(orientation: .right), RenderSettings(isLossless: isLossless))
    #expect(result.removals == [] && result.photo == .lossless)
    let (old, new) = (try map(TestFiles.fixture(name)), try map(photo))
    let (before, after) = (mark(old), mark(new))
    // The second fixture is already stored sideways.
    let want = name == "ultrahdr.JPG" ? (1 - before.x, 1 - before.y) : (1 - before.y, before.x)
    #expect(abs(after.x - want.0) < 0.02 && abs(after.y - want.1) < 0.02)
    let swaps = name != "ultrahdr.JPG"
    #expect((new.width, new.height) == (swaps ? (old.height, old.width) : (old.width, old.height)))
    try checkDirectory(photo, new.bytes)
  }

  @Test(arguments: names) func staysUnderAnEditOfColours(name: String) throws {
    var edit = Edit.identity
    edit[.exposure] = 0.5
    let (result, photo) = try rendered(name, edit)
    #expect(result.removals == [])
    let (old, new) = (try map(TestFiles.fixture(name)), try map(photo))
    if name == "gainmap.JPG" { #expect(new.bytes == old.bytes) }
    try checkDirectory(photo, new.bytes)
  }

  @Test(arguments: names) func isCroppedWithThePicture(name: String) throws {
    var edit = Edit.identity
    edit.geometry.crop = .rectangle(try Crop.Rectangle(left: 0, top: 0, width: 500_000, height: 1_000_000))
    let (result, photo) = try rendered(name, edit)
    #expect(!result.removals.map(\.name).contains("gain map"))
    let (old, new) = (try map(TestFiles.fixture(name)), try map(photo))
    // As displayed, the map loses half of its width, and the mark is twice as far from the edge.
    let isTurned = name == "ultrahdr.JPG"
    let (before, after) = (mark(old), mark(new))
    let shown = isTurned ? (1 - before.y, before.x) : (before.x, before.y)
    #expect(new.width * 2 == (isTurned ? old.height : old.width))
    if shown.0 < 0.5 { #expect(abs(after.x - 2 * shown.0) < 0.03 && abs(after.y - shown.1) < 0.02) }
    try checkDirectory(photo, new.bytes)
  }

  /// Checks that Google's directory states the length of the map, and that the map keeps its own metadata.
  private func checkDirectory(_ photo: URL, _ map: Data) throws {
    let packet = try Tools.output("exiftool", "-b", "-XMP", photo.path).text
    if packet.contains("GainMap\"") {
      #expect(packet.contains("Item:Length=\"\(map.count)\""))
    }
    #expect(
      map.range(of: Data("HDRGainMapVersion".utf8)) != nil
        || map.range(of: Data("hdrgm:GainMapMax".utf8)) != nil)
  }
}
