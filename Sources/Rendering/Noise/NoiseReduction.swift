internal import CPixelKernels
import EditModel
import Synchronization

/// Noise reduction, the first change to every picture. The amount of noise removed depends on how noisy the picture is.
/// In a photo, noise is removed from the photo alone; in a movie, the previous frames are included along their motion.
/// `Parameter.description` contains the formula.
package final class NoiseReduction: Sendable {
  /// A function that calls a closure a given number of times and waits for all calls. The calls run in parallel if
  /// possible. Each receives its number, starting at 0.
  package typealias SideBySide = @Sendable (_ count: Int, _ body: @escaping @Sendable (Int) -> Void) -> Void

  private let amount: Float
  private let pieces: Int
  private let sideBySide: SideBySide
  private let movie: Mutex<MovieCleaning>

  /// The thresholds below which a coefficient of luma or chroma counts as noise if the amount of noise reduction is 1,
  /// as multiples of the noise's standard deviation.
  static let luma: Float = 3.5
  static let chroma: Float = 4.4

  /// - Parameters:
  ///   - edit: The edit.
  ///   - pieces: The number of pieces into which the work on a single picture is split. This number does not affect the
  ///     result.
  ///   - sideBySide: A function that runs the pieces, and the work on the planes of a movie frame. The default function
  ///     runs everything sequentially.
  /// - Returns: Nil if the edit does not reduce noise.
  package init?(
    _ edit: Edit, pieces: Int = 1,
    sideBySide: @escaping SideBySide = { count, body in for index in 0..<count { body(index) } }
  ) {
    guard edit[.noiseReduction] > 0 else { return nil }
    amount = Float(edit[.noiseReduction])
    (self.pieces, self.sideBySide) = (max(1, pieces), sideBySide)
    movie = Mutex(MovieCleaning(amount: amount, sideBySide: sideBySide))
  }

  /// The variance of the noise that is removed from a movie's luma, in 8-bit codes. The value is based on the frames
  /// processed so far.
  package var movieNoise: Double { movie.withLock { Double($0.noise) } }

  /// Removes noise from a picture in place.
  ///
  /// - Parameters:
  ///   - frame: The picture, in the codes of its source. A movie's frames must be passed in display order.
  ///   - context: The position of the picture within the asset.
  package func apply(to frame: PlanarFrame, _ context: FrameContext) {
    switch context.half {
    case .photo: clean(frame, PictureNoise(frame))
    case .movie: movie.withLock { $0.clean(frame) }
    }
  }

  /// Removes noise from a single picture in place.
  ///
  /// - Parameters:
  ///   - frame: The picture, in the codes of its source.
  ///   - noise: The noise of this picture.
  package func clean(_ frame: PlanarFrame, _ noise: PictureNoise) {
    let depth = frame.format.bitDepth
    guard noise.planes.contains(where: { $0.isWorthIt(depth: depth) }) else { return }
    let codes = ColorEncoding(frame.format.color, bitDepth: depth).codes
    // A copy is needed, because each piece reads samples that other pieces change.
    let before = frame.turned(by: .identity)
    for (index, estimate) in noise.planes.enumerated() where estimate.isWorthIt(depth: depth) {
      let (width, height) = frame.format.planeSize(index)
      let multiple = amount * (index == 0 ? Self.luma : Self.chroma)
      let scales = estimate.scales(noise.levels, width: width, height: height)
      estimate.reduce(
        frame, index, depth: depth, codes: codes, multiple: multiple, amount: amount, scales: scales,
        pieces: pieces,
        by: sideBySide
      ) { block_load(before.planes[index].row($0), Int64(width), Int32(depth), $1) }
    }
  }
}

/// The noise of a single picture, which does not depend on the edit.
package struct PictureNoise: Sendable {
  let levels: LevelCells
  let planes: [NoiseEstimate]

  /// Estimates the noise of a picture.
  ///
  /// - Parameter frame: The picture, in the codes of its source.
  package init(_ frame: PlanarFrame) {
    let depth = Int32(frame.format.bitDepth)
    let levels = LevelCells(frame.planes[0], frame.format)
    self.levels = levels
    planes = frame.planes.map { plane in
      NoiseEstimate(width: plane.width, height: plane.height, levels: levels) {
        block_load(plane.row($0), Int64(plane.width), depth, $1)
      }
    }
  }
}

extension NoiseEstimate {
  /// The multiple of the standard deviation with which coefficients are compared to determine their weights.
  private static let weighed: Float = 2

  /// Removes the noise from a plane without using other frames. First drops coefficients that may be noise, then
  /// weights all original coefficients according to the result.
  ///
  /// - Parameters:
  ///   - frame: The frame to which the result is written.
  ///   - index: The index of the plane in the frame.
  ///   - depth: The number of bits per sample.
  ///   - codes: The range of valid codes.
  ///   - multiple: The threshold below which a coefficient is dropped, as a multiple of the standard deviation.
  ///   - amount: The amount of noise reduction.
  ///   - scales: The squared factors of the standard deviations, for each cell.
  ///   - pieces: The number of pieces into which the rows are split.
  ///   - sideBySide: A function that runs the pieces.
  ///   - read: A function that reads the noisy rows. If the work is split into several pieces, the function must not
  ///     read the rows of `frame`.
  func reduce(
    _ frame: PlanarFrame, _ index: Int, depth: Int, codes: ClosedRange<Int>, multiple: Float, amount: Float,
    scales: NumberRows<Float>, pieces: Int = 1, by sideBySide: NoiseReduction.SideBySide = { $1(0) },
    read: @escaping @Sendable (_ row: Int, _ numbers: UnsafeMutablePointer<Float>) -> Void
  ) {
    let (width, height) = frame.format.planeSize(index)
    let pilot = NumberRows<Float>(width: width, count: height)
    @Sendable func rows(_ piece: Int) -> Range<Int> {
      height * piece / pieces..<height * (piece + 1) / pieces
    }
    sideBySide(pieces) { [deviations] piece in
      OverlappedBlocks(width: width, height: height, step: 4).apply(
        .shrinking, deviations: deviations, multiple: multiple, scales: scales, rows: rows(piece), read: read,
        write: { pilot[$0].update(from: $1, count: width) })
    }
    sideBySide(pieces) { [deviations] piece in
      OverlappedBlocks(width: width, height: height, step: 2).apply(
        .weighing(by: pilot), deviations: deviations, multiple: amount * Self.weighed, scales: scales,
        rows: rows(piece), read: read
      ) { row, numbers in
        block_store(
          numbers, Int64(width), Int32(depth), Int32(codes.lowerBound), Int32(codes.upperBound),
          frame.planes[index].row(row))
      }
    }
  }

  /// Returns whether the noise exceeds the rounding error of samples.
  ///
  /// - Parameter depth: The number of bits per sample.
  func isWorthIt(depth: Int) -> Bool {
    // 0.2887 is the standard deviation of numbers that are distributed uniformly within one code.
    (deviations.max() ?? 0) * Float(1 << (depth - 8)) > 0.2887
  }

  /// Returns the squared factor of the standard deviation in each cell of a plane.
  func scales(_ levels: LevelCells, width: Int, height: Int) -> NumberRows<Float> {
    let (result, squares) = (OverlappedBlocks.cells(width: width, height: height), squaresByLevel)
    levels.forEach(inPlane: width, height) { result[$0][$1] = squares[min(max(Int($2), 0), 255)] }
    return result
  }
}
