import EditModel
import Foundation
import TestSupport
import Testing

@testable import Rendering

/// Tests of tables for shaders, compared with the slow formulas of ``ReferenceColor``.
@Suite struct PreviewTableTests {
  private static let edits: [[Parameter: Double]] = [
    [.exposure: 0.7], [.exposure: -1.5], [.contrast: 0.6, .blackPoint: 0.3], [.saturation: 0.5],
    [.saturation: -1],
    [.warmth: 0.6, .tint: -0.3], [.blueHue: 0.8, .orangeSaturation: 0.5],
    [.monochrome: 1, .monochromeTone: 0.4],
    [.shadowGradeHue: 220, .shadowGradeSaturation: 0.4, .brightness: 0.3],
    [.levelsBlack: 0.1, .levelsWhite: 0.9],
  ]
  private static let sRGB = ColorDescription.jpeg
  private static let p3 = ColorDescription(primaries: 12, transfer: 13, matrix: 5, isFullRange: true)

  private static func matrix(_ primaries: Int) -> ReferenceColor.Matrix {
    primaries == 12 ? ReferenceColor.p3 : ReferenceColor.sRGB
  }

  /// Returns the encoded R′G′B′ of the screen from the slow formulas, without clipping.
  private static func reference(
    _ color: [Double], _ edit: Edit, source: ReferenceColor.Matrix, screen: ReferenceColor.Matrix
  ) -> [Double] {
    let toWorking = ReferenceColor.times(ReferenceColor.inverse(ReferenceColor.bt2020), source)
    let light = ReferenceColor.times(toWorking, color.map(ReferenceColor.decode))
    let changed = ReferenceColor.adjust(
      light, edit, peak: 1, channels: ReferenceColor.inverse(toWorking))
    let toScreen = ReferenceColor.times(ReferenceColor.inverse(screen), ReferenceColor.bt2020)
    return ReferenceColor.times(toScreen, changed).map(ReferenceColor.encode)
  }

  private static func node(_ table: PreviewTable, _ red: Int, _ green: Int, _ blue: Int) -> [Double] {
    let at = 3 * ((blue * table.nodes + green) * table.nodes + red)
    return (0..<3).map { Double(Float16(bitPattern: table.samples[at + $0])) }
  }

  /// Returns the table's value between its nodes, interpolated linearly along each axis.
  private static func value(_ table: PreviewTable, _ color: [Double]) -> [Double] {
    let places = color.map { $0 * Double(table.nodes - 3) + 1 }
    let cells = places.map { min(Int($0), table.nodes - 2) }
    let parts = zip(places, cells).map { $0 - Double($1) }
    var sum = [0.0, 0, 0]
    for corner in 0..<8 {
      let steps = [corner & 1, corner >> 1 & 1, corner >> 2]
      let weight = zip(parts, steps).map { $1 == 1 ? $0 : 1 - $0 }.reduce(1, *)
      let node = node(table, cells[0] + steps[0], cells[1] + steps[1], cells[2] + steps[2])
      sum = zip(sum, node).map { $0 + weight * $1 }
    }
    return sum
  }

  private static func lab(_ color: [Double], _ matrix: ReferenceColor.Matrix) -> [Double] {
    ColorDifference.lab(ReferenceColor.times(matrix, color.map { ReferenceColor.decode(min(max($0, 0), 1)) }))
  }

  @Test(arguments: edits, [(12, PreviewRequest.Colors.p3), (12, .srgb), (1, .srgb)])
  func nodesAreWhatTheFormulasSay(_ values: [Parameter: Double], _ colors: (Int, PreviewRequest.Colors)) {
    let edit = DetailPicture.edit(values)
    let source = colors.0 == 12 ? Self.p3 : Self.sRGB
    let table = PreviewTable(
      edit, of: PreviewColors(photo: source, profile: nil, isGrey: false), on: colors.1, nodes: 11)
    #expect(table.samples.count == 3 * 11 * 11 * 11 && !table.isIdentity)
    let screen = Self.matrix(colors.1 == .p3 ? 12 : 1)
    for red in stride(from: 0, through: 8, by: 2) {
      for green in 0..<9 {
        for blue in stride(from: 0, through: 8, by: 2) {
          let color = [red, green, blue].map { Double($0) / 8 }
          let wanted = Self.reference(color, edit, source: Self.matrix(colors.0), screen: screen)
          let apart = zip(wanted, Self.node(table, red + 1, green + 1, blue + 1)).map {
            abs(min(max($0, -1), 2) - $1)
          }
          .max()
          #expect((apart ?? 1) < 0.004, "\(color): \(wanted)")
        }
      }
    }
  }

  /// Colours between the nodes are accurate in spite of the coarse half-precision numbers.
  @Test(arguments: edits) func betweenNodesColorsAreNear(_ values: [Parameter: Double]) {
    let edit = DetailPicture.edit(values)
    let colors = PreviewColors(photo: Self.p3, profile: nil, isGrey: false)
    var numbers = SeededGenerator(seed: 7)
    for (nodes, mean, high) in [(PreviewTable.fine, 0.3, 1.5), (PreviewTable.rough, 0.8, 4)] {
      let table = PreviewTable(edit, of: colors, on: .p3, nodes: nodes)
      var apart = (0..<400).map { _ -> Double in
        let color = (0..<3).map { _ in Double.random(in: 0...1, using: &numbers) }
        let wanted = Self.reference(color, edit, source: ReferenceColor.p3, screen: ReferenceColor.p3)
        return ColorDifference.ciede2000(
          Self.lab(Self.value(table, color), ReferenceColor.p3), Self.lab(wanted, ReferenceColor.p3))
      }
      apart.sort()
      #expect(apart.reduce(0, +) / 400 < mean && apart[395] < high, "\(nodes): \(apart[395])")
    }
  }

  /// With a look that leaves sRGB, the colours before the look may use the whole of Display P3.
  @Test func wideLooksHaveRoomForColors() throws {
    let corners = (0..<8).map { (corner: Int) -> SIMD3<Double> in
      let (red, green, blue) = (corner & 1, corner >> 1 & 1, corner >> 2)
      return SIMD3<Double>(Double(red), Double(green), Double(blue))
    }
    let table = try #require(LookTable(title: "", size: 2, domain: 0...1, colors: corners))
    var edit = DetailPicture.edit([.saturation: 1])
    let plain = edit
    edit.look = Look(.table(table), isWide: true)
    let colors = PreviewColors(photo: Self.sRGB, profile: nil, isGrey: false)
    let shown = PreviewTable(edit, of: colors, on: .p3, nodes: 11)
    let toWorking = ReferenceColor.times(ReferenceColor.inverse(ReferenceColor.bt2020), ReferenceColor.sRGB)
    let fromP3 = ReferenceColor.times(ReferenceColor.inverse(ReferenceColor.p3), ReferenceColor.bt2020)
    var farthest = 0.0
    for (red, green, blue) in [(7, 2, 1), (1, 6, 2), (2, 3, 7), (8, 6, 1), (5, 5, 5)] {
      let color = [red, green, blue].map { Double($0) / 8 }
      let light = ReferenceColor.times(toWorking, color.map(ReferenceColor.decode))
      let changed = ReferenceColor.adjust(light, plain, peak: 1, channels: fromP3)
      let wanted = ReferenceColor.times(fromP3, changed).map(ReferenceColor.encode)
      let found = Self.node(shown, red + 1, green + 1, blue + 1)
      let apart = zip(wanted, found).map { abs($0 - $1) }.max() ?? 1
      #expect(apart < 0.006, "\(color): \(found), \(wanted)")
      let narrow = Self.reference(color, plain, source: ReferenceColor.sRGB, screen: ReferenceColor.p3)
      farthest = max(farthest, zip(wanted, narrow).map { abs($0 - $1) }.max() ?? 0)
    }
    #expect(farthest > 0.02)
  }

  @Test func coloursThatStayNeedNoTable() {
    func isIdentity(_ colors: PreviewColors, _ screen: PreviewRequest.Colors) -> Bool {
      PreviewTable(DetailPicture.edit([.shadows: 0.5, .grain: 1]), of: colors, on: screen, nodes: 5)
        .isIdentity
    }
    #expect(isIdentity(PreviewColors(photo: Self.sRGB, profile: nil, isGrey: false), .srgb))
    #expect(isIdentity(PreviewColors(photo: Self.p3, profile: nil, isGrey: false), .p3))
    #expect(!isIdentity(PreviewColors(photo: Self.p3, profile: nil, isGrey: false), .srgb))
    #expect(isIdentity(PreviewColors(movie: Self.p3), .srgb))
    // HDR movies are already displayed below white, and are not changed.
    let hlg = ColorDescription(primaries: 9, transfer: 18, matrix: 9, isFullRange: false)
    let table = PreviewTable(.identity, of: PreviewColors(movie: hlg), on: .srgb, nodes: 11)
    for place in 0..<9 {
      let value = Double(place) / 8
      for number in Self.node(table, place + 1, place + 1, place + 1) { #expect(abs(number - value) < 0.004) }
    }
  }

  /// The codes of grey pictures are luma, so colours that an edit would add are not visible.
  @Test func greyPicturesStayGrey() {
    let colors = PreviewColors(photo: Self.sRGB, profile: nil, isGrey: true)
    let table = PreviewTable(DetailPicture.edit([.warmth: 1]), of: colors, on: .srgb, nodes: 9)
    for place in 0..<9 {
      let node = Self.node(table, place, place, place)
      #expect((node.max() ?? 1) - (node.min() ?? 0) < 0.002)
    }
  }

  /// The number of threads does not affect the result.
  @Test func piecesMakeOneTable() {
    let colors = PreviewColors(photo: Self.p3, profile: nil, isGrey: false)
    let edit = DetailPicture.edit([.vibrance: 0.7])
    let one = PreviewTable(edit, of: colors, on: .srgb, nodes: 11)
    for pieces in [2, 5, 40] {
      #expect(PreviewTable(edit, of: colors, on: .srgb, nodes: 11, pieces: pieces).samples == one.samples)
    }
  }
}
