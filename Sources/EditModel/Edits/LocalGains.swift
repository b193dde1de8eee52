/// Gains of lightness and chroma over place and lightness: what an edit did to some places and not to others, a darkened
/// sky or a brightened face, in a coarse grid (J. Chen, S. Paris and F. Durand, “Real-time edge-aware image processing with
/// the bilateral grid”, 2007).
///
/// Places are those of the photo as it is displayed before the edit's turn and geometry; in the movie they follow the
/// camera. Lightness is the luma of the picture after the look. Between nodes gains are interpolated along all three axes;
/// the outermost nodes lie in the corners, and at black and white. A gain multiplies luma, counted from black, and chroma by
/// the same factor; chroma by another one besides.
public struct LocalGains: Hashable, Sendable {
  /// Nodes from left to right: 2 or more.
  public let columns: Int
  /// Nodes from top to bottom: 2 or more.
  public let rows: Int
  /// Nodes from black to white: 2 or more.
  public let levels: Int
  /// Two numbers for each node, levels fastest, then columns: the logarithm of the factor of luma and chroma, in steps
  /// of 2^(1/64), and by how much chroma is multiplied besides, less 1, in steps of 1/127.
  public let samples: [Int8]

  /// The most nodes of all axes together.
  public static let mostNodes = 16384
  /// Steps of the logarithm of base 2 in 1.
  public static let stepsOfLightness = 64.0
  /// Steps of chroma in 1.
  public static let stepsOfChroma = 127.0

  /// - Parameters:
  ///   - columns: nodes from left to right.
  ///   - rows: nodes from top to bottom.
  ///   - levels: nodes from black to white.
  ///   - samples: two numbers for each node, see ``samples``.
  /// - Returns: nil when an axis has less than two nodes, there are too many of them, or not two numbers for each.
  public init?(columns: Int, rows: Int, levels: Int, samples: [Int8]) {
    let axes = [columns, rows, levels]
    guard axes.allSatisfy({ 2...Self.mostNodes ~= $0 }), columns * rows <= Self.mostNodes,
      columns * rows * levels <= Self.mostNodes, samples.count == 2 * columns * rows * levels
    else { return nil }
    (self.columns, self.rows, self.levels, self.samples) = (columns, rows, levels, samples)
  }

  /// The same with less effect.
  ///
  /// - Parameter share: 0, no effect, to 1.
  /// - Returns: nil where nothing is left of it.
  func scaled(by share: Double) -> LocalGains? {
    let scaled = samples.map { Int8((Double($0) * share).rounded()) }
    guard scaled.contains(where: { $0 != 0 }) else { return nil }
    return LocalGains(columns: columns, rows: rows, levels: levels, samples: scaled)
  }
}
