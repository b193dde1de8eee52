/// A date and a time of day in the Gregorian calendar, without a time zone.
package struct CivilDate: Codable, Hashable, Sendable {
  /// The year, from 1 to 9999.
  package var year: Int
  /// The month, from 1 to 12.
  package var month: Int
  /// The day of the month, counted from 1.
  package var day: Int
  /// The hour, from 0 to 23.
  package var hour: Int
  /// The minute, from 0 to 59.
  package var minute: Int
  /// The second, from 0 to 59. A leap second counts as the preceding second.
  package var second: Int

  /// Creates a date after checking its components.
  ///
  /// - Returns: nil if the date or the time of day does not exist.
  package init?(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
    guard 1...9999 ~= year, 1...12 ~= month, day >= 1, day <= Self.days(inMonth: month, of: year),
      0...23 ~= hour, 0...59 ~= minute, 0...60 ~= second
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = min(second, 59)
  }

  /// Creates the date and time that is a given number of seconds after the beginning of 1970.
  ///
  /// - Returns: nil if the year is outside the range from 1 to 9999.
  package init?(secondsSince1970 seconds: Int) {
    guard -62_135_596_800..<253_402_300_800 ~= seconds else { return nil }
    // The number of days since 0000-03-01. Years are counted from March, so that the leap day is the last day of the
    // year.
    let days = (seconds + 62_162_035_200) / 86_400
    let time = (seconds + 62_162_035_200) % 86_400
    let era = days / 146_097
    let dayOfEra = days % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    month = shifted < 10 ? shifted + 3 : shifted - 9
    year = yearOfEra + 400 * era + (month <= 2 ? 1 : 0)
    day = dayOfYear - (153 * shifted + 2) / 5 + 1
    hour = time / 3600
    minute = time / 60 % 60
    second = time % 60
  }

  /// The number of seconds since the beginning of 1970 in the same time zone.
  package var secondsSince1970: Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = shiftedYear / 400
    let yearOfEra = shiftedYear % 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return (era * 146_097 + dayOfEra - 719_468) * 86_400 + hour * 3600 + minute * 60 + second
  }

  /// Returns the number of days in a month.
  package static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// The date and time in ISO 8601 format, without a time zone: `2019-12-29T19:01:15`.
  package var text: String {
    "\(dateText)T\(Self.pad(hour, 2)):\(Self.pad(minute, 2)):\(Self.pad(second, 2))"
  }

  /// The date alone: `2019-12-29`.
  package var dateText: String { "\(Self.pad(year, 4))-\(Self.pad(month, 2))-\(Self.pad(day, 2))" }

  /// Returns a number in decimal, padded with leading zeros to a width.
  package static func pad(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
