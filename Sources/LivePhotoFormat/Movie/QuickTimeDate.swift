import EditModel

/// Times in QuickTime headers: seconds since the beginning of 1904, UTC.
enum QuickTimeDate {
  /// From the beginning of 1904 to that of 1970.
  static let secondsTo1970 = 2_082_844_800

  /// ISO 8601, or nil for 0, which means “not known”.
  static func text(_ seconds: UInt64) -> String? {
    // 253,402,300,800 s are the year 10000 counted from 1970.
    guard seconds > 0, seconds < 255_000_000_000 else { return nil }
    return CivilDate(secondsSince1970: Int(seconds) - secondsTo1970).map { $0.text + "Z" }
  }
}
