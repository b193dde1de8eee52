import EditModel

/// The colours of a photo or movie, and the colours of the small picture or movie that represents it on a web page.
package struct PreviewColors: Hashable, Sendable {
  private let color: ColorDescription
  private let profile: [UInt8]?
  /// Whether the picture has no chroma.
  private let isGrey: Bool
  /// Whether this is a movie. The small version of a movie is always converted to BT.709.
  private let isConverted: Bool

  /// Creates the colours of a photo. The photo's small picture uses the same colour space.
  ///
  /// - Parameters:
  ///   - color: The picture's colour description.
  ///   - profile: The picture's ICC profile, or nil if the picture has none. An unusable profile counts as sRGB.
  ///   - isGrey: Whether the picture has no chroma.
  package init(photo color: ColorDescription, profile: [UInt8]?, isGrey: Bool) {
    (self.color, self.profile, self.isGrey, isConverted) = (color, profile, isGrey, false)
  }

  /// Creates the colours of a movie.
  ///
  /// - Parameter color: The colour description of the movie's frames.
  package init(movie color: ColorDescription) {
    (self.color, profile, isGrey, isConverted) = (color, nil, false, true)
  }

  /// The conversion from the colours of the small picture to the colours of a screen. The edit is applied in between.
  struct Way: Sendable {
    /// The encoding to which the edit is applied.
    let source: ColorEncoding
    /// The encoding of the edited picture.
    let result: ColorEncoding
    private let small: ColorEncoding
    private let screen: ColorEncoding
    private let isGrey: Bool
    /// The matrices from and to the working space for the channels of an HDR movie. Each channel's light was reduced
    /// below white.
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

    /// Returns the light of the source for an encoded R′G′B′ colour of the small picture.
    @inline(__always)
    func light(_ color: SIMD3<Double>) -> SIMD3<Double> {
      let light = small.linear(color)
      guard let channels, small.peak == 1 else { return light }
      let own = channels.from * light
      return channels.to
        * SIMD3(HDRShoulder.light(own.x), HDRShoulder.light(own.y), HDRShoulder.light(own.z))
    }

    /// Returns the encoded R′G′B′ colour of the screen for the light of the source.
    @inline(__always)
    func shown(_ light: SIMD3<Double>) -> SIMD3<Double> {
      var light = light
      if isGrey {
        // Grey pictures store luma only, regardless of the edit's colour changes.
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
