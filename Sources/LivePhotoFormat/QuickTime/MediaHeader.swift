import EditModel

/// The fields that a movie header (`mvhd`) and a media header (`mdhd`) begin with alike. QuickTime File Format, “Movie
/// Header Atoms”; ISO/IEC 14496-12, sections 8.2.2 and 8.4.2.
struct MediaHeader {
  let dates: HeaderDates
  /// Ticks a second.
  let timeScale: UInt32
  /// Ticks.
  let duration: UInt64
  /// Stands behind these fields.
  private(set) var rest: BigEndianReader

  /// - Parameter atom: a `mvhd` or `mdhd`.
  init(_ atom: Atom) throws {
    rest = BigEndianReader(atom.bytes)
    dates = try HeaderDates(&rest)
    timeScale = try rest.uint32()
    duration = try rest.time(isWide: dates.isWide)
  }

  /// True unless all bits of the duration are set, which means that it is not known (ISO/IEC 14496-12, section 8.2.2.3).
  var isDurationKnown: Bool { duration != (dates.isWide ? UInt64.max : UInt64(UInt32.max)) }

  /// Seconds; 0 without a time scale.
  var seconds: Double { timeScale == 0 ? 0 : Double(duration) / Double(timeScale) }
}

/// Version, flags and dates, with which `mvhd`, `tkhd` and `mdhd` begin.
struct HeaderDates: Hashable, Sendable {
  /// True if times take eight bytes.
  let isWide: Bool
  /// The lowest flag.
  let isEnabled: Bool
  /// When it was made, ISO 8601 in UTC; nil for not known.
  let created: String?
  /// When it was changed, likewise.
  let modified: String?

  init(_ reader: inout BigEndianReader) throws {
    isWide = try reader.integer(UInt8.self) == 1
    try reader.skip(2)
    isEnabled = try reader.integer(UInt8.self) & 1 == 1
    created = Self.text(try reader.time(isWide: isWide))
    modified = Self.text(try reader.time(isWide: isWide))
  }

  /// Seconds from the beginning of 1904, from which headers count, to that of 1970.
  static let epoch = 2_082_844_800

  /// - Parameter seconds: since the beginning of 1904, UTC; 0 means “not known”.
  private static func text(_ seconds: UInt64) -> String? {
    // 253,402,300,800 s are the year 10000 counted from 1970.
    guard seconds > 0, seconds < 255_000_000_000 else { return nil }
    return CivilDate(secondsSince1970: Int(seconds) - epoch).map { $0.text + "Z" }
  }
}
