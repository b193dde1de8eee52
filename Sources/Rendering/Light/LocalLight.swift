internal import CPixelKernels
public import EditModel

/// Light by areas: shadows, highlights, brilliance, definition and dehaze. `Parameter.description` has the formulas.
///
/// Each place's light is multiplied by what the light of its area asks for, see ``LightBase``, and its chroma along with
/// it, so that hues stay.
public struct LocalLight: Sendable {
  private let curves: LightCurves

  /// - Returns: nil when the edit leaves light where it is.
  public init?(_ edit: Edit) {
    guard let curves = LightCurves(edit) else { return nil }
    self.curves = curves
  }

  /// The frame before, so that a movie's light does not flicker, and the tables that all its frames share.
  public struct History: Sendable {
    fileprivate var light: CellPlane?
    fileprivate var airlight: Float?
    fileprivate var tables: (color: ColorDescription, tables: LightTables)?

    /// Nothing before.
    public init() {}
  }

  /// Changes a frame in place.
  ///
  /// - Parameters:
  ///   - frame: a frame of any size, sampling and depth.
  ///   - profile: its ICC profile; nil when it has none.
  ///   - history: the frames of the movie before; nil for a photo.
  public func apply(to frame: PlanarFrame, profile: [UInt8]? = nil, after history: inout History?) {
    guard let luma = frame.planes.first else { return }
    let format = frame.format
    let space = profile.flatMap(ICCProfileReader.space)
    let encoding = ColorEncoding(format.color, bitDepth: format.bitDepth, profile: space)
    let made: LightTables
    if let known = history?.tables, known.color == format.color {
      made = known.tables
    } else {
      made = LightTables(curves, encoding.lumaTransfer)
      history?.tables = (format.color, made)
    }
    let cells = LightCells(luma)
    var light = cells.light(of: frame, encoding, made.smoothed)
    if let before = history?.light { light.steady(after: before) }
    history?.light = light
    let base = LightBase(light)
    var veil: Veil?
    if curves.dehaze != 0 {
      veil = Veil(frame, encoding, cells, guide: light, isAdded: curves.dehaze < 0)
      if let before = history?.airlight, let now = veil?.airlight, abs(now - before) < 0.1 {
        veil?.airlight = before + 0.2 * (now - before)
      }
      history?.airlight = veil?.airlight
    }
    apply(to: frame, encoding, made, cells, base, veil)
  }

  private func apply(
    to frame: PlanarFrame, _ encoding: ColorEncoding, _ tables: LightTables, _ cells: LightCells,
    _ base: LightBase, _ veil: Veil?
  ) {
    let format = frame.format
    let luma = frame.planes[0]
    let unit = Double(1 << (format.bitDepth - 8))
    let (across, down) = (1 << format.sampling.horizontalShift, 1 << format.sampling.verticalShift)
    let factors = NumberRows<Float>(width: luma.width, count: down)
    let between = NumberRows<Float>(width: cells.across.count + 1, count: 4)
    let planes = [base.a, base.b] + (veil.map { [$0.line.a, $0.line.b] } ?? [])
    let columns = (0..<luma.width).map { cells.across.place($0) }
    let (first, weight) = (columns.map { Int32($0.first) }, columns.map(\.weight))
    first.withUnsafeBufferPointer { first in
      weight.withUnsafeBufferPointer { weight in
        tables.withUnsafe { smoothed, light, change, detail, encoded in
          var row = LightRow(
            a: between[0], b: between[1], veil_a: between[2], veil_b: between[3], first: first.baseAddress,
            weight: weight.baseAddress, smoothed: smoothed, light: light, change: change, detail: detail,
            encoded: encoded, dehaze: veil == nil ? 0 : Float(curves.dehaze), airlight: veil?.airlight ?? 1,
            black: Float(encoding.black * unit), range: Float(encoding.lumaRange * unit),
            depth: Int32(format.bitDepth), least: Int32(encoding.codes.lowerBound),
            greatest: Int32(encoding.codes.upperBound))
          for y in 0..<luma.height {
            let place = cells.down.place(y)
            for (index, plane) in planes.enumerated() {
              plane.row(between: place, into: between[index])
            }
            light_apply(&row, Int64(luma.width), luma.row(y), factors[y % down])
            guard frame.planes.count == 3, y % down == down - 1 || y == luma.height - 1 else { continue }
            var rows = (0..<(y % down) + 1).map { UnsafePointer<Float>?(UnsafePointer(factors[$0])) }
            for plane in frame.planes[1...] {
              light_apply_chroma(
                &rows, Int32(across), Int32(rows.count), Int64(plane.width), Int64(luma.width),
                Int32(format.bitDepth), Int32(encoding.codes.lowerBound), Int32(encoding.codes.upperBound),
                plane.row(y / down))
            }
          }
        }
      }
    }
  }

  /// What light is multiplied with at places of a small picture, in EV; the veil of haze is left alone.
  ///
  /// - Parameter light: linear light by places, reference white being 1.
  func changes(of light: CellPlane) -> [Double] {
    var logarithms = light
    logarithms.values = light.values.map { LightTables.logarithm(Double($0)) }
    let base = LightBase(logarithms)
    return logarithms.values.indices.map { index in
      let at = Double(base.a.values[index] * logarithms.values[index] + base.b.values[index])
      let apart = Double(logarithms.values[index]) - at
      return curves.change(at) + curves.detail(at) * apart / (1 + 0.5 * abs(apart))
    }
  }
}

extension LightTables {
  fileprivate func withUnsafe(
    _ body: (
      UnsafePointer<Float>?, UnsafePointer<Float>?, UnsafePointer<Float>?, UnsafePointer<Float>?,
      UnsafePointer<Float>?
    ) -> Void
  ) {
    smoothed.withUnsafeBufferPointer { a in
      light.withUnsafeBufferPointer { b in
        change.withUnsafeBufferPointer { c in
          detail.withUnsafeBufferPointer { d in
            encoded.withUnsafeBufferPointer { e in
              body(a.baseAddress, b.baseAddress, c.baseAddress, d.baseAddress, e.baseAddress)
            }
          }
        }
      }
    }
  }
}

extension CellPlane {
  /// The row between two rows of cells, the last cell repeated.
  fileprivate func row(
    between place: (first: Int, weight: Float), into result: UnsafeMutablePointer<Float>
  ) {
    let second = min(place.first + 1, height - 1)
    values.withUnsafeBufferPointer { values in
      guard let start = values.baseAddress else { return }
      cell_grid_between(
        start + place.first * width, start + second * width, place.weight, Int64(width), result)
    }
    result[width] = result[width - 1]
  }

  /// Takes back changes so small that they are noise: those of less than about 0.1 EV around a cell.
  mutating func steady(after before: CellPlane) {
    guard before.width == width, before.height == height else { return }
    var apart = before
    for index in values.indices { apart.values[index] -= values[index] }
    let around = apart.mean(radius: 2)
    for index in values.indices {
      let share = max(abs(around.values[index]), abs(apart.values[index]) / 5) / 0.12
      let square = share * share
      values[index] += 0.8 / (1 + square * square) * apart.values[index]
    }
  }
}
