/// A look: a change of colours described by a table, and blended with the original colours.
public struct Look: Hashable, Sendable {
  /// The origin of a look's table.
  public enum Source: Hashable, Sendable {
    /// One of liveedit's built-in looks, stored by name.
    case builtIn(BuiltInLook)
    /// A `.cube` file, stored with its content.
    case table(LookTable)
  }

  /// The origin of the table.
  public let source: Source
  /// The intensity of the look, in hundredths: 1 to 100.
  public let hundredths: Int
  /// Whether the look produces colours that lie inside Display P3 but outside sRGB. Such a look converts an sRGB photo
  /// to Display P3. Movies keep their colour space.
  public let isWide: Bool

  /// - Parameters:
  ///   - source: The origin of the table.
  ///   - intensity: The intensity of the look, from 0 to 1, rounded to hundredths and clamped to that range.
  ///   - isWide: Whether the look converts an sRGB photo to Display P3.
  /// - Returns: nil if the intensity is rounded to 0.
  public init?(_ source: Source, intensity: Double = 1, isWide: Bool = false) {
    guard intensity > 0 else { return nil }
    let hundredths = Int((min(intensity, 1) * 100).rounded())
    guard hundredths > 0 else { return nil }
    self.source = source
    self.hundredths = hundredths
    self.isWide = isWide
  }

  /// The intensity of the look, from 0 to 1.
  public var intensity: Double { Double(hundredths) / 100 }

  /// The table of the look.
  public var table: LookTable {
    switch source {
    case .builtIn(let look): look.table
    case .table(let table): table
    }
  }
}

/// A table of colours, as in `.cube` files: curves for the channels, a lattice of colours, or both.
///
/// The table maps encoded values to encoded values, both with sRGB primaries and the sRGB transfer function. Samples
/// are stored in steps of 1/32768.
public struct LookTable: Hashable, Sendable {
  /// A grid of red, green and blue samples in interleaved order.
  public struct Grid: Hashable, Sendable {
    /// The number of samples along an axis, at least 2.
    public let size: Int
    /// Three samples for each position: red, green, blue. In a lattice, red is the fastest axis. The stored number is
    /// (value + 0.5) · 32768.
    public let samples: [UInt16]
    /// The input value of the first sample for each channel, in millionths.
    public let domainMinimum: [Int]
    /// The input value of the last sample for each channel, in millionths.
    public let domainMaximum: [Int]

    /// - Returns: nil if the domain does not consist of three ascending pairs within ±1000, or if there are not three
    ///   samples for each of the `places` positions.
    init?(
      size: Int, places: Int, samples: [UInt16], domainMinimum: [Int] = [0, 0, 0],
      domainMaximum: [Int] = [1_000_000, 1_000_000, 1_000_000]
    ) {
      guard size >= 2, samples.count == places * 3, domainMinimum.count == 3, domainMaximum.count == 3,
        zip(domainMinimum, domainMaximum).allSatisfy({ $0 < $1 }),
        (domainMinimum + domainMaximum).allSatisfy({ abs($0) <= 1_000_000_000 })
      else { return nil }
      self.size = size
      self.samples = samples
      self.domainMinimum = domainMinimum
      self.domainMaximum = domainMaximum
    }

    /// Returns the stored form of a value, clamped to the range from -0.5 to 1.5.
    static func stored(_ value: Double) -> UInt16 {
      UInt16(min(max((value + 0.5) * 32768, 0), 65535).rounded())
    }
  }

  /// The maximum number of samples in a curve.
  public static let largestCurve = 65536
  /// The maximum number of samples along an axis of a lattice.
  public static let largestLattice = 65

  /// The title of the table; empty if the table has no title.
  public let title: String
  /// The curves for the channels, applied first.
  public let curves: Grid?
  /// The lattice of colours, applied after the curves.
  public let lattice: Grid?

  /// - Parameters:
  ///   - title: The title of the table.
  ///   - curves: The curves for the channels.
  ///   - lattice: The lattice of colours.
  /// - Returns: nil if both the curves and the lattice are missing, or if either is too large.
  init?(title: String, curves: Grid?, lattice: Grid?) {
    guard curves != nil || lattice != nil, curves?.size ?? 2 <= Self.largestCurve,
      lattice?.size ?? 2 <= Self.largestLattice
    else { return nil }
    self.title = title
    self.curves = curves
    self.lattice = lattice
  }

  /// Creates a table with only a lattice.
  ///
  /// - Parameters:
  ///   - title: The title of the table.
  ///   - size: The number of samples along an axis, 2 to ``largestLattice``.
  ///   - domain: The input values of the first and the last sample, the same for all channels, rounded to millionths.
  ///   - colors: The colours of the lattice, with red as the fastest axis; clamped to the range from -0.5 to 1.5.
  /// - Returns: nil if the number of colours is wrong or the domain is not valid.
  package init?(title: String, size: Int, domain: ClosedRange<Double>, colors: [SIMD3<Double>]) {
    guard 2...Self.largestLattice ~= size, abs(domain.lowerBound) <= 1000, abs(domain.upperBound) <= 1000
    else {
      return nil
    }
    let limits = [domain.lowerBound, domain.upperBound].map { Int(($0 * 1_000_000).rounded()) }
    let samples = colors.flatMap { color in (0..<3).map { Grid.stored(color[$0]) } }
    guard
      let grid = Grid(
        size: size, places: size * size * size, samples: samples,
        domainMinimum: [Int](repeating: limits[0], count: 3),
        domainMaximum: [Int](repeating: limits[1], count: 3))
    else { return nil }
    self.init(title: title, curves: nil, lattice: grid)
  }

  /// Creates a table for a built-in look. The lattice must be valid.
  init(title: String, checkedLattice: Grid?) {
    self.title = title
    curves = nil
    lattice = checkedLattice
  }
}
