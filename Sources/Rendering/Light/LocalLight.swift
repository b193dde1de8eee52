internal import CPixelKernels
import EditModel

/// Local light adjustments: shadows, highlights, brilliance, definition and dehaze. `Parameter.description` contains
/// the formulas.
///
/// The light at each position is multiplied by a factor that depends on the light of the surrounding area; see
/// ``LightBase``. Chroma is multiplied by the same factor, so that hues do not change.
package struct LocalLight: Sendable {
  let curves: LightCurves

  /// - Returns: Nil if the edit makes no local light changes.
  package init?(_ edit: Edit) {
    guard let curves = LightCurves(edit) else { return nil }
    self.curves = curves
  }

  /// The previous frame of a movie, which is used to prevent flicker, and the tables that all frames share.
  package struct History: Sendable {
    fileprivate var light: CellPlane?
    fileprivate var airlight: Float?
    fileprivate var tables: (color: ColorDescription, tables: LightTables)?

    /// Creates an empty history.
    package init() {}
  }

  /// Changes a frame in place.
  ///
  /// - Parameters:
  ///   - frame: A frame with any size, chroma sampling and bit depth.
  ///   - profile: The frame's ICC profile, or nil if the frame has none.
  ///   - history: The movie's previous frames, or nil for a photo.
  package func apply(to frame: PlanarFrame, profile: [UInt8]? = nil, after history: inout History?) {
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
    let areas = areas(of: frame, luma, encoding, made.smoothed, after: &history)
    apply(to: frame, encoding, made, areas.cells, areas.base, areas.veil)
  }

  /// The description of the areas of a frame.
  typealias Areas = (cells: LightCells, base: LightBase, veil: Veil?)

  /// Finds the areas of a frame.
  ///
  /// - Parameters:
  ///   - frame: The frame.
  ///   - luma: The frame's luma plane.
  ///   - encoding: The encoding of the frame's codes.
  ///   - smoothed: The light in EV for each luma value, from which the base is calculated.
  ///   - history: The movie's previous frames, or nil for a photo.
  func areas(
    of frame: PlanarFrame, _ luma: PlanarFrame.Plane, _ encoding: ColorEncoding, _ smoothed: [Float],
    after history: inout History?
  ) -> Areas {
    let cells = LightCells(luma)
    var light = cells.light(of: frame, encoding, smoothed)
    if let before = history?.light { light.steady(after: before) }
    history?.light = light
    let base = LightBase(light)
    guard curves.dehaze != 0 else { return (cells, base, nil) }
    var veil = Veil(frame, encoding, cells, guide: light, isAdded: curves.dehaze < 0)
    if let before = history?.airlight, abs(veil.airlight - before) < 0.1 {
      veil.airlight = before + 0.2 * (veil.airlight - before)
    }
    history?.airlight = veil.airlight
    return (cells, base, veil)
  }

  /// The length of the longer side from which squares of 2×2 samples are processed together. A finer result would look
  /// the same.
  private static let largeSide = 1280

  private func apply(
    to frame: PlanarFrame, _ encoding: ColorEncoding, _ tables: LightTables, _ cells: LightCells,
    _ base: LightBase, _ veil: Veil?
  ) {
    let format = frame.format
    let luma = frame.planes[0]
    let unit = Double(1 << (format.bitDepth - 8))
    let size = max(luma.width, luma.height) >= Self.largeSide ? 2 : 1
    let (columns, rows) = ((luma.width + size - 1) / size, (luma.height + size - 1) / size)
    let found = NumberRows<Float>(width: columns, count: 4)
    let planes = [base.a, base.b] + (veil.map { [$0.line.a, $0.line.b] } ?? [])
    let wide = planes.map { WideRows($0, cells, columns: columns, size: size) }
    tables.withUnsafe { smoothed, light, change, detail, encoded in
      var row = LightRow()
      (row.smoothed, row.light, row.change, row.encoded) = (smoothed, light, change, encoded)
      row.detail = curves.changesDetail ? detail : nil
      (row.dehaze, row.airlight) = (veil == nil ? 0 : Float(curves.dehaze), veil?.airlight ?? 1)
      (row.black, row.range) = (Float(encoding.black * unit), Float(encoding.lumaRange * unit))
      row.depth = Int32(format.bitDepth)
      (row.least, row.greatest) = (Int32(encoding.codes.lowerBound), Int32(encoding.codes.upperBound))
      for y in 0..<rows {
        let (upper, lower) = (y * size, min(y * size + size, luma.height) - 1)
        let place = cells.down.place(Float(y * size) + 0.5 * Float(size - 1))
        let between = wide.map { $0.rows(from: place.first) }
        (row.a, row.b, row.weight) = (between[0], between[1], place.weight)
        if between.count == 4 { (row.veil_a, row.veil_b) = (between[2], between[3]) }
        light_means(
          &row, luma.row(upper), luma.row(lower), Int32(size), Int64(columns), Int64(luma.width), found[0])
        light_find(&row, Int64(columns), found[0], found[1], found[2], found[3])
        for line in upper...lower {
          light_change_luma(&row, found[1], found[2], Int32(size), Int64(luma.width), luma.row(line))
        }
        guard frame.planes.count == 3 else { continue }
        for plane in frame.planes[1...] {
          // The chroma rows that begin next to these luma rows.
          for line in (y * plane.height + rows - 1) / rows..<((y + 1) * plane.height + rows - 1) / rows {
            light_change_chroma(&row, found[3], Int64(columns), Int64(plane.width), plane.row(line))
          }
        }
      }
    }
    withExtendedLifetime((found, wide)) {}
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
  /// Reverts changes that are small enough to be noise: changes below about 0.1 EV around a cell.
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

/// Two rows of a grid, interpolated horizontally for the positions of a picture row.
private final class WideRows {
  private let plane: CellPlane
  private let columns: (first: [Int32], weight: [Float])
  private let values: NumberRows<Float>
  /// The grid row that each of the two buffers contains.
  private var made = [-1, -1]
  private let cells: NumberRows<Float>

  /// - Parameters:
  ///   - plane: The grid.
  ///   - cells: The cells of the picture.
  ///   - columns: The number of positions in a row.
  ///   - size: The width and height of a position in samples.
  init(_ plane: CellPlane, _ cells: LightCells, columns: Int, size: Int) {
    self.plane = plane
    let places = (0..<columns).map { cells.across.place(Float($0 * size) + 0.5 * Float(size - 1)) }
    self.columns = (places.map { Int32($0.first) }, places.map(\.weight))
    values = NumberRows(width: columns, count: 2)
    // The last cell is repeated at the end.
    self.cells = NumberRows(width: plane.width + 1, count: 1)
  }

  /// Returns a grid row and the row after it. The pointers are valid until the next call.
  func rows(from first: Int) -> (UnsafePointer<Float>?, UnsafePointer<Float>?) {
    let second = min(first + 1, plane.height - 1)
    return (widened(first), widened(second))
  }

  private func widened(_ row: Int) -> UnsafePointer<Float> {
    let place = row % 2
    let target = values[place]
    if made[place] != row {
      let source = cells[0]
      for x in 0..<plane.width { source[x] = plane.values[row * plane.width + x] }
      source[plane.width] = source[plane.width - 1]
      light_widen(source, columns.first, columns.weight, Int64(values.width), target)
      made[place] = row
    }
    return UnsafePointer(target)
  }
}
