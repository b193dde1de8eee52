import EditModel
import Foundation
import RenderEngine
import TestSupport
import Testing

/// Depth and mattes of HEIC photos under edits of pixels. scripts/fixtures/map_error.py, which decodes them by ffmpeg and makes
/// the edits slowly, says how like they are.
@Suite(.enabled(if: Tools.hasPillowHEIF)) struct DepthRenderTests {
  let folder: TemporaryFolder

  static let fixture = TestFiles.fixture("depth.HEIC")

  /// An edit, and how map_error.py is told of it.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var edit = Edit.identity

    init(
      turn: Int = 0, straighten: Double = 0, crop: (x: Int, y: Int, width: Int, height: Int)? = nil
    ) throws {
      let orientations: [Int: Orientation] = [0: .up, 90: .right, 180: .down, 270: .left]
      edit = Edit(orientation: try #require(orientations[turn]))
      edit.geometry.straighten = straighten
      let part = crop ?? (0, 0, 100, 100)
      if let crop {
        edit.geometry.crop = .rectangle(
          try Crop.Rectangle(
            left: crop.x * 10_000, top: crop.y * 10_000, width: crop.width * 10_000,
            height: crop.height * 10_000))
      }
      let shares = [part.x, part.y, part.width, part.height].map { String(Double($0) / 100) }
      testDescription =
        "--turn \(turn) --straighten \(straighten) --rect \(shares.joined(separator: ","))"
    }

    static let all = Result {
      [
        try Case(crop: (12, 10, 71, 63)), try Case(straighten: 4.5), try Case(turn: 90, straighten: -7.3),
        try Case(turn: 270, straighten: 12, crop: (20, 10, 60, 63)),
        try Case(turn: 180, crop: (0, 0, 50, 99)),
      ]
    }

    /// Each kind of file with each edit; in a quick run each with one, by turns.
    static func each<Kind>(of kinds: [Kind]) throws -> [(Kind, Case)] {
      let edits = try all.get()
      return kinds.enumerated().flatMap { row, kind in
        Cases.chosen(edits) { column, _ in (row + column) % edits.count == 0 }.map { (kind, $0) }
      }
    }
  }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func rendered(
    _ edit: Edit, _ photo: URL = fixture, _ settings: RenderSettings = .standard
  ) throws -> (result: RenderResult, photo: URL) {
    try folder.rendered(photo, edit, settings, as: "out.heic")
  }

  /// Columns, rows and likeness in dB by the kind of each auxiliary picture.
  private func likeness(
    _ original: URL, _ edited: URL, _ options: String
  ) throws -> [String: (width: Int, height: Int, decibels: Double)] {
    let script = TestFiles.project.appendingPathComponent("scripts/fixtures/map_error.py").path
    let answer = try Tools.run(
      ["python3", script, original.path, edited.path] + options.split(separator: " ").map(String.init))
    guard answer.status == 0 else { throw ToolFailure(answer.standardError) }
    var found: [String: (width: Int, height: Int, decibels: Double)] = [:]
    for line in answer.text.split(separator: "\n") {
      let parts = line.split(separator: " ")
      guard parts.count == 5, let width = Int(parts[1]), let height = Int(parts[2]),
        let decibels = Double(parts[3])
      else { throw ToolFailure("map_error.py said: \(line)") }
      found[String(parts[0])] = (width, height, decibels)
    }
    return found
  }

  @Test(arguments: Cases.chosen(try Case.all.get()) { index, _ in index % 2 == 0 })
  func depthAndMattesFollow(_ example: Case) throws {
    let (result, photo) = try rendered(example.edit)
    // The face may be cut off.
    #expect(result.removals.map(\.name).filter { $0 != "mwg-rs" } == ["depthData:FocusPlace"])
    let maps = try likeness(Self.fixture, photo, example.testDescription)
    #expect(Set(maps.keys) == ["depth", "portraiteffectsmatte", "semanticskymatte"])
    for (kind, map) in maps { #expect(map.decibels > 48, "\(kind): \(map.decibels) dB") }
    // The comparison tells a map that stayed.
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
    // What libheif makes of them is as large, upright.
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
    // A quick run crops alone, and then turns, straightens and crops at once.
    let examples = Cases.chosen(try Case.all.get()) { index, _ in index == 0 || index == 3 }
    for example in examples {
      let (result, photo) = try rendered(example.edit, sample)
      // The focus may be cut off.
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

  /// In a JPEG they are further pictures, found by its index and told apart by Apple's words.
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
    // The camera is HEIC's on its side: the JPEG's picture is upright. A pixel of the photo is ten of the camera's.
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

  /// Depth stays bit for bit where no place changes.
  @Test func coloursLeaveDepthAlone() throws {
    var edit = Edit(orientation: .right)
    edit[.exposure] = 0.4
    let (result, photo) = try rendered(edit)
    #expect(result.photo == .encoded && result.removals == [])
    let (old, new) = (try WalkedHEIF.read(Self.fixture), try WalkedHEIF.read(photo))
    for item in 2...11 { #expect(new[item]?.sha == old[item]?.sha) }
    for item in [2, 4, 10] {
      #expect(new[item]?.contents("irot") == new[new.primary]?.contents("irot"))
      #expect(new[item]?.contents("hvcC") == old[item]?.contents("hvcC"))
    }
  }

  /// Without a crop's rectangle for whole samples a map that is a handful of samples wide still says what it did.
  @Test func aSmallPartIsCodedInABlock() throws {
    let example = try Case(crop: (40, 40, 10, 12))
    let (_, photo) = try rendered(example.edit)
    let maps = try likeness(Self.fixture, photo, example.testDescription)
    #expect(maps["depth"]?.width == 17 && maps["depth"]?.height == 28)
    for (kind, map) in maps { #expect(map.decibels > 45, "\(kind): \(map.decibels) dB") }
  }

  /// No camera at the same place sees another perspective.
  @Test func perspectiveTakesTheCameraAway() throws {
    var edit = Edit.identity
    edit.geometry.verticalPerspective = 0.4
    let (result, photo) = try rendered(edit)
    let gone = [
      "PixelSize", "IntrinsicMatrixReferenceWidth", "IntrinsicMatrixReferenceHeight", "IntrinsicMatrix",
      "ExtrinsicMatrix", "LensDistortionCenterOffsetX", "LensDistortionCenterOffsetY",
      "LensDistortionCoefficients", "FocusPlace",
    ]
    #expect(result.removals.map(\.name) == gone.map { "depthData:" + $0 })
    let bytes = try Data(contentsOf: photo)
    for name in gone { #expect(bytes.range(of: Data(name.utf8)) == nil) }
    for name in ["depthData:Accuracy", "apdi:FloatMaxValue", "PortraitEffectsMatteVersion"] {
      #expect(bytes.range(of: Data(name.utf8)) != nil)
    }
  }

  /// Depth that nobody here can decode goes, with what describes it, and is named; the mattes stay.
  @Test func depthOfAnotherCodecIsRemovedAndNamed() throws {
    var bytes = [UInt8](try Data(contentsOf: Self.fixture))
    // Its entry: number 2, no protection, type.
    let entry: [UInt8] = [0, 2, 0, 0] + Array("hvc1".utf8)
    let place = try #require(Data(bytes).range(of: Data(entry))).lowerBound
    bytes.replaceSubrange(place + 4..<place + 8, with: Array("av01".utf8))
    let photo = folder.file("odd.heic")
    try Data(bytes).write(to: photo)
    let (result, output) = try rendered(Case(crop: (10, 10, 50, 50)).edit, photo)
    #expect(result.removals.map(\.name) == ["depth", "apdi", "depthData"])
    #expect(
      result.removals.first?.reason == "describes places in the uncropped picture, and cannot be cropped")
    let walked = try WalkedHEIF.read(output)
    #expect(walked.references.filter { $0.kind == "auxl" }.map(\.from) == [4, 10])
  }
}
