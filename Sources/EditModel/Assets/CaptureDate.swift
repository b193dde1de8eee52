/// The time at which a photo or movie was taken.
public struct CaptureDate: Codable, Hashable, Sendable {
  /// The origin of a date.
  public enum Source: String, Codable, Hashable, Sendable {
    /// Exif DateTimeOriginal, with OffsetTimeOriginal and SubSecTimeOriginal if they are present (Exif 2.32 section
    /// 4.6.5).
    case exif
    /// The QuickTime metadata key `com.apple.quicktime.creationdate`.
    case quickTime
    /// The movie header, which is in UTC and contains no time zone.
    case movieHeader
    /// An XMP sidecar.
    case sidecar
  }

  /// The local time at the location, in milliseconds since 1970-01-01T00:00 local time.
  public var wallClock: Int
  /// The local time's offset from UTC in minutes, positive if local time is ahead of UTC; nil if the file does not
  /// contain an offset. The offset of a movie header is 0.
  public var offset: Int?
  /// The origin of the date.
  public var source: Source

  /// - Parameters:
  ///   - wallClock: The local time in milliseconds since 1970-01-01T00:00 local time.
  ///   - offset: The offset from UTC in minutes.
  ///   - source: The origin of the date.
  public init(wallClock: Int, offset: Int?, source: Source) {
    self.wallClock = wallClock
    self.offset = offset
    self.source = source
  }

  /// Reads a date in the format of Exif (`2019:12:29 19:01:15.505-08:00`) or ISO 8601 (`2019-12-29T19:01:15-0800`).
  ///
  /// - Parameters:
  ///   - text: The date, time, fraction and offset; the fraction and the offset are optional. `Z` is an offset of 0.
  ///   - source: The origin of the date.
  /// - Returns: nil if the text is not a date. Zeros or blanks stand for an unknown date.
  public init?(_ text: String, source: Source) {
    let bytes = Array(text.utf8)
    func number(_ range: Range<Int>) -> Int? {
      guard range.upperBound <= bytes.count else { return nil }
      return Self.digits(bytes[range])
    }
    guard bytes.count >= 19, let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
      let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
      bytes[4] == bytes[7], [0x3A, 0x2D].contains(bytes[4]), [0x20, 0x54].contains(bytes[10]),
      bytes[13] == 0x3A, bytes[16] == 0x3A,
      let date = CivilDate(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    else { return nil }
    var rest = bytes[19...]
    var milliseconds = 0
    if rest.first == UInt8(ascii: ".") {
      let fraction = rest.dropFirst().prefix { 0x30...0x39 ~= $0 }
      milliseconds = Self.digits(Array((fraction.prefix(3) + [0x30, 0x30, 0x30]).prefix(3))[...]) ?? 0
      rest = rest.dropFirst(1 + fraction.count)
    }
    self.init(
      wallClock: date.secondsSince1970 * 1000 + milliseconds, offset: Self.offset(Array(rest)), source: source
    )
  }

  /// The time in milliseconds since 1970 UTC. If the offset is not known, the local time is assumed to be UTC.
  public var instant: Int { wallClock - (offset ?? 0) * 60_000 }

  /// The time in ISO 8601 format: `2019-12-29T19:01:15.505-08:00`. An unknown offset is left out.
  public var text: String {
    let seconds = wallClock >= 0 ? wallClock / 1000 : (wallClock - 999) / 1000
    guard let date = CivilDate(secondsSince1970: seconds) else { return "" }
    let milliseconds = wallClock - seconds * 1000
    let fraction = milliseconds == 0 ? "" : "." + CivilDate.pad(milliseconds, 3)
    guard let offset else { return date.text + fraction }
    if offset == 0 { return date.text + fraction + "Z" }
    let sign = offset < 0 ? "-" : "+"
    let (hours, minutes) = abs(offset).quotientAndRemainder(dividingBy: 60)
    return "\(date.text)\(fraction)\(sign)\(CivilDate.pad(hours, 2)):\(CivilDate.pad(minutes, 2))"
  }

  /// Reads an offset from UTC: `Z`, `+02:00`, `+0200` or `+02`.
  ///
  /// - Returns: The offset in minutes; nil if the bytes are not an offset.
  package static func offset(_ bytes: [UInt8]) -> Int? {
    if bytes.first == UInt8(ascii: "Z") { return 0 }
    guard let sign = bytes.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
    let digits = bytes.dropFirst().prefix { 0x30...0x39 ~= $0 || $0 == UInt8(ascii: ":") }
      .filter { $0 != UInt8(ascii: ":") }
    guard digits.count == 2 || digits.count == 4, let hours = Self.digits(digits[..<2]), hours <= 23,
      let minutes = digits.count == 4 ? Self.digits(digits[2...]) : 0, minutes <= 59
    else { return nil }
    return (sign == UInt8(ascii: "-") ? -1 : 1) * (hours * 60 + minutes)
  }

  private static func digits(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard !bytes.isEmpty, bytes.count <= 9 else { return nil }
    var value = 0
    for byte in bytes {
      guard 0x30...0x39 ~= byte else { return nil }
      value = value * 10 + Int(byte - 0x30)
    }
    return value
  }
}
