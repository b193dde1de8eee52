import EditModel

extension PlanarFrame {
  /// Returns the picture's colours as used by looks: encoded with sRGB primaries and transfer function, row after row.
  /// Colours outside sRGB have values below 0 or above 1.
  ///
  /// - Parameter profile: The picture's ICC profile, or nil if the picture has none. An unusable profile counts as
  ///   sRGB.
  package func lookColors(profile: [UInt8]?) -> [SIMD3<Double>] {
    let toSRGB = Primaries.bt709.toWorking.inverse ?? .identity
    let samples = RGBConversion(.linear, format: format, profile: profile).samples(of: self)
    return stride(from: 0, to: samples.count, by: 3).map { at in
      let light = SIMD3(Double(samples[at]), Double(samples[at + 1]), Double(samples[at + 2]))
      return TransferFunction.sRGBEncoded(toSRGB * light)
    }
  }
}
