import Foundation
import TestSupport
import Testing

/// Formats that are not edited: files of ffmpeg and of a writer of the test's own.
@Suite struct CommandForeignTests {
  /// A TIFF file of one black pixel; with the tag DNGVersion a DNG by its headers.
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

  /// Fills a folder with one file of each format: those that ffmpeg writes, and first bytes by the formats'
  /// specifications.
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
    "t.tif": "picture in the format TIFF", "d.dng": "raw picture in the format DNG",
    "a.avif": "picture in the format AVIF", "l.livp": "ZIP archive", "g.gif": "picture in the format GIF",
    "w.webp": "picture in the format WebP", "m.mkv": "movie in the format Matroska",
    "v.webm": "movie in the format WebM", "i.avi": "movie in the format AVI",
  ]

  @Test func eachIsNamedInOneSentence() throws {
    let folder = try TemporaryFolder()
    try Self.fill(folder)
    for (name, words) in Self.formats {
      // The content counts, whatever the name says.
      let asPhoto = "photo-" + name + ".jpg"
      try FileManager.default.copyItem(at: folder.file(name), to: folder.file(asPhoto))
      for file in [name, asPhoto] {
        for command in [["rotate", "--degrees", "90"], ["inspect"]] {
          let output = try Tools.run([Command.path] + command + [file], in: folder.url)
          #expect(output.status == 1 && output.sentences.count == 1, "\(output.standardError)")
          #expect(output.standardError.contains("\(file): is a \(words)"), "\(output.standardError)")
        }
      }
    }
    #expect(try !folder.names().contains { $0.contains("_edited") })
  }

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
    // Nothing is said where nothing is left out.
    let other = try TemporaryFolder()
    try other.copy(TestFiles.fixture("IMG_0001.JPG"))
    #expect(try !Command.run("list", "--json", in: other.url).text.contains("leftOut"))
  }

  /// What was converted keeps XMP of a gain map that is gone.
  @Test func onlyAGainMapMakesAHEICHDR() throws {
    let folder = try TemporaryFolder()
    try folder.copy(TestFiles.fixture("spatial.HEIC"), TestFiles.fixture("shared.HEIC"))
    let packet = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
      <rdf:Description rdf:about="" xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0"/>\
      </rdf:RDF></x:xmpmeta>
      """
    try folder.write(Array(packet.utf8), to: "packet.xmp")
    let written = try Tools.run([
      "exiftool", "-q", "-overwrite_original", "-XMP<=\(folder.file("packet.xmp").path)",
      folder.file("spatial.HEIC").path,
    ])
    #expect(written.status == 0, "\(written.standardError)")
    let kind = try Tools.exiftool(folder.file("shared.HEIC"))["QuickTime:AuxiliaryImageType"]
    #expect(kind?.hasSuffix("hdrgainmap") == true)
    #expect(try Tools.exiftool(folder.file("spatial.HEIC"))["QuickTime:AuxiliaryImageType"] == nil)
    let hdr = try Command.run("list", "--paths", "--filter", "subtype = hdr", in: folder.url)
    #expect(hdr.lines == ["shared.HEIC"], "\(hdr.text)")
  }
}
