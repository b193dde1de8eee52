import Foundation
import TestSupport
import Testing

/// Tests of formats that cannot be edited, with files from ffmpeg and from the test's own writer.
@Suite struct CommandForeignTests {
  /// Returns a TIFF file with one black pixel; with the DNGVersion tag, its headers identify it as a DNG.
  static func tiff(isDNG: Bool) -> Data {
    var entries: [(tag: UInt16, type: UInt16, count: UInt32, value: UInt32)] = [
      (256, 3, 1, 1), (257, 3, 1, 1), (258, 3, 1, 8), (259, 3, 1, 1), (262, 3, 1, 1), (273, 4, 1, 8),
      (277, 3, 1, 1), (278, 3, 1, 1), (279, 4, 1, 1),
    ]
    if isDNG { entries.append((50706, 1, 4, 0x0000_0401)) }
    var data = Data("II".utf8) + Data([42, 0, 10, 0, 0, 0, 0, 0])
    func add<Number: FixedWidthInteger>(_ number: Number) {
      for shift in stride(from: 0, to: Number.bitWidth, by: 8) {
        data.append(UInt8(truncatingIfNeeded: number >> shift))
      }
    }
    add(UInt16(entries.count))
    for entry in entries {
      add(entry.tag)
      add(entry.type)
      add(entry.count)
      add(entry.value)
    }
    add(UInt32(0))
    return data
  }

  /// Fills a folder with one file per format: ffmpeg writes some, and the others consist of the first bytes that their
  /// specifications define.
  static func fill(_ folder: TemporaryFolder) throws {
    try folder.write(Array(tiff(isDNG: false)), to: "t.tif")
    try folder.write(Array(tiff(isDNG: true)), to: "d.dng")
    try folder.write(
      [0, 0, 0, 28] + Array("ftypavif".utf8) + [0, 0, 0, 0] + Array("avifmif1miaf".utf8), to: "a.avif")
    try folder.write([0x50, 0x4B, 3, 4] + [UInt8](repeating: 0, count: 40), to: "l.livp")
    for (name, encoder) in [
      ("g.gif", "gif"), ("w.webp", "libwebp"), ("m.mkv", "mpeg4"), ("v.webm", "libvpx"), ("i.avi", "mpeg4"),
    ] {
      let made = try Tools.run([
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=d=0.2:s=64x48:r=10", "-c:v", encoder,
        folder.file(name).path,
      ])
      #expect(made.status == 0, "\(made.standardError)")
    }
  }

  static let formats = [
    "t.tif": "picture in TIFF format", "d.dng": "raw photo in DNG format",
    "a.avif": "picture in AVIF format", "l.livp": "ZIP archive", "g.gif": "picture in GIF format",
    "w.webp": "picture in WebP format", "m.mkv": "movie in Matroska format",
    "v.webm": "movie in WebM format", "i.avi": "movie in AVI format",
  ]

  @Test func listCountsThemByKind() throws {
    let folder = try TemporaryFolder()
    try Self.fill(folder)
    try folder.copy(TestFiles.fixture("IMG_0001.JPG"))
    try FileManager.default.copyItem(
      at: TestFiles.fixture("IMG_0002.MOV"), to: folder.file("PXL_20200710_061629144.MP"))
    let table = try Command.run("list", in: folder.url)
    #expect(
      table.standardError.contains(
        "1 .MP, 1 .livp, 1 AVI, 1 AVIF, 1 DNG, 1 GIF, 1 MKV, 1 TIFF, 1 WEBM, 1 WEBP"),
      "\(table.standardError)")
    let json = try Command.run("list", "--json", in: folder.url)
    #expect(json.answers.count == 1)
    let last = try #require(json.lines.last)
    let summary = try #require(JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Any])
    let leftOut = try #require(summary["leftOut"] as? [String: [String]])
    #expect(leftOut[".MP"] == ["PXL_20200710_061629144.MP"] && leftOut["DNG"] == ["d.dng"])
    #expect(leftOut.count == 10)
    // If nothing is left out, nothing is reported.
    let other = try TemporaryFolder()
    try other.copy(TestFiles.fixture("IMG_0001.JPG"))
    #expect(try !Command.run("list", "--json", in: other.url).text.contains("leftOut"))
  }
}
