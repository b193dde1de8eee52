import EditModel
import Foundation
import RenderEngine
import TestSupport
import Testing

extension DepthRenderTests {
  @Test(arguments: Cases.chosen(try Case.all.get()) { index, _ in index % 2 == 0 })
  func depthAndMattesFollow(_ example: Case) throws {
    let (result, photo) = try rendered(example.edit)
    // The face may lie outside the crop.
    #expect(result.removals.map(\.name).filter { $0 != "mwg-rs" } == ["depthData:FocusPlace"])
    let maps = try likeness(Self.fixture, photo, example.testDescription)
    #expect(Set(maps.keys) == ["depth", "portraiteffectsmatte", "semanticskymatte"])
    for (kind, map) in maps { #expect(map.decibels > 48, "\(kind): \(map.decibels) dB") }
    // The comparison detects an unchanged map.
    let unchanged = try likeness(Self.fixture, Self.fixture, example.testDescription)
    for (kind, map) in unchanged { #expect(map.decibels < 30, "\(kind): \(map.decibels) dB") }

    let (old, new) = (try WalkedHEIF.read(Self.fixture), try WalkedHEIF.read(photo))
    for item in [2, 4, 10] {
      for kind in ["auxC", "pixi"] { #expect(new[item]?.contents(kind) == old[item]?.contents(kind)) }
      #expect(new[item]?.contents("irot") == new[new.primary]?.contents("irot"))
    }
    for item in [2, 4] { #expect(new[item]?.type == "hvc1") }
    let links = { (file: WalkedHEIF) in Set(file.references.filter { $0.kind != "dimg" }.map { "\($0)" }) }
    #expect(links(old) == links(new))
    // libheif decodes the maps upright and with the same size.
    let program = """
      import sys, pillow_heif
      file = pillow_heif.open_heif(sys.argv[1])
      depth, = file.info["depth_images"]
      matte = file.get_aux_image(file.info["aux"]["urn:com:apple:photo:2018:aux:portraiteffectsmatte"][0])
      print(*depth.size, *matte.size, round(depth.info["metadata"]["d_max"], 3))
      """
    let answer = try Tools.run(["python3", "-c", program, photo.path])
    let depth = try #require(maps["depth"])
    #expect(
      answer.text.split(separator: " ").compactMap { Double($0.trimmingCharacters(in: .newlines)) }
        == [depth.width, depth.height, depth.width, depth.height].map(Double.init) + [6.156])
  }

  @Test(.enabled(if: TestFiles.samples != nil, "LIVEEDIT_SAMPLES names no samples"))
  func depthOfAnIPhoneFollows() throws {
    let sample = try #require(TestFiles.sample("iphone-15pro-heic/IMG_3582.HEIC"))
    // A quick run tests a crop alone, and then a combination of rotation, straightening and crop.
    let examples = Cases.chosen(try Case.all.get()) { index, _ in index == 0 || index == 3 }
    for example in examples {
      let (result, photo) = try rendered(example.edit, sample)
      // The focus area may lie outside the crop.
      #expect(Set(result.removals.map(\.name)).isSubset(of: ["SubjectArea", "mwg-rs"]))
      let maps = try likeness(sample, photo, example.testDescription)
      #expect(Set(maps.keys) == ["depth", "hdrgainmap"])
      for (kind, map) in maps { #expect(map.decibels > 48, "\(example) \(kind): \(map.decibels) dB") }
      #expect(try Tools.run(["python3", "-c", Self.reading, photo.path]).text == "1 1\n")
    }
  }

  private static let reading = """
    import sys, pillow_heif
    info = pillow_heif.open_heif(sys.argv[1]).info
    print(len(info["depth_images"]), len(info["aux"]))
    """

  /// In a JPEG the maps are further pictures, found through its index and identified by Apple's metadata.
  @Test(arguments: Cases.chosen(try Case.all.get()) { index, _ in index < 2 || index == 3 })
  func aJPEGCarriesThem(_ example: Case) throws {
    let (result, output) = try rendered(example.edit, Self.fixture, RenderSettings(photoFormat: .jpeg))
    let photo = folder.file("upright.jpg")
    try FileManager.default.copyItem(at: output, to: photo)
    #expect(result.removals.map(\.name).filter { $0 != "mwg-rs" } == ["depthData:FocusPlace"])
    let maps = try likeness(Self.fixture, photo, example.testDescription)
    #expect(Set(maps.keys) == ["depth", "portraiteffectsmatte", "semanticskymatte"])
    for (kind, map) in maps { #expect(map.decibels > 40, "\(kind): \(map.decibels) dB") }
    guard example.edit.orientation == .identity else { return }
    // The camera is that of the HEIC, rotated by 90°, because the JPEG's picture is upright. One pixel of the photo
    // corresponds to ten of the camera's.
    func numbers(_ property: String, _ photo: URL) throws -> [Double] {
      let text = String(decoding: try Data(contentsOf: photo), as: UTF8.self)
      let tag = "depthData:\(property)>"
      guard let first = text.range(of: "<" + tag), let last = text.range(of: "</" + tag) else { return [] }
      return text[first.upperBound..<last.lowerBound].split { "<>".contains($0) }.compactMap { Double($0) }
    }
    let heic = try rendered(example.edit).photo
    let (side, up) = (try numbers("IntrinsicMatrix", heic), try numbers("IntrinsicMatrix", photo))
    let height = try #require(try numbers("IntrinsicMatrixReferenceHeight", heic).first)
    try #require(side.count == 9 && up.count == 9)
    #expect(abs(up[6] - (height - side[7])) < 12 && abs(up[7] - side[6]) < 12, "\(up) \(side)")
    #expect(abs(up[0] - side[4]) < 12 && abs(up[4] - side[0]) < 12)
  }
}
