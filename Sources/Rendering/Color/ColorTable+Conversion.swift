import Basics

extension ColorTable {
  /// The R′G′B′ that Y′CbCr of any range has codes for.
  private static let shownLimits = -0.06...1.06

  /// Makes the table that gives colours the codes of another colour space.
  ///
  /// Colours beyond the new space get codes a little beyond its R′G′B′, so that they are cut off where a picture is shown,
  /// one channel at a time, as colour management does (relative colorimetric). Light of HDR pictures is brought below white
  /// channel by channel: see `HDRShoulder`.
  ///
  /// - Parameters:
  ///   - color: what the picture says about its colours.
  ///   - profile: the picture's ICC profile; nil when it has none. One that cannot be used counts as sRGB.
  ///   - target: the new colours; not those of an HDR display.
  ///   - bitDepth: bits of a sample of both.
  /// - Throws: ``MediaError`` for more than 10 bits.
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
  /// Y′CbCr of JPEG for the colours of sRGB.
  package static let sRGBJPEG = ColorDescription(
    primaries: 1, transfer: 13, matrix: 5, isFullRange: true, chromaLocation: .center)
  /// BT.709 in everything, as every player of movies shows it.
  package static let bt709 = ColorDescription(
    primaries: 1, transfer: 1, matrix: 1, isFullRange: false, chromaLocation: .left)
}

extension PlanarFrame {
  /// The same samples, said to be of other colours.
  package func described(as color: ColorDescription) -> PlanarFrame {
    var format = format
    format.color = color
    return PlanarFrame(format: format, rows: planes.map { ($0.base, $0.stride) }, owner: self)
  }
}
