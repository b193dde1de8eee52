public import EditModel
import Glibc

/// Finds values of light and white balance that make a picture better.
///
/// First comes white balance, see ``CastEstimate``. Then what is nearly black and nearly white in the picture is brought
/// to where good pictures have it: exposure and levels undo too little light and flatness alike. At last middle tones
/// become darker where much is clipped, and lighter where there is detail in the dark. For each there is a range of what
/// counts as good, which is left alone, and a way over to what is corrected wholly.
public struct AutoAdjustment {
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
  private static let brightMean = 0.42...0.76
  /// The share that is clipped, from a few lights to an exposure that is too long.
  private static let clipped = 0.01...0.06
  private static let clipping = 0.985
  /// The mean below which middle tones become lighter, but for nights, whose median is below these.
  private static let darkMean = 0.34
  private static let nightMedian = 0.12...0.22
  /// The share of the way to those means that is gone.
  private static let (darkening, lightening) = (0.8, 0.6)

  /// The greatest value of a slider that nobody sees.
  private static let least = 0.015

  private let colors: PictureColors

  /// - Parameter colors: the picture.
  public init(_ colors: PictureColors) { self.colors = colors }

  /// The values; neutral ones for a picture without samples.
  public var proposal: AutoProposal {
    guard !colors.primaries.isEmpty else { return AutoProposal() }
    var edit = Edit.identity
    CastEstimate(colors).correct(&edit)
    setEnds(&edit)
    setMidtone(&edit)
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
    let (low, high) = (Self.black.lowerBound, Self.black.upperBound)
    let newBlack = max(black, 0) * Self.blackWay * smoothstep((black / white - low) / (high - low))
    var target = white
    if white < Self.white.upperBound {
      let way = (Self.white.upperBound - white) / (Self.white.upperBound - Self.white.lowerBound)
      target += (Self.whiteTarget - white) * smoothstep(way)
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
    let adjustment = ColorAdjustment(edit, peak: colors.encoding?.peak ?? 1)
    let values = colors.samples.map { color in
      let light = adjustment?.apply(color) ?? color
      return TransferFunction.sRGBEncoded(0.2627 * light.x + 0.6780 * light.y + 0.0593 * light.z).kept(0...1)
    }
    let mean = values.reduce(0, +) / Double(values.count)
    let clipped = colors.primaries.count { TransferFunction.sRGBEncoded($0).max() > Self.clipping }
    let share = Double(clipped) / Double(values.count)
    let much = smoothstep(
      (share - Self.clipped.lowerBound) / (Self.clipped.upperBound - Self.clipped.lowerBound))
    let most = Self.brightMean.upperBound - much * (Self.brightMean.upperBound - Self.brightMean.lowerBound)
    var wanted = mean
    if mean > most {
      wanted -= Self.darkening * (mean - most)
    } else if mean < Self.darkMean {
      let median = Self.quantile(values, 0.5)
      let (night, day) = (Self.nightMedian.lowerBound, Self.nightMedian.upperBound)
      wanted += Self.lightening * (Self.darkMean - mean) * smoothstep((median - night) / (day - night))
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
