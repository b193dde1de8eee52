/// The number of chroma samples that a picture has for its luma samples.
package enum ChromaSampling: Hashable, Sendable, CaseIterable {
  /// Luma only.
  case grey
  /// One chroma sample for 2x2 luma samples.
  case yuv420
  /// One chroma sample for 2x1 luma samples (half the columns).
  case yuv422
  /// One chroma sample for 1x2 luma samples (half the rows): 4:2:2 after a quarter turn.
  case yuv440
  /// One chroma sample for each luma sample.
  case yuv444
  /// One chroma sample for 4x1 luma samples.
  case yuv411
  /// One chroma sample for 1x4 luma samples: 4:1:1 after a quarter turn.
  case yuv441

  /// Base-two logarithm of the luma columns that share a chroma sample.
  package var horizontalShift: Int {
    switch self {
    case .grey, .yuv444, .yuv440, .yuv441: 0
    case .yuv420, .yuv422: 1
    case .yuv411: 2
    }
  }

  /// Base-two logarithm of the luma rows that share a chroma sample.
  package var verticalShift: Int {
    switch self {
    case .grey, .yuv444, .yuv422, .yuv411: 0
    case .yuv420, .yuv440: 1
    case .yuv441: 2
    }
  }

  /// The number of planes of a frame: 1 or 3.
  package var planeCount: Int { self == .grey ? 1 : 3 }

  /// The sampling of the picture with rows and columns exchanged.
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
