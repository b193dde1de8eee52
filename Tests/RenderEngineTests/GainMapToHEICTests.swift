import EditModel
import Foundation
import RenderEngine
import TestSupport
import Testing

/// Tests of JPEG gain maps in photos that become HEIC. An independent box parser finds the maps.
/// scripts/fixtures/map_error.py decodes them with ffmpeg and compares them with slow edits of the JPEG as decoded by
/// Pillow. libheif decodes the photo.
@Suite(.enabled(if: Tools.hasPillowHEIF)) struct GainMapToHEICTests {
  let folder: TemporaryFolder

  static let names = ["gainmap.JPG", "ultrahdr.JPG", "portrait.JPG"]

  init() throws {
    folder = try TemporaryFolder()
  }

  func rendered(
    _ edit: Edit, _ photo: URL, _ format: RenderSettings.PhotoFormat = .heic
  ) throws -> (result: RenderResult, photo: URL) {
    try folder.rendered(
      photo, edit, RenderSettings(photoFormat: format), as: format == .heic ? "out.heic" : "out.jpg")
  }

  /// Returns the similarity of the gain map in dB, or nil without a gain map.
  func likeness(_ old: URL, _ new: URL, _ options: String) throws -> Double? {
    let script = TestFiles.project.appendingPathComponent("scripts/fixtures/map_error.py").path
    let answer = try Tools.run(
      ["python3", script, old.path, new.path] + options.split(separator: " ").map(String.init))
    guard answer.status == 0 else { throw ToolFailure(answer.standardError) }
    let words = answer.lines.map { $0.split(separator: " ").map(String.init) }
    return words.first { $0.first == "hdrgainmap" }.flatMap { Double($0[3]) }
  }

  /// Returns the data of the `tmap` item.
  private func toneMap(_ photo: URL) throws -> [UInt8] {
    let walked = try WalkedHEIF.read(photo)
    let item = try #require(walked.items.values.first { $0.type == "tmap" })
    let file = try Data(contentsOf: photo)
    return item.places.flatMap { [UInt8](file[$0[0]..<$0[0] + $0[1]]) }
  }

  @Test(arguments: names) func coloursLeaveItAlone(_ name: String) throws {
    var edit = Edit.identity
    edit[.saturation] = -0.5
    let (_, photo) = try rendered(edit, TestFiles.fixture(name))
    let decibels = try #require(try likeness(TestFiles.fixture(name), photo, ""))
    #expect(decibels > 40, "\(decibels) dB")
    let program = """
      import sys, pillow_heif
      print(*pillow_heif.open_heif(sys.argv[1]).size)
      """
    let size = try Tools.run(["python3", "-c", program, photo.path])
    try #require(size.status == 0, "\(size.standardError)")
    #expect(size.lines == [name == "gainmap.JPG" ? "480 352" : "352 480"])
  }

  /// Apple's gain map is an auxiliary picture with XMP, which libheif lists.
  @Test(arguments: ["gainmap.JPG", "portrait.JPG"]) func applesIsAuxiliary(_ name: String) throws {
    let (_, photo) = try rendered(Edit(orientation: .right), TestFiles.fixture(name))
    let program = """
      import sys, pillow_heif
      print(*pillow_heif.open_heif(sys.argv[1]).info["aux"])
      """
    let answer = try Tools.run(["python3", "-c", program, photo.path])
    try #require(answer.status == 0, "\(answer.standardError)")
    #expect(answer.lines == ["urn:com:apple:photo:2020:aux:hdrgainmap"])
    let walked = try WalkedHEIF.read(photo)
    #expect(!walked.items.values.contains { $0.type == "tmap" })
    let map = try #require(walked.references.first { $0.kind == "auxl" })
    #expect(map.to == [walked.primary])
    let text = try #require(walked.references.first { $0.kind == "cdsc" && $0.to == [map.from] })
    let place = try #require(walked[text.from]?.places.first)
    let packet = String(
      decoding: try Data(contentsOf: photo)[place[0]..<place[0] + place[1]], as: UTF8.self)
    #expect(packet.contains("HDRGainMapVersion"))
  }

  /// Returns the numerators and denominators of the `tmap` item after a version, two more versions and flags.
  private func numbers(_ data: [UInt8]) throws -> [Double] {
    try #require(data.count >= 6 + 56 && (data.count - 6) % 8 == 0)
    func word(_ at: Int) -> UInt32 { data[at..<at + 4].reduce(0) { $0 << 8 | UInt32($1) } }
    return stride(from: 6, to: data.count, by: 8).map {
      Double(Int32(bitPattern: word($0))) / Double(word($0 + 4))
    }
  }

  /// The tone map contains the same values as Ultra HDR's XMP: headrooms, then gains, gamma and offsets.
  @Test func numbersOfUltraHDRAreThoseOfTheToneMap() throws {
    let (_, photo) = try rendered(Edit(orientation: .right), TestFiles.fixture("ultrahdr.JPG"))
    let data = try toneMap(photo)
    #expect(data.prefix(6) == [0, 0, 0, 0, 0, 0x40])
    #expect(try numbers(data) == [0, 2.3, 0, 2.3, 1, 0.015625, 0.015625])
    let walked = try WalkedHEIF.read(photo)
    let tone = try #require(walked.items.first { $0.value.type == "tmap" })
    let number = try #require(Int(tone.key))
    #expect(tone.value.hidden == false)
    #expect(walked.groups.map(\.to) == [[number, walked.primary]] && walked.groups.map(\.kind) == ["altr"])
    let made = try #require(walked.references.first { $0.from == number })
    #expect(made.kind == "dimg" && made.to.first == walked.primary && made.to.count == 2)
    let size = try Tools.output("exiftool", "-s3", "-n", "-ImageSize", photo.path).lines[0]
    let extents = size.split(separator: " ").compactMap { Int($0) }.map { String(format: "%08x", $0) }
    #expect(tone.value.contents("ispe") == ["00000000" + extents.joined()])
    #expect(try Data(contentsOf: photo).prefix(64).range(of: Data("tmap".utf8)) != nil)
  }

  /// Three separate channels, and numbers of many digits.
  @Test func channelsKeepTheirNumbers() throws {
    let old = folder.file("channels.jpg")
    let program = """
      import sys
      sys.path.insert(0, sys.argv[1])
      import gain_map
      numbers = "".join(f"<rdf:li>{number}</rdf:li>" for number in ("2.123456789", "-0.25", "3"))
      inside = f"<hdrgm:GainMapMax><rdf:Seq>{numbers}</rdf:Seq></hdrgm:GainMapMax>"
      open(sys.argv[2], "wb").write(gain_map.ultra_hdr("", inside))
      """
    let scripts = TestFiles.project.appendingPathComponent("scripts/fixtures").path
    let answer = try Tools.run(["python3", "-c", program, scripts, old.path])
    try #require(answer.status == 0, "\(answer.standardError)")
    let (_, photo) = try rendered(.identity, old)
    let data = try toneMap(photo)
    #expect(data.prefix(6) == [0, 0, 0, 0, 0, 0xC0])
    var wanted: [Double] = [0, 2.3]
    for most in [2.123456789, -0.25, 3] { wanted += [0, most, 1, 0.015625, 0.015625] }
    #expect(try numbers(data) == wanted)
  }

  /// The ISO 21496-1 metadata survives conversions from HEIC to JPEG and back unchanged.
  @Test func isoGoesThereAndBack() throws {
    let original = TestFiles.fixture("IMG_0004.HEIC")
    let jpeg = try rendered(.identity, original, .jpeg).photo
    let between = folder.file("between.jpg")
    try FileManager.default.moveItem(at: jpeg, to: between)
    let photo = try rendered(.identity, between).photo
    #expect(try toneMap(photo) == toneMap(original))
    let walked = try WalkedHEIF.read(photo)
    let map = try #require(walked.references.first { $0.kind == "auxl" }?.from)
    #expect(walked.references.contains { $0.kind == "dimg" && $0.to == [walked.primary, map] })
    let decibels = try #require(try likeness(between, photo, ""))
    #expect(decibels > 40, "\(decibels) dB")
  }

  /// A map without any metadata on its use has no place in a HEIC. It is removed and reported.
  @Test func aMapWithoutWordsIsNamed() throws {
    var bytes = try Data(contentsOf: TestFiles.fixture("ultrahdr.JPG"))
    while let range = bytes.range(of: Data("hdrgm:GainMapMax".utf8)) {
      bytes.replaceSubrange(range, with: Data("hdrgm:GainMapMux".utf8))
    }
    let old = folder.file("mute.jpg")
    try bytes.write(to: old)
    let (result, photo) = try rendered(Edit(orientation: .right), old)
    #expect(result.removals.map(\.name).contains("gain map"))
    let walked = try WalkedHEIF.read(photo)
    #expect(!walked.items.values.contains { $0.type == "tmap" } && walked.groups.isEmpty)
  }
}
