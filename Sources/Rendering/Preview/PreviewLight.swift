internal import CPixelKernels
import EditModel

/// The local light adjustments as a shader needs them: the values that the function `light_find` in local_light.h looks
/// up.
///
/// The planes describe the areas of the picture and depend only on the picture. One small table contains the effect of
/// the sliders.
package struct PreviewLight: Sendable {
  /// The areas of a picture: for each cell, the coefficients of base = a · light + b, and the same coefficients for the
  /// veil of haze.
  package struct Areas: Sendable {
    /// The number of cells in a row, and the number of rows.
    package let columns, rows: Int
    /// The width and height of the picture in cells. The last cells may extend beyond the picture.
    package let across, down: Double
    /// The encoded value of areas that show nothing but haze, or 1 if the edit does not change haze.
    package let airlight: Float
    /// The coefficients a and b of the base and of the veil for each cell, row after row, as binary16.
    package let samples: [UInt16]
  }

  /// A table indexed by EV, from ``leastLight`` with ``steps`` entries per EV. Each entry is calculated for the centre
  /// of its step and has three values: the change in EV of an area with this light, the fraction of detail to add, and
  /// the encoded value of this light. The values are binary16.
  package let byLight: [UInt16]
  /// A table indexed by luma, from 0 to ``greatestLuma``. Each entry has two values in EV: the light from which the
  /// base is calculated, and the actual light. The values are binary16.
  package let byLuma: [UInt16]
  /// The fraction of the veil to remove. Negative values add a veil.
  package let dehaze: Float
  /// The weights of red and blue in luma.
  package let weights: [Float]

  /// The number of entries in ``byLuma``.
  package static let lumaCount = 2048
  /// The luma of the last entry in ``byLuma``.
  package static let greatestLuma = Double(LIGHT_CODE_COUNT) / Double(LIGHT_CODES)
  /// The light, in EV, at the start of the first entry in ``byLight``.
  package static let leastLight = Int(LIGHT_LEAST)
  /// The number of entries per EV in ``byLight``.
  package static let steps = Int(LIGHT_STEPS)
  /// The number of entries in ``byLight``.
  package static let lightCount = Int(LIGHT_STEP_COUNT)

  /// - Parameters:
  ///   - edit: The edit.
  ///   - color: The colour description of the picture that is edited.
  ///   - profile: The picture's ICC profile, or nil if the picture has none.
  /// - Returns: Nil if the edit makes no local light changes.
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
  ///   - frame: The picture, rotated and cropped according to the edit.
  ///   - profile: The picture's ICC profile, or nil if the picture has none.
  ///   - edit: The edit, which determines whether haze is removed or added.
  ///   - history: The movie's previous frames, or nil for a photo. Cells are twice as large in movies.
  /// - Returns: Nil if the edit makes no local light changes.
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

  /// Returns which kind of areas an edit needs: areas without a veil, areas with a veil, or areas with an added veil
  /// over the whole picture.
  package static func kind(_ edit: Edit) -> String {
    edit[.dehaze] > 0 ? "taken" : edit[.dehaze] < 0 ? "added" : "none"
  }
}
