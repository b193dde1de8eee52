import Foundation
import TestSupport
import Testing

/// Tests with photos that are red on the left, blue on the right, and contain previews of the whole picture in many
/// positions. After a crop to the blue half, no preview contains red. ImageMagick decodes every JPEG that begins
/// anywhere in the result.
@Suite struct HiddenPreviewsTests {
  let folder: TemporaryFolder
  /// A small JPEG of the whole picture.
  let preview: [UInt8]

  init() throws {
    folder = try TemporaryFolder()
    preview = try Self.halves(64, 48, in: folder)
  }

  private static func halves(_ width: Int, _ height: Int, in folder: TemporaryFolder) throws -> [UInt8] {
    let half = "\(width / 2)x\(height)"
    return try folder.run(
      "convert", ["-size", half, "xc:red", "xc:blue", "+append", "-quality", "95", "jpg:-"])
  }

  private func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [0xFF, marker, UInt8((payload.count + 2) >> 8), UInt8((payload.count + 2) & 255)] + payload
  }

  /// The layouts: a name, and the metadata that the output names as removed.
  static let layouts: [(name: String, removed: [String])] = [
    ("thumbnail", []), ("note", ["MakerNotes"]), ("gap", ["PreviewImage"]), ("large gap", ["PreviewImage"]),
    ("IFD2", ["PreviewImage"]), ("split", ["APP4"]), ("Photoshop", ["PhotoshopThumbnail"]),
    ("behind", ["picture after EOI"]), ("far behind", ["picture after EOI"]), ("XMP", ["some:Preview"]),
    ("thumbnails", ["xmp:Thumbnails"]),
  ]

  /// Returns a little-endian Exif block: IFD0 with an orientation, IFD1 with a thumbnail and, if requested, IFD2 with
  /// another one.
  private func exif(hasThird: Bool, tail: [UInt8]) -> [UInt8] {
    func number(_ value: Int, _ width: Int) -> [UInt8] { (0..<width).map { UInt8(value >> (8 * $0) & 255) } }
    func entry(_ tag: Int, _ type: Int, _ value: Int) -> [UInt8] {
      number(tag, 2) + number(type, 2) + number(1, 4) + number(value, 4)
    }
    let (first, second, third) = (8, 26, 56)
    let data = hasThird ? 86 : 56
    let other = data + preview.count
    func picture(_ place: Int, next: Int) -> [UInt8] {
      number(2, 2) + entry(0x0201, 4, place) + entry(0x0202, 4, preview.count) + number(next, 4)
    }
    var block = Array("II".utf8) + number(42, 2) + number(first, 4)
    block += number(1, 2) + entry(0x0112, 3, 1) + number(second, 4)
    block += picture(data, next: hasThird ? third : 0)
    if hasThird { block += picture(other, next: 0) }
    return Array("Exif".utf8) + [0, 0] + block + preview + (hasThird ? preview : []) + tail
  }

  private func made(_ layout: String) throws -> String {
    let whole = try Self.halves(320, 240, in: folder)
    let base64 = Data(preview).base64EncodedString()
    func xmp(_ property: String) -> [UInt8] {
      let packet =
        "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">"
        + "<rdf:Description rdf:about=\"\" xmlns:some=\"urn:some\" xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\""
        + " xmlns:xmpGImg=\"http://ns.adobe.com/xap/1.0/g/img/\">\(property)</rdf:Description></rdf:RDF></x:xmpmeta>"
      return segment(0xE1, Array("http://ns.adobe.com/xap/1.0/".utf8) + [0] + Array(packet.utf8))
    }
    let head = Array(whole[..<2])
    let rest = Array(whole[2...])
    let photo: [UInt8]
    switch layout {
    case "gap":
      photo = head + segment(0xE1, exif(hasThird: false, tail: [0, 0, 0] + preview + [0, 0])) + rest
    case "large gap":
      // A picture so large that its segment has no space left.
      let large = try folder.run(
        "convert",
        ["-size", "160x240", "xc:red", "plasma:blue-blue", "+append", "-quality", "98", "jpg:-"])
      photo = head + segment(0xE1, exif(hasThird: false, tail: Array(large.prefix(60_000)))) + rest
    case "IFD2": photo = head + segment(0xE1, exif(hasThird: true, tail: [])) + rest
    case "split":
      let parts = (preview.prefix(200), preview.dropFirst(200))
      photo =
        head + segment(0xE4, Array("PREVIEW".utf8) + parts.0) + segment(0xE4, Array(parts.1)) + rest
    case "behind": photo = whole + preview
    case "far behind": photo = whole + Array("some bytes".utf8) + preview
    case "XMP": photo = head + xmp("<some:Preview>\(base64)</some:Preview>") + rest
    case "thumbnails":
      let image = "<xmpGImg:image>\(base64)</xmpGImg:image>"
      photo =
        head
        + xmp(
          "<xmp:Thumbnails><rdf:Alt><rdf:li rdf:parseType=\"Resource\">\(image)</rdf:li></rdf:Alt></xmp:Thumbnails>"
        )
        + rest
    default: photo = whole
    }
    try folder.write(photo, to: "ODD.JPG")
    try folder.write(preview, to: "preview.bin")
    try folder.write(Array("NIKON".utf8) + preview, to: "note.bin")
    let tags = [
      "thumbnail": "-ThumbnailImage<=preview.bin", "note": "-MakerNotes<=note.bin",
      "Photoshop": "-PhotoshopThumbnail<=preview.bin",
    ]
    if let tag = tags[layout] {
      _ = try folder.run("exiftool", ["-q", "-overwrite_original", "-Make=NIKON", tag, "ODD.JPG"])
    }
    for name in ["preview.bin", "note.bin"] { try FileManager.default.removeItem(at: folder.file(name)) }
    return "ODD.JPG"
  }

  /// Returns how red the left half is, from 0 to 255, for every JPEG that begins anywhere in the bytes.
  private func reds(_ bytes: [UInt8]) throws -> [Int] {
    try bytes.indices.dropLast(3).filter {
      bytes[$0] == 0xFF && bytes[$0 + 1] == 0xD8 && bytes[$0 + 2] == 0xFF
    }.map { start in
      try folder.write(Array(bytes[start...]), to: "found.jpg")
      let pixel = try folder.run(
        "convert",
        [
          "jpg:found.jpg", "-auto-orient", "-gravity", "west", "-crop", "40%x100%+0+0", "-scale", "1x1!",
          "rgb:-",
        ])
      return Int(pixel.first ?? 255)
    }
  }

  @Test(arguments: layouts)
  func aCropLeavesNoPictureOfTheWhole(_ layout: (name: String, removed: [String])) throws {
    let name = try made(layout.name)
    let words = ["crop", "--unit", "percent", "--rect", "50,0,50,100", name]
    let answer = try Tools.run([Command.path] + words, in: folder.url)
    #expect(answer.status == 0, "\(answer.standardError)")
    for removed in layout.removed { #expect(answer.text.contains(removed), "\(answer.text)") }
    let bytes = try folder.read("ODD_edited.JPG")
    let reds = try reds(bytes)
    #expect(reds.allSatisfy { $0 < 60 }, "\(reds)")
    // The thumbnail is created again, and no other preview is left.
    let thumbnails = ["thumbnail", "gap", "large gap", "IFD2"].contains(layout.name) ? 1 : 0
    #expect(reds.count == 1 + thumbnails)
    #expect(!String(decoding: bytes, as: UTF8.self).contains("/9j/"))
  }

  /// A colour adjustment also makes previews outdated, so it removes them.
  @Test(arguments: ["gap", "split", "far behind", "XMP"])
  func aChangeOfColoursTakesThemOut(_ layout: String) throws {
    let name = try made(layout)
    let removed = Self.layouts.first { $0.name == layout }?.removed ?? []
    let answer = try Tools.run([Command.path, "adjust", "--exposure", "-1", name], in: folder.url)
    #expect(answer.status == 0, "\(answer.standardError)")
    for removed in removed { #expect(answer.text.contains(removed), "\(answer.text)") }
    #expect(try reds(folder.read("ODD_edited.JPG")).allSatisfy { $0 < 200 })
  }
}
