import Basics
public import EditModel
public import Rendering

/// The look that leads from the colours of one picture to those of another.
public struct ColorMatch: Sendable {
  /// The look; nil where colours stay as they are.
  public let look: Look?
  /// The mean distance of colours, ΔE2000, that the look leaves.
  public let error: Double

  /// A picture and the ICC profile of its colours, where it does not say itself what they are.
  public struct Picture {
    /// The picture, upright.
    public var frame: PlanarFrame
    /// Its profile.
    public var profile: [UInt8]?

    /// - Parameters:
    ///   - frame: the picture, upright.
    ///   - profile: its profile.
    public init(_ frame: PlanarFrame, profile: [UInt8]?) { (self.frame, self.profile) = (frame, profile) }
  }

  /// Fits the look.
  ///
  /// - Parameters:
  ///   - original: the picture that was edited, with the edit's turn and geometry applied.
  ///   - edited: what was made of it, of any size.
  public init(original: Picture, edited: Picture) throws {
    throw MediaError("its colours cannot be found yet")
  }
}
