/// Times in QuickTime headers: seconds since the beginning of 1904, UTC.
enum QuickTimeDate {
  /// ISO 8601, or nil for 0, which means «not known».
  static func text(_ seconds: UInt64) -> String? {
    // 253,402,300,800 s are the year 10000 counted from 1970.
    guard seconds > 0, seconds < 255_000_000_000 else { return nil }
    let (days, time) = Int(seconds).quotientAndRemainder(dividingBy: 86_400)
    let (year, month, day) = civil(daysSince1904: days)
    return [pad(year, 4), pad(month, 2), pad(day, 2)].joined(separator: "-") + "T"
      + [pad(time / 3600, 2), pad(time / 60 % 60, 2), pad(time % 60, 2)].joined(separator: ":") + "Z"
  }

  /// The Gregorian date, years counted from March so that the leap day comes last.
  private static func civil(daysSince1904 days: Int) -> (year: Int, month: Int, day: Int) {
    // 1904-01-01 is day 695,361 after 0000-03-01.
    let all = days + 695_361
    let era = all / 146_097
    let dayOfEra = all % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    return (yearOfEra + 400 * era + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
  }

  private static func pad(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
