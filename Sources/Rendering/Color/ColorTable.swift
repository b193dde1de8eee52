import Basics
internal import CPixelKernels
import EditModel
import Synchronization

/// All colour changes of an edit for one kind of picture, as a table from Y′CbCr codes to Y′CbCr codes. The table has
/// 65 nodes per axis, at every fourth 8-bit code, so that greys lie on nodes of Cb and Cr.
///
/// Nodes are computed without clipping. Codes whose R′G′B′ lies outside -0.05 to 1.05 are not written by any camera;
/// their nodes get the values of the nearest computed node.
package final class ColorTable: Sendable {
  static let nodes = 65
  /// How far below black and above white encoded colours are computed.
  private static let margin = 0.05

  /// The cells of the table for luma, Cb and Cr.
  let luma: Cells
  let cb: Cells
  let cr: Cells
  /// The number of bits per sample, 8 to 10.
  let bitDepth: Int
  /// The range to which results are clamped.
  let range: ClosedRange<Int>

  /// - Parameters:
  ///   - edit: The edit. Its orientation is ignored.
  ///   - color: The picture's colour description.
  ///   - bitDepth: The number of bits per sample.
  ///   - profile: The picture's ICC profile, or nil if the picture has none. An unusable profile counts as sRGB. See
  ///     ``canUse(profile:)``.
  ///   - newProfile: The new ICC profile of the picture, or nil if the picture keeps its current profile. See
  ///     ``WideColors``.
  ///   - pieces: The number of pieces into which the work is split. This number does not affect the result.
  ///   - run: A function that runs the pieces, in parallel if possible.
  /// - Returns: Nil if the edit does not change colours.
  /// - Throws: ``MediaError`` if samples have more than 10 bits.
  package convenience init?(
    _ edit: Edit, color: ColorDescription, bitDepth: Int, profile: [UInt8]? = nil,
    newProfile: [UInt8]? = nil, pieces: Int = 1,
    by run: GeometryPlan.Splitting = { count, body in for index in 0..<count { body(index) } }
  ) throws {
    guard 8...10 ~= bitDepth else {
      throw MediaError("\(bitDepth) bits per sample are not supported", isUnsupported: true)
    }
    let space = profile.flatMap(ICCProfileReader.space)
    let encoding = ColorEncoding(color, bitDepth: bitDepth, profile: space)
    let newSpace = newProfile.flatMap(ICCProfileReader.space)
    let new = newSpace.map { ColorEncoding(color, bitDepth: bitDepth, profile: $0) } ?? encoding
    guard let adjustment = ColorAdjustment(edit, peak: encoding.peak, gamut: Gamut(new)) else {
      return nil
    }
    self.init(from: encoding, to: new, bitDepth: bitDepth, pieces: pieces, by: run) {
      adjustment.apply($0)
    }
  }

  /// - Parameters:
  ///   - source: The encoding of the picture's codes.
  ///   - target: The encoding of the new codes.
  ///   - bitDepth: The number of bits per sample in both encodings, 8 to 10.
  ///   - limits: The range to which the new R′G′B′ is clamped, or nil for no clamping.
  ///   - pieces: The number of pieces into which the work is split.
  ///   - run: A function that runs the pieces.
  ///   - change: The change of linear light in the working space.
  init(
    from source: ColorEncoding, to target: ColorEncoding, bitDepth: Int, limits: ClosedRange<Double>? = nil,
    pieces: Int = 1,
    by run: GeometryPlan.Splitting = { count, body in for index in 0..<count { body(index) } },
    _ change: @escaping @Sendable (SIMD3<Double>) -> SIMD3<Double>
  ) {
    self.bitDepth = bitDepth
    range = target.codes
    let found = Mutex<[ColumnTables]>([])
    run(pieces) { piece in
      let columns = stride(from: piece, to: Self.nodes * Self.nodes, by: max(1, pieces))
      let made = columns.compactMap { ColumnTables($0, source, target, limits, change) }
      found.withLock { $0 += made }
    }
    let tables = Self.tables(found.withLock { $0 })
    (luma, cb, cr) = (Cells(tables.luma), Cells(tables.cb), Cells(tables.cr))
  }

  /// The values of one colour component, arranged by table cells. See color_table.h.
  final class Cells: @unchecked Sendable {
    // Only the initialiser writes to this memory.
    let pointer: UnsafeMutablePointer<Int16>

    /// - Parameter nodes: The values of the nodes, indexed by [(cb · 65 + cr) · 65 + luma], each stored as (value +
    ///   256) · 64 - 32768.
    init(_ nodes: [Int16]) {
      let memory = UnsafeMutableRawPointer.allocate(
        byteCount: Int(COLOR_TABLE_CELLS) * 2, alignment: PlanarFrame.rowAlignment)
      pointer = memory.bindMemory(to: Int16.self, capacity: Int(COLOR_TABLE_CELLS))
      color_table_gather(nodes, pointer)
    }

    deinit {
      pointer.deallocate()
    }
  }

  /// Returns whether a profile is intact and of a kind that Y′CbCr pictures use: R′G′B′ or grey.
  ///
  /// - Parameter profile: An ICC profile.
  package static func canUse(profile: [UInt8]) -> Bool { ICCProfileReader.space(profile) != nil }

  /// The table entries for one pair of chroma values and all luma values, which form a column of the table.
  private struct ColumnTables: Sendable {
    let column: Int
    /// The values of luma, Cb and Cr, one component after another.
    var values = [Int16](repeating: 0, count: 3 * nodes)

    /// - Returns: Nil if no luma value forms a valid colour with this chroma.
    init?(
      _ column: Int, _ encoding: ColorEncoding, _ target: ColorEncoding, _ limits: ClosedRange<Double>?,
      _ change: (SIMD3<Double>) -> SIMD3<Double>
    ) {
      let b = (Double(4 * (column / nodes)) - 128) / encoding.chromaRange
      let r = (Double(4 * (column % nodes)) - 128) / encoding.chromaRange
      guard let within = ColorTable.lumaNodes(encoding, b, r) else { return nil }
      self.column = column
      func stored(_ value: Double) -> Int16 {
        Int16(min(max(value * 64 - 16384, -32768), 32767).rounded())
      }
      for node in within {
        let y = (Double(4 * node) - encoding.black) / encoding.lumaRange
        let light = encoding.linear(encoding.primaries(SIMD3(y, b, r)))
        var color = target.encoded(change(light))
        if let limits {
          color.clamp(
            lowerBound: SIMD3(repeating: limits.lowerBound), upperBound: SIMD3(repeating: limits.upperBound))
        }
        let result = target.luma(color)
        values[node] = stored(result.x * target.lumaRange + target.black)
        values[nodes + node] = stored(result.y * target.chromaRange + 128)
        values[2 * nodes + node] = stored(result.z * target.chromaRange + 128)
      }
      for start in [0, nodes, 2 * nodes] {
        for node in 0..<within.lowerBound { values[start + node] = values[start + within.lowerBound] }
        for node in within.upperBound..<nodes { values[start + node] = values[start + within.upperBound - 1] }
      }
    }
  }

  /// Returns the complete table, assembled from its columns. Missing columns get the values of the nearest existing
  /// column.
  private static func tables(_ columns: [ColumnTables]) -> (luma: [Int16], cb: [Int16], cr: [Int16]) {
    var tables = [[Int16]](repeating: [Int16](repeating: 0, count: nodes * nodes * nodes), count: 3)
    var isMade = [Bool](repeating: false, count: nodes * nodes)
    for made in columns {
      isMade[made.column] = true
      for table in 0..<3 {
        tables[table].replaceSubrange(
          made.column * nodes..<(made.column + 1) * nodes,
          with: made.values[table * nodes..<(table + 1) * nodes])
      }
    }
    for column in 0..<nodes * nodes where !isMade[column] {
      let source = nearest(column, isMade)
      for table in 0..<3 {
        for node in 0..<nodes { tables[table][column * nodes + node] = tables[table][source * nodes + node] }
      }
    }
    return (tables[0], tables[1], tables[2])
  }

  /// Returns the luma nodes that form a valid or nearly valid colour with the given chroma.
  private static func lumaNodes(_ encoding: ColorEncoding, _ b: Double, _ r: Double) -> Range<Int>? {
    // R′, G′ and B′ are each the sum of luma and a value that depends only on chroma.
    let apart = encoding.primaries(SIMD3(0, b, r))
    let least = -margin - apart.min()
    let greatest = 1 + margin - apart.max()
    let first = ((least * encoding.lumaRange + encoding.black) / 4).rounded(.up)
    let last = ((greatest * encoding.lumaRange + encoding.black) / 4).rounded(.down)
    guard first <= last, last >= 0, first <= Double(nodes - 1) else { return nil }
    return max(Int(first), 0)..<min(Int(last), nodes - 1) + 1
  }

  /// Returns the first existing column in the direction of grey.
  private static func nearest(_ column: Int, _ isMade: [Bool]) -> Int {
    let (b, r) = (column / nodes - 32, column % nodes - 32)
    for part in stride(from: 31, to: 0, by: -1) {
      let candidate = (32 + b * part / 32) * nodes + 32 + r * part / 32
      if isMade[candidate] { return candidate }
    }
    return 32 * nodes + 32
  }
}
