import EditModel

extension PlanarFrame {
  /// Returns the picture, rotated or mirrored.
  ///
  /// - Parameters:
  ///   - orientation: The transformation.
  ///   - reusable: A frame to overwrite if it has the required format.
  /// - Returns: `reusable` or a new frame, never this frame.
  package func turned(by orientation: Orientation, into reusable: PlanarFrame? = nil) -> PlanarFrame {
    let wanted = format.turned(by: orientation)
    let before = orientation.swapsAxes ? wanted.sampling.transposed : wanted.sampling
    guard before == format.sampling else {
      return chromaResampled(to: before).turned(by: orientation, into: reusable)
    }
    let target: PlanarFrame
    if let reusable, reusable !== self, reusable.format == wanted {
      target = reusable
    } else {
      target = PlanarFrame(valid: wanted)
    }
    for (source, plane) in zip(planes, target.planes) {
      PlaneTurn.turn(source, into: plane, by: orientation, bytesPerSample: format.bytesPerSample)
    }
    return target
  }
}

/// Rotates and mirrors a plane. Photos and movies, luma and chroma share this code.
///
/// Rows and columns are swapped block by block. Eight machine words contain eight rows of eight bytes (or four rows of
/// four 16-bit samples). Three (or two) rounds of swapping halves, quarters and eighths between the words transpose
/// these rows (Warren, Hacker's Delight, section 7-3). Each vector processes two blocks at once. The plane is processed
/// in tiles, so that reads and writes stay in the first-level cache.
enum PlaneTurn {
  /// The rows of a plane in memory. A negative stride steps from the last row to the first.
  struct Rows {
    let base: UnsafeMutableRawPointer
    let stride: Int

    init(_ plane: PlanarFrame.Plane, reversed: Bool) {
      base = reversed ? plane.base + (plane.height - 1) * plane.stride : plane.base
      stride = reversed ? -plane.stride : plane.stride
    }
  }

  /// - Parameters:
  ///   - source: The plane to read.
  ///   - target: The plane to write. It has the size of the source, with width and height swapped if
  ///     `orientation.swapsAxes` is true.
  ///   - orientation: The transformation.
  ///   - bytesPerSample: 1 or 2.
  static func turn(
    _ source: PlanarFrame.Plane, into target: PlanarFrame.Plane, by orientation: Orientation,
    bytesPerSample: Int
  ) {
    let m = orientation.matrix
    // Four loops cover all eight orientations, because source rows can be read backwards and target rows can be written
    // backwards.
    if orientation.swapsAxes {
      let from = Rows(source, reversed: m.c < 0)
      let to = Rows(target, reversed: m.b < 0)
      if bytesPerSample == 1 {
        transpose(from, to, width: source.width, height: source.height, as: UInt8.self)
      } else {
        transpose(from, to, width: source.width, height: source.height, as: UInt16.self)
      }
    } else {
      let from = Rows(source, reversed: m.d < 0)
      let to = Rows(target, reversed: false)
      for y in 0..<source.height {
        let row = UnsafeRawPointer(from.base + y * from.stride)
        let turned = to.base + y * to.stride
        if m.a > 0 {
          turned.copyMemory(from: row, byteCount: source.width * bytesPerSample)
        } else if bytesPerSample == 1 {
          reverse8(row, turned, count: source.width)
        } else {
          reverse16(row, turned, count: source.width)
        }
      }
    }
  }

  private static let tile = 64

  @inline(__always)
  private static func transpose<Sample: FixedWidthInteger & BitwiseCopyable>(
    _ from: Rows, _ to: Rows, width: Int, height: Int, as type: Sample.Type
  ) {
    let size = MemoryLayout<Sample>.size
    let blockWidth = 16 / size
    let blockHeight = 8 / size
    let wholeWidth = width - width % blockWidth
    let wholeHeight = height - height % blockHeight
    for tileX in stride(from: 0, to: wholeWidth, by: tile) {
      let endX = min(tileX &+ tile, wholeWidth)
      for tileY in stride(from: 0, to: wholeHeight, by: tile) {
        let endY = min(tileY &+ tile, wholeHeight)
        var x = tileX
        while x < endX {
          var y = tileY
          while y < endY {
            let block = from.base + (y &* from.stride &+ x &* size)
            let turned = to.base + (x &* to.stride &+ y &* size)
            if size == 1 {
              block8(block, from.stride, turned, to.stride)
            } else {
              block16(block, from.stride, turned, to.stride)
            }
            y &+= blockHeight
          }
          x &+= blockWidth
        }
      }
    }
    rest(from, to, x: wholeWidth..<width, y: 0..<height, as: type)
    rest(from, to, x: 0..<wholeWidth, y: wholeHeight..<height, as: type)
  }

  /// Rotates the remaining samples at the right and bottom edges, sample by sample.
  @inline(__always)
  private static func rest<Sample: FixedWidthInteger & BitwiseCopyable>(
    _ from: Rows, _ to: Rows, x columns: Range<Int>, y rows: Range<Int>, as type: Sample.Type
  ) {
    let size = MemoryLayout<Sample>.size
    for x in columns {
      for y in rows {
        let sample = (from.base + (y &* from.stride &+ x &* size)).loadUnaligned(as: Sample.self)
        (to.base + (x &* to.stride &+ y &* size)).storeBytes(of: sample, as: Sample.self)
      }
    }
  }

  private typealias Pair = SIMD2<UInt64>

  /// Swaps the upper part of each group of bits in `low` with the lower part of the corresponding group in `high`.
  @inline(__always)
  private static func exchange(_ low: inout Pair, _ high: inout Pair, _ shift: UInt64, _ mask: UInt64) {
    let difference = ((low &>> Pair(repeating: shift)) ^ high) & Pair(repeating: mask)
    high ^= difference
    low ^= difference &<< Pair(repeating: shift)
  }

  /// Converts 8 rows of 16 bytes to 16 rows of 8 bytes.
  @inline(__always)
  private static func block8(
    _ from: UnsafeMutableRawPointer, _ fromStride: Int, _ to: UnsafeMutableRawPointer, _ toStride: Int
  ) {
    var r0 = from.loadUnaligned(as: Pair.self)
    var r1 = (from + fromStride).loadUnaligned(as: Pair.self)
    var r2 = (from + 2 &* fromStride).loadUnaligned(as: Pair.self)
    var r3 = (from + 3 &* fromStride).loadUnaligned(as: Pair.self)
    var r4 = (from + 4 &* fromStride).loadUnaligned(as: Pair.self)
    var r5 = (from + 5 &* fromStride).loadUnaligned(as: Pair.self)
    var r6 = (from + 6 &* fromStride).loadUnaligned(as: Pair.self)
    var r7 = (from + 7 &* fromStride).loadUnaligned(as: Pair.self)
    let half: UInt64 = 0x0000_0000_FFFF_FFFF
    exchange(&r0, &r4, 32, half)
    exchange(&r1, &r5, 32, half)
    exchange(&r2, &r6, 32, half)
    exchange(&r3, &r7, 32, half)
    let quarter: UInt64 = 0x0000_FFFF_0000_FFFF
    exchange(&r0, &r2, 16, quarter)
    exchange(&r1, &r3, 16, quarter)
    exchange(&r4, &r6, 16, quarter)
    exchange(&r5, &r7, 16, quarter)
    let eighth: UInt64 = 0x00FF_00FF_00FF_00FF
    exchange(&r0, &r1, 8, eighth)
    exchange(&r2, &r3, 8, eighth)
    exchange(&r4, &r5, 8, eighth)
    exchange(&r6, &r7, 8, eighth)
    store(r0, to, 8 &* toStride)
    store(r1, to + toStride, 8 &* toStride)
    store(r2, to + 2 &* toStride, 8 &* toStride)
    store(r3, to + 3 &* toStride, 8 &* toStride)
    store(r4, to + 4 &* toStride, 8 &* toStride)
    store(r5, to + 5 &* toStride, 8 &* toStride)
    store(r6, to + 6 &* toStride, 8 &* toStride)
    store(r7, to + 7 &* toStride, 8 &* toStride)
  }

  /// Converts 4 rows of eight 16-bit samples to 8 rows of four samples.
  @inline(__always)
  private static func block16(
    _ from: UnsafeMutableRawPointer, _ fromStride: Int, _ to: UnsafeMutableRawPointer, _ toStride: Int
  ) {
    var r0 = from.loadUnaligned(as: Pair.self)
    var r1 = (from + fromStride).loadUnaligned(as: Pair.self)
    var r2 = (from + 2 &* fromStride).loadUnaligned(as: Pair.self)
    var r3 = (from + 3 &* fromStride).loadUnaligned(as: Pair.self)
    let half: UInt64 = 0x0000_0000_FFFF_FFFF
    exchange(&r0, &r2, 32, half)
    exchange(&r1, &r3, 32, half)
    let quarter: UInt64 = 0x0000_FFFF_0000_FFFF
    exchange(&r0, &r1, 16, quarter)
    exchange(&r2, &r3, 16, quarter)
    store(r0, to, 4 &* toStride)
    store(r1, to + toStride, 4 &* toStride)
    store(r2, to + 2 &* toStride, 4 &* toStride)
    store(r3, to + 3 &* toStride, 4 &* toStride)
  }

  @inline(__always)
  private static func store(_ pair: Pair, _ to: UnsafeMutableRawPointer, _ distance: Int) {
    to.storeBytes(of: pair[0], as: UInt64.self)
    (to + distance).storeBytes(of: pair[1], as: UInt64.self)
  }

  private static func reverse8(_ from: UnsafeRawPointer, _ to: UnsafeMutableRawPointer, count: Int) {
    var x = 0
    while x &+ 8 <= count {
      let word = (from + x).loadUnaligned(as: UInt64.self)
      (to + (count &- 8 &- x)).storeBytes(of: word.byteSwapped, as: UInt64.self)
      x &+= 8
    }
    while x < count {
      (to + (count &- 1 &- x)).storeBytes(of: (from + x).load(as: UInt8.self), as: UInt8.self)
      x &+= 1
    }
  }

  private static func reverse16(_ from: UnsafeRawPointer, _ to: UnsafeMutableRawPointer, count: Int) {
    var x = 0
    while x &+ 4 <= count {
      let word = (from + x &* 2).loadUnaligned(as: UInt64.self).byteSwapped
      // At this point the bytes are reversed along with the samples. Restore the byte order within each sample.
      let even: UInt64 = 0x00FF_00FF_00FF_00FF
      let samples = ((word &>> 8) & even) | ((word & even) &<< 8)
      (to + (count &- 4 &- x) &* 2).storeBytes(of: samples, as: UInt64.self)
      x &+= 4
    }
    while x < count {
      let sample = (from + x &* 2).loadUnaligned(as: UInt16.self)
      (to + (count &- 1 &- x) &* 2).storeBytes(of: sample, as: UInt16.self)
      x &+= 1
    }
  }
}
