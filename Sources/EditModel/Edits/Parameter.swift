public import Basics

/// An adjustment with one number. ``description`` says all there is to know about it; validation, the stored
/// form, the command line and the reference page are made from that.
///
/// The raw value is the name under which it is stored.
public enum Parameter: String, CaseIterable, Hashable, Sendable {
  case exposure
  case brilliance
  case whites
  case highlights
  case shadows
  case brightness
  case contrast
  case blackPoint
  case dehaze
  case levelsBlack
  case levelsMidtone
  case levelsWhite
  case levelsOutputBlack
  case levelsOutputWhite
  case saturation
  case vibrance
  case temperature
  case warmth
  case tint
  case redHue
  case redSaturation
  case redLuminance
  case orangeHue
  case orangeSaturation
  case orangeLuminance
  case yellowHue
  case yellowSaturation
  case yellowLuminance
  case greenHue
  case greenSaturation
  case greenLuminance
  case cyanHue
  case cyanSaturation
  case cyanLuminance
  case blueHue
  case blueSaturation
  case blueLuminance
  case purpleHue
  case purpleSaturation
  case purpleLuminance
  case magentaHue
  case magentaSaturation
  case magentaLuminance
  case shadowGradeHue
  case shadowGradeSaturation
  case shadowGradeLuminance
  case midtoneGradeHue
  case midtoneGradeSaturation
  case midtoneGradeLuminance
  case highlightGradeHue
  case highlightGradeSaturation
  case highlightGradeLuminance
  case monochrome
  case monochromeTone
  case monochromeRed
  case monochromeGreen
  case monochromeBlue
  case sharpness
  case definition
  case noiseReduction
  case vignette
  case vignetteRadius
  case vignetteSoftness
  case grain
  case grainSize

  /// A parameter's meaning, and the values that it takes.
  public struct Description: Hashable, Sendable {
    /// The part of an edit that it belongs to.
    public let group: EditPart
    /// The least and the greatest value.
    public let range: ClosedRange<Double>
    /// The value that changes nothing.
    public let neutral: Double
    /// Decimal digits that are kept, 0, 2 or 3; two make a step of 0.01.
    public let digits: Int
    /// The unit of its values; nil for a share of the slider's way.
    public let unit: String?
    /// Its effect, in a line.
    public let summary: Message
    /// The way the value changes the picture, as a formula.
    public let formula: String
  }

  /// Steps in a unit: 100 for a step of 0.01.
  var stepsPerUnit: Double {
    switch description.digits {
    case 0: 1
    case 3: 1000
    default: 100
    }
  }

  /// A value as text, with the digits that are kept: “0.25”, “-3”, “5000”. It is rounded to the nearest step and kept in the
  /// range.
  package func text(_ value: Double) -> String {
    JSONValue.decimal(steps(value), digits: description.digits).canonicalText
  }

  /// A value in steps, rounded to the nearest and kept in the range; not a number is neutral.
  func steps(_ value: Double) -> Int {
    let about = description
    guard !value.isNaN else { return steps(about.neutral) }
    let kept = min(max(value, about.range.lowerBound), about.range.upperBound)
    return Int((kept * stepsPerUnit).rounded())
  }

  /// Checks a value that a person gave.
  ///
  /// - Parameter value: the value wanted.
  /// - Returns: the value rounded to the parameter's step.
  /// - Throws: ``Basics/EditError`` with ``Basics/EditError/Code/invalidEdit`` when it is out of range or not a number.
  public func checked(_ value: Double) throws(EditError) -> Double {
    let range = description.range
    guard range.contains(value) else {
      let unit = description.unit.map { " " + $0 } ?? ""
      throw EditError(
        .invalidEdit, "\(rawValue) cannot be \(value)",
        remedy: "use a number from \(text(range.lowerBound)) to \(text(range.upperBound))\(unit)")
    }
    return Double(steps(value)) / stepsPerUnit
  }
}
