internal import CFFmpeg
import Rendering

/// Converts between FFmpeg's pixel formats and this project's types.
enum PixelFormat {
  /// Returns the layout of a pixel format.
  ///
  /// - Returns: The layout, or nil for unsupported formats. A supported format is planar Y′CbCr or grey, in native byte
  ///   order, without alpha.
  static func layout(_ format: AVPixelFormat) -> (sampling: ChromaSampling, bitDepth: Int)? {
    guard let descriptor = av_pix_fmt_desc_get(format)?.pointee else { return nil }
    let refused =
      AV_PIX_FMT_FLAG_BE | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BITSTREAM
      | AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_ALPHA | AV_PIX_FMT_FLAG_FLOAT
    guard descriptor.flags & UInt64(refused) == 0 else { return nil }
    let depth = Int(descriptor.comp.0.depth)
    guard (8...16).contains(depth), descriptor.comp.0.shift == 0,
      Int(descriptor.comp.0.step) == (depth > 8 ? 2 : 1)
    else { return nil }
    switch descriptor.nb_components {
    case 1:
      return (.grey, depth)
    case 3:
      guard descriptor.flags & UInt64(AV_PIX_FMT_FLAG_PLANAR) != 0,
        descriptor.comp.1.plane == 1, descriptor.comp.2.plane == 2
      else { return nil }
      let shifts = (Int(descriptor.log2_chroma_w), Int(descriptor.log2_chroma_h))
      let sampling = ChromaSampling.allCases.first {
        $0 != .grey && ($0.horizontalShift, $0.verticalShift) == shifts
      }
      return sampling.map { ($0, depth) }
    default:
      return nil
    }
  }

  /// Returns whether the samples are red, green and blue values, or palette indices.
  static func isRGB(_ format: AVPixelFormat) -> Bool {
    let flags = av_pix_fmt_desc_get(format)?.pointee.flags ?? 0
    return flags & UInt64(AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL) != 0
  }

  /// Returns the pixel format that encoders accept for a layout.
  static func encoderFormat(_ sampling: ChromaSampling, bitDepth: Int) -> AVPixelFormat? {
    switch (sampling, bitDepth) {
    case (.yuv420, 8): AV_PIX_FMT_YUV420P
    case (.yuv422, 8): AV_PIX_FMT_YUV422P
    case (.yuv444, 8): AV_PIX_FMT_YUV444P
    case (.grey, 8): AV_PIX_FMT_GRAY8
    case (.yuv420, 10): AV_PIX_FMT_YUV420P10LE
    case (.yuv422, 10): AV_PIX_FMT_YUV422P10LE
    case (.yuv444, 10): AV_PIX_FMT_YUV444P10LE
    case (.grey, 10): AV_PIX_FMT_GRAY10LE
    default: nil
    }
  }

  /// Returns the chroma subsampling to use for encoding. Unsupported subsampling is replaced.
  ///
  /// H.264 and HEVC do not support 4:1:1 or 4:4:0. A 90° rotation of 4:2:2 results in 4:4:0. Pictures with unsupported
  /// subsampling become 4:2:0. 4:4:4 would keep every chroma sample, but hardly any phone can play 4:4:4.
  static func encodable(_ sampling: ChromaSampling) -> ChromaSampling {
    switch sampling {
    case .yuv440, .yuv411, .yuv441: .yuv420
    default: sampling
    }
  }

  /// Returns the colour description stated in a decoded frame.
  static func color(_ frame: AVFrame) -> ColorDescription {
    let isJPEG = [
      AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ440P, AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_YUVJ411P,
    ]
    .contains { $0.rawValue == frame.format }
    let range: Bool?
    switch frame.color_range {
    case AVCOL_RANGE_JPEG: range = true
    case AVCOL_RANGE_MPEG: range = false
    default: range = isJPEG ? true : nil
    }
    return ColorDescription(
      primaries: Int(frame.color_primaries.rawValue), transfer: Int(frame.color_trc.rawValue),
      matrix: Int(frame.colorspace.rawValue), isFullRange: range,
      // FFmpeg counts chroma locations from 1 and uses 0 for “unspecified”.
      chromaLocation: ChromaLocation(rawValue: Int(frame.chroma_location.rawValue) - 1))
  }
}
