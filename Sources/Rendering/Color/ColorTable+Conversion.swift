import Basics

extension ColorTable {
  /// The R′G′B′ range that Y′CbCr codes of any range can express.
  private static let shownLimits = -0.06...1.06

  /// Creates a table that converts colours to codes in another colour space.
  ///
  /// Colours outside the target space get codes slightly outside its R′G′B′ range. Viewers then clip these codes one
  /// channel at a time, as colour management does (relative colorimetric). Light of HDR pictures is reduced below white
  /// channel by channel; see `HDRShoulder`.
  ///
  /// - Parameters:
  ///   - color: The picture's colour description.
  ///   - profile: The picture's ICC profile, or nil if the picture has none. An unusable profile counts as sRGB.
  ///   - target: The colour description of the target, which must not be HDR.
  ///   - bitDepth: The number of bits per sample of both source and target.
  /// - Throws: ``MediaError`` if samples have more than 10 bits.
  package convenience init(
    from color: ColorDescription, profile: [UInt8]? = nil, to target: ColorDescription, bitDepth: Int
  ) throws {
    guard 8...10 ~= bitDepth else {
      throw MediaError("\(bitDepth) bits per sample are not supported", isUnsupported: true)
    }
    let space = profile.flatMap(ICCProfileReader.space)
    let source = ColorEncoding(color, bitDepth: bitDepth, profile: space)
    let isHDR = source.peak > 1
    let primaries = Primaries(colourPrimaries: color.primaries).toWorking
    let own = primaries.inverse ?? .identity
    self.init(
      from: source, to: ColorEncoding(target, bitDepth: bitDepth), bitDepth: bitDepth,
      limits: Self.shownLimits
    ) { light in
      guard isHDR else { return light }
      let channels = own * light
      return primaries
        * SIMD3(
          HDRShoulder.shown(channels.x), HDRShoulder.shown(channels.y), HDRShoulder.shown(channels.z))
    }
  }
}

extension ColorDescription {
  /// The Y′CbCr coding of JPEG with sRGB colours.
  package static let sRGBJPEG = ColorDescription(
    primaries: 1, transfer: 13, matrix: 5, isFullRange: true, chromaLocation: .center)
  /// BT.709 primaries, transfer function and matrix, which every movie player supports.
  package static let bt709 = ColorDescription(
    primaries: 1, transfer: 1, matrix: 1, isFullRange: false, chromaLocation: .left)
}

extension PlanarFrame {
  /// Returns the same samples with another colour description.
  package func described(as color: ColorDescription) -> PlanarFrame {
    var format = format
    format.color = color
    return PlanarFrame(format: format, rows: planes.map { ($0.base, $0.stride) }, owner: self)
  }
}
