import EditModel
import Foundation
import RenderEngine
import TestSupport
import Testing

/// Tests of depth maps and mattes of HEIC photos under pixel edits. scripts/fixtures/map_error.py, which decodes them
/// with ffmpeg and applies the edits slowly, measures their similarity.
@Suite(.enabled(if: Tools.hasPillowHEIF)) struct DepthRenderTests {
  let folder: TemporaryFolder

  static let fixture = TestFiles.fixture("depth.HEIC")

  /// An edit, and its form as options of map_error.py.
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

    /// Returns each kind of file with each edit, or in a quick run each kind with one edit, in turn.
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

  func rendered(
    _ edit: Edit, _ photo: URL = fixture, _ settings: RenderSettings = .standard
  ) throws -> (result: RenderResult, photo: URL) {
    try folder.rendered(photo, edit, settings, as: "out.heic")
  }

  /// Returns the columns, rows and similarity in dB of each auxiliary picture, by type.
  func likeness(
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

  /// Depth maps are bit-identical if no position changes.
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

  /// A crop whose rectangle does not fall on whole samples still works with a map that is only a few samples wide.
  @Test func aSmallPartIsCodedInABlock() throws {
    let example = try Case(crop: (40, 40, 10, 12))
    let (_, photo) = try rendered(example.edit)
    let maps = try likeness(Self.fixture, photo, example.testDescription)
    #expect(maps["depth"]?.width == 17 && maps["depth"]?.height == 28)
    for (kind, map) in maps { #expect(map.decibels > 45, "\(kind): \(map.decibels) dB") }
  }

  /// No camera in the same position could show a different perspective.
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

  /// Depth that cannot be decoded is removed together with its description, and reported. The mattes are kept.
  @Test func depthOfAnotherCodecIsRemovedAndNamed() throws {
    var bytes = [UInt8](try Data(contentsOf: Self.fixture))
    // The item's entry: number 2, no protection, type.
    let entry: [UInt8] = [0, 2, 0, 0] + Array("hvc1".utf8)
    let place = try #require(Data(bytes).range(of: Data(entry))).lowerBound
    bytes.replaceSubrange(place + 4..<place + 8, with: Array("av01".utf8))
    let photo = folder.file("odd.heic")
    try Data(bytes).write(to: photo)
    let (result, output) = try rendered(Case(crop: (10, 10, 50, 50)).edit, photo)
    #expect(result.removals.map(\.name) == ["depth", "apdi", "depthData"])
    #expect(
      result.removals.first?.reason == "describes the uncropped picture and cannot be cropped")
    let walked = try WalkedHEIF.read(output)
    #expect(walked.references.filter { $0.kind == "auxl" }.map(\.from) == [4, 10])
  }
}
