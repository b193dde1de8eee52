import EditModel

extension PlanarFrame {
  /// The picture turned or mirrored.
  ///
  /// - Parameters:
  ///   - orientation: what to do.
  ///   - reusable: a frame to write to if its format is the one needed; its content is lost.
  /// - Returns: `reusable`, or a new frame. Never this one.
  public func turned(by orientation: Orientation, into reusable: PlanarFrame? = nil) -> PlanarFrame {
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
