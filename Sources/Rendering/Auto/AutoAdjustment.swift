public import EditModel

/// Finds values of exposure, contrast, black point, warmth and tint that make a picture better.
///
/// For each of them there is a range of what counts as good. A picture within it is left alone, another is brought to
/// its near end and no further: so proposals are small, and a picture that was changed by them needs none.
public struct AutoAdjustment {
  /// The mean of encoded luminance where there is light at all; the dark of a night is meant.
  private static let goodMean = 0.36...0.6
  private static let exposures = -0.6...1.0
  /// Encoded luminance that counts as light, and the share of the picture that must have it.
  private static let light = 0.1
  private static let lightShare = 0.1
  /// The encoded luminance that one in a hundred samples is below.
  private static let goodBlack = 0.07
  private static let largestBlackPoint = 0.4
  /// The distance of the encoded luminances that three in a hundred are below and above.
  private static let goodSpread = 0.62
  private static let largestContrast = 0.35
  /// The mean of a and b in Oklab of what is nearly grey.
  private static let goodCast = 0.012
  private static let balances = -0.3...0.3
  /// Chroma above which nothing counts as nearly grey, and the share of the picture that must be.
  private static let greyChroma = 0.07
  private static let greyShare = 0.1
  /// A channel that is as good as clipped, and the most of the picture that may become so.
  private static let clipping = 0.006...0.99
  private static let mostClipped = 0.0055
  /// The greatest value of a slider that nobody sees.
  private static let least = 0.02

  private let colors: PictureColors
  private let peak: Double

  /// - Parameter colors: the picture.
  public init(_ colors: PictureColors) {
    self.colors = colors
    peak = colors.encoding?.peak ?? 1
  }

  /// The values; neutral ones for a picture without samples.
  public var proposal: AutoProposal {
    guard !colors.samples.isEmpty else { return AutoProposal() }
    var edit = Edit.identity
    (edit[.warmth], edit[.tint]) = balance
    edit[.exposure] = exposure(after: edit)
    edit[.blackPoint] = blackPoint(after: edit)
    edit[.contrast] = contrast(after: edit)
    edit = withoutClipping(edit)
    // Not worth the pixels of a picture.
    for parameter in edit.adjustments.changed where abs(edit[parameter]) < Self.least { edit[parameter] = 0 }
    return AutoProposal(edit)
  }

  // MARK: White balance

  private var balance: (warmth: Double, tint: Double) {
    let space = Oklab()
    var (a, b, sum, greys) = (0.0, 0.0, 0.0, 0)
    for color in colors.samples {
      let lab = space.lab(color)
      let square = (lab.y * lab.y + lab.z * lab.z) / (Self.greyChroma * Self.greyChroma)
      // Light greys say most about the light; what is clipped says nothing.
      guard square < 1, 0.3...0.97 ~= lab.x else { continue }
      let weight = (1 - square) * (1 - square) * lab.x * lab.x
      a += weight * lab.y
      b += weight * lab.z
      sum += weight
      greys += 1
    }
    guard sum > 0, Double(greys) > Self.greyShare * Double(colors.samples.count) else { return (0, 0) }
    let cast = SIMD2(a / sum, b / sum)
    let size = (cast * cast).sum().squareRoot()
    guard size > Self.goodCast else { return (0, 0) }
    let wanted = cast * (Self.goodCast / size - 1)
    // The change that the two sliders make to a middle grey.
    let byWarmth = Self.shift(.warmth, space)
    let byTint = Self.shift(.tint, space)
    let determinant = byWarmth.x * byTint.y - byWarmth.y * byTint.x
    guard abs(determinant) > 1e-9 else { return (0, 0) }
    let warmth = (wanted.x * byTint.y - wanted.y * byTint.x) / determinant
    let tint = (byWarmth.x * wanted.y - byWarmth.y * wanted.x) / determinant
    return (warmth.kept(Self.balances), tint.kept(Self.balances))
  }

  /// The change of a and b by 1 of a slider, found at a tenth.
  private static func shift(_ parameter: Parameter, _ space: Oklab) -> SIMD2<Double> {
    var edit = Edit.identity
    edit[parameter] = 0.1
    guard let adjustment = ColorAdjustment(edit, peak: 1) else { return SIMD2() }
    let lab = space.lab(adjustment.apply(SIMD3(repeating: 0.25)))
    return SIMD2(lab.y, lab.z) * 10
  }

  // MARK: Light

  private func exposure(after edit: Edit) -> Double {
    let before = luminance(edit)
    var lit = before.indices.filter { before[$0] > Self.light }
    if Double(lit.count) < Self.lightShare * Double(before.count) { lit = Array(before.indices) }
    func brightness(_ edit: Edit) -> Double {
      let values = luminance(edit)
      return lit.reduce(0) { $0 + values[$1] } / Double(lit.count)
    }
    let mean = brightness(edit)
    guard !Self.goodMean.contains(mean) else { return 0 }
    let wanted = mean.kept(Self.goodMean)
    return Self.solve(mean < wanted ? 0...Self.exposures.upperBound : Self.exposures.lowerBound...0) {
      var edit = edit
      edit[.exposure] = $0
      return brightness(edit) - wanted
    }
  }

  private func blackPoint(after edit: Edit) -> Double {
    guard Self.quantile(luminance(edit).sorted(), 0.01) > Self.goodBlack else { return 0 }
    return Self.solve(0...Self.largestBlackPoint) {
      var edit = edit
      edit[.blackPoint] = $0
      return Self.goodBlack - Self.quantile(luminance(edit).sorted(), 0.01)
    }
  }

  private func contrast(after edit: Edit) -> Double {
    func spread(_ edit: Edit) -> Double {
      let values = luminance(edit).sorted()
      return Self.quantile(values, 0.97) - Self.quantile(values, 0.03)
    }
    guard spread(edit) < Self.goodSpread else { return 0 }
    return Self.solve(0...Self.largestContrast) {
      var edit = edit
      edit[.contrast] = $0
      return spread(edit) - Self.goodSpread
    }
  }

  /// Less light, or then less of the white balance, until hardly anything is clipped that was not.
  private func withoutClipping(_ edit: Edit) -> Edit {
    guard let encoding = colors.encoding else { return edit }
    func isClipped(_ color: SIMD3<Double>) -> Bool {
      let encoded = encoding.encoded(color)
      return encoded.max() > Self.clipping.upperBound || encoded.min() < Self.clipping.lowerBound
    }
    let unclipped = colors.samples.filter { !isClipped($0) }
    func clipsTooMuch(_ edit: Edit) -> Bool {
      guard let adjustment = ColorAdjustment(edit, peak: peak) else { return false }
      let newly = unclipped.count { isClipped(adjustment.apply($0)) }
      return Double(newly) > Self.mostClipped * Double(colors.samples.count)
    }
    var edit = edit
    for group in [EditPart.light, .color] {
      guard clipsTooMuch(edit) else { break }
      let parameters = edit.adjustments.changed.filter { $0.description.group == group }
      // The largest share of it that clips little enough.
      var (kept, least, most) = (edit, 0.0, 1.0)
      for _ in 0..<8 {
        let share = (least + most) / 2
        var scaled = edit
        for parameter in parameters { scaled[parameter] *= share }
        if clipsTooMuch(scaled) {
          most = share
        } else {
          (kept, least) = (scaled, share)
        }
      }
      if least == 0 { for parameter in parameters { kept[parameter] = 0 } }
      edit = kept
    }
    return edit
  }

  // MARK: Numbers

  /// Encoded luminance after an edit.
  private func luminance(_ edit: Edit) -> [Double] {
    let adjustment = ColorAdjustment(edit, peak: peak)
    return colors.samples.map { color in
      let light = adjustment?.apply(color) ?? color
      return TransferFunction.sRGBEncoded(0.2627 * light.x + 0.6780 * light.y + 0.0593 * light.z)
    }
  }

  private static func quantile(_ sorted: [Double], _ share: Double) -> Double {
    sorted[Int(Double(sorted.count - 1) * share)]
  }

  /// Where a rising function is 0; the end of the range that is nearer to that where it is nowhere.
  private static func solve(_ range: ClosedRange<Double>, _ function: (Double) -> Double) -> Double {
    var (low, high) = (range.lowerBound, range.upperBound)
    for _ in 0..<9 {
      let middle = (low + high) / 2
      if function(middle) < 0 { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }
}

extension Double {
  fileprivate func kept(_ range: ClosedRange<Double>) -> Double {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}
