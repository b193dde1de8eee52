public import Basics
import FoundationEssentials

/// The values of an edit's parameters. Neutral values are not stored, so equal looks have equal values.
public struct Adjustments: Hashable, Sendable {
  /// The parameters' values in steps, without neutral values.
  private var steps: [Parameter: Int] = [:]

  /// Creates adjustments in which every parameter is neutral.
  public init() {}

  /// Whether every parameter is neutral.
  public var isNeutral: Bool { steps.isEmpty }

  /// The parameters that are not neutral, in order of declaration.
  public var changed: [Parameter] { Parameter.allCases.filter { steps[$0] != nil } }

  /// The value of a parameter. A new value is rounded to the parameter's step and clamped to its range. Use
  /// ``Parameter/checked(_:)`` for values that users entered.
  public subscript(parameter: Parameter) -> Double {
    get {
      steps[parameter].map { Double($0) / parameter.stepsPerUnit } ?? parameter.description.neutral
    }
    set {
      let value = parameter.steps(newValue)
      steps[parameter] = value == parameter.steps(parameter.description.neutral) ? nil : value
    }
  }

}

/// A curve through points that maps an encoded input value from 0 to 1 to an output value from 0 to 1. The same curve
/// applies to every channel.
///
/// Between the points, the curve is the monotone cubic by Fritsch and Carlson (SIAM J. Numer. Anal. 17, 1980), so the
/// curve never overshoots the points. If no point has the input value 0, the curve begins at (0, 0). If no point has
/// the input value 1, the curve ends at (1, 1).
public struct ToneCurve: Hashable, Sendable {
  /// A point of the curve. Coordinates are in thousandths.
  public struct Point: Hashable, Sendable {
    /// The input value, 0 to 1000.
    public let x: Int
    /// The output value, 0 to 1000.
    public let y: Int

    /// - Parameters:
    ///   - x: The input value, in thousandths.
    ///   - y: The output value, in thousandths.
    public init(x: Int, y: Int) {
      self.x = x
      self.y = y
    }
  }

  /// A channel with its own curve.
  public enum Channel: String, CaseIterable, Hashable, Sendable {
    /// Luma. Red, green and blue change in proportion to luma.
    case luma
    /// The red channel.
    case red
    /// The green channel.
    case green
    /// The blue channel.
    case blue
  }

  /// The points in order of ascending x; empty if the curve changes nothing.
  public let points: [Point]

  /// The curve that changes nothing.
  public static let neutral = ToneCurve()

  /// The maximum number of points in a curve.
  public static let largestCount = 32

  private init() { points = [] }

  /// - Parameter points: The points, in any order.
  /// - Throws: ``Basics/EditError`` if two points have the same x, if a value is outside 0 to 1000, or if there are
  ///   more than ``largestCount`` points.
  public init(_ points: [Point]) throws(EditError) {
    let sorted = points.sorted { $0.x < $1.x }
    let advice: Message =
      "use up to \(Self.largestCount) points with numbers from 0 to 1, each with a different first number"
    guard sorted.count <= Self.largestCount else {
      throw EditError(.invalidEdit, "the curve has \(sorted.count) points", remedy: advice)
    }
    guard sorted.allSatisfy({ 0...1000 ~= $0.x && 0...1000 ~= $0.y }) else {
      throw EditError(.invalidEdit, "the curve has a point outside the range from 0 to 1", remedy: advice)
    }
    guard zip(sorted, sorted.dropFirst()).allSatisfy({ $0.x < $1.x }) else {
      throw EditError(.invalidEdit, "the curve has two points with the same first number", remedy: advice)
    }
    self.points = sorted.allSatisfy { $0.x == $0.y } ? [] : sorted
  }
}
