import EditModel
import Glibc

/// Finds values of light and white balance that make a picture better.
///
/// First comes white balance, see ``CastEstimate``. Then what is nearly black and nearly white in the picture is brought
/// to where good pictures have it: exposure and levels undo too little light and flatness alike. At last middle tones
/// become darker where much is clipped, and lighter where there is detail in the dark; and where a picture has much of both,
/// shadows are opened and highlights held back by areas. For each there is a range of what counts as good, which is left alone,
/// and a way over to what is corrected wholly.
package struct AutoAdjustment {
  /// The share of the picture whose greatest channel is above what counts as white.
  private static let whiteShare = 0.003
  /// An encoded white above this range is left alone; one below it is brought to the target.
  private static let white = 0.74...0.87
  private static let whiteTarget = 0.97
  /// The share whose least channel is below what counts as black.
  private static let blackShare = 0.005
  /// A black, as a share of white, below this range is left alone; one above is brought nearly to black.
  private static let black = 0.08...0.17
  private static let blackWay = 0.97
  /// The greatest exposure, in EV: more is noise.
  private static let mostExposure = 2.5

  /// The mean of encoded luminance where there is much clipped, and where there is none, above which it becomes darker.
  private static let brightMean = 0.43...0.76
  /// The share that is clipped, from a few lights to an exposure that is too long.
  private static let clipped = 0.002...0.012
  private static let clipping = 0.985
  private static let nearlyClipped = 0.9..<clipping
  /// The mean below which middle tones become lighter, but for nights, whose median is below these.
  private static let darkMean = 0.34
  private static let nightMedian = 0.12...0.22
  /// The share of the way to those means that is gone.
  private static let (darkening, lightening) = (0.8, 0.6)

  /// Encoded luminance of shadows that have detail; what lies below is black or a silhouette.
  private static let shadow = 0.06..<0.22
  /// Encoded luminance from which on a picture has light.
  private static let light = 0.5
  /// Encoded luminance of highlights that have detail.
  private static let highlight = 0.85..<clipping
  /// The shares of the picture from which on there are many of them, and where there are very many.
  private static let (manyShadows, muchLight, manyHighlights) = (0.15...0.4, 0.2...0.45, 0.1...0.32)
  /// The share of what is dark that is black in silhouettes, and the median of pictures that are to be bright.
  private static let (silhouette, brightMedian) = (0.3...0.7, 0.6...0.75)
  /// How far shadows are opened and highlights held back at most.
  private static let (opening, holding) = (0.5, 0.4)

  /// The greatest value of a slider that nobody sees.
  private static let least = 0.015
  /// The same for those that work by areas.
  private static let leastOfAreas = 0.05

  private let colors: PictureColors

  /// - Parameter colors: the picture.
  package init(_ colors: PictureColors) { self.colors = colors }

  /// The values; neutral ones for a picture without samples.
  package var proposal: AutoProposal {
    guard !colors.primaries.isEmpty else { return AutoProposal() }
    var edit = Edit.identity
    CastEstimate(colors).correct(&edit)
    setEnds(&edit)
    setMidtone(&edit)
    setAreas(&edit)
    // Not worth the pixels of a picture.
    for parameter in edit.adjustments.changed
    where abs(edit[parameter] - parameter.description.neutral) < Self.least {
      edit[parameter] = parameter.description.neutral
    }
    return AutoProposal(edit)
  }

  /// Sets exposure and levels, so that black and white are where good pictures have them.
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
    // What becomes white. Levels do it without the shoulder of exposure, which makes highlights dull; so exposure does
    // only what they cannot.
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

  /// Sets the middle between black and white.
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

  /// The share of the picture that is clipped to white: the peak at the end, above what is nearly white.
  ///
  /// It goes by the second greatest channel: a colour of which only the greatest is clipped is strong or in coloured light.
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

  /// Opens shadows against the light, and holds highlights back in pictures that are not bright as a whole.
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

  /// The encoded luminance of every sample after an edit.
  private func luminances(_ edit: Edit) -> [Double] {
    let adjustment = ColorAdjustment(edit, peak: colors.encoding?.peak ?? 1)
    return colors.samples.map { color in
      let light = adjustment?.apply(color) ?? color
      return TransferFunction.sRGBEncoded(0.2627 * light.x + 0.6780 * light.y + 0.0593 * light.z).kept(0...1)
    }
  }

  /// How far a value is from one end of a range to the other: 0 before it, 1 behind it, smooth within.
  private static func way(of value: Double, through range: ClosedRange<Double>) -> Double {
    smoothstep((value - range.lowerBound) / (range.upperBound - range.lowerBound))
  }

  private static func quantile(_ values: [Double], _ share: Double) -> Double {
    let sorted = values.sorted()
    return sorted[Int(Double(sorted.count - 1) * share)]
  }
}

extension Double {
  /// The nearest number of a range.
  func kept(_ range: ClosedRange<Double>) -> Double {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}
