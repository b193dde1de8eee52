import Foundation
import TestSupport
import Testing

@testable import EditModel

extension AppleAdjustmentsTests {
  @Test func manyAdjustmentsAreBounded() throws {
    let one = #"{"identifier":"Mute","enabled":false,"settings":{}}"#
    let read = try read(Array(repeating: one, count: 5000).joined(separator: ","))
    #expect(read.words.count == 200)
    #expect(!read.hasExactGeometry)
    #expect(read.notes == ["Only the first 200 of 5000 adjustments were read."])
  }

  /// Odd values in any field cause no failure, and every edit that is read can be written and read again.
  @Test func oddValuesNeverBreakAnything() throws {
    let time = #"{"value":#,"timescale":#,"flags":#,"epoch":0}"#
    let whole = """
      {"identifier":"Crop","enabled":#,"settings":{"xOrigin":#,"yOrigin":#,"width":#,"height":#,"straightenAngle":#,
      "pitch":#,"yaw":#}},
      {"identifier":"LivePhotoKeyFrame","settings":{"time":\(time)}},
      {"identifier":"Trim","settings":{"startTime":\(time),"endTime":\(time)}},
      {"identifier":"AutoLoop","settings":{"flavor":#}},{"identifier":#,"settings":#},
      {"identifier":"SlowMotion","settings":{"rate":#,"regions":[{"timeRange":{"start":\(time),"duration":\(time)}},#]}},
      {"identifier":"SmartTone","settings":{"inputLight":#,"offsetExposure":#}},
      {"identifier":"RKRetouchOperation","settings":{"inputKeys":{"inputStrokes":#}}},#
      """
    let odd = [
      "0", "1", "-1", "200", "600", "150.5", "1e308", "-1e308", "9223372036854775807", "-9223372036854775808",
      "1e-320", "null", "true", "false", #""AutoLoop""#, #""Crop""#, "[]", "[1,2]", "{}", "0.1", "-0.1",
    ]
    var generator = SeededGenerator(seed: 7)
    func filled(_ text: String) -> String {
      text.reduce(into: "") { result, letter in
        result += letter == "#" ? odd.randomElement(using: &generator) ?? "0" : String(letter)
      }
    }
    var taken = 0
    for _ in 0..<800 {
      let metadata = filled(
        ##"{"masterWidth":#,"masterHeight":#,"orientation":#}"##.replacingOccurrences(
          of: Bool.random(using: &generator) ? "Width\":#,\"masterHeight\":#" : "none",
          with: "Width\":400,\"masterHeight\":300"))
      guard let read = AppleAdjustments(Self.data(filled(whole), metadata: metadata), of: Self.original)
      else { continue }
      if !read.edit.isIdentity { taken += 1 }
      let own = AdjustmentData(edit: read.edit, settings: .standard)
      #expect(own.decoded()?.edit == read.edit)
    }
    #expect(taken > 30)
  }
}

/// Tests the edits read from the samples against the samples' content as printed by Python. AdjustmentInspectionTests
/// compares the complete content.
@Suite(.enabled(if: TestFiles.samples != nil, "LIVEEDIT_SAMPLES names no samples"))
struct AppleAdjustmentsSampleTests {
  private func read(
    _ name: String, _ width: Int, _ height: Int, _ orientation: Orientation = .up
  ) throws -> AppleAdjustments {
    let bytes = [UInt8](try Data(contentsOf: try #require(TestFiles.sample(name))))
    let file = try #require(AdjustmentFile(bytes: bytes))
    return try #require(
      AppleAdjustments(
        file.adjustment,
        of: AppleAdjustments.Original(width: width, height: height, orientation: orientation)))
  }

  /// Returns the edge strength of a photo's grey version, calculated by ImageMagick.
  private func edges(of file: URL, _ width: Int, _ height: Int) throws -> [Double] {
    let grey = try Tools.output(
      "convert", file.path, "-resize", "\(width)x\(height)!", "-colorspace", "Gray", "-depth", "8", "gray:-"
    ).standardOutput
    try #require(grey.count == width * height)
    let values = grey.map(Double.init)
    return values.indices.map { index in
      guard index % width < width - 1, index + width < values.count else { return 0 }
      let (x, y) = (values[index + 1] - values[index], values[index + width] - values[index])
      return (x * x + y * y).squareRoot()
    }
  }

  @Test func keyPhotoIsExact() throws {
    let read = try read("sidecars/IMG_1853.AAE", 4032, 3024, .right)
    // The time is 1740 units of 1/600 s.
    #expect(read.edit == Edit(motion: try Motion(keyPhoto: 2.9)))
    #expect(read.hasExactGeometry)
    #expect(!read.changesAppearance)
    #expect(read.words.isEmpty)
    #expect(read.notes.isEmpty)
  }

  @Test func cropIsExact() throws {
    let read = try read("sidecars/wedding.AAE", 2048, 1367)
    // The crop is 1526 x 1325 of 2048 x 1367, 0 from the left and 1 from the bottom, so 41 from the top.
    let edges: [Double] = [0, 41 / 1367, 1526 / 2048, 1366 / 1367]
    let places = edges.map { Int(($0 * 1_000_000).rounded()) }
    guard case .rectangle(let rectangle)? = read.edit.geometry.crop else {
      Issue.record("No rectangle")
      return
    }
    let (right, bottom) = (rectangle.left + rectangle.width, rectangle.top + rectangle.height)
    #expect([rectangle.left, rectangle.top, right, bottom] == places)
    #expect(read.edit.geometry.isPureCrop)
    #expect(read.hasExactGeometry)
    #expect(read.notes.isEmpty)
  }

  @Test func lightAndColourAreListed() throws {
    let tone = try read("iphone-6s-jpeg/IMG_0728.AAE", 4032, 3024, .right)
    #expect(tone.edit == .identity)
    #expect(tone.words == ["light: light −0.284", "colour: colour +0.107"])
    let grey = try read("iphone-15pro-heic/IMG_3582.AAE", 5712, 4284, .right)
    #expect(grey.edit == .identity)
    #expect(grey.words == ["black and white: hue +0.333", "background blur: aperture +2.8"])
    // The camera's recipe states orientation 0.
    let shot = try read("iphone-15pro-heic/IMG_O3582.AAE", 5712, 4284, .right)
    #expect(shot.edit == .identity)
    let square = try read("sidecars/IMG_4120.AAE", 500, 375)
    #expect(
      square.words == [
        "filter: “3DNoir”", "light: light +0.17", "colour: colour +0.055", "white balance: off",
      ])
    for read in [tone, grey, shot, square] {
      #expect(read.changesAppearance && read.hasExactGeometry && read.notes.isEmpty)
    }
    let slow = try read("sidecars/slomo.AAE", 1920, 1080)
    #expect(slow.edit == .identity)
    // The slow motion starts at 6.29625 s and lasts 29.3825 s.
    #expect(slow.notes == ["Slow motion from 6.296 s to 35.679 s at 0.125 of normal speed was not imported."])
  }

  /// Of all squares of the original photo, the one at the imported crop's position is most similar to the photo after
  /// Apple's crop. The filter is black and white, so the test compares edges.
  @Test func cropLiesWhereTheRenderSays() throws {
    let read = try read("sidecars/IMG_4120.AAE", 500, 375)
    guard case .rectangle(let rectangle)? = read.edit.geometry.crop else {
      Issue.record("No rectangle")
      return
    }
    let before = try #require(TestFiles.sample("sidecars/IMG_4120.JPG"))
    let after = try #require(TestFiles.sample("sidecars/IMG_E4120.JPG"))
    let whole = try edges(of: before, 500, 375)
    let part = try edges(of: after, 375, 375)
    // The pictures are aligned at the offset where the product of their edges is greatest.
    let likeness = (0...125).map { left in
      var (product, energy) = (0.0, 0.0)
      for y in 0..<375 {
        for x in 0..<375 {
          let edge = whole[y * 500 + x + left]
          product += edge * part[y * 375 + x]
          energy += edge * edge
        }
      }
      return product / energy.squareRoot()
    }
    let place = Double(likeness.indices.max { likeness[$0] < likeness[$1] } ?? 0)
    #expect(abs(Double(rectangle.left) / 1_000_000 * 500 - place) <= 0.5)
    #expect(rectangle.top == 0)
    #expect(rectangle.height == 1_000_000)
    #expect(abs(rectangle.width - 750_000) <= 1)
  }
}
