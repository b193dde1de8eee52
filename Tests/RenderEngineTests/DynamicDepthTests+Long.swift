import EditModel
import Foundation
import RenderEngine
import TestSupport
import Testing

extension DynamicDepthTests {
  @Test(arguments: try DepthRenderTests.Case.each(of: kinds)) func depthFollows(
    _ kind: String, _ example: DepthRenderTests.Case
  ) throws {
    let old = try photo(kind)
    let (result, new) = try rendered(example.edit, old)
    let flags = kind.contains("--orientation 6") ? 90 : kind.contains("--orientation 3") ? 180 : 0
    let words = example.testDescription.split(separator: " ")
    let isRolled = ((Int(words[1]) ?? 0) + flags) % 360 != 0 || words[3] != "0.0"
    #expect(
      Set(result.removals.map(\.name))
        == Set(
          (kind.contains("--original") ? ["Original"] : [])
            + (isRolled ? ["Pose:Rotation", "ImagingModel:Distortion"] : [])))
    let found = try likeness(old, new, example.testDescription)
    var expected: Set<String> = ["DeviceDepth", "DeviceConfidence"]
    if kind.contains("--directory") { expected.formUnion(["ContainerDepth", "ContainerConfidence"]) }
    if kind.contains("--gain-map"), !kind.contains("--unlisted") {
      expected.insert("DeviceGainMap")
    }
    if kind.contains("--gain-map") { expected.insert("hdrgainmap") }
    #expect(Set(found.keys) == expected)
    for (name, decibels) in found { #expect(decibels > 40, "\(name): \(decibels) dB") }
    for (name, decibels) in try likeness(old, old, example.testDescription) {
      #expect(decibels < 32, "\(name): \(decibels) dB")
    }
    let listed = try items(new)
    #expect(listed.map(\.kind).allSatisfy { $0 != "Original" })
    let tags = try tags(new)
    #expect(!tags.keys.contains { $0.hasSuffix("Warning") })
    #expect(tags["XMP-dc:Source"] == "kept")
    for (name, value) in [
      "DepthMapNear": "0.35", "DepthMapFar": "6.5", "DepthMapUnits": "Meters", "PosePositionX": "1",
    ] {
      #expect(try tag(name, tags) == value, "\(name)")
    }
    #expect(!tags.values.contains("Original"))
    try checkOptics(tags, new, example, isPixels: kind.contains("--pixels"), kind)
  }

  /// Checks the angles of view from the optical axis to the sides of the picture against those of the whole photo's
  /// camera.
  ///
  /// Each corner of the new picture is mapped back through the edit to the old picture. Both cameras must see the
  /// corner at the same angle from the axis.
  private func checkOptics(
    _ tags: [String: String], _ photo: URL, _ example: DepthRenderTests.Case, isPixels: Bool, _ kind: String
  ) throws {
    func number(_ name: String) throws -> Double { try #require(Double(tag("ImagingModel" + name, tags))) }
    let size = try Tools.output("exiftool", "-s3", "-n", "-ImageSize", photo.path).lines[0]
      .split(separator: " ").compactMap { Double($0) }
    let (width, height) = (try number("ImageWidth"), try number("ImageHeight"))
    // The optics use twice as many pixels, and odd numbers are rounded.
    #expect(abs(width - 2 * size[0]) <= 1 && abs(height - 2 * size[1]) <= 1)
    for name in ["FocalLengthX", "FocalLengthY"] {
      let length = try number(name)
      #expect(abs(length - 800.5) < 3, "\(name): \(length)")
    }
    let scale = isPixels ? [1, 1] : [width, height]
    let center = [try number("PrincipalPointX") * scale[0], try number("PrincipalPointY") * scale[1]]
    // The old camera's axis after the edit.
    let place = try #require(Self.place([0.51 * 960, 0.48 * 704], kind, example, [width, height]))
    #expect(abs(center[0] - place[0]) < 2 && abs(center[1] - place[1]) < 2, "\(center) \(place)")
  }

  /// Returns a position of the stored picture of 960 x 704 after rotation for display and by the edit, straightening
  /// about the middle, and a crop to a part of the given `size`.
  private static func place(
    _ place: [Double], _ kind: String, _ example: DepthRenderTests.Case, _ size: [Double]
  ) -> [Double]? {
    let options = example.testDescription.split(separator: " ")
    guard let turn = Int(options[1]), let straighten = Double(options[3]) else { return nil }
    let rect = options[5].split(separator: ",").compactMap { Double($0) }
    var (point, whole) = (place, [960.0, 704.0])
    let flags = kind.contains("--orientation 6") ? 1 : kind.contains("--orientation 3") ? 2 : 0
    for _ in 0..<flags + turn / 90 {
      point = [whole[1] - point[1], point[0]]
      whole = [whole[1], whole[0]]
    }
    let angle = straighten * .pi / 180
    let (x, y) = (point[0] - whole[0] / 2, point[1] - whole[1] / 2)
    let turned = [x * cos(angle) - y * sin(angle), x * sin(angle) + y * cos(angle)]
    let part = 1 / (cos(angle) + max(whole[0] / whole[1], whole[1] / whole[0]) * abs(sin(angle)))
    return (0..<2).map { axis in
      let share = (turned[axis] / (part * whole[axis]) + 0.5 - rect[axis]) / rect[axis + 2]
      return share * size[axis]
    }
  }
}
