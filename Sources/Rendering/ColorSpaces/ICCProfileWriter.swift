internal import CLCMS

/// Creates ICC profiles for colours that code points describe.
package enum ICCProfileWriter {
  /// Creates a profile. HDR colours get a curve that darkens reference white slightly and shows brighter light between
  /// this level and white.
  ///
  /// - Parameter color: The picture's colour description.
  /// - Returns: The profile, or nil for sRGB, which readers assume for pictures without a profile. The same colours
  ///   always produce the same bytes.
  package static func profile(of color: ColorDescription) -> [UInt8]? {
    let transfer = TransferFunction(transferCharacteristics: color.transfer)
    let name = names[color.primaries]
    guard name != nil || transfer != .sRGB else { return nil }
    return profile(
      named: (name ?? "Rec. 709") + suffix(transfer),
      primaries: name == nil ? .bt709 : Primaries(colourPrimaries: color.primaries), transfer: transfer)
  }

  /// The sRGB profile, for file formats that always contain a profile. Nil if memory runs out.
  package static var sRGB: [UInt8]? { profile(named: "sRGB", primaries: .bt709, transfer: .sRGB) }

  private static func profile(
    named name: String, primaries: Primaries, transfer: TransferFunction
  ) -> [UInt8]? {
    var white = cmsCIExyY(x: primaries.white.x, y: primaries.white.y, Y: 1)
    var corners = cmsCIExyYTRIPLE(
      Red: cmsCIExyY(x: primaries.red.x, y: primaries.red.y, Y: 1),
      Green: cmsCIExyY(x: primaries.green.x, y: primaries.green.y, Y: 1),
      Blue: cmsCIExyY(x: primaries.blue.x, y: primaries.blue.y, Y: 1))
    guard let curve = curve(transfer) else { return nil }
    defer { cmsFreeToneCurve(curve) }
    var curves: [OpaquePointer?] = [curve, curve, curve]
    guard let profile = cmsCreateRGBProfile(&white, &corners, &curves) else { return nil }
    defer { cmsCloseProfile(profile) }
    setName(name, of: profile)
    var count: UInt32 = 0
    guard cmsSaveProfileToMem(profile, nil, &count) != 0, count > 128 else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(count))
    guard cmsSaveProfileToMem(profile, &bytes, &count) != 0 else { return nil }
    // Bytes 24 to 35 contain the creation date (section 7.2.8). A fixed date makes equal edits produce equal files.
    bytes.replaceSubrange(24..<36, with: [0x07, 0xE8, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0])
    return bytes
  }

  private static func setName(_ name: String, of profile: cmsHPROFILE) {
    guard let text = cmsMLUalloc(nil, 1) else { return }
    defer { cmsMLUfree(text) }
    _ = cmsMLUsetASCII(text, "en", "US", name)
    _ = cmsWriteTag(profile, cmsSigProfileDescriptionTag, UnsafeRawPointer(text))
  }

  /// The names of the primaries for which profiles are created, by code point (ITU-T H.273 table 2). BT.709 is missing
  /// because sRGB has the same primaries.
  private static let names = [
    4: "NTSC 1953", 5: "BT.470 BG", 6: "SMPTE 170M", 7: "SMPTE 240M", 9: "Rec. 2020", 11: "DCI-P3",
    12: "Display P3", 22: "EBU 3213",
  ]

  /// Returns a suffix for the profile's name, which is empty for the sRGB curve.
  private static func suffix(_ transfer: TransferFunction) -> String {
    switch transfer {
    case .hlg, .pq: " HDR, shown as SDR"
    case .gamma(let exponent): ", gamma \(exponent)"
    case .sRGB, .sampled: ""
    }
  }

  /// Returns the curve of a transfer function. The sRGB curve (IEC 61966-2-1) is written as function type 3 of
  /// ICC.1:2022 section 10.18, because cameras use the sRGB curve with all primaries. Power functions and HDR functions
  /// have their own curves.
  private static func curve(_ transfer: TransferFunction) -> OpaquePointer? {
    switch transfer {
    case .hlg, .pq: toneCurve(transfer)
    case .gamma(let exponent): cmsBuildGamma(nil, exponent)
    case .sRGB, .sampled:
      cmsBuildParametricToneCurve(nil, 4, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
    }
  }

  /// Returns a curve that displays reference white, and light brighter than reference white, below white.
  private static func toneCurve(_ transfer: TransferFunction) -> OpaquePointer? {
    let samples = (0..<1024).map { index in
      UInt16((min(max(HDRShoulder.shown(transfer.linear(Double(index) / 1023)), 0), 1) * 65535).rounded())
    }
    return cmsBuildTabulatedToneCurve16(nil, UInt32(samples.count), samples)
  }
}
