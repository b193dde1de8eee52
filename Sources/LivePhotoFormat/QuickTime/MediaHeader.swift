import EditModel

/// The fields at the beginning of movie headers (`mvhd`) and media headers (`mdhd`). QuickTime File Format, “Movie
/// Header Atoms”; ISO/IEC 14496-12, sections 8.2.2 and 8.4.2.
struct MediaHeader {
  let dates: HeaderDates
  /// The time scale, in ticks per second.
  let timeScale: UInt32
  /// The duration in ticks.
  let duration: UInt64
  /// A reader that is positioned after the fields that both headers share.
  private(set) var rest: BigEndianReader

  /// Reads a movie header or media header.
  ///
  /// - Parameter atom: An `mvhd` or `mdhd` atom.
  init(_ atom: Atom) throws {
    rest = BigEndianReader(atom.bytes)
    dates = try HeaderDates(&rest)
    timeScale = try rest.uint32()
    duration = try rest.time(isWide: dates.isWide)
  }

  /// Whether the duration is known. A duration in which all bits are set means “unknown” (ISO/IEC 14496-12, section
  /// 8.2.2.3).
  var isDurationKnown: Bool { duration != (dates.isWide ? UInt64.max : UInt64(UInt32.max)) }

  /// The duration in seconds, or 0 if the time scale is 0.
  var seconds: Double { timeScale == 0 ? 0 : Double(duration) / Double(timeScale) }
}

/// The version, flags and dates at the beginning of `mvhd`, `tkhd` and `mdhd`.
struct HeaderDates: Hashable, Sendable {
  /// Whether times are stored in eight bytes.
  let isWide: Bool
  /// Whether the lowest flag is set.
  let isEnabled: Bool
  /// The creation date, as ISO 8601 in UTC, or nil if unknown.
  let created: String?
  /// The modification date, as ISO 8601 in UTC, or nil if unknown.
  let modified: String?

  init(_ reader: inout BigEndianReader) throws {
    isWide = try reader.integer(UInt8.self) == 1
    try reader.skip(2)
    isEnabled = try reader.integer(UInt8.self) & 1 == 1
    created = Self.text(try reader.time(isWide: isWide))
    modified = Self.text(try reader.time(isWide: isWide))
  }

  /// The number of seconds from the beginning of 1904, the epoch of header dates, to the beginning of 1970.
  static let epoch = 2_082_844_800

  /// Formats a header date as ISO 8601.
  ///
  /// - Parameter seconds: The number of seconds since the beginning of 1904 in UTC, or 0 if the date is unknown.
  private static func text(_ seconds: UInt64) -> String? {
    // The year 10000 begins 253,402,300,800 s after the beginning of 1970.
    guard seconds > 0, seconds < 255_000_000_000 else { return nil }
    return CivilDate(secondsSince1970: Int(seconds) - epoch).map { $0.text + "Z" }
  }
}
