public import Basics
import FoundationEssentials

/// Values of parameters. One that is neutral is not there, so equal looks are equal values.
public struct Adjustments: Hashable, Sendable {
  /// Values in steps, neutral ones left out.
  private var steps: [Parameter: Int] = [:]

  /// Everything neutral.
  public init() {}

  /// True if everything is neutral.
  public var isNeutral: Bool { steps.isEmpty }

  /// The parameters that are not neutral, in the order of their declaration.
  public var changed: [Parameter] { Parameter.allCases.filter { steps[$0] != nil } }

  /// The value of a parameter. A new value is rounded to the parameter's step and kept in its range; use
  /// ``Parameter/checked(_:)`` for what people typed.
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

/// A curve through points, from the encoded value before to the one after, both 0 to 1, for every channel.
///
/// Between the points it is the monotone cubic of Fritsch and Carlson (SIAM J. Numer. Anal. 17, 1980), so it
/// never swings beyond them. Where no point stands at 0 or 1, the curve begins at (0, 0) and ends at (1, 1).
public struct ToneCurve: Hashable, Sendable {
  /// A point of the curve, in thousandths.
  public struct Point: Hashable, Sendable {
    /// The value before, 0 to 1000.
    public let x: Int
    /// The value after, 0 to 1000.
    public let y: Int

    /// - Parameters:
    ///   - x: the value before, in thousandths.
    ///   - y: the value after, in thousandths.
    public init(x: Int, y: Int) {
      self.x = x
      self.y = y
    }
  }

  /// A channel that has a curve of its own.
  public enum Channel: String, CaseIterable, Hashable, Sendable {
    /// Lightness: red, green and blue change in proportion.
    case luma
    /// Red.
    case red
    /// Green.
    case green
    /// Blue.
    case blue
  }

  /// The points by rising x; none when the curve changes nothing.
  public let points: [Point]

  /// The curve that changes nothing.
  public static let neutral = ToneCurve()

  /// The most points that a curve has.
  public static let largestCount = 32

  private init() { points = [] }

  /// - Parameter points: in any order.
  /// - Throws: ``Basics/EditError`` when two points have one x, when one lies outside 0 to 1000, or when there are
  ///   more than ``largestCount``.
  public init(_ points: [Point]) throws(EditError) {
    let sorted = points.sorted { $0.x < $1.x }
    let advice: Message = "use up to \(Self.largestCount) points with numbers from 0 to 1, each with a different first number"
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
