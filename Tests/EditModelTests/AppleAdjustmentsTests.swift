import Foundation
import TestSupport
import Testing

@testable import EditModel

@Suite struct AppleAdjustmentsTests {
  /// Apple's data with some adjustments, packed by this file's own hand: stored DEFLATE blocks (RFC 1951 section 3.2.4).
  static func data(_ adjustments: String, metadata: String = usual) -> AdjustmentData {
    let json = Array(#"{"formatVersion":1,"metadata":\#(metadata),"adjustments":[\#(adjustments)]}"#.utf8)
    var packed: [UInt8] = []
    for start in stride(from: 0, to: json.count, by: 60_000) {
      let block = json[start..<min(start + 60_000, json.count)]
      let size = UInt16(block.count)
      packed.append(block.endIndex == json.count ? 1 : 0)
      packed += [UInt8(size & 255), UInt8(size >> 8), UInt8(~size & 255), UInt8(~size >> 8)] + block
    }
    return AdjustmentData(formatIdentifier: "com.apple.photo", formatVersion: "1.5", data: Data(packed))
  }

  private static let usual = #"{"masterWidth":400,"masterHeight":300,"orientation":1}"#
  private static let original = AppleAdjustments.Original(width: 400, height: 300)

  private func read(_ adjustments: String, metadata: String = usual) throws -> AppleAdjustments {
    try #require(AppleAdjustments(Self.data(adjustments, metadata: metadata), of: Self.original))
  }

  private func crop(
    _ values: String, metadata: String = usual, of original: AppleAdjustments.Original = original
  ) throws -> AppleAdjustments {
    let crop = #"{"identifier":"Crop","enabled":true,"settings":{\#(values)}}"#
    return try #require(AppleAdjustments(Self.data(crop, metadata: metadata), of: original))
  }

  private func rectangle(of geometry: Geometry) throws -> [Int] {
    guard case .rectangle(let rectangle)? = geometry.crop else { return [] }
    return [rectangle.left, rectangle.top, rectangle.width, rectangle.height]
  }

  @Test func cropsAreCountedFromTheLowerLeft() throws {
    let read = try crop(#""xOrigin":40,"yOrigin":30,"width":200,"height":150"#)
    #expect(read.hasExactGeometry)
    #expect(read.notes.isEmpty)
    #expect(read.edit.orientation == .up)
    // From the top: 300 - 30 - 150 = 120 rows of 300.
    #expect(try rectangle(of: read.edit.geometry) == [100_000, 400_000, 500_000, 500_000])
    #expect(try crop(#""xOrigin":0,"yOrigin":0,"width":400,"height":300"#).edit == .identity)
  }

  /// The rectangle is that of the stored picture; the edit's is seen on the turned one.
  @Test(arguments: Orientation.allCases, Orientation.allCases)
  func turnsAreThoseBeyondThePhotosOwn(_ own: Orientation, _ whole: Orientation) throws {
    let original = AppleAdjustments.Original(width: 400, height: 300, orientation: own)
    // Later versions write the size of the turned picture.
    for size in [(400, 300), (300, 400)] {
      let metadata =
        #"{"masterWidth":\#(size.0),"masterHeight":\#(size.1),"orientation":\#(whole.rawValue)}"#
      let read = try crop(
        #""xOrigin":40,"yOrigin":30,"width":200,"height":150"#, metadata: metadata, of: original)
      let edit = read.edit
      #expect(own.then(edit.orientation) == whole)
      // Corners of the rectangle in the stored picture, y down, taken through both turns by hand.
      let corners = [(40.0, 120.0), (240.0, 270.0)].map { corner in
        whole.apply(x: corner.0, y: corner.1, width: 400, height: 300)
      }
      let (width, height) = whole.swapsAxes ? (300.0, 400.0) : (400.0, 300.0)
      let left = min(corners[0].x, corners[1].x) / width
      let top = min(corners[0].y, corners[1].y) / height
      let sides = (
        abs(corners[0].x - corners[1].x) / width, abs(corners[0].y - corners[1].y) / height
      )
      let expected = [left, top, sides.0, sides.1].map { Int(($0 * 1_000_000).rounded()) }
      #expect(try rectangle(of: edit.geometry) == expected)
      #expect(read.hasExactGeometry)
    }
  }

  @Test func anOrientationThatSaysNothingTurnsNothing() throws {
    let original = AppleAdjustments.Original(width: 400, height: 300, orientation: .right)
    for metadata in [#"{"masterWidth":400,"masterHeight":300,"orientation":0}"#, "{}"] {
      let read = try #require(AppleAdjustments(Self.data("", metadata: metadata), of: original))
      #expect(read.edit == .identity)
      #expect(read.hasExactGeometry)
    }
    let bad = try read("", metadata: #"{"orientation":9}"#)
    #expect(bad.edit == .identity)
    #expect(!bad.hasExactGeometry)
    #expect(bad.notes == ["Its orientation is none of the eight, and was not taken."])
  }

  @Test(arguments: [
    (#""xOrigin":-40,"yOrigin":30,"width":200,"height":150"#, "reaches beyond the photo"),
    (#""xOrigin":300,"yOrigin":30,"width":200,"height":150"#, "reaches beyond the photo"),
    (#""xOrigin":40,"yOrigin":200,"width":200,"height":150"#, "reaches beyond the photo"),
    (#""xOrigin":40,"yOrigin":30,"width":-200,"height":150"#, "no width"),
    (#""xOrigin":40,"yOrigin":30,"width":0,"height":150"#, "no width"),
    (#""xOrigin":1e300,"yOrigin":30,"width":200,"height":150"#, "its xOrigin is impossible"),
    (#""xOrigin":"NaN","yOrigin":30,"width":200,"height":150"#, "its xOrigin is impossible"),
    (#""xOrigin":40,"yOrigin":30,"width":200"#, "does not say height"),
    (#""xOrigin":40,"yOrigin":30,"width":200,"height":150,"straightenAngle":1"#, "more than 45°"),
    (
      #""xOrigin":40,"yOrigin":30,"width":200,"height":150,"pitch":3.5"#, "perspective (pitch +3.5°, yaw +0°)"
    ),
    (#""xOrigin":40,"yOrigin":30,"width":200,"height":150,"yaw":-8"#, "perspective (pitch +0°, yaw −8°)"),
    // The corners of the whole picture are cut off when it is turned.
    (#""xOrigin":0,"yOrigin":0,"width":400,"height":300,"straightenAngle":0.1"#, "reaches beyond the photo"),
  ])
  func cropsThatMakeNoSenseAreSaid(_ values: String, _ reason: String) throws {
    let read = try crop(values)
    #expect(read.edit == .identity)
    #expect(!read.hasExactGeometry)
    #expect(read.notes.count == 1)
    #expect(read.notes.first?.contains(reason) == true)
  }

  @Test func cropsOfOtherPicturesAreSaid() throws {
    let square = AppleAdjustments.Original(width: 300, height: 300)
    let read = try crop(#""xOrigin":40,"yOrigin":30,"width":200,"height":150"#, of: square)
    #expect(read.edit == .identity)
    #expect(!read.hasExactGeometry)
    #expect(
      read.notes == [
        "Its crop was not taken: it is said of a picture of 400 x 300 pixels, and this one has 300 x 300."
      ])
    // One that was only scaled is the same picture.
    let scaled = AppleAdjustments.Original(width: 133, height: 100)
    #expect(try crop(#""xOrigin":40,"yOrigin":30,"width":200,"height":150"#, of: scaled).hasExactGeometry)
  }

  @Test func timeAndSoundAreTaken() throws {
    func time(_ value: Int, _ scale: Int = 600, flags: Int = 1) -> String {
      #"{"value":\#(value),"timescale":\#(scale),"flags":\#(flags),"epoch":0}"#
    }
    let whole = try read(
      #"{"identifier":"LivePhotoKeyFrame","settings":{"time":\#(time(750))}},"#
        + #"{"identifier":"Trim","enabled":true,"settings":{"startTime":\#(time(300)),"endTime":\#(time(1500))}},"#
        + #"{"identifier":"Mute","enabled":true,"settings":{}}"#)
    #expect(whole.edit.motion.keyPhoto == 1_250_000)
    #expect(whole.edit.motion.trim?.start == 500_000)
    #expect(whole.edit.motion.trim?.end == 2_500_000)
    #expect(whole.edit.motion.volume == 0)
    #expect(whole.notes.isEmpty)
    #expect(!whole.changesAppearance)
    let flavors: [(String, Motion.Effect)] = [
      ("AutoLoop", .loop), ("Mirror", .bounce), ("LongExposure", .longExposure), ("None", .none),
    ]
    for (flavor, effect) in flavors {
      let loop = try read(#"{"identifier":"AutoLoop","enabled":true,"settings":{"flavor":"\#(flavor)"}}"#)
      #expect(loop.edit.motion.effect == effect)
    }
    // Times of no movie: negative, infinite (flag 4), not valid (flag 0), without a scale.
    for bad in [time(-1), time(1, flags: 5), time(1, flags: 0), time(1, 0), #""2""#] {
      let read = try read(#"{"identifier":"LivePhotoKeyFrame","settings":{"time":\#(bad)}}"#)
      #expect(read.edit == .identity)
      #expect(read.notes.count == 1)
    }
    let cut = try read(
      #"{"identifier":"LivePhotoKeyFrame","settings":{"time":\#(time(1600))}},"#
        + #"{"identifier":"Trim","settings":{"startTime":\#(time(300)),"endTime":\#(time(1500))}}"#)
    #expect(cut.edit.motion.keyPhoto == nil)
    #expect(cut.edit.motion.trim != nil)
    #expect(cut.notes == ["Its key photo is cut off by its trim, and was not taken."])
    let reversed = try read(
      #"{"identifier":"Trim","settings":{"startTime":\#(time(1500)),"endTime":\#(time(300))}}"#)
    #expect(reversed.edit == .identity)
    #expect(reversed.notes.count == 1)
  }

  @Test func lightAndColourAreSaidInWords() throws {
    let read = try read(
      #"""
      {"identifier":"SmartTone","enabled":true,"settings":{"inputLight":0,"offsetExposure":0.25,"offsetShadows":-0.4}},
      {"identifier":"SmartColor","enabled":false,"settings":{"offsetSaturation":1}},
      {"identifier":"Effect","enabled":true,"settings":{"effectName":"3DNoir","effectVersion":1}},
      {"identifier":"DGVignetteEffectOperation","enabled":true,"settings":{"inputKeys":{"inputIntensity":0.5}}},
      {"identifier":"RKRetouchOperation","enabled":true,"settings":{"inputKeys":{"inputStrokes":[{},{}]}}},
      {"identifier":"NewThing","enabled":true,"settings":{"a":1}},
      {"identifier":"VideoStabilize","enabled":true,"settings":{}},
      {"identifier":"Crop","enabled":false,"settings":{"xOrigin":40,"yOrigin":30,"width":200,"height":150}}
      """#)
    #expect(read.edit == .identity)
    #expect(read.changesAppearance)
    #expect(read.hasExactGeometry)
    #expect(
      read.words == [
        "light: exposure +0.25, shadows −0.4", "colour: off", "filter: “3DNoir”", "vignette: strength +0.5",
        "retouching: 2 strokes", "“NewThing”: not known", "crop: off",
      ])
    #expect(read.notes == ["The movie's stabilization was not taken."])
  }

  @Test func manyAdjustmentsAreBounded() throws {
    let one = #"{"identifier":"Mute","enabled":false,"settings":{}}"#
    let read = try read(Array(repeating: one, count: 5000).joined(separator: ","))
    #expect(read.words.count == 200)
    #expect(!read.hasExactGeometry)
    #expect(read.notes == ["Only the first 200 of 5000 adjustments were read."])
  }

  /// Whatever stands where a value is expected, nothing breaks, and what is taken is an edit that can be written and read.
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

  @Test func otherDataIsNotRead() throws {
    let own = AdjustmentData(edit: Edit(orientation: .right), settings: .standard)
    #expect(AppleAdjustments(own, of: Self.original) == nil)
    var other = Self.data("")
    other.formatIdentifier = "com.apple.Photos.externalEdit"
    #expect(AppleAdjustments(other, of: Self.original) == nil)
    var damaged = Self.data("")
    damaged.data.removeLast(3)
    #expect(AppleAdjustments(damaged, of: Self.original) == nil)
  }
}

/// What the samples say, by their content as Python prints it (AdjustmentInspectionTests compares all of it).
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

  @Test func keyPhotoIsExact() throws {
    let read = try read("sidecars/IMG_1853.AAE", 4032, 3024, .right)
    // 1740 of 600 a second.
    #expect(read.edit == Edit(motion: try Motion(keyPhoto: 2.9)))
    #expect(read.hasExactGeometry)
    #expect(!read.changesAppearance)
    #expect(read.words.isEmpty)
    #expect(read.notes.isEmpty)
  }

  @Test func cropIsExact() throws {
    let read = try read("sidecars/wedding.AAE", 2048, 1367)
    // 1526 x 1325 of 2048 x 1367, 0 from the left and 1 from below, so 41 from above.
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
    #expect(grey.words == ["black and white: hue +0.333", "blurred background: aperture +2.8"])
    // The camera's recipe says orientation 0.
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
    // 6.29625 s, and 29.3825 s from there.
    #expect(slow.notes == ["Slow motion from 6.296 s to 35.679 s, at 0.125 of the speed, was not taken."])
  }

  /// The photo after Apple's crop lies where the crop says: of all squares of the photo before it, the one at the taken place
  /// is the most like it. The filter is black and white, so edges are compared.
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
    // Where the product of two pictures that are moved over each other is greatest, they lie on each other.
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
  /// The strength of the edges of a photo's grey picture, by ImageMagick.
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
}
