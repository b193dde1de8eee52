/// The encoding of a picture's colours, which converts between Y′CbCr codes and linear light in the working space.
struct ColorEncoding: Sendable {
  /// The conversion between encoded R′G′B′ and the working space.
  enum Space: Sendable {
    /// A curve for each channel, followed by a matrix.
    case matrix(
      TransferFunction, TransferFunction, TransferFunction, toWorking: Matrix3, fromWorking: Matrix3)
    /// A profile that consists of tables.
    case profile(ProfileTransform)
  }

  let space: Space
  /// The weights of red and blue in luma.
  let red: Double
  let blue: Double
  /// The code of black, the number of codes from black to white, and the number of codes for chroma from -0.5 to 0.5.
  /// The unit is 1/256 of the complete code range, so values look like 8-bit codes. The centre of chroma is 128.
  let black: Double
  let lumaRange: Double
  let chromaRange: Double
  /// Whether black and white are the lowest and the highest code. In limited range, codes below black and above white
  /// also exist.
  let isFullRange: Bool
  /// The range to which samples are clamped. The codes at the ends of limited range are reserved (ITU-R BT.709 section
  /// 5.3 and BT.2100 table 9).
  let codes: ClosedRange<Int>

  /// - Parameters:
  ///   - description: The picture's colour description. If it does not state a range, limited range is assumed.
  ///   - bitDepth: The number of bits per sample, 8 to 16.
  ///   - profile: The R′G′B′ space of the ICC profile, or nil to use the primaries and transfer function of the
  ///     description.
  init(_ description: ColorDescription, bitDepth: Int, profile: Space? = nil) {
    if let profile {
      space = profile
    } else {
      let transfer = TransferFunction(transferCharacteristics: description.transfer)
      let toWorking = Primaries(colourPrimaries: description.primaries).toWorking
      space = .matrix(
        transfer, transfer, transfer, toWorking: toWorking, fromWorking: toWorking.inverse ?? .identity)
    }
    (red, blue) = Self.weights(description)
    isFullRange = description.isFullRange ?? false
    let unit = 1 << (bitDepth - 8)
    codes = isFullRange ? 0...(256 * unit - 1) : unit...(255 * unit - 1)
    if isFullRange {
      // The largest code, 2^n - 1, is white.
      let range = Double(codes.upperBound) / Double(unit)
      (black, lumaRange, chromaRange) = (0, range, range)
    } else {
      (black, lumaRange, chromaRange) = (16, 219, 224)
    }
  }

  /// Returns Kr and Kb of ITU-T H.273 section 8.3. If no matrix is specified, the primaries determine the weights.
  private static func weights(_ description: ColorDescription) -> (red: Double, blue: Double) {
    switch description.matrix {
    case 1: (0.2126, 0.0722)
    case 4: (0.30, 0.11)
    case 5, 6: (0.299, 0.114)
    case 7: (0.212, 0.087)
    case 9, 10: (0.2627, 0.0593)
    default:
      switch description.primaries {
      case 9: (0.2627, 0.0593)
      case 5, 6: (0.299, 0.114)
      default: (0.2126, 0.0722)
      }
    }
  }

  /// The brightest linear light that can be encoded, as a multiple of reference white.
  var peak: Double {
    if case .matrix(let transfer, _, _, _, _) = space { transfer.peak } else { 1 }
  }

  /// Returns luma, Cb and Cr for encoded R′G′B′: Y′ from 0 to 1, Cb and Cr from -0.5 to 0.5.
  @inline(__always)
  func luma(_ color: SIMD3<Double>) -> SIMD3<Double> {
    let y = red * color.x + (1 - red - blue) * color.y + blue * color.z
    return [y, (color.z - y) / (2 * (1 - blue)), (color.x - y) / (2 * (1 - red))]
  }

  /// Returns encoded R′G′B′, as the inverse of ``luma(_:)``.
  @inline(__always)
  func primaries(_ luma: SIMD3<Double>) -> SIMD3<Double> {
    let r = luma.x + 2 * (1 - red) * luma.z
    let b = luma.x + 2 * (1 - blue) * luma.y
    return [r, (luma.x - red * r - blue * b) / (1 - red - blue), b]
  }

  /// Returns the linear light, in the working space, of encoded R′G′B′.
  @inline(__always)
  func linear(_ color: SIMD3<Double>) -> SIMD3<Double> {
    switch space {
    case .matrix(let r, let g, let b, let toWorking, _):
      toWorking * SIMD3(r.linear(color.x), g.linear(color.y), b.linear(color.z))
    case .profile(let profile): profile.linear(color)
    }
  }

  /// Returns the linear light of an encoded value, based on the curve of the green channel. In movies all three
  /// channels have the same curve.
  func transfer(_ value: Double) -> Double {
    if case .matrix(_, let curve, _, _, _) = space { curve.linear(value) } else { value }
  }

  /// The transfer function of luma: that of the green channel, or sRGB if a profile describes colours as tables.
  var lumaTransfer: TransferFunction {
    if case .matrix(_, let curve, _, _, _) = space { curve } else { .sRGB }
  }

  /// The matrix from the linear light of the channels to the working space.
  var matrixToWorking: Matrix3 {
    if case .matrix(_, _, _, let toWorking, _) = space { toWorking } else { .identity }
  }

  /// Returns encoded R′G′B′ for linear light in the working space.
  @inline(__always)
  func encoded(_ color: SIMD3<Double>) -> SIMD3<Double> {
    switch space {
    case .matrix(let r, let g, let b, _, let fromWorking):
      let c = fromWorking * color
      return SIMD3(r.encoded(c.x), g.encoded(c.y), b.encoded(c.z))
    case .profile(let profile): return profile.encoded(color)
    }
  }
}
