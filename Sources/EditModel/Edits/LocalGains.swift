/// Gains for lightness and chroma that depend on position and lightness. A coarse grid of gains describes an edit that
/// changes only some areas of a picture, such as a darkened sky or a brightened face (J. Chen, S. Paris and F. Durand,
/// “Real-time edge-aware image processing with the bilateral grid”, 2007).
///
/// Positions are relative to the photo as displayed before the edit's rotation and geometry. In the movie, the
/// positions follow the camera's motion. Lightness is the luma of the picture after the look. Between nodes, gains are
/// interpolated along all three axes. The outermost nodes are in the picture's corners, and at black and white. The
/// first gain multiplies both chroma and luma, measured from black. The second gain multiplies only chroma.
public struct LocalGains: Hashable, Sendable {
  /// The number of nodes from left to right, at least 2.
  public let columns: Int
  /// The number of nodes from top to bottom, at least 2.
  public let rows: Int
  /// The number of nodes from black to white, at least 2.
  public let levels: Int
  /// Two numbers for each node. Levels are the fastest axis, followed by columns. The first number is the logarithm of
  /// the factor for luma and chroma, in steps of 2^(1/64). The second number is the additional factor for chroma minus
  /// 1, in steps of 1/127.
  public let samples: [Int8]

  /// The maximum number of nodes in the whole grid.
  public static let mostNodes = 16384
  /// The number of lightness steps per unit of the base-2 logarithm.
  public static let stepsOfLightness = 64.0
  /// The number of steps per unit of the additional chroma factor.
  public static let stepsOfChroma = 127.0

  /// - Parameters:
  ///   - columns: The number of nodes from left to right.
  ///   - rows: The number of nodes from top to bottom.
  ///   - levels: The number of nodes from black to white.
  ///   - samples: Two numbers for each node; see ``samples``.
  /// - Returns: nil if an axis has fewer than two nodes, if there are too many nodes, or if the number of samples is
  ///   not twice the number of nodes.
  public init?(columns: Int, rows: Int, levels: Int, samples: [Int8]) {
    let axes = [columns, rows, levels]
    guard axes.allSatisfy({ 2...Self.mostNodes ~= $0 }), columns * rows <= Self.mostNodes,
      columns * rows * levels <= Self.mostNodes, samples.count == 2 * columns * rows * levels
    else { return nil }
    (self.columns, self.rows, self.levels, self.samples) = (columns, rows, levels, samples)
  }

  /// Returns these gains with a weaker effect.
  ///
  /// - Parameter share: The strength, from 0 (no effect) to 1.
  /// - Returns: nil if the weakened gains have no effect.
  func scaled(by share: Double) -> LocalGains? {
    let scaled = samples.map { Int8((Double($0) * share).rounded()) }
    guard scaled.contains(where: { $0 != 0 }) else { return nil }
    return LocalGains(columns: columns, rows: rows, levels: levels, samples: scaled)
  }
}
