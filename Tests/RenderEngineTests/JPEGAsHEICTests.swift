import Basics
import EditModel
import Foundation
import RenderEngine
import TestSupport
import Testing

/// Tests of JPEGs that become HEIC. libheif (pillow-heif), exiftool and an independent box parser read the results.
@Suite struct JPEGAsHEICTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func rendered(_ edit: Edit, _ photo: URL) throws -> (result: RenderResult, photo: URL) {
    let output = folder.file("out.heic")
    try? FileManager.default.removeItem(at: output)
    let job = RenderJob(
      photo: .init(source: photo.path, output: output.path), movie: nil, edit: edit,
      settings: RenderSettings(photoFormat: .heic), identifier: "00000000-0000-4000-8000-000000000000")
    return (try render(job, progress: { _ in }, isCancelled: { false }), output)
  }

  /// Returns the columns and rows of the displayed HEIC, and its similarity to the JPEG in dB, after 90° rotations and
  /// a crop to the upper left part.
  private func compare(_ jpeg: URL, _ heic: URL, turns: Int = 0, part: Double = 1) throws -> [Double] {
    let program = """
      import sys, numpy, pillow_heif
      from PIL import Image, ImageOps
      pillow_heif.register_heif_opener()
      old = ImageOps.exif_transpose(Image.open(sys.argv[1])).convert("RGB")
      old = numpy.rot90(numpy.asarray(old), -int(sys.argv[3])).astype(float)
      new = numpy.asarray(Image.open(sys.argv[2]).convert("RGB")).astype(float)
      part = float(sys.argv[4])
      if part < 1: old = old[:new.shape[0], :new.shape[1]]
      likeness = 0 if old.shape != new.shape else 10 * numpy.log10(65025 / max(((old - new) ** 2).mean(), 1e-9))
      print(new.shape[1], new.shape[0], likeness)
      """
    let answer = try Tools.run(["python3", "-c", program, jpeg.path, heic.path, "\(turns)", "\(part)"])
    guard answer.status == 0 else { throw ToolFailure(answer.standardError) }
    return answer.text.split(separator: " ").compactMap { Double($0.trimmingCharacters(in: .newlines)) }
  }

  /// Tags that describe how the file is stored, or are derived from such tags.
  private static let changing = [
    "System:", "File:", "Composite:", "SourceFile", "ExifTool:", "JFIF:", "ICC-", "ICC_Profile", "QuickTime:",
    "Meta:", "IFD1:Thumbnail", "IFD0:Orientation", "ExifIFD:ExifImage", "ExifIFD:SubjectArea",
    "Apple:MediaGroupUUID",
    "XMP-mwg-rs:", "XMP-tiff:", "IPTC:", "Photoshop:", "XMP-x:",
  ]

  private func tags(_ file: URL) throws -> [String: String] {
    try Tools.exiftool(file).filter { tag in !Self.changing.contains { tag.key.hasPrefix($0) } }
  }

  @Test(.enabled(if: Tools.hasPillowHEIF), arguments: ["IMG_0001.JPG", "IMG_0002.JPG", "IMG_0003.JPG"])
  func aTurnOfAPhotoOfAPhone(_ name: String) throws {
    let jpeg = TestFiles.fixture(name)
    let (result, photo) = try rendered(Edit(orientation: .right), jpeg)
    #expect(result.photo == .encoded)
    let values = try compare(jpeg, photo, turns: 1)
    #expect(values[2] > 36, "\(values)")
    let (old, new) = (try Tools.exiftool(jpeg), try Tools.exiftool(photo))
    #expect(new["Apple:MediaGroupUUID"] == "00000000-0000-4000-8000-000000000000")
    #expect(new["IFD0:Orientation"] == "1" || old["IFD0:Orientation"] == nil)
    #expect(new["ExifIFD:ExifImageWidth"] == "\(Int(values[0]))")
    #expect(new["ExifIFD:ExifImageHeight"] == "\(Int(values[1]))")
    #expect(new["File:FileType"] == "HEIC")
    for (tag, value) in try tags(jpeg) { #expect(new[tag] == value, "\(tag)") }
    // The profile is unchanged.
    for (tag, value) in old where tag.hasPrefix("ICC-header:") { #expect(new[tag] == value, "\(tag)") }
  }

  @Test(.enabled(if: Tools.hasPillowHEIF), arguments: [(75, 53), (76, 53), (640, 427), (1100, 700)])
  func sizesThatAreOddAndTilesThatAreSeveral(_ width: Int, _ height: Int) throws {
    let jpeg = try folder.write(
      folder.photo(width: width, height: height, cjpeg: ["-quality", "95", "-sample", "1x1"]), to: "in.jpg")
    for (edit, turns) in [(Orientation.right, 1), (.down, 2)] {
      let (_, photo) = try rendered(Edit(orientation: edit), jpeg)
      let values = try compare(jpeg, photo, turns: turns)
      #expect(values[2] > 33, "\(values)")
      let walked = try WalkedHEIF.read(photo)
      let primary = try #require(walked[walked.primary])
      #expect(primary.properties.map(\.kind).contains("clap") == (width % 2 + height % 2 > 0))
      #expect(primary.type == (width > 512 ? "grid" : "hvc1") || primary.type == "grid")
    }
  }

  @Test(.enabled(if: Tools.hasPillowHEIF)) func coloursKeepTheFlag() throws {
    let bytes = try folder.photo(
      width: 320, height: 200,
      exiftool: ["-n", "-Orientation=6", "-IPTC:Keywords=sea", "-Comment=remark", "-Title=T"])
    let jpeg = try folder.write(bytes, to: "in.jpg")
    var edit = Edit.identity
    edit[.saturation] = -1
    let (result, photo) = try rendered(edit, jpeg)
    let walked = try WalkedHEIF.read(photo)
    #expect(walked[walked.primary]?.contents("irot") == ["03"])
    let tags = try Tools.exiftool(photo)
    #expect(tags["IFD0:Orientation"] == "6" && tags["XMP-dc:Title"] == "T")
    #expect(Set(result.removals.map(\.name)) == ["IPTC", "Photoshop", "comment"])
    #expect(try compare(jpeg, photo)[..<2] == [200, 320])
  }

  @Test(.enabled(if: Tools.hasPillowHEIF)) func greyStaysGrey() throws {
    let bytes = try folder.photo(width: 320, height: 201, cjpeg: ["-grayscale", "-quality", "95"])
    let jpeg = try folder.write(bytes, to: "in.jpg")
    let (_, photo) = try rendered(Edit(orientation: .right), jpeg)
    #expect(try compare(jpeg, photo, turns: 1)[2] > 38)
    let walked = try WalkedHEIF.read(photo)
    #expect(walked[walked.primary]?.contents("pixi") == ["000000000108"])
  }

  @Test(.enabled(if: Tools.hasPillowHEIF)) func aCrop() throws {
    let jpeg = try folder.write(
      folder.photo(width: 400, height: 300, cjpeg: ["-quality", "95"]), to: "in.jpg")
    var edit = Edit.identity
    edit.geometry.crop = .rectangle(try Crop.Rectangle(left: 0, top: 0, width: 500_000, height: 500_000))
    let (_, photo) = try rendered(edit, jpeg)
    let values = try compare(jpeg, photo, part: 0.5)
    #expect(values[0] == 200 && values[1] == 150 && values[2] > 36, "\(values)")
  }

  @Test func equalJobsGiveEqualBytes() throws {
    let jpeg = TestFiles.fixture("IMG_0001.JPG")
    let one = try Data(contentsOf: rendered(Edit(orientation: .right), jpeg).photo)
    #expect(try one == Data(contentsOf: rendered(Edit(orientation: .right), jpeg).photo))
  }
}
