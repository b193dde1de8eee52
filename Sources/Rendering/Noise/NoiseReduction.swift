internal import CPixelKernels
public import EditModel
import Synchronization

/// The first change of every picture: takes as much noise out of it as it has, in a photo by itself, in a movie with the
/// frames before along motion. `Parameter.description` has the formula.
public final class NoiseReduction: Sendable {
  /// Runs a body several times, told which one it is from 0, at the same time if it can, and waits for all of them.
  public typealias SideBySide = @Sendable (_ count: Int, _ body: @escaping @Sendable (Int) -> Void) -> Void

  private let amount: Float
  private let movie: Mutex<MovieCleaning>

  /// Multiples of the deviation of noise below which a coefficient is noise, at the value 1.
  static let luma: Float = 3.5
  static let chroma: Float = 4.4

  /// - Parameters:
  ///   - edit: the edit.
  ///   - sideBySide: runs work on the planes of a movie's frame; here one after the other.
  /// - Returns: nil when it leaves noise alone.
  public init?(
    _ edit: Edit,
    sideBySide: @escaping SideBySide = { count, body in for index in 0..<count { body(index) } }
  ) {
    guard edit[.noiseReduction] > 0 else { return nil }
    amount = Float(edit[.noiseReduction])
    movie = Mutex(MovieCleaning(amount: amount, sideBySide: sideBySide))
  }

  /// The variance of the noise that is taken out of a movie's luma, in 8-bit codes, as far as its frames were seen.
  package var movieNoise: Double { movie.withLock { Double($0.noise) } }

  /// Changes a picture in place.
  ///
  /// - Parameters:
  ///   - frame: the picture, in the codes of its source. Frames of a movie come in the order of showing.
  ///   - context: where it belongs.
  public func apply(to frame: PlanarFrame, _ context: FrameContext) {
    switch context.kind {
    case .still: clean(frame)
    case .video: movie.withLock { $0.clean(frame) }
    }
  }

  /// Changes a picture that stands alone.
  private func clean(_ frame: PlanarFrame) {
    guard let luma = frame.planes.first else { return }
    let depth = frame.format.bitDepth
    let levels = LevelCells(luma, frame.format)
    let codes = ColorEncoding(frame.format.color, bitDepth: depth).codes
    for (index, plane) in frame.planes.enumerated() {
      let read: OverlappedBlocks.Read = { block_load(plane.row($0), Int64(plane.width), Int32(depth), $1) }
      let estimate = NoiseEstimate(width: plane.width, height: plane.height, levels: levels, read: read)
      let multiple = amount * (index == 0 ? Self.luma : Self.chroma)
      guard estimate.isWorthIt(depth: depth) else { continue }
      let scales = estimate.scales(levels, width: plane.width, height: plane.height)
      estimate.reduce(
        plane, depth: depth, codes: codes, multiple: multiple, amount: amount, scales: scales, read: read)
    }
  }
}

extension NoiseEstimate {
  /// The multiple of the deviation that a coefficient is weighed against.
  private static let weighed: Float = 2

  /// Takes the noise out of a plane alone: what may be noise is dropped first, then all is weighed by what is left.
  ///
  /// - Parameters:
  ///   - plane: where what comes out goes.
  ///   - depth: bits of a sample.
  ///   - codes: the samples that are possible.
  ///   - multiple: the multiple of the deviation below which a coefficient is dropped.
  ///   - amount: the value of noise reduction.
  ///   - scales: squares of what deviations are multiplied with, by cells.
  ///   - read: gives the rows that have the noise.
  func reduce(
    _ plane: PlanarFrame.Plane, depth: Int, codes: ClosedRange<Int>, multiple: Float, amount: Float,
    scales: NumberRows<Float>, read: OverlappedBlocks.Read
  ) {
    let pilot = NumberRows<Float>(width: plane.width, count: plane.height)
    OverlappedBlocks(width: plane.width, height: plane.height, step: 4).apply(
      .shrinking, deviations: deviations, multiple: multiple, scales: scales, read: read,
      write: { pilot[$0].update(from: $1, count: plane.width) })
    OverlappedBlocks(width: plane.width, height: plane.height, step: 2).apply(
      .weighing(by: pilot), deviations: deviations, multiple: amount * Self.weighed, scales: scales,
      read: read
    ) { row, numbers in
      block_store(
        numbers, Int64(plane.width), Int32(depth), Int32(codes.lowerBound), Int32(codes.upperBound),
        plane.row(row))
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
