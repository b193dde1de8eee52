/// How many luma samples of a picture share one chroma sample.
package enum ChromaSampling: Hashable, Sendable, CaseIterable {
  /// Luma only, without chroma.
  case grey
  /// One chroma sample for every 2×2 luma samples.
  case yuv420
  /// One chroma sample for every 2×1 luma samples (half the horizontal resolution).
  case yuv422
  /// One chroma sample for every 1×2 luma samples (half the vertical resolution), which is 4:2:2 after a 90° rotation.
  case yuv440
  /// One chroma sample for every luma sample.
  case yuv444
  /// One chroma sample for every 4×1 luma samples.
  case yuv411
  /// One chroma sample for every 1×4 luma samples, which is 4:1:1 after a 90° rotation.
  case yuv441

  /// The base-2 logarithm of the number of luma columns that share a chroma sample.
  package var horizontalShift: Int {
    switch self {
    case .grey, .yuv444, .yuv440, .yuv441: 0
    case .yuv420, .yuv422: 1
    case .yuv411: 2
    }
  }

  /// The base-2 logarithm of the number of luma rows that share a chroma sample.
  package var verticalShift: Int {
    switch self {
    case .grey, .yuv444, .yuv422, .yuv411: 0
    case .yuv420, .yuv440: 1
    case .yuv441: 2
    }
  }

  /// The number of planes in a frame: 1 without chroma, otherwise 3.
  package var planeCount: Int { self == .grey ? 1 : 3 }

  /// The chroma sampling after the rows and columns of the picture have been swapped.
  package var transposed: ChromaSampling {
    switch self {
    case .yuv422: .yuv440
    case .yuv440: .yuv422
    case .yuv411: .yuv441
    case .yuv441: .yuv411
    default: self
    }
  }
}
