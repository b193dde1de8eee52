import Foundation
import TestSupport
import Testing

@testable import EditModel

@Suite struct AppleAdjustmentsTests {
  /// Returns Apple's data with some adjustments, compressed by this file's own code as stored DEFLATE blocks (RFC 1951
  /// section 3.2.4).
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
  static let original = AppleAdjustments.Original(width: 400, height: 300)

  func read(_ adjustments: String, metadata: String = usual) throws -> AppleAdjustments {
    try #require(AppleAdjustments(Self.data(adjustments, metadata: metadata), of: Self.original))
  }

  func crop(
    _ values: String, metadata: String = usual, of original: AppleAdjustments.Original = original
  ) throws -> AppleAdjustments {
    let crop = #"{"identifier":"Crop","enabled":true,"settings":{\#(values)}}"#
    return try #require(AppleAdjustments(Self.data(crop, metadata: metadata), of: original))
  }

  func rectangle(of geometry: Geometry) throws -> [Int] {
    guard case .rectangle(let rectangle)? = geometry.crop else { return [] }
    return [rectangle.left, rectangle.top, rectangle.width, rectangle.height]
  }

  @Test func cropsAreCountedFromTheLowerLeft() throws {
    let read = try crop(#""xOrigin":40,"yOrigin":30,"width":200,"height":150"#)
    #expect(read.hasExactGeometry)
    #expect(read.notes.isEmpty)
    #expect(read.edit.orientation == .up)
    // From the top: 300 - 30 - 150 = 120 of 300 rows.
    #expect(try rectangle(of: read.edit.geometry) == [100_000, 400_000, 500_000, 500_000])
    #expect(try crop(#""xOrigin":0,"yOrigin":0,"width":400,"height":300"#).edit == .identity)
  }

  /// Apple's rectangle refers to the stored picture, but the edit's rectangle refers to the rotated picture.
  @Test(arguments: Orientation.allCases, Orientation.allCases)
  func turnsAreThoseBeyondThePhotosOwn(_ own: Orientation, _ whole: Orientation) throws {
    let original = AppleAdjustments.Original(width: 400, height: 300, orientation: own)
    // Later versions of Apple's software write the size of the rotated picture.
    for size in [(400, 300), (300, 400)] {
      let metadata =
        #"{"masterWidth":\#(size.0),"masterHeight":\#(size.1),"orientation":\#(whole.rawValue)}"#
      let read = try crop(
        #""xOrigin":40,"yOrigin":30,"width":200,"height":150"#, metadata: metadata, of: original)
      let edit = read.edit
      #expect(own.then(edit.orientation) == whole)
      // The rectangle's corners in the stored picture (y downwards), transformed by both rotations by hand.
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
    #expect(bad.notes == ["The orientation was not imported, because its value is not valid."])
  }

  @Test(arguments: [
    (#""xOrigin":-40,"yOrigin":30,"width":200,"height":150"#, "extends beyond the photo"),
    (#""xOrigin":300,"yOrigin":30,"width":200,"height":150"#, "extends beyond the photo"),
    (#""xOrigin":40,"yOrigin":200,"width":200,"height":150"#, "extends beyond the photo"),
    (#""xOrigin":40,"yOrigin":30,"width":-200,"height":150"#, "no width"),
    (#""xOrigin":40,"yOrigin":30,"width":0,"height":150"#, "no width"),
    (#""xOrigin":1e300,"yOrigin":30,"width":200,"height":150"#, "its xOrigin is not valid"),
    (#""xOrigin":"NaN","yOrigin":30,"width":200,"height":150"#, "its xOrigin is not valid"),
    (#""xOrigin":40,"yOrigin":30,"width":200"#, "does not state height"),
    (#""xOrigin":40,"yOrigin":30,"width":200,"height":150,"straightenAngle":1"#, "more than 45°"),
    (
      #""xOrigin":40,"yOrigin":30,"width":200,"height":150,"pitch":3.5"#, "perspective (pitch +3.5°, yaw +0°)"
    ),
    (#""xOrigin":40,"yOrigin":30,"width":200,"height":150,"yaw":-8"#, "perspective (pitch +0°, yaw −8°)"),
    // Straightening the whole picture would cut off its corners.
    (#""xOrigin":0,"yOrigin":0,"width":400,"height":300,"straightenAngle":0.1"#, "extends beyond the photo"),
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
        "The crop was not imported: it refers to a picture of 400 x 300 pixels, but this picture has 300 x 300."
      ])
    // An original that was only scaled counts as the same picture.
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
    // Invalid times: negative, infinite (flag 4), not valid (flag 0), or without a time scale.
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
    #expect(cut.notes == ["The key photo was not imported, because it lies outside the trimmed range."])
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
        "retouching: 2 strokes", "“NewThing”: unknown", "crop: off",
      ])
    #expect(read.notes == ["The movie's stabilisation was not imported."])
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
