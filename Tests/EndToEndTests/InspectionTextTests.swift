import EditModel
import Foundation
import LiveEdit
import RenderClient
import TestSupport
import Testing
import Workflows

@testable import CommandLineTool

/// Tests of the columns of `inspect`, compared with the output of independent programs.
@Suite struct InspectionTextTests {
  private func lines(_ file: URL) throws -> [String] {
    try InspectionText(FileInspection(path: file.path)).lines.map(\.spoken)
  }

  /// Returns the numbers, types and sizes in the lines about items, with runs of tiles expanded.
  private func items(_ lines: [String]) -> [(numbers: ClosedRange<Int>, cells: [String])] {
    let rest = lines.drop { !$0.hasPrefix("  items ") }
    return rest.enumerated().prefix { $0 == 0 || $1.hasPrefix("    ") }.compactMap { _, line in
      let cells = line.dropFirst(15).components(separatedBy: "  ")
        .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
      let numbers = (cells.first ?? "").components(separatedBy: "–").compactMap { Int($0) }
      guard let first = numbers.first, let last = numbers.last else { return nil }
      return (first...last, cells)
    }
  }

  @Test(arguments: ["IMG_0004.HEIC", "shared.HEIC"])
  func everyItemOfAHEICPhotoIsInOneLine(_ name: String) throws {
    let file = TestFiles.fixture(name)
    let walked = try WalkedHEIF.read(file)
    let items = items(try lines(file))
    #expect(items.flatMap { Array($0.numbers) } == walked.items.keys.compactMap { Int($0) }.sorted())
    for (numbers, cells) in items {
      let all = try numbers.map { try #require(walked[$0]) }
      #expect(Set(all.map(\.type)) == [cells[1]])
      let bytes = try #require(cells.first { $0.hasSuffix(" bytes") })
      #expect(bytes == "\(all.reduce(0) { $0 + $1.size }) bytes")
      if let tiles = cells.last, let words = tiles.firstMatch(of: /^(\d+) tiles of (\d+)$/) {
        #expect(Int(words.1) == numbers.count)
        let owner = Int(words.2) ?? 0
        let link = walked.references.first { $0.kind == "dimg" && $0.from == owner }
        #expect(link.map { Set(numbers).isSubset(of: $0.to) } == true)
      } else {
        #expect(numbers.count == 1)
      }
      let made = walked.references.first { $0.kind == "dimg" && $0.from == numbers.lowerBound }
      #expect(cells.last?.contains("made of") == (made != nil))
      let described = walked.references.first { $0.kind == "cdsc" && $0.from == numbers.lowerBound }
      let list = described.map { "describes " + $0.to.map { String($0) }.joined(separator: ", ") }
      #expect(list.map { cells.last?.hasSuffix($0) == true } ?? true, "\(cells)")
    }
    let photo = try #require(items.first { $0.numbers.contains(walked.primary) })
    #expect(photo.cells.last?.hasPrefix("photo, ") == true)
  }

  @Test func theCodingOfAHEICPhoto() throws {
    let text = try lines(TestFiles.fixture("IMG_0004.HEIC")).joined(separator: "\n")
    let said = try Tools.exiftool(TestFiles.fixture("IMG_0004.HEIC"))
    for tag in ["IFD0:Model", "IFD0:Software"] {
      #expect(text.contains(try #require(said[tag])), "\(tag)")
    }
    // scripts/make-fixtures builds the fixtures with these properties.
    #expect(text.contains("  coding        hvc1, 4:2:0, 8 bit, 4x3 tiles of 192x192\n"))
    let alone = try lines(TestFiles.fixture("shared.HEIC")).joined(separator: "\n")
    #expect(alone.contains("  coding        hvc1, 4:2:0, 8 bit, not tiled\n"))
    #expect(alone.contains("256x192 stored, orientation 2, mirrored\n"))
  }

  @Test(arguments: [
    (1, "upright"), (2, "mirrored"), (3, "rotated 180° clockwise"), (4, "mirrored, rotated 180° clockwise"),
    (6, "rotated 90° clockwise"), (8, "rotated 270° clockwise"), (0, "unknown"), (9, "unknown"),
  ])
  func orientationsInWords(_ number: Int, _ words: String) {
    #expect(InspectionText.words(orientation: number).description == words)
  }

  /// Returns the description of another program's adjustment data, written by Python's plistlib.
  private func adjustments(_ format: String, _ data: String) throws -> String {
    let folder = try TemporaryFolder()
    let script = """
      import plistlib, zlib, sys
      def raw(text):
          maker = zlib.compressobj(9, zlib.DEFLATED, -15)
          return maker.compress(text.encode()) + maker.flush()
      plistlib.dump({"adjustmentFormatIdentifier": "\(format)", "adjustmentFormatVersion": "1.5",
        "adjustmentData": \(data), "adjustmentBaseVersion": 0, "adjustmentEditorBundleID": "com.apple.Photos"},
        open(sys.argv[1], "wb"))
      """
    let file = folder.file("IMG_0001.AAE")
    try Tools.output("python3", "-c", script, file.path)
    return try lines(file).joined(separator: "\n") + "\n"
  }

  @Test func adjustmentsOfPhotosAreListed() throws {
    let json =
      #"{"adjustments": [{"identifier": "SmartTone", "enabled": true, "settings": {"inputLight": 0.25,"#
      + #" "statistics": {"a": [1, true, null]}}}, {"identifier": "Crop", "enabled": false,"#
      + #" "settings": {"xOrigin": 12}}]}"#
    let text = try adjustments("com.apple.photo", "raw('''\(json)''')")
    #expect(text.contains("IMG_0001.AAE: adjustment data\n"))
    #expect(text.contains("com.apple.photo 1.5 by com.apple.Photos\n"))
    #expect(text.contains("SmartTone  inputLight 0.25, statistics {a {1; yes; none}}\n"), "\(text)")
    #expect(text.contains("Crop       (off) xOrigin 12\n"), "\(text)")
  }

  @Test func dataThatCannotBeReadIsSaidToBe() throws {
    #expect(try adjustments("com.example.other", "b'12345'").contains("5 bytes in an unknown format\n"))
    #expect(try adjustments("com.apple.photo", "b'12345'").contains("damaged data\n"))
  }

  @Test func longValuesAreCut() throws {
    let long = String(repeating: "x", count: 500)
    let json =
      #"{"adjustments": [{"identifier": "Note", "enabled": true, "settings": {"a": ""# + long + #""}}]}"#
    let text = try adjustments("com.apple.photo", "raw('''\(json)''')")
    let line = try #require(text.split(separator: "\n").first { $0.contains("Note") })
    #expect(line.hasSuffix("x…") && line.count < 280)
  }
}
