import EditModel

extension PlanarFrame {
  /// The colours of the picture as looks see them: encoded with the primaries and the transfer function of sRGB, row after
  /// row. Colours that sRGB does not hold have values below 0 or above 1.
  ///
  /// - Parameter profile: the picture's ICC profile; nil when it has none. One that cannot be used counts as sRGB.
  package func lookColors(profile: [UInt8]?) -> [SIMD3<Double>] {
    let toSRGB = Primaries.bt709.toWorking.inverse ?? .identity
    let samples = RGBConversion(.linear, format: format, profile: profile).samples(of: self)
    return stride(from: 0, to: samples.count, by: 3).map { at in
      let light = SIMD3(Double(samples[at]), Double(samples[at + 1]), Double(samples[at + 2]))
      return TransferFunction.sRGBEncoded(toSRGB * light)
    }
  }
}
