import Foundation
import TestSupport
import Testing

@testable import EditModel
@testable import Rendering

/// Tests of crops from Apple's adjustment data, followed through the model to the rendered positions.
@Suite struct AppleCropTests {
  /// A crop as Photos stores it, and its effect on a position in Core Image's coordinates: y upwards, from the lower
  /// left corner of the stored picture. Positive rotation angles are counterclockwise there, and `straightenAngle` is
  /// the negative angle.
  private struct Case {
    var width = 4032.0
    var height = 3024.0
    var angle = 0.0
    var origin = SIMD2(0.0, 0.0)
    var size = SIMD2(0.0, 0.0)
    var whole = Orientation.up

    /// Returns the position in the final picture, in fractions, of a position in the stored picture, in pixels with y
    /// downwards.
    func place(_ x: Double, _ y: Double) -> SIMD2<Double> {
      let (dx, dy) = (x - width / 2, (height - y) - height / 2)
      let turn = -angle
      let turned = SIMD2(
        cos(turn) * dx - sin(turn) * dy + width / 2, sin(turn) * dx + cos(turn) * dy + height / 2)
      let cut = turned - origin
      let end = whole.apply(x: cut.x, y: size.y - cut.y, width: size.x, height: size.y)
      return whole.swapsAxes ? [end.x / size.y, end.y / size.x] : [end.x / size.x, end.y / size.y]
    }

    var data: AdjustmentData {
      let json = Array(
        """
        {"metadata":{"masterWidth":\(Int(width)),"masterHeight":\(Int(height)),"orientation":\(whole.rawValue)},
        "adjustments":[{"identifier":"Crop","settings":{"straightenAngle":\(angle),"xOrigin":\(origin.x),
        "yOrigin":\(origin.y),"width":\(size.x),"height":\(size.y)}}]}
        """.utf8)
      // One stored DEFLATE block (RFC 1951 section 3.2.4).
      let count = UInt16(json.count)
      let head: [UInt8] = [
        1, UInt8(count & 255), UInt8(count >> 8), UInt8(~count & 255), UInt8(~count >> 8),
      ]
      return AdjustmentData(
        formatIdentifier: "com.apple.photo", formatVersion: "1.5", data: Data(head + json))
    }
  }

  /// Crops of straightened pictures match those of Photos to within half a pixel at a width of 1000 pixels. Crops at
  /// the edge of the area that an edit shows are rounded to this edge, by up to two pixels of the photo.
  @Test func straightenedCropsLieWherePhotosPutsThem() throws {
    var generator = SeededGenerator(seed: 23)
    var (taken, worst, worstAtEdges) = (0, 0.0, 0.0)
    for index in 0..<400 {
      var one = Case(angle: Double.random(in: -0.18...0.18, using: &generator))
      let own = Orientation.allCases[index % 8]
      one.whole = Orientation.allCases[(index / 8) % 8]
      if index % 3 == 0 { (one.width, one.height) = (3024, 4032) }
      if index % 5 == 0 { one.angle = 0 }
      // Limits the crop to the largest rectangle with the picture's aspect ratio, which is the area that an edit shows.
      let (c, s) = (cos(one.angle), abs(sin(one.angle)))
      let scale = min(
        one.width / (one.width * c + one.height * s), one.height / (one.width * s + one.height * c))
      let frame = SIMD2(one.width, one.height) * scale
      let corner = (SIMD2(one.width, one.height) - frame) / 2
      let part = SIMD2(
        Double.random(in: 0.3...0.95, using: &generator), Double.random(in: 0.3...0.95, using: &generator))
      one.size = (frame * part).rounded(.down)
      let touches = index % 7 == 0
      let place =
        touches
        ? SIMD2(Double(index % 2), Double(index / 2 % 2))
        : SIMD2(
          Double.random(in: 0.05...0.95, using: &generator), Double.random(in: 0.05...0.95, using: &generator)
        )
      one.origin = (corner + (frame - one.size) * place).rounded(.down)

      let original = AppleAdjustments.Original(
        width: Int(one.width), height: Int(one.height), orientation: own)
      let read = try #require(AppleAdjustments(one.data, of: original))
      #expect(read.hasExactGeometry, "\(read.notes)")
      let displayed = own.swapsAxes ? (original.height, original.width) : (original.width, original.height)
      let edit = read.edit
      let turned = edit.orientation.swapsAxes ? (displayed.1, displayed.0) : displayed
      let plan = try GeometryPlan(
        edit.geometry, of: GeometryPlan.Picture(width: turned.0, height: turned.1))
      // The corners and the centre of the rendered part, in the stored picture.
      for corner in [SIMD2(0.0, 0.0), [1, 0], [0, 1], [1, 1], [0.5, 0.5]] {
        let there = try #require(plan.sources.apply(corner))
        let back = edit.orientation.inverse.apply(
          x: there.x * Double(turned.0), y: there.y * Double(turned.1), width: Double(turned.0),
          height: Double(turned.1))
        let stored = own.inverse.apply(
          x: back.x, y: back.y, width: Double(displayed.0), height: Double(displayed.1))
        let theirs = one.place(stored.x, stored.y)
        let difference = SIMD2(abs(corner.x - theirs.x), abs(corner.y - theirs.y))
        if touches {
          let pixels = difference * (one.whole.swapsAxes ? SIMD2(one.size.y, one.size.x) : one.size)
          worstAtEdges = max(worstAtEdges, pixels.max())
        } else {
          worst = max(worst, difference.max() * 1000)
        }
      }
      taken += 1
    }
    #expect(taken == 400)
    #expect(worst < 0.5, "\(worst) pixels of 1000")
    #expect(worstAtEdges < 2, "\(worstAtEdges) pixels of the photo")
  }
}
