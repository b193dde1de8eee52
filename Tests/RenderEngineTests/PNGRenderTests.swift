import Basics
import EditModel
import Foundation
import RenderEngine
import TestSupport
import Testing

/// Tests of edits of PNGs of every kind. ImageMagick and exiftool read the results.
@Suite struct PNGRenderTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  static let kinds = [
    "grey1", "grey2", "grey4", "grey8", "grey16", "greyalpha8", "greyalpha16", "rgb8", "rgb16", "rgba8",
    "rgba16", "pal1", "pal2", "pal4", "pal8", "pal4t", "pal8t", "grey4t", "grey8t", "grey16t", "rgb8t",
    "rgb16t",
  ]

  private func header(_ png: URL) throws -> [String?] {
    let tags = try Tools.exiftool(png)
    return [tags["PNG:ColorType"], tags["PNG:BitDepth"], tags["PNG:Interlace"]]
  }

  @Test(arguments: kinds) func turnsAreExactAndKeepTheKind(_ kind: String) throws {
    for interlacing in [[], ["--interlaced"]] {
      let source = try folder.png(kind, interlacing)
      let before = try folder.pixels(source)
      let edits = interlacing.isEmpty ? Orientation.allCases.filter { $0 != .up } : [.right, .downMirrored]
      for edit in edits {
        let (result, photo) = try folder.rendered(png: source, Edit(orientation: edit))
        #expect(result.photo == .lossless && result.removals.isEmpty && result.notes.isEmpty)
        #expect(try folder.pixels(photo) == before.turned(edit), "\(kind) \(edit)")
        #expect(try header(photo)[..<2] == header(source)[..<2])
      }
    }
  }

  @Test(arguments: kinds) func cropsAreExact(_ kind: String) throws {
    let source = try folder.png(kind, ["40", "20"])
    var edit = Edit(orientation: .right)
    edit.geometry.crop = .rectangle(
      try Crop.Rectangle(left: 250_000, top: 250_000, width: 500_000, height: 250_000))
    let (result, photo) = try folder.rendered(png: source, edit)
    #expect(result.photo == .lossless)
    #expect(try folder.pixels(photo) == folder.pixels(source).turned(.right).part(5, 10, 10, 10))
    #expect(try header(photo) == header(source))
  }

  /// Sizes for which some passes of an interlaced picture are empty.
  @Test(arguments: [(1, 1), (2, 1), (1, 5), (3, 3), (5, 2), (8, 9), (1, 9)])
  func smallPictures(_ width: Int, _ height: Int) throws {
    for kind in ["grey1", "rgb8", "rgba16", "pal2"] {
      let source = try folder.png(kind, ["\(width)", "\(height)", "--interlaced"])
      let (_, photo) = try folder.rendered(png: source, Edit(orientation: .right))
      #expect(try folder.pixels(photo) == folder.pixels(source).turned(.right), "\(kind)")
    }
  }

  @Test(arguments: kinds) func coloursLeaveTransparencyAlone(_ kind: String) throws {
    let source = try folder.png(kind)
    let before = try folder.pixels(source)
    var edit = Edit.identity
    edit[.saturation] = -1
    let (result, photo) = try folder.rendered(png: source, edit)
    let after = try folder.pixels(photo)
    #expect(result.photo == .encoded)
    // 16-bit opacity is processed with 10 bits.
    #expect(after.difference(before, channels: 3..<4) <= (kind.contains("16") ? 33 : 0))
    let isGrey = kind.hasPrefix("grey")
    if isGrey {
      // Greys do not change.
      #expect(after.difference(before, channels: 0..<3) <= (kind.contains("16") ? 33 : 0), "\(kind)")
    }
    for y in 0..<after.height {
      for x in 0..<after.width {
        let samples = (0..<3).map { after.sample(x, y, $0) }
        // In 10-bit Y′CbCr, the deviation from grey is less than one 8-bit level.
        #expect(samples.max().map { $0 - (samples.min() ?? 0) } ?? 0 <= 257)
      }
    }
    let hasAlpha = kind.contains("a8") || kind.contains("a16") || kind.hasSuffix("t")
    #expect(
      try header(photo)[..<2]
        == [isGrey ? (hasAlpha ? "4" : "0") : hasAlpha ? "6" : "2", kind.contains("16") ? "16" : "8"])
    #expect(result.notes.contains { $0.contains("16 bits") } == kind.contains("16"))
  }

  /// An edit that changes no code preserves every 8-bit code through all stages.
  @Test(arguments: ["rgb8", "rgba8", "pal8t", "grey8", "greyalpha8"])
  func codesComeBackAsTheyWere(_ kind: String) throws {
    let source = try folder.png(kind, ["256", "64"])
    let output = folder.file("out.png")
    let job = RenderJob(
      photo: .init(source: source.path, output: output.path), movie: nil, edit: .identity,
      settings: .standard, identifier: nil)
    _ = try render(
      job, processor: .planes { $0.planes }, progress: { _ in }, isCancelled: { false })
    #expect(try folder.pixels(output) == folder.pixels(source))
  }

  @Test func straightenedOpacityFollows() throws {
    // Transparent on the left, opaque on the right.
    try folder.run(
      "convert",
      ["-size", "64x64", "xc:none", "-fill", "red", "-draw", "rectangle 32,0 63,63", "-depth", "8", "in.png"])
    let source = folder.file("in.png")
    var edit = Edit.identity
    edit.geometry.straighten = 10
    let (result, photo) = try folder.rendered(png: source, edit)
    #expect(result.photo == .encoded)
    let pixels = try folder.pixels(photo)
    let (middle, last) = (pixels.height / 2, pixels.width - 1)
    #expect(pixels.sample(0, middle, 3) == 0 && pixels.sample(last, middle, 3) == 65535)
    // The edge is tilted by ten degrees.
    func edge(_ y: Int) -> Int { (0...last).first { pixels.sample($0, y, 3) > 32767 } ?? -1 }
    let lean = Double(edge(0) - edge(pixels.height - 1)) / Double(pixels.height - 1)
    #expect(abs(abs(lean) - 0.1763) < 0.05, "\(lean)")
  }

  @Test func orientationInExifIsRespected() throws {
    let source = try folder.png("rgb8")
    try folder.run(
      "exiftool", ["-q", "-n", "-overwrite_original", "-IFD0:Orientation=6", "-Make=Apple", source.path])
    let before = try folder.pixels(source)
    let (_, photo) = try folder.rendered(png: source, Edit(orientation: .right))
    #expect(try folder.pixels(photo) == before.turned(.right).turned(.right))
    var tags = try Tools.exiftool(photo)
    #expect(tags["IFD0:Orientation"] == "1" && tags["IFD0:Make"] == "Apple")
    // A colour edit alone keeps the orientation flag and the positions.
    var colors = Edit.identity
    colors[.exposure] = 0.2
    let (_, bright) = try folder.rendered(png: source, colors, to: "bright.png")
    tags = try Tools.exiftool(bright)
    #expect(tags["IFD0:Orientation"] == "6" && tags["PNG:ImageWidth"] == "29")
  }

  private static func hex(_ text: String) -> String {
    text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static let chunks: [String] = [
    "--before", "gAMA", "0000b18f", "--before", "sRGB", "00", "--before", "pHYs", "00000b1300000b1401",
    "--before", "tEXt", hex("Author\0Somebody"), "--before", "bKGD", "000100020003", "--before", "iDOT",
    "00000002", "--before", "saFe", "01", "--before", "prVt", "0102", "--before", "prVT", "0304", "--before",
    "caBX", "00000010", "--after", "tIME", "07e8050c0a0b0c", "--after", "iTXt",
    hex(
      "XML:com.adobe.xmp\0\0\0\0\0<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"><rdf:Description rdf:about=\"\" xmlns:tiff=\"http://ns.adobe.com/tiff/1.0/\" xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\" tiff:ImageWidth=\"29\" xmp:CreatorTool=\"t\"/></rdf:RDF></x:xmpmeta>"
    ),
    "--after", "tEXt", hex("Raw profile type exif\0\nexif\n 0\n"),
  ]

  private func chunkKinds(_ png: URL) throws -> [String] {
    let bytes = [UInt8](try Data(contentsOf: png))
    var (kinds, at): ([String], Int) = ([], 8)
    while at + 8 <= bytes.count {
      kinds.append(String(decoding: bytes[at + 4..<at + 8], as: UTF8.self))
      at += 12 + bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    return kinds
  }

  @Test func chunksStayOrAreNamed() throws {
    let source = try folder.png("rgb8", Self.chunks)
    let (turned, photo) = try folder.rendered(png: source, Edit(orientation: .right))
    #expect(
      try chunkKinds(photo) == [
        "IHDR", "gAMA", "sRGB", "pHYs", "tEXt", "bKGD", "saFe", "prVt", "IDAT", "tIME", "iTXt", "IEND",
      ])
    let names = Set(turned.removals.map(\.name))
    #expect(names == ["C2PA manifest", "chunk prVT", "Raw profile type exif"])
    let tags = try Tools.exiftool(photo)
    #expect(tags["PNG-pHYs:PixelsPerUnitX"] == "2836" && tags["PNG-pHYs:PixelsPerUnitY"] == "2835")
    #expect(tags["PNG:Author"] == "Somebody" && tags["XMP-xmp:CreatorTool"] == "t")
    #expect(tags["PNG:ModifyDate"] == "2024:05:12 10:11:12" && tags["PNG:Gamma"] != nil)
    #expect(tags["XMP-tiff:ImageWidth"] == "19")
    var edit = Edit.identity
    edit[.exposure] = 0.3
    let (edited, _) = try folder.rendered(png: source, edit, to: "edited.png")
    #expect(Set(edited.removals.map(\.name)) == names.union(["bKGD"]))
  }

  @Test func theProfileStays() throws {
    let source = try folder.png("rgb8", ["64", "48"])
    try folder.run(
      "exiftool",
      [
        "-q", "-overwrite_original", "-TagsFromFile", TestFiles.fixture("IMG_0001.JPG").path, "-ICC_Profile",
        source.path,
      ])
    let before = try Tools.exiftool(source)
    try #require(before["ICC-header:ProfileDateTime"] != nil)
    var edit = Edit(orientation: .right)
    edit[.exposure] = 0.3
    let (_, photo) = try folder.rendered(png: source, edit)
    let after = try Tools.exiftool(photo)
    for (tag, value) in before where tag.hasPrefix("ICC") { #expect(after[tag] == value, "\(tag)") }
  }

  @Test func aJPEGOfIt() throws {
    let source = try folder.png("rgba8", ["64", "48"] + Self.chunks)
    try folder.run(
      "exiftool", ["-q", "-n", "-overwrite_original", "-IFD0:Orientation=6", "-Make=Apple", source.path])
    let (result, photo) = try folder.rendered(
      png: source, Edit(orientation: .right), settings: RenderSettings(photoFormat: .jpeg), to: "out.jpg")
    #expect(result.photo == .encoded)
    let tags = try Tools.exiftool(photo)
    #expect(
      tags["File:FileType"] == "JPEG" && tags["IFD0:Make"] == "Apple" && tags["IFD0:Orientation"] == "1")
    #expect(tags["File:ImageWidth"] == "64" && tags["File:ImageHeight"] == "48")
    #expect(result.removals.map(\.name).contains("Author"))
  }

  /// If the picture is not edited, its coded data is unchanged.
  @Test func factsLeaveTheCodedPicture() throws {
    let source = try folder.png("rgb8", ["64", "48", "--interlaced"] + Self.chunks.dropLast(3))
    var edit = Edit.identity
    edit.facts.place = GeoLocation(latitude: 48, longitude: 11).map { .set($0) }
    let (result, photo) = try folder.rendered(png: source, edit)
    #expect(result.photo == .copied && result.removals.map(\.name) == ["C2PA manifest"])
    #expect(try folder.pixels(photo) == folder.pixels(source))
    #expect(try header(photo) == header(source))
    #expect(try Tools.exiftool(photo)["GPS:GPSLatitude"] == "48")
    #expect(try chunkKinds(photo).filter { $0 == "IDAT" }.count == 3)
  }

  private func refusal(_ source: URL, _ edit: Edit = Edit(orientation: .right)) throws -> EditError {
    do {
      _ = try folder.rendered(png: source, edit)
    } catch let error as EditError {
      #expect(!FileManager.default.fileExists(atPath: folder.file("out.png").path))
      #expect(!error.description.contains("\n"))
      return error
    }
    throw ToolFailure("it was rendered")
  }

  @Test func whatIsRefused() throws {
    let animated = try refusal(folder.png("rgb8", ["--before", "acTL", "0000000200000000"]))
    #expect(animated.code == .unsupported && animated.problem.contains("animated"))
    let crushed = try refusal(folder.png("rgb8", ["--before", "CgBI", "50002006"]))
    #expect(crushed.code == .unsupported && crushed.problem.contains("CgBI"))
    let job = RenderJob(
      photo: .init(source: try folder.png("rgb8").path, output: folder.file("out.heic").path), movie: nil,
      edit: Edit(orientation: .right), settings: RenderSettings(photoFormat: .heic), identifier: nil)
    let heic = #expect(throws: EditError.self) {
      try render(job, progress: { _ in }, isCancelled: { false })
    }
    #expect(heic?.code == .unsupported)
  }

  @Test func damagedFiles() throws {
    let whole = [UInt8](try Data(contentsOf: folder.png("rgb8", Self.chunks)))
    for count in stride(from: 9, to: whole.count, by: 37) {
      _ = try refusal(folder.write(Array(whole.prefix(count)), to: "cut.png"))
    }
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<300 {
      var broken = whole
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        broken[Int.random(in: 8..<whole.count, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
      }
      // The photo is either refused with one error message or rendered. The process never ends.
      do {
        _ = try folder.rendered(png: folder.write(broken, to: "broken.png"), Edit(orientation: .right))
      } catch {
        #expect(error is EditError)
      }
    }
    let huge = try refusal(
      folder.write(
        {
          var bytes = whole
          bytes.replaceSubrange(16..<24, with: [0x7F, 0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF])
          return bytes
        }(), to: "huge.png"))
    #expect(huge.problem.contains("exceeds the size limit"))
  }

  /// Data after the picture may be the unedited picture.
  @Test func whatFollowsThePictureGoes() throws {
    let source = try folder.png("rgb8")
    let bytes = [UInt8](try Data(contentsOf: source))
    let (plain, photo) = try folder.rendered(
      png: folder.write(bytes + [0, 0, 0, 0], to: "padded.png"), Edit(orientation: .right))
    #expect(plain.removals.isEmpty)
    let first = try Data(contentsOf: photo)
    let (named, other) = try folder.rendered(
      png: folder.write(bytes + bytes, to: "twice.png"), Edit(orientation: .right), to: "other.png")
    #expect(named.removals.map(\.name) == ["data after the picture"])
    #expect(try Data(contentsOf: other) == first)
  }
}
