/// A look: a change of colours that a table describes, mixed with the colours as they are.
public struct Look: Hashable, Sendable {
  /// The origin of a table.
  public enum Source: Hashable, Sendable {
    /// One of liveedit's own, stored by name.
    case builtIn(BuiltInLook)
    /// A `.cube` file, stored by content.
    case table(LookTable)
  }

  /// The origin of the table.
  public let source: Source
  /// The strength of the look, in hundredths: 1 to 100.
  public let hundredths: Int
  /// True if it leads to colours that Display P3 holds and sRGB does not: a photo of sRGB becomes one of Display P3 with it.
  /// Movies keep the colours that they have.
  public let isWide: Bool

  /// - Parameters:
  ///   - source: where the table comes from.
  ///   - intensity: how much of the look shows, 0 to 1, rounded to hundredths and kept in that range.
  ///   - isWide: whether a photo of sRGB becomes one of Display P3 with it.
  /// - Returns: nil when nothing shows.
  public init?(_ source: Source, intensity: Double = 1, isWide: Bool = false) {
    guard intensity > 0 else { return nil }
    let hundredths = Int((min(intensity, 1) * 100).rounded())
    guard hundredths > 0 else { return nil }
    self.source = source
    self.hundredths = hundredths
    self.isWide = isWide
  }

  /// The strength of the look, 0 to 1.
  public var intensity: Double { Double(hundredths) / 100 }

  /// The table.
  public var table: LookTable {
    switch source {
    case .builtIn(let look): look.table
    case .table(let table): table
    }
  }
}

/// A table of colours, as `.cube` files hold them: curves for the channels, a lattice of colours, or both.
///
/// It maps encoded values (sRGB primaries and transfer function) to encoded values. Samples are kept in steps
/// of 1/32768.
public struct LookTable: Hashable, Sendable {
  /// Red, green and blue one after the other.
  public struct Grid: Hashable, Sendable {
    /// Samples along one axis: 2 or more.
    public let size: Int
    /// Three for each place, red, green, blue. In a lattice red is the fastest axis. The stored number is
    /// (value + 0.5) · 32768.
    public let samples: [UInt16]
    /// The input value of the first sample, in millionths, for each channel.
    public let domainMinimum: [Int]
    /// The input value of the last sample, in millionths, for each channel.
    public let domainMaximum: [Int]

    /// - Returns: nil when the domain is not three rising pairs within ±1000, or the samples are not three for
    ///   each of `places`.
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

    /// The stored form of a value: within -0.5 to 1.5.
    static func stored(_ value: Double) -> UInt16 {
      UInt16(min(max((value + 0.5) * 32768, 0), 65535).rounded())
    }
  }

  /// The most samples of a curve.
  public static let largestCurve = 65536
  /// The most samples along an axis of a lattice.
  public static let largestLattice = 65

  /// Its title; empty when it has none.
  public let title: String
  /// A curve for each channel, applied first.
  public let curves: Grid?
  /// A lattice of colours.
  public let lattice: Grid?

  /// - Parameters:
  ///   - title: its title.
  ///   - curves: a curve for each channel.
  ///   - lattice: a lattice of colours.
  /// - Returns: nil when it has neither, or one is too large.
  init?(title: String, curves: Grid?, lattice: Grid?) {
    guard curves != nil || lattice != nil, curves?.size ?? 2 <= Self.largestCurve,
      lattice?.size ?? 2 <= Self.largestLattice
    else { return nil }
    self.title = title
    self.curves = curves
    self.lattice = lattice
  }

  /// A lattice alone.
  ///
  /// - Parameters:
  ///   - title: its title.
  ///   - size: samples along an axis, 2 to ``largestLattice``.
  ///   - domain: the input values of the first and the last sample, the same for all channels, rounded to millionths.
  ///   - colors: what the lattice has, red the fastest axis; kept within -0.5 to 1.5.
  /// - Returns: nil when there are too few or too many colours, or the domain is none.
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

  /// A table of the program's own; the lattice is known to be sound.
  init(title: String, checkedLattice: Grid?) {
    self.title = title
    curves = nil
    lattice = checkedLattice
  }
}
