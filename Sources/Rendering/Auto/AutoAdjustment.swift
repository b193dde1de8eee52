import EditModel
import Glibc

/// Finds light and white balance values that improve a picture.
///
/// White balance comes first; see ``CastEstimate``. Then exposure and levels move the nearly black and nearly white
/// tones to their usual values in well-exposed pictures, which corrects both underexposure and low contrast. Finally,
/// mid-tones become darker if much of the picture is clipped, and lighter if dark areas contain detail. If a picture
/// has both large dark areas and large bright areas, shadows are opened and highlights are held back locally. For each
/// measured value, a range counts as good and is left alone. Outside this range the correction increases gradually.
package struct AutoAdjustment {
  /// The fraction of pixels whose brightest channel exceeds the white threshold.
  private static let whiteShare = 0.003
  /// The range of encoded white values in which the correction fades out. A white above this range is left alone. A
  /// white below this range is raised to the target.
  private static let white = 0.74...0.87
  private static let whiteTarget = 0.97
  /// The fraction of pixels whose darkest channel is below the black threshold.
  private static let blackShare = 0.005
  /// The range of black levels, as fractions of white, in which the correction sets in. A black level below this range
  /// is left alone. A black level above this range is lowered nearly to black.
  private static let black = 0.08...0.17
  private static let blackWay = 0.97
  /// The maximum exposure, in EV. A higher exposure would mainly amplify noise.
  private static let mostExposure = 2.5

  /// The range of the mean encoded luminance above which a picture is darkened. The lower bound applies if much of the
  /// picture is clipped, the upper bound if nothing is clipped.
  private static let brightMean = 0.43...0.76
  /// The range of the clipped fraction of the picture, from a few light sources to overexposure.
  private static let clipped = 0.002...0.012
  private static let clipping = 0.985
  private static let nearlyClipped = 0.9..<clipping
  /// The mean encoded luminance below which mid-tones are lightened. Night scenes, whose median is below `nightMedian`,
  /// are excluded.
  private static let darkMean = 0.34
  private static let nightMedian = 0.12...0.22
  /// How far darkening and lightening move the mean towards its target, as fractions of the distance.
  private static let (darkening, lightening) = (0.8, 0.6)

  /// The range of encoded luminance that counts as shadows with detail. Anything darker is black or part of a
  /// silhouette.
  private static let shadow = 0.06..<0.22
  /// The encoded luminance above which an area counts as light.
  private static let light = 0.5
  /// The range of encoded luminance that counts as highlights with detail.
  private static let highlight = 0.85..<clipping
  /// The fractions of the picture at which shadows, light areas and highlights begin to count as large, and from which
  /// they fully count.
  private static let (manyShadows, muchLight, manyHighlights) = (0.15...0.4, 0.2...0.45, 0.1...0.32)
  /// Two ranges: the fraction of dark pixels that are black in pictures with silhouettes, and the median of pictures
  /// that are meant to be bright.
  private static let (silhouette, brightMedian) = (0.3...0.7, 0.6...0.75)
  /// The maximum amounts for opening shadows and holding back highlights.
  private static let (opening, holding) = (0.5, 0.4)

  /// The largest change of a slider that has no visible effect.
  private static let least = 0.015
  /// The largest change of a local slider that has no visible effect.
  private static let leastOfAreas = 0.05

  private let colors: PictureColors

  /// - Parameter colors: The colours of the picture.
  package init(_ colors: PictureColors) { self.colors = colors }

  /// The proposed values, which are neutral for a picture without samples.
  package var proposal: AutoProposal {
    guard !colors.primaries.isEmpty else { return AutoProposal() }
    var edit = Edit.identity
    CastEstimate(colors).correct(&edit)
    setEnds(&edit)
    setMidtone(&edit)
    setAreas(&edit)
    // Reset values whose effect would be too small to see.
    for parameter in edit.adjustments.changed
    where abs(edit[parameter] - parameter.description.neutral) < Self.least {
      edit[parameter] = parameter.description.neutral
    }
    return AutoProposal(edit)
  }

  /// Sets exposure and levels so that the black and white of the picture match those of well-exposed pictures.
  private func setEnds(_ edit: inout Edit) {
    let matrix = WhiteBalance(edit)?.matrix
    let toSRGB = Primaries.bt709.toWorking.inverse ?? .identity
    let encoded = colors.primaries.enumerated().map { index, color in
      TransferFunction.sRGBEncoded(matrix.map { toSRGB * ($0 * colors.samples[index]) } ?? color)
    }
    let white = Self.quantile(encoded.map { $0.max() }, 1 - Self.whiteShare)
    let black = Self.quantile(encoded.map { $0.min() }, Self.blackShare)
    guard white > 0.02, black < white else { return }
    let newBlack = max(black, 0) * Self.blackWay * Self.way(of: black / white, through: Self.black)
    var target = white
    if white < Self.white.upperBound {
      target += (Self.whiteTarget - white) * (1 - Self.way(of: white, through: Self.white))
    }
    // The value that becomes white. Unlike the exposure slider, levels have no shoulder that makes highlights dull.
    // Exposure therefore corrects only what levels cannot.
    let newWhite = newBlack + (white - newBlack) / target
    let least = Parameter.levelsWhite.description.range.lowerBound
    if newWhite < least {
      let exposure = log2(TransferFunction.sRGBLinear(least) / TransferFunction.sRGBLinear(newWhite))
      edit[.exposure] = min(exposure, Self.mostExposure)
    }
    let gain = PowerOfTwo.value(edit[.exposure])
    func exposed(_ value: Double) -> Double {
      TransferFunction.sRGBEncoded(gain * TransferFunction.sRGBLinear(value))
    }
    edit[.levelsBlack] = exposed(newBlack).kept(Parameter.levelsBlack.description.range)
    edit[.levelsWhite] = exposed(newWhite).kept(Parameter.levelsWhite.description.range)
  }

  /// Sets the midpoint between black and white.
  private func setMidtone(_ edit: inout Edit) {
    let values = luminances(edit)
    let mean = values.reduce(0, +) / Double(values.count)
    let much = Self.way(of: clippedShare, through: Self.clipped)
    let most = Self.brightMean.upperBound - much * (Self.brightMean.upperBound - Self.brightMean.lowerBound)
    var wanted = mean
    if mean > most {
      wanted -= Self.darkening * (mean - most)
    } else if mean < Self.darkMean {
      let isDay = Self.way(of: Self.quantile(values, 0.5), through: Self.nightMedian)
      wanted += Self.lightening * (Self.darkMean - mean) * isDay
    }
    guard abs(wanted - mean) > 0.004 else { return }
    var (low, high) = (-1.0, 1.0)
    for _ in 0..<12 {
      let middle = (low + high) / 2
      let factor = PowerOfTwo.value(-middle)
      let reached = values.reduce(0) { $0 + $1 / ($1 + (1 - $1) * factor) } / Double(values.count)
      if reached < wanted { low = middle } else { high = middle }
    }
    edit[.levelsMidtone] = (low + high) / 2
  }

  /// The fraction of the picture that is clipped to white: the height of the peak at the end of the histogram above the
  /// level of the nearly white tones.
  ///
  /// The second-brightest channel of each pixel decides, because a colour with only one clipped channel is saturated or
  /// in coloured light.
  private var clippedShare: Double {
    let middles = colors.primaries.map { color in
      let encoded = TransferFunction.sRGBEncoded(color)
      return encoded.sum() - encoded.max() - encoded.min()
    }
    let nearly = middles.count { Self.nearlyClipped ~= $0 }
    let density = Double(nearly) / (Self.clipping - Self.nearlyClipped.lowerBound)
    let clipped = middles.count { $0 >= Self.clipping }
    return (Double(clipped) - density * (1 - Self.clipping)) / Double(middles.count)
  }

  /// Opens the shadows of backlit pictures, and holds back the highlights of pictures that are not bright overall.
  private func setAreas(_ edit: inout Edit) {
    let values = luminances(edit)
    func share(_ isMember: (Double) -> Bool) -> Double {
      Double(values.count(where: isMember)) / Double(values.count)
    }
    let shadows = share { Self.shadow ~= $0 }
    let black = share { $0 < Self.shadow.lowerBound }
    let shadowed =
      Self.opening * Self.way(of: shadows, through: Self.manyShadows)
      * Self.way(of: share { $0 >= Self.light }, through: Self.muchLight)
      * (1 - Self.way(of: black / max(black + shadows, 1e-9), through: Self.silhouette))
    let held =
      Self.holding * Self.way(of: share { Self.highlight ~= $0 }, through: Self.manyHighlights)
      * (1 - Self.way(of: Self.quantile(values, 0.5), through: Self.brightMedian))
    if shadowed > Self.leastOfAreas { edit[.shadows] = shadowed }
    if held > Self.leastOfAreas { edit[.highlights] = -held }
  }

  /// Returns the encoded luminance of every sample after the edit.
  private func luminances(_ edit: Edit) -> [Double] {
    let adjustment = ColorAdjustment(edit, peak: colors.encoding?.peak ?? 1)
    return colors.samples.map { color in
      let light = adjustment?.apply(color) ?? color
      return TransferFunction.sRGBEncoded(0.2627 * light.x + 0.6780 * light.y + 0.0593 * light.z).kept(0...1)
    }
  }

  /// Returns the position of a value within a range: 0 below the range, 1 above the range, with a smooth transition in
  /// between.
  private static func way(of value: Double, through range: ClosedRange<Double>) -> Double {
    smoothstep((value - range.lowerBound) / (range.upperBound - range.lowerBound))
  }

  private static func quantile(_ values: [Double], _ share: Double) -> Double {
    let sorted = values.sorted()
    return sorted[Int(Double(sorted.count - 1) * share)]
  }
}

extension Double {
  /// Returns the number clamped to a range.
  func kept(_ range: ClosedRange<Double>) -> Double {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}
