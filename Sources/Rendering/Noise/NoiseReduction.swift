internal import CPixelKernels
import EditModel
import Synchronization

/// The first change of every picture: takes as much noise out of it as it has, in a photo by itself, in a movie with the
/// frames before along motion. `Parameter.description` has the formula.
package final class NoiseReduction: Sendable {
  /// Runs a body several times, told which one it is from 0, at the same time if it can, and waits for all of them.
  package typealias SideBySide = @Sendable (_ count: Int, _ body: @escaping @Sendable (Int) -> Void) -> Void

  private let amount: Float
  private let pieces: Int
  private let sideBySide: SideBySide
  private let movie: Mutex<MovieCleaning>

  /// Multiples of the deviation of noise below which a coefficient is noise, at the value 1.
  static let luma: Float = 3.5
  static let chroma: Float = 4.4

  /// - Parameters:
  ///   - edit: the edit.
  ///   - pieces: into how many pieces the work on a picture that stands alone is split; each gives the same samples.
  ///   - sideBySide: runs the pieces, and work on the planes of a movie's frame; here one after the other.
  /// - Returns: nil when it leaves noise alone.
  package init?(
    _ edit: Edit, pieces: Int = 1,
    sideBySide: @escaping SideBySide = { count, body in for index in 0..<count { body(index) } }
  ) {
    guard edit[.noiseReduction] > 0 else { return nil }
    amount = Float(edit[.noiseReduction])
    (self.pieces, self.sideBySide) = (max(1, pieces), sideBySide)
    movie = Mutex(MovieCleaning(amount: amount, sideBySide: sideBySide))
  }

  /// The variance of the noise that is taken out of a movie's luma, in 8-bit codes, as far as its frames were seen.
  package var movieNoise: Double { movie.withLock { Double($0.noise) } }

  /// Changes a picture in place.
  ///
  /// - Parameters:
  ///   - frame: the picture, in the codes of its source. Frames of a movie come in the order of showing.
  ///   - context: where it belongs.
  package func apply(to frame: PlanarFrame, _ context: FrameContext) {
    switch context.half {
    case .photo: clean(frame, PictureNoise(frame))
    case .movie: movie.withLock { $0.clean(frame) }
    }
  }

  /// Changes a picture that stands alone in place.
  ///
  /// - Parameters:
  ///   - frame: the picture, in the codes of its source.
  ///   - noise: that of the same picture.
  package func clean(_ frame: PlanarFrame, _ noise: PictureNoise) {
    let depth = frame.format.bitDepth
    guard noise.planes.contains(where: { $0.isWorthIt(depth: depth) }) else { return }
    let codes = ColorEncoding(frame.format.color, bitDepth: depth).codes
    // Pieces read what others change.
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

/// The noise of a picture that stands alone: what an edit's value has no part in.
package struct PictureNoise: Sendable {
  let levels: LevelCells
  let planes: [NoiseEstimate]

  /// Looks for the noise of a picture.
  ///
  /// - Parameter frame: the picture, in the codes of its source.
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
  /// The multiple of the deviation that a coefficient is weighed against.
  private static let weighed: Float = 2

  /// Takes the noise out of a plane alone: what may be noise is dropped first, then all is weighed by what is left.
  ///
  /// - Parameters:
  ///   - frame: where what comes out goes.
  ///   - index: the number of the plane in it.
  ///   - depth: bits of a sample.
  ///   - codes: the samples that are possible.
  ///   - multiple: the multiple of the deviation below which a coefficient is dropped.
  ///   - amount: the value of noise reduction.
  ///   - scales: squares of what deviations are multiplied with, by cells.
  ///   - pieces: rows are split into so many pieces of work.
  ///   - sideBySide: runs them.
  ///   - read: gives the rows that have the noise, which the frame may not be where there are several pieces.
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

  /// True if there is more noise than samples get by being rounded.
  ///
  /// - Parameter depth: bits of a sample.
  func isWorthIt(depth: Int) -> Bool {
    // The deviation of numbers that are anywhere within a code.
    (deviations.max() ?? 0) * Float(1 << (depth - 8)) > 0.2887
  }

  /// The factor of squares of deviations in each cell of a plane.
  func scales(_ levels: LevelCells, width: Int, height: Int) -> NumberRows<Float> {
    let (result, squares) = (OverlappedBlocks.cells(width: width, height: height), squaresByLevel)
    levels.forEach(inPlane: width, height) { result[$0][$1] = squares[min(max(Int($2), 0), 255)] }
    return result
  }
}
