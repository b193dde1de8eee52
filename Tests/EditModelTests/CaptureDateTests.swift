import EditModel
import Foundation
import TestSupport
import Testing

/// Tests of dates, compared with Foundation's calendar.
@Suite struct CaptureDateTests {
  private static var gregorian: Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? .current
    return calendar
  }

  @Test func aCivilDateIsThatOfTheCalendar() throws {
    let calendar = Self.gregorian
    var generator = SeededGenerator(seed: 5)
    // Foundation uses the Julian calendar before 1582.
    for _ in 0..<2000 {
      let seconds = Int.random(in: -12_000_000_000..<253_402_300_800, using: &generator)
      let parts = calendar.dateComponents(
        [.year, .month, .day, .hour, .minute, .second], from: Date(timeIntervalSince1970: Double(seconds)))
      let date = try #require(CivilDate(secondsSince1970: seconds))
      #expect(
        [date.year, date.month, date.day, date.hour, date.minute, date.second]
          == [parts.year, parts.month, parts.day, parts.hour, parts.minute, parts.second])
      #expect(date.secondsSince1970 == seconds)
    }
    for year in [1900, 2000, 2023, 2024] {
      for month in 1...12 {
        let day = try #require(calendar.date(from: DateComponents(year: year, month: month)))
        #expect(
          CivilDate.days(inMonth: month, of: year) == calendar.range(of: .day, in: .month, for: day)?.count)
      }
    }
    #expect(CivilDate(secondsSince1970: .max) == nil)
    #expect(CivilDate(secondsSince1970: .min) == nil)
    #expect(CivilDate(secondsSince1970: -62_135_596_800)?.text == "0001-01-01T00:00:00")
  }

  @Test(arguments: [
    ("2019:12:29 19:01:15.505-08:00", "2019-12-29T19:01:15.505-08:00", -480),
    ("2019:12:29 19:01:15", "2019-12-29T19:01:15", nil),
    ("2025-05-26T09:27:06-0500", "2025-05-26T09:27:06-05:00", -300),
    ("2025-05-26T09:27:06Z", "2025-05-26T09:27:06Z", 0),
    ("2025-05-26T09:27:06.5+0545", "2025-05-26T09:27:06.500+05:45", 345),
    ("1969-12-31T23:59:59.250Z", "1969-12-31T23:59:59.250Z", 0),
    ("2025:05:26 09:27:06.123456+13", "2025-05-26T09:27:06.123+13:00", 780),
  ])
  func datesAreRead(_ text: String, _ written: String, _ offset: Int?) throws {
    let date = try #require(CaptureDate(text, source: .exif))
    #expect(date.text == written)
    #expect(date.offset == offset)
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
    var zoned = offset == nil ? written + "Z" : written
    if !zoned.contains(".") {
      zoned.insert(contentsOf: ".000", at: zoned.index(zoned.startIndex, offsetBy: 19))
    }
    let moment = try #require(formatter.date(from: zoned))
    #expect(date.instant == Int((moment.timeIntervalSince1970 * 1000).rounded()))
  }

  @Test(arguments: [
    "", "    :  :     :  :  ", "0000:00:00 00:00:00", "2019:13:29 19:01:15", "2019:02:29 19:01:15",
    "2019:12:29 24:01:15", "2019:12:29", "2019:12:29 19:01", "2019-12:29 19:01:15", "20191229T190115Z",
    "2019:12:29 19:01:6é",
  ])
  func whatIsNoDateIsNone(_ text: String) {
    #expect(CaptureDate(text, source: .exif) == nil)
  }
}
