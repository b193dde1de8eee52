internal import CFFmpeg
internal import Rendering

extension FrameHandle {
  /// The decoded picture, over the frame's own memory.
  ///
  /// - Returns: nil when its pixel format or its size is not handled.
  func picture() -> PlanarFrame? {
    let frame = pointer.pointee
    guard let layout = PixelFormat.layout(AVPixelFormat(rawValue: frame.format)) else { return nil }
    let format = FrameFormat(
      width: Int(frame.width), height: Int(frame.height), sampling: layout.sampling,
      bitDepth: layout.bitDepth, color: PixelFormat.color(frame))
    guard format.isValid else { return nil }
    var rows: [(base: UnsafeMutableRawPointer, stride: Int)] = []
    let data = [frame.data.0, frame.data.1, frame.data.2]
    let strides = [frame.linesize.0, frame.linesize.1, frame.linesize.2]
    for plane in 0..<layout.sampling.planeCount {
      let (width, _) = format.planeSize(plane)
      guard let base = data[plane], Int(strides[plane]) >= width * format.bytesPerSample else { return nil }
      rows.append((UnsafeMutableRawPointer(base), Int(strides[plane])))
    }
    return PlanarFrame(format: format, rows: rows, owner: self)
  }

  /// True if the decoder found the frame damaged.
  var isDamaged: Bool {
    pointer.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0 || pointer.pointee.decode_error_flags != 0
  }
}
