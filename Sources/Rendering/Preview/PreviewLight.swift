internal import CPixelKernels
import EditModel

/// Light by areas, for a shader: what `light_find` of local_light.h looks up.
///
/// The planes tell areas apart and depend on the picture alone; what the sliders do is in one small table.
package struct PreviewLight: Sendable {
  /// The areas of a picture, by cells: base = a · light + b, and the veil of haze likewise.
  package struct Areas: Sendable {
    /// Cells in a row, and rows.
    package let columns, rows: Int
    /// The number of cells that the width and the height of the picture have room for; the last ones may reach beyond it.
    package let across, down: Double
    /// The encoded value of what is all veil; 1 where nobody asked.
    package let airlight: Float
    /// a, b, and those of the veil for each cell, row after row, as binary16.
    package let samples: [UInt16]
  }

  /// Entries by EV from ``leastLight`` on, ``steps`` in 1 EV, each in the middle of its step: the change in EV of an area
  /// with this light, the share of detail that is added, and the encoded value of this light. As binary16.
  package let byLight: [UInt16]
  /// Entries by luma from 0 to ``greatestLuma``: light for the base, and light. As binary16.
  package let byLuma: [UInt16]
  /// The share of the veil that is taken away; below 0 it is added.
  package let dehaze: Float
  /// The weights of red and blue in luma.
  package let weights: [Float]

  /// Entries of ``byLuma``.
  package static let lumaCount = 2048
  /// The luma of the last one.
  package static let greatestLuma = Double(LIGHT_CODE_COUNT) / Double(LIGHT_CODES)
  /// The light of the beginning of the first entry of ``byLight``, in EV.
  package static let leastLight = Int(LIGHT_LEAST)
  /// Entries in 1 EV.
  package static let steps = Int(LIGHT_STEPS)
  /// Entries of ``byLight``.
  package static let lightCount = Int(LIGHT_STEP_COUNT)

  /// - Parameters:
  ///   - edit: the edit.
  ///   - color: what the picture that is edited says about its colours.
  ///   - profile: its ICC profile; nil when it has none.
  /// - Returns: nil when the edit leaves light where it is.
  package init?(_ edit: Edit, color: ColorDescription, profile: [UInt8]? = nil) {
    guard let curves = LightCurves(edit) else { return nil }
    let encoding = ColorEncoding(color, bitDepth: 8, profile: profile.flatMap(ICCProfileReader.space))
    let transfer = encoding.lumaTransfer
    let tables = LightTables(curves, transfer)
    let middles = (0..<Self.lightCount).map {
      Double(Self.leastLight) + (Double($0) + 0.5) / Double(Self.steps)
    }
    byLight = middles.indices.flatMap { index -> [UInt16] in
      let encoded = Float(transfer.encoded(PowerOfTwo.value(middles[index])))
      let detail = curves.changesDetail ? tables.detail[index] : 0
      return [tables.change[index], detail, encoded].map { Float16($0).bitPattern }
    }
    byLuma = (0..<Self.lumaCount).flatMap { index -> [UInt16] in
      let place = Double(index) / Double(Self.lumaCount - 1) * Double(LIGHT_CODE_COUNT - 1)
      let at = min(Int(place.rounded()), Int(LIGHT_CODE_COUNT) - 1)
      return [tables.smoothed[at], tables.light[at]].map { Float16($0).bitPattern }
    }
    dehaze = Float(curves.dehaze)
    weights = [Float(encoding.red), Float(encoding.blue)]
  }

  /// Finds the areas of a picture.
  ///
  /// - Parameters:
  ///   - frame: the picture, turned and cropped as the edit wants it.
  ///   - profile: its ICC profile; nil when it has none.
  ///   - edit: says whether there is haze to take away or to add.
  ///   - history: the frames of the movie before, of which the cells are twice as large; nil for a photo.
  /// - Returns: nil when the edit leaves light where it is.
  package static func areas(
    of frame: PlanarFrame, profile: [UInt8]? = nil, for edit: Edit, after history: inout LocalLight.History?
  ) -> Areas? {
    guard let luma = frame.planes.first, let light = LocalLight(edit) else { return nil }
    let encoding = ColorEncoding(
      frame.format.color, bitDepth: frame.format.bitDepth, profile: profile.flatMap(ICCProfileReader.space))
    let isMovie = history != nil
    let smoothed = LightTables(light.curves, encoding.lumaTransfer).smoothed
    let (cells, base, veil) = light.areas(of: frame, luma, encoding, smoothed, after: &history)
    var planes = [base.a, base.b] + (veil.map { [$0.line.a, $0.line.b] } ?? [])
    if isMovie { planes = planes.map(\.halved) }
    let samples = planes[0].values.indices.flatMap { index in
      (0..<4).map { $0 < planes.count ? Float16(planes[$0].values[index]).bitPattern : 0 }
    }
    let size = Double(isMovie ? 2 : 1)
    return Areas(
      columns: planes[0].width, rows: planes[0].height,
      across: Double(luma.width) / Double(cells.across.cell) / size,
      down: Double(luma.height) / Double(cells.down.cell) / size, airlight: veil?.airlight ?? 1,
      samples: samples)
  }

  /// The sort of areas that an edit asks for: those without a veil, with one, or with one that is laid over all.
  package static func kind(_ edit: Edit) -> String {
    edit[.dehaze] > 0 ? "taken" : edit[.dehaze] < 0 ? "added" : "none"
  }
}
