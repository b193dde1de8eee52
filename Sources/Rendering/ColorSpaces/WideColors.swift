import EditModel

/// The wider colour space of a photo whose edit produces colours that the photo's own profile cannot express.
package enum WideColors {
  /// Returns a photo's new ICC profile after an edit. If all colours of the photo lie within Display P3 and a look
  /// produces colours outside sRGB, the new profile is Display P3.
  ///
  /// - Parameters:
  ///   - edit: The edit.
  ///   - color: The picture's colour description.
  ///   - profile: The picture's ICC profile, or nil if the picture has none. An unusable profile counts as sRGB.
  /// - Returns: The new profile, or nil if the photo keeps its profile.
  package static func profile(after edit: Edit, of color: ColorDescription, profile: [UInt8]?) -> [UInt8]? {
    guard edit.look?.isWide ?? false, areNarrow(color, profile: profile) else { return nil }
    return ICCProfileWriter.profile(of: ColorDescription(primaries: 12, transfer: 13))
  }

  /// Returns whether Display P3 contains a colour space and is larger.
  ///
  /// - Parameters:
  ///   - color: The picture's colour description.
  ///   - profile: The picture's ICC profile, or nil if the picture has none. An unusable profile counts as sRGB.
  package static func areNarrow(_ color: ColorDescription, profile: [UInt8]?) -> Bool {
    let encoding = ColorEncoding(color, bitDepth: 8, profile: profile.flatMap(ICCProfileReader.space))
    guard case .matrix(_, _, _, let toWorking, _) = encoding.space, encoding.peak == 1,
      let toP3 = Primaries.p3.toWorking.inverse
    else { return false }
    let corners = [SIMD3<Double>(1, 0, 0), [0, 1, 0], [0, 0, 1]].map { toP3 * (toWorking * $0) }
    return corners.allSatisfy { $0.min() > -0.002 } && zip(corners, 0..<3).contains { $0[$1] < 0.98 }
  }
}
