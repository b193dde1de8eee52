/// The fields that a movie header (`mvhd`) and a media header (`mdhd`) begin with alike. QuickTime File Format, “Movie
/// Header Atoms”; ISO/IEC 14496-12, sections 8.2.2 and 8.4.2.
struct MediaHeader {
  /// When it was made, in seconds since the beginning of 1904; 0 for not known.
  let created: UInt64
  /// When it was changed, likewise.
  let modified: UInt64
  /// Ticks a second.
  let timeScale: UInt32
  /// Ticks.
  let duration: UInt64
  /// Stands behind these fields.
  var rest: BigEndianReader

  /// - Parameter atom: a `mvhd` or `mdhd`.
  init(_ atom: Atom) throws {
    rest = BigEndianReader(atom.bytes)
    let dates = try HeaderDates(&rest)
    (created, modified) = (dates.created, dates.modified)
    timeScale = try rest.uint32()
    duration = dates.isWide ? try rest.uint64() : UInt64(try rest.uint32())
  }

  /// Seconds; 0 without a time scale.
  var seconds: Double { timeScale == 0 ? 0 : Double(duration) / Double(timeScale) }
}

/// Version, flags and dates, with which `mvhd`, `tkhd` and `mdhd` begin.
struct HeaderDates {
  /// True if times take eight bytes.
  let isWide: Bool
  let created: UInt64
  let modified: UInt64

  init(_ reader: inout BigEndianReader) throws {
    isWide = try reader.integer(UInt8.self) == 1
    try reader.skip(3)
    created = isWide ? try reader.uint64() : UInt64(try reader.uint32())
    modified = isWide ? try reader.uint64() : UInt64(try reader.uint32())
  }
}
