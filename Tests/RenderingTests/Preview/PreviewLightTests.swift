import EditModel
import Foundation
import Testing

@testable import Rendering

/// Tests that compare a shader's result from planes and tables with the engine's result for the same picture.
@Suite struct PreviewLightTests {
  private static let side = (width: 300, height: 200)

  private static func picture() throws -> PlanarFrame {
    // Areas with texture, dark at the left and bright at the right, and a veil that thickens upwards.
    try DetailPicture.frame(side.width, side.height, .yuv444) { plane, x, y in
      if plane > 0 { return plane == 1 ? 118 : 140 }
      let area = x < 110 ? 40.0 : x < 200 ? 110 : 200
      return area + 12 * sin(Double(x) / 3) * cos(Double(y) / 4) + Double(y) / 20
    }
  }

  private static func numbers(_ halves: [UInt16]) -> [Double] {
    halves.map { Double(Float16(bitPattern: $0)) }
  }

  /// Returns a value between two entries of a row, as GPUs interpolate it: entries are at the centres of their texels.
  private static func entry(_ row: [Double], _ channel: Int, of channels: Int, at place: Double) -> Double {
    let count = row.count / channels
    let at = min(max(place * Double(count) - 0.5, 0), Double(count - 1))
    let (first, part) = (Int(at), at - at.rounded(.down))
    let second = min(first + 1, count - 1)
    return row[first * channels + channel] * (1 - part) + row[second * channels + channel] * part
  }

  /// Calculates luma with the same steps as the shader in editpreview.js.
  private static func luma(
    _ y: Double, _ at: SIMD2<Double>, _ light: PreviewLight, _ areas: PreviewLight.Areas
  ) -> Double {
    let (byLight, byLuma, planes) = (numbers(light.byLight), numbers(light.byLuma), numbers(areas.samples))
    func byLumaEntry(_ y: Double, _ channel: Int) -> Double {
      let count = Double(PreviewLight.lumaCount)
      let place = (min(max(y / PreviewLight.greatestLuma, 0), 1) * (count - 1) + 0.5) / count
      return entry(byLuma, channel, of: 2, at: place)
    }
    func byLightEntry(_ ev: Double, _ channel: Int) -> Double {
      let least = Double(PreviewLight.leastLight)
      let place =
        (min(max(ev, least), least + 19.9) - least) * Double(PreviewLight.steps)
        / Double(PreviewLight.lightCount)
      return entry(byLight, channel, of: 3, at: place)
    }
    func area(_ channel: Int) -> Double {
      func rows(_ row: Int) -> Double {
        let line = (0..<areas.columns).map { planes[4 * (row * areas.columns + $0) + channel] }
        return entry(line, 0, of: 1, at: at.x * areas.across / Double(areas.columns))
      }
      let place = min(max(at.y * areas.down - 0.5, 0), Double(areas.rows - 1))
      let (first, part) = (Int(place), place - place.rounded(.down))
      return rows(first) * (1 - part) + rows(min(first + 1, areas.rows - 1)) * part
    }
    let ev = byLumaEntry(y, 0)
    let base = area(0) * ev + area(1)
    let apart = ev - base
    let change = byLightEntry(base, 0) + byLightEntry(base, 1) * apart / (1 + abs(apart) / 2)
    var taken = 0.0
    let airlight = Double(areas.airlight)
    if light.dehaze != 0 {
      taken = Double(light.dehaze) * min(max(area(2) * ev + area(3), 0), min(max(y, 0), airlight))
    }
    let clear = (y - taken) / (1 - taken / airlight)
    return clear > 0.001 ? byLightEntry(byLumaEntry(clear, 1) + change, 2) : clear
  }

  @Test(arguments: [
    [Parameter.shadows: 0.8], [.shadows: -1], [.highlights: -1], [.brilliance: 0.7], [.definition: 1],
    [.dehaze: 0.8], [.dehaze: -0.7], [.shadows: 0.5, .highlights: -0.5, .exposure: 0.4, .dehaze: 0.3],
  ])
  func aShaderShowsTheLightOfRenders(_ values: [Parameter: Double]) throws {
    let edit = DetailPicture.edit(values)
    let before = try Self.picture()
    let light = try #require(PreviewLight(edit, color: before.format.color))
    var none: LocalLight.History?
    let areas = try #require(PreviewLight.areas(of: before, for: edit, after: &none))
    let after = try Self.picture()
    try #require(LocalLight(edit)).apply(to: after, after: &none)
    let (old, new) = (before.samples(ofPlane: 0), after.samples(ofPlane: 0))
    let encoding = before.format.encoding
    var apart: [Double] = []
    for y in stride(from: 3, to: Self.side.height, by: 23) {
      for x in stride(from: 2, to: Self.side.width, by: 17) {
        let code = (Double(old[y * Self.side.width + x]) - encoding.black) / encoding.lumaRange
        let place = SIMD2(
          (Double(x) + 0.5) / Double(Self.side.width), (Double(y) + 0.5) / Double(Self.side.height))
        let shown = Self.luma(code, place, light, areas) * encoding.lumaRange + encoding.black
        apart.append(abs(shown - Double(new[y * Self.side.width + x])))
      }
    }
    #expect(zip(old, new).contains { $0 != $1 })
    #expect(apart.reduce(0, +) / Double(apart.count) < 0.6 && (apart.max() ?? 9) < 2.5, "\(apart.max() ?? 0)")
  }

  @Test func otherEditsLeaveLightAlone() throws {
    let edit = DetailPicture.edit([.exposure: 1, .contrast: 1])
    #expect(PreviewLight(edit, color: .jpeg) == nil)
    var none: LocalLight.History?
    #expect(PreviewLight.areas(of: try Self.picture(), for: edit, after: &none) == nil)
  }
}
