import EditModel

/// The colours of photos whose edits lead beyond those that they can hold.
package enum WideColors {
  /// The ICC profile of a photo after an edit, where it is another one: a photo whose colours all lie within Display P3 is of
  /// Display P3 after a look that leads beyond sRGB.
  ///
  /// - Parameters:
  ///   - edit: the edit.
  ///   - color: what the picture says about its colours.
  ///   - profile: the picture's ICC profile; nil when it has none. One that cannot be used counts as sRGB.
  /// - Returns: nil where the photo keeps its own colours.
  package static func profile(after edit: Edit, of color: ColorDescription, profile: [UInt8]?) -> [UInt8]? {
    guard edit.look?.isWide ?? false, areNarrow(color, profile: profile) else { return nil }
    return ICCProfileWriter.profile(of: ColorDescription(primaries: 12, transfer: 13))
  }

  /// True if colours lie within Display P3, which has more of them.
  ///
  /// - Parameters:
  ///   - color: what the picture says about its colours.
  ///   - profile: its ICC profile; nil when it has none. One that cannot be used counts as sRGB.
  package static func areNarrow(_ color: ColorDescription, profile: [UInt8]?) -> Bool {
    let encoding = ColorEncoding(color, bitDepth: 8, profile: profile.flatMap(ICCProfileReader.space))
    guard case .matrix(_, _, _, let toWorking, _) = encoding.space, encoding.peak == 1,
      let toP3 = Primaries.p3.toWorking.inverse
    else { return false }
    let corners = [SIMD3<Double>(1, 0, 0), [0, 1, 0], [0, 0, 1]].map { toP3 * (toWorking * $0) }
    return corners.allSatisfy { $0.min() > -0.002 } && zip(corners, 0..<3).contains { $0[$1] < 0.98 }
  }
}
