import Basics
internal import CFFmpeg
import Rendering

extension FrameHandle {
  /// Sets the colour description of frames that ``FrameConverter`` creates from RGB: full-range BT.601.
  func describeAsRecodedRGB() {
    pointer.pointee.colorspace = AVColorSpace(UInt32(clamping: ColorDescription.jpeg.matrix))
    pointer.pointee.color_range = AVCOL_RANGE_JPEG
  }
}

/// A converter from any pixel format to a format that encoders and players accept.
final class FrameConverter {
  private let target: AVPixelFormat
  private let isPhoto: Bool
  private var scaler: OpaquePointer?
  private var source: (width: Int32, height: Int32, format: Int32)?

  /// - Parameters:
  ///   - target: A planar Y′CbCr format.
  ///   - isPhoto: Whether the converted frame becomes a JPEG. If so, the frame keeps its size and gets full range and
  ///     the BT.601 matrix (ITU-T T.871).
  init(to target: AVPixelFormat, isPhoto: Bool = false) {
    self.target = target
    self.isPhoto = isPhoto
  }

  deinit {
    sws_freeContext(scaler)
  }

  /// Converts a frame to the target format. For movies, an odd width or height is reduced by one pixel, and the matrix,
  /// range and primaries are kept. RGB becomes full-range BT.601.
  ///
  /// - Parameters:
  ///   - frame: A decoded frame.
  ///   - size: The new size, or nil to keep the size of the frame.
  func converted(_ frame: FrameHandle, to size: (width: Int, height: Int)? = nil) throws -> FrameHandle {
    let fields = frame.pointer
    let mask: Int32 = isPhoto ? ~0 : ~1
    let even = (width: fields.pointee.width & mask, height: fields.pointee.height & mask)
    let width = size.map { Int32($0.width) } ?? even.width
    let height = size.map { Int32($0.height) } ?? even.height
    guard even.width > 0, even.height > 0,
      Int(even.width) * Int(even.height) <= LibAV.maximumSamples * (isPhoto ? 4 : 1)
    else {
      throw MediaError.unsupported("pictures of \(even.width)x\(even.height) are not supported")
    }
    let kind = (even.width, even.height, fields.pointee.format)
    if let source, source != kind {
      throw MediaError.unsupported("the video changes size or colours partway through")
    }
    if scaler == nil {
      let format = AVPixelFormat(rawValue: fields.pointee.format)
      scaler = sws_getContext(
        even.width, even.height, format, width, height, target, Int32(SWS_BICUBIC | SWS_ACCURATE_RND), nil,
        nil, nil)
      source = kind
      let isFull = fields.pointee.color_range == AVCOL_RANGE_JPEG
      let isRGB = PixelFormat.isRGB(format)
      let source = sws_getCoefficients(
        fields.pointee.colorspace == AVCOL_SPC_BT709
          ? SWS_CS_ITU709 : fields.pointee.colorspace == AVCOL_SPC_BT2020_NCL ? SWS_CS_BT2020 : SWS_CS_ITU601)
      let wanted = isPhoto || isRGB ? sws_getCoefficients(SWS_CS_ITU601) : source
      let isFullHere = isFull || isRGB
      // For movies, the matrix and range of Y′CbCr are kept, so the colour description in the frame remains correct.
      sws_setColorspaceDetails(
        scaler, source, isFullHere ? 1 : 0, wanted, isPhoto || isFullHere ? 1 : 0, 0, 1 << 16, 1 << 16)
    }
    guard let scaler else { throw MediaError.unsupported("the video's pixel format is not supported") }
    let output = try FrameHandle(width: width, height: height, format: target)
    guard av_frame_copy_props(output.pointer, fields) >= 0 else { throw MediaError.noMemory }
    if !isPhoto, PixelFormat.isRGB(AVPixelFormat(rawValue: fields.pointee.format)) {
      output.describeAsRecodedRGB()
    }
    let done = sws_scale(
      scaler, frame.bases.map { UnsafePointer($0) }, frame.strides, 0, even.height, output.bases,
      output.strides)
    guard done == height else { throw MediaError("the frames cannot be converted") }
    return output
  }
}
