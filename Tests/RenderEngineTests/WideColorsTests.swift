import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import RenderEngine

/// Tests of sRGB photos with a look that leaves the sRGB gamut. ImageMagick reads the resulting codes, and exiftool
/// reads their colour space.
@Suite struct WideColorsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Colours in sRGB. With the look, the first four lie outside sRGB and within Display P3.
  private static let patches: [[Double]] = [
    [214, 70, 60], [30, 190, 40], [230, 180, 40], [20, 170, 160], [128, 128, 128], [150, 120, 110],
  ]
  /// How far the look moves colours away from grey.
  private static let strength = 1.5

  /// Returns a look that is one linear function of encoded values, which a lattice with two nodes per axis represents
  /// exactly.
  private static func look(isWide: Bool) throws -> Look {
    let colors = (0..<8).map { corner -> SIMD3<Double> in
      let color = changed([Double(corner & 1), Double(corner >> 1 & 1), Double(corner >> 2)])
      return SIMD3(color[0], color[1], color[2])
    }
    let table = try #require(LookTable(title: "", size: 2, domain: 0...1, colors: colors))
    return try #require(Look(.table(table), isWide: isWide))
  }

  private static func changed(_ color: [Double]) -> [Double] {
    let grey = 0.3 * color[0] + 0.59 * color[1] + 0.11 * color[2]
    return color.map { grey + strength * ($0 - grey) }
  }

  /// The matrix from linear sRGB to linear Display P3 (CSS Color Module Level 4, section 17).
  private static let toP3 = [
    [0.8224619687, 0.1775380313, 0], [0.0331941989, 0.9668058011, 0],
    [0.0170826307, 0.0723974407, 0.9105199286],
  ]

  /// Returns the codes of a patch after the look.
  private static func wanted(_ patch: [Double], inP3: Bool) -> [Double] {
    func decoded(_ v: Double) -> Double {
      v < 0 ? -decoded(-v) : v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4)
    }
    func encoded(_ v: Double) -> Double { v <= 0.0031308 ? 12.92 * v : 1.055 * pow(v, 1 / 2.4) - 0.055 }
    let new = changed(patch.map { $0 / 255 })
    let codes =
      inP3 ? toP3.map { row in encoded(zip(row, new.map(decoded)).map { $0 * $1 }.reduce(0, +)) } : new
    return codes.map { 255 * min(max($0, 0), 1) }
  }

  /// Returns a photo of patches of 64 pixels each. `kind` is its file extension.
  private func photo(_ kind: String) throws -> URL {
    let patches = Self.patches.flatMap { ["xc:rgb(\($0.map { String(Int($0)) }.joined(separator: ",")))"] }
    let file = folder.file("patches.\(kind == "heic" ? "jpg" : kind)")
    try folder.run(
      "convert",
      ["-size", "64x64"] + patches
        + [
          "+append", "-sampling-factor", "1x1", "-quality", "98", "-strip", "-set", "colorspace", "sRGB",
          file.path,
        ])
    guard kind == "heic" else { return file }
    var settings = RenderSettings.standard
    (settings.photoFormat, settings.quality) = (.heic, .high)
    var edit = Edit.identity
    edit[.monochromeTone] = 0.5
    return try folder.rendered(file, edit, settings, as: "patches.heic").photo
  }

  /// Returns the codes in the middle of each patch.
  private func codes(_ file: URL) throws -> [[Double]] {
    let bytes = try folder.run(
      "ffmpeg",
      ["-v", "error", "-i", file.path, "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"])
    let row = 3 * 64 * Self.patches.count
    return Self.patches.indices.map { patch in
      (0..<3).map { Double(bytes[32 * row + 3 * (64 * patch + 32) + $0]) }
    }
  }

  @Test(arguments: ["jpg", "png"]) func colorsBeyondSRGBAreKept(_ kind: String) throws {
    let source = try photo(kind)
    var settings = RenderSettings.standard
    settings.quality = .high
    for isWide in [true, false] {
      let edit = Edit(look: try Self.look(isWide: isWide))
      let (result, output) = try folder.rendered(source, edit, settings, as: "out.\(kind)")
      #expect(result.notes.contains { "\($0)".contains("Display P3") } == isWide)
      #expect(try Tools.exiftool(output)["ICC_Profile:ProfileDescription"] == (isWide ? "Display P3" : nil))
      for (patch, found) in zip(Self.patches, try codes(output)) {
        let apart = zip(found, Self.wanted(patch, inP3: isWide)).map { abs($0 - $1) }.max()
        #expect((apart ?? 99) < 3, "\(kind) \(isWide) \(patch): \(found)")
      }
    }
    // The look must leave sRGB, otherwise the test proves nothing.
    let beyond = Self.patches.prefix(4).filter { patch in
      Self.changed(patch.map { $0 / 255 }).contains { !(0...1 ~= $0) }
    }
    #expect(beyond.count == 4)
  }

  /// Every output format made from every input format states its colour space.
  @Test(arguments: [("jpg", "heic"), ("heic", "heic"), ("heic", "jpg"), ("png", "jpg")])
  func everyKindSaysWhatItsColorsAre(_ kind: String, _ new: String) throws {
    let source = try photo(kind)
    var settings = RenderSettings.standard
    settings.quality = .high
    if kind != new { settings.photoFormat = new == "heic" ? .heic : .jpeg }
    let edit = Edit(look: try Self.look(isWide: true))
    let output = try folder.rendered(source, edit, settings, as: "out.\(new)").photo
    let tags = try Tools.exiftool(output)
    let isP3 =
      tags["ICC_Profile:ProfileDescription"] == "Display P3"
      || tags["QuickTime:ColorPrimaries"] == "12" || tags["Meta:ColorPrimaries"] == "12"
    #expect(isP3, "\(tags.filter { $0.key.contains("Color") || $0.key.contains("Profile") })")
    // The picture as a browser or a viewer shows it: in a wide gamut, using the profile or the code points.
    let shown = try DecodedPhoto(path: output.path)
    let colors = shown.picture.lookColors(profile: shown.profile)
    let width = shown.picture.format.width
    for (index, patch) in Self.patches.enumerated() {
      let found = colors[32 * width + 64 * index + 32]
      let wanted = Self.changed(patch.map { $0 / 255 })
      let apart = (0..<3).map { abs(found[$0] - wanted[$0]) }.max()
      #expect((apart ?? 1) < 0.035, "\(patch): \(found), \(wanted)")
    }
  }

  /// The HDR picture of a gain map has the photo's primaries. Data written later keeps the profile.
  @Test func gainMapsAndFactsGoAlong() throws {
    let output = folder.file("out.heic")
    var edit = Edit(look: try Self.look(isWide: true))
    edit.facts.description.title = "A title"
    for isWide in [false, true] {
      edit.look = try Self.look(isWide: isWide)
      var settings = RenderSettings.standard
      settings.photoFormat = .heic
      let made = try folder.rendered(
        TestFiles.fixture("ultrahdr.JPG"), edit, settings, as: output.lastPathComponent)
      let walked = try WalkedHEIF.read(made.photo)
      let hdr = try #require(walked.items.values.first { $0.type == "tmap" })
      #expect(hdr.contents("colr") == ["6e636c78000\(isWide ? "c" : "1")0010000680"])
      #expect(try Tools.exiftool(made.photo)["XMP-dc:Title"] == "A title")
    }
  }

  /// Grey remains grey in every file format.
  @Test(arguments: ["jpg", "heic"]) func greyPhotosKeepTheirs(_ kind: String) throws {
    let file = folder.file("grey.jpg")
    try folder.run(
      "convert", ["-size", "128x64", "gradient:", "-colorspace", "Gray", "-strip", file.path])
    var settings = RenderSettings.standard
    settings.photoFormat = kind == "heic" ? .heic : .same
    var plain = Edit.identity
    plain[.monochromeTone] = 0.5
    let source = try folder.rendered(file, plain, settings, as: "source.\(kind)").photo
    let edit = Edit(look: try Self.look(isWide: true))
    let (result, output) = try folder.rendered(source, edit, .standard, as: "out.\(kind)")
    #expect(!result.notes.contains { "\($0)".contains("Display P3") })
    let tags = try Tools.exiftool(output)
    #expect(
      !tags.contains { $0.key.hasPrefix("ICC") || ($0.key.contains("ColorPrimaries") && $0.value == "12") })
  }

  /// A movie frame that becomes the photo gets the same colours.
  @Test func keyPhotosAreWide() throws {
    var edit = Edit(look: try Self.look(isWide: true))
    edit.motion = try Motion(keyPhoto: 0.5)
    let output = folder.file("key.jpg")
    let job = RenderJob(
      photo: .init(source: TestFiles.fixture("IMG_0003.JPG").path, output: output.path),
      movie: .init(source: TestFiles.fixture("IMG_0003.MOV").path, output: folder.file("key.mov").path),
      edit: edit, settings: .standard, identifier: nil)
    _ = try render(job, progress: { _ in }, isCancelled: { false })
    let tags = try Tools.exiftool(output)
    #expect(tags["ICC_Profile:ProfileDescription"] == "Display P3" && tags["ExifIFD:ColorSpace"] == "65535")
  }

  @Test func photosOfWiderColorsKeepTheirs() throws {
    let edit = Edit(look: try Self.look(isWide: true))
    for name in ["IMG_0001.JPG", "IMG_0004.HEIC"] {
      let source = TestFiles.fixture(name)
      let (result, output) = try folder.rendered(source, edit, .standard, as: "out-\(name)")
      #expect(!result.notes.contains { "\($0)".contains("Display P3") })
      let (before, after) = (try Tools.exiftool(source), try Tools.exiftool(output))
      for (tag, value) in before where tag.hasPrefix("ICC") { #expect(after[tag] == value, "\(tag)") }
    }
  }

  /// The page's pictures equal the renders.
  @Test func previewsAreInTheSameColors() throws {
    let source = try photo("jpg")
    var edit = Edit(look: try Self.look(isWide: true))
    edit[.exposure] = -0.2
    var settings = RenderSettings.standard
    settings.quality = .high
    let output = try folder.rendered(source, edit, settings, as: "out.jpg").photo
    let session = PreviewSession(PreviewJob(photo: source.path, movie: nil))
    let exact = try folder.write(
      session.answer(.picture(PreviewPicture(edit, side: 384, isExact: true))), to: "exact.png")
    #expect(try Tools.exiftool(exact)["ICC_Profile:ProfileDescription"] == "Display P3")
    for (one, other) in zip(try codes(exact), try codes(output)) {
      let apart = zip(one, other).map { abs($0 - $1) }.max()
      #expect((apart ?? 99) <= 2, "\(one), \(other)")
    }
  }

  /// A program's frame processor receives the colours that the photo will have.
  @Test func frameProcessorsSeeTheNewColors() throws {
    let source = try photo("jpg")
    let output = folder.file("out.jpg")
    var settings = RenderSettings.standard
    settings.quality = .high
    let job = RenderJob(
      photo: .init(source: source.path, output: output.path), movie: nil,
      edit: Edit(look: try Self.look(isWide: true)), settings: settings, identifier: nil)
    _ = try render(
      job, processor: .rgb(.display) { $0.samples = $0.samples.map { $0 * 0.9 } }, progress: { _ in },
      isCancelled: { false })
    for (patch, found) in zip(Self.patches, try codes(output)) {
      let apart = zip(found, Self.wanted(patch, inP3: true)).map { abs($0 - 0.9 * $1) }.max()
      #expect((apart ?? 99) < 3, "\(patch): \(found)")
    }
  }
}
