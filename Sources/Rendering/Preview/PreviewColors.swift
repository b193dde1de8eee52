import EditModel

/// The colours of a photo, or of a movie, and those of the small picture or movie that a page has of it.
package struct PreviewColors: Hashable, Sendable {
  private let color: ColorDescription
  private let profile: [UInt8]?
  /// True for a picture without chroma.
  private let isGrey: Bool
  /// True for a movie, whose small one is in BT.709 whatever its own colours are.
  private let isConverted: Bool

  /// The colours of a photo; the small picture has the same.
  ///
  /// - Parameters:
  ///   - color: what the picture says about them.
  ///   - profile: its ICC profile; nil when it has none. One that cannot be used counts as sRGB.
  ///   - isGrey: whether it has no chroma.
  package init(photo color: ColorDescription, profile: [UInt8]?, isGrey: Bool) {
    (self.color, self.profile, self.isGrey, isConverted) = (color, profile, isGrey, false)
  }

  /// The colours of a movie.
  ///
  /// - Parameter color: what its frames say about them.
  package init(movie color: ColorDescription) {
    (self.color, profile, isGrey, isConverted) = (color, nil, false, true)
  }

  /// The way between the colours of the small picture and those of a screen, with an edit between them.
  struct Way: Sendable {
    /// The encoding that the edit works on.
    let source: ColorEncoding
    /// The encoding of the picture after it.
    let result: ColorEncoding
    private let small: ColorEncoding
    private let screen: ColorEncoding
    private let isGrey: Bool
    /// The channels of an HDR movie, whose light was brought below white: to and from the working space.
    private let channels: (from: Matrix3, to: Matrix3)?

    init(_ colors: PreviewColors, after edit: Edit, screen: PreviewRequest.Colors) {
      source = ColorEncoding(
        colors.color, bitDepth: 8, profile: colors.profile.flatMap(ICCProfileReader.space))
      let wide =
        colors.isConverted || colors.isGrey
        ? nil : WideColors.profile(after: edit, of: colors.color, profile: colors.profile)
      result =
        wide.flatMap(ICCProfileReader.space).map { ColorEncoding(colors.color, bitDepth: 8, profile: $0) }
        ?? source
      small = colors.isConverted ? ColorEncoding(.bt709, bitDepth: 8) : source
      self.screen = ColorEncoding(
        ColorDescription(primaries: screen == .p3 ? 12 : 1, transfer: 13, matrix: 5, isFullRange: true),
        bitDepth: 8)
      isGrey = colors.isGrey
      let primaries = Primaries(colourPrimaries: colors.color.primaries).toWorking
      channels = source.peak > 1 ? (primaries.inverse ?? .identity, primaries) : nil
    }

    /// The light of the source that encoded R′G′B′ of the small picture stand for.
    @inline(__always)
    func light(_ color: SIMD3<Double>) -> SIMD3<Double> {
      let light = small.linear(color)
      guard let channels, small.peak == 1 else { return light }
      let own = channels.from * light
      return channels.to
        * SIMD3(HDRShoulder.light(own.x), HDRShoulder.light(own.y), HDRShoulder.light(own.z))
    }

    /// Encoded R′G′B′ of the screen of light of the source.
    @inline(__always)
    func shown(_ light: SIMD3<Double>) -> SIMD3<Double> {
      var light = light
      if isGrey {
        // Codes of grey pictures are luma, whatever an edit does to colours.
        let luma = source.luma(source.encoded(light)).x
        light = source.linear(SIMD3(luma, luma, luma))
      }
      if let channels {
        let own = channels.from * light
        light =
          channels.to
          * SIMD3(HDRShoulder.shown(own.x), HDRShoulder.shown(own.y), HDRShoulder.shown(own.z))
      }
      return screen.encoded(light)
    }
  }
}
