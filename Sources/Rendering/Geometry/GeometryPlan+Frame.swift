import Basics
internal import CPixelKernels
import EditModel

extension GeometryPlan {
  /// The largest bit depth that can be interpolated.
  static let greatestDepth = 12

  /// A function that calls a closure a given number of times, passes the number of the current call, and returns after
  /// all calls have returned.
  package typealias Splitting = (_ count: Int, _ body: @escaping @Sendable (Int) -> Void) -> Void

  /// Crops and resamples a frame according to this plan.
  ///
  /// - Parameters:
  ///   - frame: A frame that shows the same scene as the plan's picture, with any size, chroma sampling and bit depth.
  ///   - move: The mapping from positions in the plan's picture to positions in the frame. Positions are measured from
  ///     the centre of the plan's picture, in its luma samples.
  ///   - pieces: The number of pieces into which the work is split.
  ///   - run: A function that runs the pieces, in parallel if possible.
  /// - Returns: A new frame with the plan's output size. If the frame's size differs from that of the plan's picture,
  ///   the output size is scaled in proportion.
  /// - Throws: ``MediaError`` if samples with more than 12 bits would have to be interpolated, or if the output is too
  ///   large.
  package func applied(
    to frame: PlanarFrame, moved move: Similarity = .identity, pieces: Int = 1,
    by run: Splitting = { count, body in for index in 0..<count { body(index) } }
  ) throws -> PlanarFrame {
    var format = frame.format
    (format.width, format.height) = outputSize(forWidth: format.width, height: format.height)
    guard let target = PlanarFrame(format: format) else {
      throw MediaError("the edited picture would be too large", isUnsupported: true)
    }
    if move == .identity, let copied, frame.format.width == picture.width,
      frame.format.height == picture.height,
      copied.x % (1 << format.sampling.horizontalShift) == 0,
      copied.y % (1 << format.sampling.verticalShift) == 0
    {
      target.copy(frame, from: (copied.x, copied.y))
      return target
    }
    guard format.bitDepth <= Self.greatestDepth else {
      throw MediaError("samples of \(format.bitDepth) bits are not supported", isUnsupported: true)
    }
    let places = (0..<format.sampling.planeCount).map {
      sources(ofPlane: $0, frame.format, format, moved: move)
    }
    let count = max(1, min(pieces, 64))
    let depth = format.bitDepth
    run(count) { piece in
      for (index, place) in places.enumerated() {
        let plane = target.planes[index]
        Self.resample(
          frame.planes[index], depth: depth, through: place, into: plane,
          rows: plane.height * piece / count..<plane.height * (piece + 1) / count)
      }
    }
    return target
  }

  /// Returns the mapping from columns and rows of the output plane to columns and rows of the source plane.
  private func sources(
    ofPlane plane: Int, _ source: FrameFormat, _ target: FrameFormat, moved move: Similarity
  ) -> PictureProjection {
    let (step, offset) = source.sampleGrid(ofPlane: plane)
    let output = PictureProjection(
      scale: step / SIMD2(Double(target.width), Double(target.height)),
      shift: offset / SIMD2(Double(target.width), Double(target.height)))
    let scale = SIMD2(
      Double(source.width) / Double(picture.width), Double(source.height) / Double(picture.height))
    let scene = picture.scene
    var samples = PictureProjection(
      scale: SIMD2(scene.z, scene.w) * scale / step,
      shift: (SIMD2(scene.x, scene.y) * scale - offset) / step)
    if move != .identity {
      let luma = PictureProjection(
        scale: SIMD2(scene.z, scene.w) * scale, shift: SIMD2(scene.x, scene.y) * scale)
      let middle = SIMD2(Double(source.width), Double(source.height)) / 2
      samples = luma.then(move.scaled(by: scale.x).projection(around: middle))
        .then(PictureProjection(scale: 1 / step, shift: -offset / step))
    }
    let whole = output.then(sources).then(samples)
    // The mapping is divided by its divisor at the first sample, so that this divisor becomes 1, as in affine mappings.
    return PictureProjection(x: whole.x / whole.w.z, y: whole.y / whole.w.z, w: whole.w / whole.w.z)
  }

  /// Interpolates rows of a plane.
  ///
  /// - Parameters:
  ///   - source: The plane to read.
  ///   - depth: The number of bits per sample, 8 to 12.
  ///   - places: The mapping from columns and rows of the target to columns and rows of the source. The divisor at the
  ///     first sample is 1.
  ///   - target: The plane to write.
  ///   - rows: The rows of the target to write.
  static func resample(
    _ source: PlanarFrame.Plane, depth: Int, through places: PictureProjection,
    into target: PlanarFrame.Plane,
    rows: Range<Int>
  ) {
    CubicKernel.weights.withUnsafeBufferPointer { weights in
      CubicKernel.wideWeights.withUnsafeBufferPointer { wide in
        var plane = resample_source()
        plane.samples = UnsafeRawPointer(source.base)
        (plane.stride, plane.width, plane.height) = (
          Int64(source.stride), Int64(source.width), Int64(source.height)
        )
        plane.depth = Int32(depth)
        plane.weights = weights.baseAddress
        plane.wide = wide.baseAddress
        plane.x = (places.x.x, places.x.y, places.x.z)
        plane.y = (places.y.x, places.y.y, places.y.z)
        plane.w = (places.w.x, places.w.y, places.w.z)
        for row in rows {
          resample_row(&plane, Int64(row), Int64(target.width), target.row(row))
        }
      }
    }
  }
}

extension FrameFormat {
  /// Returns the positions of a plane's samples in the picture: the distance between samples and the position of the
  /// first sample. Both are in luma samples, measured from the picture's top-left corner.
  func sampleGrid(ofPlane plane: Int) -> (step: SIMD2<Double>, offset: SIMD2<Double>) {
    guard plane > 0 else { return ([1, 1], [0.5, 0.5]) }
    let step = SIMD2(Double(1 << sampling.horizontalShift), Double(1 << sampling.verticalShift))
    let direction = (color.chromaLocation ?? .center).offset
    return (step, step / 2 + SIMD2(Double(direction.x), Double(direction.y)) * (step / 2 - 0.5))
  }
}
