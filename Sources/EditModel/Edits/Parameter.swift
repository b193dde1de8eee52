public import Basics

/// An adjustment described by a single number. Validation, the stored form, the command line and the reference page are
/// all derived from its ``description``.
///
/// The raw value is the name under which the parameter is stored.
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

  /// A parameter's meaning and its valid values.
  public struct Description: Hashable, Sendable {
    /// The part of an edit that the parameter belongs to.
    public let group: EditPart
    /// The range of valid values.
    public let range: ClosedRange<Double>
    /// The value that changes nothing.
    public let neutral: Double
    /// The number of decimal places that are kept: 0, 2 or 3. With two decimal places, the step is 0.01.
    public let digits: Int
    /// The unit of the values; nil if values are fractions of the slider's range.
    public let unit: String?
    /// The parameter's effect, in one line.
    public let summary: Message
    /// The effect on the picture, as a formula.
    public let formula: String
  }

  /// The number of steps per unit: 100 for a step of 0.01.
  var stepsPerUnit: Double {
    switch description.digits {
    case 0: 1
    case 3: 1000
    default: 100
    }
  }

  /// Returns a value as text, with the parameter's number of decimal places: “0.25”, “-3”, “5000”. The value is rounded
  /// to the nearest step and clamped to the range.
  package func text(_ value: Double) -> String {
    JSONValue.decimal(steps(value), digits: description.digits).canonicalText
  }

  /// Returns a value in steps, rounded to the nearest step and clamped to the range. NaN becomes the neutral value.
  func steps(_ value: Double) -> Int {
    let about = description
    guard !value.isNaN else { return steps(about.neutral) }
    let kept = min(max(value, about.range.lowerBound), about.range.upperBound)
    return Int((kept * stepsPerUnit).rounded())
  }

  /// Checks a value that a user entered.
  ///
  /// - Parameter value: The value.
  /// - Returns: The value, rounded to the parameter's step.
  /// - Throws: ``Basics/EditError`` with ``Basics/EditError/Code/invalidEdit`` if the value is out of range or not a
  ///   number.
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
