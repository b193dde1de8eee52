internal import CLCMS

/// Reads colour spaces from ICC profiles.
enum ICCProfileReader {
  /// The maximum size of a profile, far above that of profiles in photos.
  private static let largestProfile = 16 << 20
  private static let sampleCount = 4096

  /// - Parameter bytes: The bytes of the profile.
  /// - Returns: Nil if the profile is damaged, or if it describes neither R′G′B′ nor grey.
  static func space(_ bytes: [UInt8]) -> ColorEncoding.Space? {
    guard bytes.count <= largestProfile, let profile = Profile(bytes) else { return nil }
    switch cmsGetColorSpace(profile.handle) {
    case cmsSigRgbData:
      // Tables take precedence over curves and a matrix (ICC.1:2022 section 8.10.2).
      if cmsIsTag(profile.handle, cmsSigAToB0Tag) != 0 || cmsIsTag(profile.handle, cmsSigAToB1Tag) != 0 {
        return ProfileTransform(profile).map { .profile($0) }
      }
      guard let red = profile.curve(cmsSigRedTRCTag), let green = profile.curve(cmsSigGreenTRCTag),
        let blue = profile.curve(cmsSigBlueTRCTag), let r = profile.color(cmsSigRedColorantTag),
        let g = profile.color(cmsSigGreenColorantTag), let b = profile.color(cmsSigBlueColorantTag)
      else { return nil }
      // The white point of every profile is D50. The rows are scaled so that rounded numbers in the file do not tint
      // greys.
      let toWorking = (fromConnection * Matrix3(columns: r, g, b)).withUnitRowSums
      guard let fromWorking = toWorking.inverse else { return nil }
      return .matrix(red, green, blue, toWorking: toWorking, fromWorking: fromWorking)
    case cmsSigGrayData:
      guard let curve = profile.curve(cmsSigGrayTRCTag) else { return nil }
      let toWorking = Primaries.bt709.toWorking
      return .matrix(
        curve, curve, curve, toWorking: toWorking, fromWorking: toWorking.inverse ?? .identity)
    default: return nil
    }
  }

  /// The matrix from X, Y, Z in the profile connection space (white D50) to the working space.
  static let fromConnection =
    Primaries.xyzToWorking
    * ChromaticAdaptation.matrix(from: ChromaticAdaptation.d50, to: Primaries.d65.xyz)

  /// An open ICC profile. The profile is closed when this object is released.
  final class Profile {
    let handle: cmsHPROFILE

    init?(_ bytes: [UInt8]) {
      guard let handle = cmsOpenProfileFromMem(bytes, UInt32(bytes.count)) else { return nil }
      self.handle = handle
    }

    deinit {
      cmsCloseProfile(handle)
    }

    /// Returns the X, Y, Z values of a colourant.
    func color(_ tag: cmsTagSignature) -> SIMD3<Double>? {
      guard let color = cmsReadTag(handle, tag)?.assumingMemoryBound(to: cmsCIEXYZ.self).pointee else {
        return nil
      }
      let values = SIMD3(color.X, color.Y, color.Z)
      return (0..<3).allSatisfy { values[$0].isFinite && abs(values[$0]) < 4 } ? values : nil
    }

    /// Returns a tone curve of the profile. The sRGB curve, which most profiles contain, is recognised.
    func curve(_ tag: cmsTagSignature) -> TransferFunction? {
      guard let data = cmsReadTag(handle, tag) else { return nil }
      let curve = OpaquePointer(data)
      let step = 1 / Double(ICCProfileReader.sampleCount)
      let samples = (0...ICCProfileReader.sampleCount).map {
        Double(cmsEvalToneCurveFloat(curve, Float(Double($0) * step)))
      }
      let isSRGB = samples.enumerated().allSatisfy {
        abs($1 - TransferFunction.sRGBLinear(Double($0) * step)) < 1.0 / 4096
      }
      if isSRGB { return .sRGB }
      guard samples.allSatisfy({ (-0.1...1.1).contains($0) }) else { return nil }
      let gamma = cmsEstimateGamma(curve, 0.001)
      if gamma > 0.5, gamma < 4,
        samples.enumerated().allSatisfy({
          abs($1 - TransferFunction.gamma(gamma).linear(Double($0) * step)) < 1.0 / 4096
        })
      {
        return .gamma(gamma)
      }
      return SampledCurve(samples).map { .sampled($0) }
    }
  }
}

/// The colour conversion, in both directions, of a profile that consists of tables. The tables cover values from 0 to
/// 1.
///
/// For a value outside 0 to 1, the profile is applied to the nearest value inside. The remaining difference is
/// converted as sRGB and added.
final class ProfileTransform: @unchecked Sendable {
  // Only one thread at a time uses the transforms, while a table is built. Little CMS transforms without a cache have
  // no state.
  private let toXYZ: cmsHTRANSFORM
  private let fromXYZ: cmsHTRANSFORM
  private let profile: ICCProfileReader.Profile
  private let toWorking = ICCProfileReader.fromConnection
  private let fromWorking: Matrix3

  init?(_ profile: ICCProfileReader.Profile) {
    guard let xyz = cmsCreateXYZProfile() else { return nil }
    defer { cmsCloseProfile(xyz) }
    let flags = cmsUInt32Number(cmsFLAGS_NOCACHE)
    let intent = cmsUInt32Number(INTENT_RELATIVE_COLORIMETRIC)
    guard let inverse = toWorking.inverse,
      let to = cmsCreateTransform(
        profile.handle, ProfileTransform.doubles(PT_RGB), xyz, ProfileTransform.doubles(PT_XYZ), intent, flags
      )
    else { return nil }
    guard
      let from = cmsCreateTransform(
        xyz, ProfileTransform.doubles(PT_XYZ), profile.handle, ProfileTransform.doubles(PT_RGB), intent, flags
      )
    else {
      cmsDeleteTransform(to)
      return nil
    }
    (toXYZ, fromXYZ, self.profile, fromWorking) = (to, from, profile, inverse)
  }

  deinit {
    cmsDeleteTransform(toXYZ)
    cmsDeleteTransform(fromXYZ)
  }

  /// Returns the format code of the macro `TYPE_…_DBL`: three floating-point channels of eight bytes, a size that
  /// Little CMS encodes as 0.
  private static func doubles(_ space: Int32) -> cmsUInt32Number {
    1 << 22 | UInt32(space) << 16 | 3 << 3
  }

  /// Returns linear light in the working space.
  func linear(_ color: SIMD3<Double>) -> SIMD3<Double> {
    let inside = color.clamped(lowerBound: SIMD3(0, 0, 0), upperBound: SIMD3(1, 1, 1))
    let light = toWorking * Self.run(toXYZ, inside)
    guard inside != color else { return light }
    return light + TransferFunction.sRGBLinear(color) - TransferFunction.sRGBLinear(inside)
  }

  /// Returns encoded R′G′B′.
  func encoded(_ color: SIMD3<Double>) -> SIMD3<Double> {
    let result = Self.run(fromXYZ, fromWorking * color)
    // The profile clips colours that it cannot encode. The part that was clipped is added here.
    let missing = color - toWorking * Self.run(toXYZ, result)
    guard (0..<3).contains(where: { abs(missing[$0]) > 0.02 }) else { return result }
    return TransferFunction.sRGBEncoded(TransferFunction.sRGBLinear(result) + missing)
  }

  private static func run(_ transform: cmsHTRANSFORM, _ color: SIMD3<Double>) -> SIMD3<Double> {
    var source = (color.x, color.y, color.z)
    var target = (0.0, 0.0, 0.0)
    cmsDoTransform(transform, &source, &target, 1)
    // Floating-point tags can produce any number, including NaN.
    func bounded(_ value: Double) -> Double { value.isNaN ? 0 : min(max(value, -64), 64) }
    return SIMD3(bounded(target.0), bounded(target.1), bounded(target.2))
  }
}

/// Returns the version of Little CMS.
///
/// The corresponding C function is `cmsGetEncodedCMMversion`: 2140 is 2.14.
package func colorLibrary() -> String {
  let version = cmsGetEncodedCMMversion()
  return "\(version / 1000).\(version % 1000 / 10)" + (version % 10 == 0 ? "" : ".\(version % 10)")
}
