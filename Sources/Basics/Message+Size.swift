extension Message {
  /// Returns a file size in a readable form, such as “512 bytes”, “29.6 kB”, “4.2 MB” or “1.5 GB”.
  ///
  /// - Parameter bytes: The size in bytes. 1 kB is 1000 bytes.
  public static func size(_ bytes: Int) -> Message {
    guard bytes >= 1000 else { return plural(bytes, "\(bytes) byte", "\(bytes) bytes") }
    // Sizes of 999,950 bytes or more are rounded up to the next unit.
    if bytes < 999_950 { return "\(decimal: tenths(bytes, of: 1000)) kB" }
    if bytes < 999_950_000 { return "\(decimal: tenths(bytes, of: 1_000_000)) MB" }
    return "\(decimal: tenths(bytes, of: 1_000_000_000)) GB"
  }

  /// Returns a size in the given unit, with one digit after the decimal point.
  private static func tenths(_ bytes: Int, of unit: Int) -> String {
    let tenth = unit / 10
    let tenths = bytes / tenth + (bytes % tenth * 2 >= tenth ? 1 : 0)
    return "\(tenths / 10).\(tenths % 10)"
  }
}
