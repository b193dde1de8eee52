import EditModel

/// A date change for a photo or movie, applied to dates in the formats used in files.
struct DateRewrite: Sendable {
  /// The date change to apply.
  let change: DateChange
  /// The capture date of the photo or movie before the change, or nil if unknown.
  let captured: CaptureDate?

  /// Whether the change sets all dates to a single date.
  var isSet: Bool { if case .set = change.aim { true } else { false } }

  /// The new capture date, or nil if neither the file nor the change specifies a capture date.
  var newCapture: CaptureDate? {
    if let captured { return change.applied(to: captured) }
    guard case .set(let wallClock) = change.aim else { return nil }
    return CaptureDate(wallClock: wallClock, offset: change.offset, source: .exif)
  }

  /// Applies the date change to a time in UTC and returns the new time.
  ///
  /// - Parameter instant: The time before the change, in seconds since the beginning of 1970.
  func moved(instant: Int) -> Int { change.applied(toInstant: instant, captured: captured) }

  /// Applies the date change to a time in UTC with millisecond precision and returns the new time.
  ///
  /// - Parameter milliseconds: The time before the change, in milliseconds since the beginning of 1970.
  func moved(milliseconds: Int) -> Int {
    let seconds = DateChange.seconds(milliseconds)
    var rest = milliseconds - seconds * 1000
    if case .set(let wallClock) = change.aim { rest = wallClock - DateChange.seconds(wallClock) * 1000 }
    return moved(instant: seconds) * 1000 + rest
  }

  /// Applies the date change to a date and returns the new date. The date may be in any ISO 8601, XMP or Exif format.
  ///
  /// - Parameters:
  ///   - text: A day, usually followed by hours and minutes, seconds, a fraction of a second and the time zone.
  ///   - isUTC: Whether a date without a time zone is in UTC.
  ///   - keepsUTC: Whether a date in UTC (“Z”) stays in UTC even if the change sets another time zone.
  ///   - trustsZero: Whether a UTC offset of 0 is always trusted. If false, an offset of 0 counts as unknown if the
  ///     capture date has no offset or shows the same clock time. The reason is that programs that must write an offset
  ///     write 0 if the offset is unknown.
  /// - Returns: The new date in the same format, or nil if the text is not a date.
  func moved(
    _ text: String, isUTC: Bool = false, keepsUTC: Bool = true, trustsZero: Bool = true
  ) -> String? {
    let letters = Array(text)
    guard letters.allSatisfy(\.isASCII) else { return nil }
    if letters.count == 10 { return movedDay(text) }
    let hasSeconds = letters.count >= 19 && letters[16] == ":"
    guard letters.count >= 16 else { return nil }
    var tail = letters[(hasSeconds ? 19 : 16)...]
    var fraction = ""
    if hasSeconds, tail.first == "." {
      fraction = String(tail.prefix { $0 == "." || $0.isNumber })
      tail = tail.dropFirst(fraction.count)
    }
    let zone = String(tail)
    let head = String(letters[..<16]) + (hasSeconds ? String(letters[16..<19]) : ":00")
    guard var old = CaptureDate(head + (zone.isEmpty && isUTC ? "Z" : zone), source: .exif),
      zone.isEmpty || CaptureDate.offset(Array(zone.utf8)) != nil
    else { return nil }
    if !trustsZero, old.offset == 0, captured?.offset == nil || isClock(of: old) { old.offset = nil }
    guard let new = keepsUTC && (isUTC || zone == "Z") ? movedInUTC(old) : change.applied(to: old),
      let civil = CivilDate(secondsSince1970: DateChange.seconds(new.wallClock))
    else { return nil }
    var result = String(zip(civil.text, head).map { $0.isNumber ? $0 : $1 })
    let milliseconds = new.wallClock - DateChange.seconds(new.wallClock) * 1000
    if isSet { fraction = milliseconds == 0 ? "" : "." + CivilDate.pad(milliseconds, 3) }
    if !hasSeconds, result.hasSuffix(":00"), fraction.isEmpty { result = String(result.prefix(16)) }
    return result + fraction + (zone.isEmpty ? "" : Self.zone(new.offset ?? 0, like: zone))
  }

  /// Returns whether a date and the capture date show the same clock time, to the second.
  private func isClock(of date: CaptureDate) -> Bool {
    captured.map { DateChange.seconds($0.wallClock) == DateChange.seconds(date.wallClock) } ?? false
  }

  /// Applies the date change to a date in UTC and returns the new date, also in UTC.
  private func movedInUTC(_ date: CaptureDate) -> CaptureDate? {
    var new = date
    new.wallClock = moved(milliseconds: date.wallClock)
    return new
  }

  /// The change rounded down to whole seconds, because movies store dates in whole seconds.
  var inWholeSeconds: DateRewrite {
    guard case .set(let wallClock) = change.aim,
      let whole = DateChange(
        .set(wallClock: DateChange.seconds(wallClock) * 1000), offset: change.offset, zone: change.zone)
    else { return self }
    return DateRewrite(change: whole, captured: captured)
  }

  /// Applies the date change to a day without a time and returns the new day. The day changes only if it is the capture
  /// day or if the change sets all dates.
  private func movedDay(_ text: String) -> String? {
    guard let old = CaptureDate(text + "T00:00:00", source: .exif), let new = newCapture,
      let civil = CivilDate(secondsSince1970: DateChange.seconds(new.wallClock))
    else { return nil }
    let isCapture = captured.map { Self.day($0) == Self.day(old) } ?? false
    guard isSet || isCapture else { return nil }
    return String(zip(civil.dateText, text).map { $0.isNumber ? $0 : $1 })
  }

  private static func day(_ date: CaptureDate) -> CivilDate? {
    CivilDate(secondsSince1970: DateChange.seconds(date.wallClock)).flatMap {
      CivilDate(year: $0.year, month: $0.month, day: $0.day)
    }
  }

  /// Formats an offset from UTC in the style of an existing offset: with or without a colon.
  ///
  /// - Parameter minutes: The offset in minutes.
  private static func zone(_ minutes: Int, like old: String) -> String {
    if minutes == 0, old == "Z" { return old }
    return zone(minutes, separator: old.contains(":") || old == "Z" ? ":" : "")
  }

  /// Formats an offset from UTC.
  ///
  /// - Parameter minutes: The offset in minutes.
  static func zone(_ minutes: Int, separator: String) -> String {
    let (hours, rest) = abs(minutes).quotientAndRemainder(dividingBy: 60)
    return (minutes < 0 ? "-" : "+") + CivilDate.pad(hours, 2) + separator + CivilDate.pad(rest, 2)
  }
}
