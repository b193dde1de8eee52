import Basics
import EditModel
import FileSystem
import Foundation
import RenderEngine
import TestSupport
import Testing

@testable import LivePhotoFormat

/// Tests of pixel edits of HEIC photos. libheif (pillow-heif), exiftool and an independent box parser read the results.
@Suite struct HEICRenderTests {
  let folder: TemporaryFolder

  static let fixture = TestFiles.fixture("IMG_0004.HEIC")

  init() throws {
    folder = try TemporaryFolder()
  }

  private func rendered(
    _ edit: Edit, photo: URL = fixture, settings: RenderSettings = .standard, to name: String = "out.heic"
  ) throws -> (result: RenderResult, photo: URL) {
    let output = folder.file(name)
    let job = RenderJob(
      photo: .init(source: photo.path, output: output.path), movie: nil, edit: edit, settings: settings,
      identifier: "00000000-0000-4000-8000-000000000000")
    return (try render(job, progress: { _ in }, isCancelled: { false }), output)
  }

  /// Returns the output of a Python program that can call `photo(path)`, `gain(path)` and `first(path)`, which decode
  /// pictures upright.
  private func python(_ program: String, _ arguments: String...) throws -> [Double] {
    let head = """
      import io, sys, numpy, pillow_heif
      from PIL import Image
      pillow_heif.register_heif_opener()
      def photo(path): return numpy.asarray(Image.open(path).convert("RGB")).astype(float)
      def gain(path):
          file = pillow_heif.open_heif(path)
          return numpy.asarray(file.get_aux_image(list(file.info["aux"].values())[0][0])).astype(float)
      def second(path):
          picture = Image.open(path)
          picture.seek(1)
          return numpy.asarray(picture.convert("L")).astype(float)
      def hdr(base, map):
          map = numpy.asarray(Image.fromarray(map.astype(numpy.uint8)).resize(base.shape[1::-1], 2)) / 255.0
          linear = numpy.where(base / 255 > 0.04045, ((base / 255 + 0.055) / 1.055) ** 2.4, base / 255 / 12.92)
          return numpy.log2(linear + 0.02) + map[..., None] * 1.4782
      """
    let answer = try Tools.run(["python3", "-c", head + "\n" + program] + arguments)
    guard answer.status == 0 else { throw ToolFailure(answer.standardError) }
    return answer.text.split(separator: " ").compactMap { Double($0.trimmingCharacters(in: .newlines)) }
  }

  @Test(.enabled(if: Tools.hasPillowHEIF)) func coloursChangeAndAllElseStays() throws {
    var edit = Edit.identity
    edit[.saturation] = -1
    let (result, photo) = try rendered(edit)
    #expect(result.photo == .encoded && result.removals == [])
    let values = try python(
      """
      old, new = photo(sys.argv[1]), photo(sys.argv[2])
      grey = numpy.abs(new - new.mean(axis=2, keepdims=True)).max()
      same = numpy.array_equal(gain(sys.argv[1]), gain(sys.argv[2]))
      thumb = pillow_heif.open_heif(sys.argv[2]).info["thumbnails"]
      print(old.shape == new.shape and 1 or 0, grey, same and 1 or 0, thumb[0])
      """, Self.fixture.path, photo.path)
    #expect(values[0] == 1 && values[1] < 6 && values[2] == 1 && values[3] == 160)

    let (old, new) = (try WalkedHEIF.read(Self.fixture), try WalkedHEIF.read(photo))
    let links = { (file: WalkedHEIF) in Set(file.references.map { "\($0.kind) \($0.from) \($0.to)" }) }
    #expect(links(old) == links(new))
    #expect(old.primary == new.primary)
    // All items except tiles, thumbnail and Exif keep their bytes.
    let tiles = try #require(old.references.first { $0.kind == "dimg" && $0.from == old.primary }).to
    for item in 1...23 where !tiles.contains(item) && item != 14 && item != 22 {
      #expect(new[item]?.sha == old[item]?.sha)
      #expect(new[item]?.contents("irot") == old[item]?.contents("irot"))
    }
    // The file contains none of the old tiles.
    let bytes = try Data(contentsOf: photo)
    let before = try Data(contentsOf: Self.fixture)
    for tile in tiles + [14] {
      let place = try #require(old[tile]?.places.first)
      #expect(bytes.range(of: before[place[0]..<place[0] + min(place[1], 64)]) == nil)
    }
    let (tags, others) = (try Tools.exiftool(Self.fixture), try Tools.exiftool(photo))
    for (name, value) in tags
    where name.hasPrefix("XMP") || name.hasPrefix("ExifIFD") || name.hasPrefix("ICC") {
      #expect(others[name] == value, "\(name)")
    }
  }

  /// Tiles are independent intra pictures with a single set of parameter sets and no other units.
  @Test func tilesAreIDRPicturesAlone() throws {
    var edit = Edit.identity
    edit[.exposure] = 0.3
    let (_, photo) = try rendered(edit)
    let walked = try WalkedHEIF.read(photo)
    let tiles = try #require(walked.references.first { $0.kind == "dimg" && $0.from == walked.primary }).to
    #expect(Set(tiles.compactMap { walked[$0]?.contents("hvcC").first }).count == 1)
    // The profile is “Main”, which every decoder supports.
    #expect(walked[tiles[0]]?.contents("hvcC").first?.prefix(4) == "0101")
    let bytes = [UInt8](try Data(contentsOf: photo))
    for tile in tiles {
      let place = try #require(walked[tile]?.places.first)
      let unit = bytes[place[0]..<place[0] + place[1]]
      let length = unit.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      #expect(length == place[1] - 4)
      #expect([19, 20].contains(unit[place[0] + 4] >> 1 & 63))
    }
  }

  @Test(.enabled(if: Tools.hasPillowHEIF)) func aCropTakesTheGainMapAlong() throws {
    var edit = Edit(orientation: .right)
    edit.geometry.crop = .rectangle(
      try Crop.Rectangle(left: 250_000, top: 100_000, width: 500_000, height: 500_000))
    let (_, photo) = try rendered(edit)
    let values = try python(
      """
      old, map = numpy.rot90(photo(sys.argv[1]), -1), numpy.rot90(gain(sys.argv[1]), -1)
      new, cut = photo(sys.argv[2]), gain(sys.argv[2])
      h, w = old.shape[:2]; y, x = h // 10, w // 4
      part = old[y:y + new.shape[0], x:x + new.shape[1]]
      y, x = map.shape[0] // 10, map.shape[1] // 4
      piece = map[y:y + cut.shape[0], x:x + cut.shape[1]]
      psnr = 10 * numpy.log10(255 ** 2 / max(((part - new) ** 2).mean(), 1e-9))
      error = numpy.abs(hdr(part, piece) - hdr(new, cut)).mean()
      print(new.shape[1], new.shape[0], cut.shape[1], cut.shape[0], psnr, error)
      """, Self.fixture.path, photo.path)
    #expect(values.prefix(2) == [360, 270])
    #expect(abs(values[2] - 180) <= 1 && abs(values[3] - 135) <= 1)
    #expect(values[4] > 38)
    #expect(values[5] < 0.04)
    let walked = try WalkedHEIF.read(photo)
    // The HDR picture has the size of the displayed photo.
    #expect(walked[20]?.contents("ispe") == ["00000000" + "00000168" + "0000010e"])
    let tags = try Tools.exiftool(photo)
    #expect(tags["ExifIFD:ExifImageWidth"] == "360" || tags["ExifIFD:ExifImageWidth"] == "270")
  }

  @Test(.enabled(if: Tools.hasPillowHEIF)) func becomesAJPEGWithItsGainMap() throws {
    var edit = Edit.identity
    edit[.warmth] = 0.2
    let (result, photo) = try rendered(
      edit, settings: RenderSettings(photoFormat: .jpeg), to: "out.jpg")
    #expect(result.photo == .encoded && result.removals == [])
    let values = try python(
      """
      # Both lie as they are stored, turned by the orientation in Exif.
      a, b = gain(sys.argv[1]), numpy.rot90(second(sys.argv[2]), -1)
      print(*Image.open(sys.argv[2]).size, a.shape == b.shape and 1 or 0, numpy.abs(a - b).mean())
      """, Self.fixture.path, photo.path)
    #expect(values.prefix(3) == [720, 540, 1] && values[3] < 3)
    let (old, new) = (try Tools.exiftool(Self.fixture), try Tools.exiftool(photo))
    #expect(old["IFD0:Orientation"] == "6" && new["File:FileType"] == "JPEG")
    for tag in [
      "IFD0:Orientation", "ExifIFD:SubjectArea", "IFD0:Model", "ExifIFD:DateTimeOriginal",
      "ICC_Profile:ProfileDescription",
    ] {
      #expect(old[tag] != nil && new[tag] == old[tag], "\(tag)")
    }
  }

  /// Samsung and Xiaomi write values into the Exif blocks of HEIC photos that a JPEG may only state in its markers.
  @Test func aJPEGDoesNotRepeatItsMarkersInExif() throws {
    let tagged = try folder.write([UInt8](Data(contentsOf: Self.fixture)), to: "tagged.heic")
    try Tools.output(
      "exiftool", "-q", "-overwrite_original", "-IFD0:ImageWidth=720", "-IFD0:ImageHeight=540",
      "-IFD0:BitsPerSample=8 8 8", "-IFD0:PhotometricInterpretation=YCbCr", "-IFD0:SamplesPerPixel=3",
      tagged.path)
    var edit = Edit.identity
    edit[.warmth] = 0.2
    let (result, photo) = try rendered(
      edit, photo: tagged, settings: RenderSettings(photoFormat: .jpeg), to: "tagged.jpg")
    #expect(result.removals == [])
    let said = try Tools.output("exiftool", "-validate", "-warning", "-a", photo.path).text
    #expect(!said.contains("not allowed"), "\(said)")
    let (old, new) = (try Tools.exiftool(tagged), try Tools.exiftool(photo))
    #expect(old["IFD0:SamplesPerPixel"] == "3" && new["IFD0:SamplesPerPixel"] == nil)
    for tag in ["IFD0:Model", "IFD0:Orientation", "IFD0:XResolution", "ExifIFD:DateTimeOriginal"] {
      #expect(old[tag] != nil && new[tag] == old[tag], "\(tag)")
    }
  }

  /// libheif writes pictures with an odd number of columns or rows as larger pictures with a clean aperture.
  @Test(.enabled(if: Tools.hasPillowHEIF)) func aCleanApertureIsCutOut() throws {
    let odd = folder.file("odd.heic")
    _ = try python(
      """
      picture = Image.open(sys.argv[1]).convert("RGB").resize((643, 483), 3)
      exif = Image.Exif()
      exif[274] = 6
      picture.save(sys.argv[2], quality=90, exif=exif.tobytes())
      """, TestFiles.fixture("IMG_0003.JPG").path, odd.path)
    let before = try WalkedHEIF.read(odd)
    #expect(before[before.primary]?.contents("clap").count == 1)

    var crop = Edit.identity
    crop.geometry.crop = .rectangle(
      try Crop.Rectangle(left: 500_000, top: 500_000, width: 500_000, height: 500_000))
    var straight = Edit.identity
    straight.geometry.straighten = 4
    for (edit, settings, name) in [
      (crop, RenderSettings.standard, "crop.heic"), (crop, RenderSettings(photoFormat: .jpeg), "crop.jpg"),
      (Edit(orientation: .right), RenderSettings(photoFormat: .jpeg), "turn.jpg"),
      (straight, .standard, "straight.heic"),
    ] {
      let (_, photo) = try rendered(edit, photo: odd, settings: settings, to: name)
      let values = try python(
        """
        old, new = photo(sys.argv[1]), photo(sys.argv[2])
        name, (h, w) = sys.argv[3], new.shape[:2]
        def psnr(a, b): return 10 * numpy.log10(255 ** 2 / max(((a - b) ** 2).mean(), 1e-9))
        if name == "turn.jpg": old = numpy.rot90(old, -1)
        if name.startswith("crop"): old = old[old.shape[0] // 2:, old.shape[1] // 2:]
        if name == "straight.heic":
            turned = Image.fromarray(old.astype(numpy.uint8)).rotate(-4, Image.BICUBIC)
            x, y = (turned.width - w) / 2, (turned.height - h) / 2
            old = numpy.asarray(turned.transform((w, h), Image.AFFINE, (1, 0, x, 0, 1, y), Image.BICUBIC)).astype(float)
        # The nearest of the places that differ by less than a pixel.
        best = max(psnr(old[y:y + h, x:x + w], new[:min(h, old.shape[0] - y), :min(w, old.shape[1] - x)])
                   for y in (0, 1) for x in (0, 1))
        print(w, h, best)
        """, odd.path, photo.path, name)
      switch name {
      case "straight.heic": #expect(values[0] < 483 && values[1] < 643)
      case "turn.jpg": #expect(values.prefix(2) == [643, 483])
      default: #expect(values.prefix(2) == [242, 322])
      }
      #expect(values[2] > 32, "\(name) \(values)")
      guard name.hasSuffix("heic") else { continue }
      let walked = try WalkedHEIF.read(photo)
      #expect(walked[walked.primary]?.contents("clap") == [])
    }

    // A colour edit alone keeps the picture's stored orientation.
    var colors = Edit.identity
    colors[.saturation] = -1
    let (_, photo) = try rendered(colors, photo: odd, to: "colors.heic")
    let walked = try WalkedHEIF.read(photo)
    #expect(walked[walked.primary]?.contents("clap") == before[before.primary]?.contents("clap"))
    #expect(try python("print(*photo(sys.argv[1]).shape)", photo.path) == [643, 483, 3])
  }

  /// A crop by aspect ratio refers to the part that a clean aperture shows.
  @Test func aSquareOfASmallCleanApertureIsSquare() throws {
    let file = try HEIFFile(Photo(FileByteSource(path: Self.fixture.path)))
    // 200 columns and 500 rows of 720 and 540, displayed with a rotation of 90°.
    let aperture = Atom("clap", words: [200, 1, 500, 1, 40, 1, 10, 1])
    var composition = HEIFComposition(file)
    var list = composition.list(of: file.primaryItem)
    let place = list.firstIndex { $0.atom.pictureTurn != nil } ?? list.count
    list.insert((aperture, true), at: place)
    composition.setList(list, of: file.primaryItem)
    let sink = MemoryByteSink()
    try composition.writeAnew(to: sink)
    let narrow = try folder.write(sink.bytes, to: "narrow.heic")

    var edit = Edit.identity
    edit.geometry.crop = .aspect(try Crop.AspectRatio(width: 1, height: 1), .center)
    let (_, jpeg) = try rendered(
      edit, photo: narrow, settings: RenderSettings(photoFormat: .jpeg), to: "s.jpg")
    #expect(try Tools.exiftool(jpeg)["File:ImageWidth"] == "200")
    #expect(try Tools.exiftool(jpeg)["File:ImageHeight"] == "200")
    let (_, heic) = try rendered(edit, photo: narrow)
    let walked = try WalkedHEIF.read(heic)
    #expect(walked[walked.primary]?.contents("ispe") == ["00000000000000c8000000c8"])
  }

  /// Repeated renders produce the same result.
  @Test func equalJobsGiveEqualBytes() throws {
    var edit = Edit.identity
    edit[.contrast] = 0.4
    let one = try Data(contentsOf: rendered(edit).photo)
    let other = try Data(contentsOf: rendered(edit, to: "again.heic").photo)
    #expect(one == other)
  }
}
