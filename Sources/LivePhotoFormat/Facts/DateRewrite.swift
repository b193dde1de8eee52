import EditModel

/// The dates of one half under a change, in the forms in which files write them.
struct DateRewrite: Sendable {
  /// The change.
  let change: DateChange
  /// When the half was taken, before the change; nil where it does not say.
  let captured: CaptureDate?

  /// True if all dates become one.
  var isSet: Bool { if case .set = change.aim { true } else { false } }

  /// The new date of the capture; nil where neither the half nor the change says one.
  var newCapture: CaptureDate? {
    if let captured { return change.applied(to: captured) }
    guard case .set(let wallClock) = change.aim else { return nil }
    return CaptureDate(wallClock: wallClock, offset: change.offset, source: .exif)
  }

  /// A moment in UTC after the change.
  ///
  /// - Parameter instant: seconds since 1970.
  func moved(instant: Int) -> Int { change.applied(toInstant: instant, captured: captured) }

  /// The same to milliseconds.
  ///
  /// - Parameter milliseconds: since 1970.
  func moved(milliseconds: Int) -> Int {
    let seconds = DateChange.seconds(milliseconds)
    var rest = milliseconds - seconds * 1000
    if case .set(let wallClock) = change.aim { rest = wallClock - DateChange.seconds(wallClock) * 1000 }
    return moved(instant: seconds) * 1000 + rest
  }

  /// A date in one of the forms of ISO 8601, of XMP and of Exif, after the change.
  ///
  /// - Parameters:
  ///   - text: a day, and as a rule hours and minutes, seconds, their fraction and the time zone.
  ///   - isUTC: whether it is in UTC where it names no time zone.
  ///   - keepsUTC: whether a date in UTC, by “Z”, stays in UTC where another zone is set.
  ///   - trustsZero: whether an offset of 0 is one in any case; else it counts as not known where the capture says none, or
  ///     another one and the same clock, as programs write it that have to write one and know none.
  /// - Returns: the new date, written alike; nil for what is no date.
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

  /// True if the capture's clock showed the same, to the second.
  private func isClock(of date: CaptureDate) -> Bool {
    captured.map { DateChange.seconds($0.wallClock) == DateChange.seconds(date.wallClock) } ?? false
  }

  /// A date in UTC after the change, in UTC.
  private func movedInUTC(_ date: CaptureDate) -> CaptureDate? {
    var new = date
    new.wallClock = moved(milliseconds: date.wallClock)
    return new
  }

  /// The same to whole seconds, as movies tell them.
  var inWholeSeconds: DateRewrite {
    guard case .set(let wallClock) = change.aim,
      let whole = DateChange(
        .set(wallClock: DateChange.seconds(wallClock) * 1000), offset: change.offset, zone: change.zone)
    else { return self }
    return DateRewrite(change: whole, captured: captured)
  }

  /// A day without a time: that of the capture goes along with it.
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

  /// An offset from UTC, with a colon or without, as it was written before.
  ///
  /// - Parameter minutes: the offset.
  private static func zone(_ minutes: Int, like old: String) -> String {
    if minutes == 0, old == "Z" { return old }
    return zone(minutes, separator: old.contains(":") || old == "Z" ? ":" : "")
  }

  /// An offset from UTC.
  ///
  /// - Parameter minutes: the offset.
  static func zone(_ minutes: Int, separator: String) -> String {
    let (hours, rest) = abs(minutes).quotientAndRemainder(dividingBy: 60)
    return (minutes < 0 ? "-" : "+") + CivilDate.pad(hours, 2) + separator + CivilDate.pad(rest, 2)
  }
}
