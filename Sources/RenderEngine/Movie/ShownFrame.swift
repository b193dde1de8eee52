import Basics
import EditModel
import LivePhotoFormat
import Rendering

extension PlanarFrame {
  /// Returns the part of a movie's stored frame that players show, before rotation: the clean aperture, reduced to
  /// square pixels.
  ///
  /// - Throws: ``EditError`` if the shown part is too small; ``MediaError`` if the frame cannot be scaled.
  func shown(in layout: FrameLayout) throws -> PlanarFrame {
    var frame = self
    if let clap = layout.cleanAperture {
      let size = SIMD2(Double(format.width), Double(format.height))
      let part = SIMD2(clap.width, clap.height)
      let start = (size - part) / 2 + SIMD2(clap.horizontalOffset, clap.verticalOffset)
      frame = try frame.part([start.x, start.y, part.x, part.y], needsEvenSize: true)
    }
    let aspect = layout.pixelAspect
    guard aspect != 1, 0.1...10 ~= aspect else { return frame }
    let width = Int((Double(frame.format.width) * min(aspect, 1) / 2).rounded()) * 2
    let height = Int((Double(frame.format.height) / max(aspect, 1) / 2).rounded()) * 2
    let square = PixelSize(width: max(width, 2), height: max(height, 2))
    guard
      let scaled = frame.scaled(
        to: square, sampling: frame.format.sampling, bitDepth: frame.format.bitDepth)
    else { throw MediaError("the frames cannot be scaled to \(square.width)x\(square.height)") }
    return scaled
  }
}
