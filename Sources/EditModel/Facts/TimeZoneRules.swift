/// The rules of a time zone, which give its offset from UTC at any time. The rules are read from the system's time zone
/// files (TZif, RFC 8536).
package struct TimeZoneRules: Hashable, Sendable {
  /// The name of the zone, such as `Europe/Rome`.
  package let name: String
  /// The times at which the offset changes, in seconds since 1970 UTC, ascending.
  private var transitions: [Int] = []
  /// The offset from UTC after each transition, in seconds.
  private var offsets: [Int] = []
  /// The offset before the first transition.
  private var first = 0
  /// The rule after the last transition.
  private var rule: PosixTimeZone?

  /// The maximum number of transitions in a file. Real files have several hundred.
  private static let mostTransitions = 10_000

  /// Reads a file of the time zone database.
  ///
  /// - Parameters:
  ///   - name: The name of the zone.
  ///   - bytes: The content of the file.
  /// - Returns: nil if the file is not a valid time zone file.
  package init?(name: String, _ bytes: [UInt8]) {
    self.name = name
    func number(_ at: Int, _ width: Int) -> Int? {
      guard at >= 0, at <= bytes.count - width else { return nil }
      let value = bytes[at..<at + width].reduce(Int64(0)) { $0 << 8 | Int64($1) }
      // The number is in two's complement.
      return Int(width == 8 ? value : value >= 1 << 31 ? value - 1 << 32 : value)
    }
    /// Returns the six counts in a header; nil if the header is not valid.
    func counts(_ at: Int) -> [Int]? {
      guard at <= bytes.count - 44, bytes[at..<at + 4].elementsEqual("TZif".utf8) else { return nil }
      let counts = (0..<6).compactMap { number(at + 20 + 4 * $0, 4) }
      return counts.count == 6 && counts.allSatisfy { 0...Self.mostTransitions ~= $0 } ? counts : nil
    }
    func size(_ c: [Int], _ width: Int) -> Int {
      c[3] * (width + 1) + c[4] * 6 + c[5] + c[2] * (width + 4) + c[1] + c[0]
    }
    guard var head = counts(0) else { return nil }
    var at = 44
    var width = 4
    if bytes[4] >= UInt8(ascii: "2") {
      // The same data follows again with 64-bit numbers.
      at += size(head, 4)
      guard let wide = counts(at) else { return nil }
      (head, at, width) = (wide, at + 44, 8)
    }
    let (times, types) = (head[3], head[4])
    guard types > 0, size(head, width) <= bytes.count - at else { return nil }
    let typeStart = at + times * (width + 1)
    let known = (0..<types).compactMap { number(typeStart + 6 * $0, 4) }
    guard known.count == types else { return nil }
    for index in 0..<times {
      let type = Int(bytes[at + times * width + index])
      guard let time = number(at + index * width, width), type < types else { return nil }
      transitions.append(time)
      offsets.append(known[type])
    }
    guard transitions == transitions.sorted() else { return nil }
    first = known[0]
    let footer = bytes[(at + size(head, width))...].dropFirst().prefix { $0 != 0x0A }
    if width == 8, !footer.isEmpty {
      rule = PosixTimeZone(String(decoding: footer, as: UTF8.self))
    }
  }

  /// Returns the zone's offset from UTC at a given time, in minutes. Historical offsets that include seconds are
  /// rounded to minutes.
  ///
  /// - Parameter instant: The time, in seconds since 1970 UTC.
  package func offset(at instant: Int) -> Int {
    let seconds: Int
    if let last = transitions.last, instant < last {
      let behind = transitions.firstIndex { $0 > instant } ?? 0
      seconds = behind == 0 ? first : offsets[behind - 1]
    } else {
      seconds = rule?.offset(at: instant) ?? offsets.last ?? first
    }
    return Int((Double(seconds) / 60).rounded())
  }

  /// Returns the zone's offset from UTC at a given local time, in minutes. If the local time occurs twice because
  /// clocks are put back, the first occurrence is used. If the local time is skipped because clocks are put forward,
  /// the offset before the change is used.
  ///
  /// - Parameter wallClock: The local time, in seconds since 1970-01-01T00:00 local time.
  package func offset(atWallClock wallClock: Int) -> Int {
    let before = offset(at: wallClock - 86_400)
    let after = offset(at: wallClock + 86_400)
    if offset(at: wallClock - before * 60) == before { return before }
    return offset(at: wallClock - after * 60) == after ? after : before
  }
}

/// A time zone rule in POSIX format (IEEE 1003.1, “Environment Variables”, TZ): `CET-1CEST,M3.5.0,M10.5.0/3`.
struct PosixTimeZone: Hashable, Sendable {
  /// A day of the year.
  private enum Day: Hashable {
    /// The day of the year, starting at 1 and not counting February 29.
    case julian(Int)
    /// The day of the year, starting at 0 and counting February 29.
    case ordinal(Int)
    /// A weekday, from 0 for Sunday, in a week of a month; week 5 is the last.
    case week(month: Int, week: Int, day: Int)
  }

  private struct Change: Hashable {
    let day: Day
    /// The time of day in seconds.
    let time: Int
  }

  private struct Summer: Hashable {
    let offset: Int
    let start: Change
    let end: Change
  }

  private let standard: Int
  private var summer: Summer?

  /// - Returns: nil if the text is not in POSIX format.
  init?(_ text: String) {
    var scanner = Scanner(text)
    guard scanner.name(), let offset = scanner.time(mostHours: 24) else { return nil }
    standard = -offset
    if scanner.isAtEnd { return }
    guard scanner.name() else { return nil }
    let ahead = scanner.peek == "," ? standard + 3600 : scanner.time(mostHours: 24).map { -$0 }
    guard let ahead, let start = scanner.change(), let end = scanner.change(), scanner.isAtEnd else {
      return nil
    }
    summer = Summer(offset: ahead, start: start, end: end)
  }

  /// Returns the offset from UTC in seconds.
  ///
  /// - Parameter instant: The time, in seconds since 1970 UTC.
  func offset(at instant: Int) -> Int {
    guard let summer, let date = CivilDate(secondsSince1970: instant + standard) else { return standard }
    // The year is determined in standard time, since clocks do not change around New Year.
    let start = Self.seconds(summer.start, year: date.year) - standard
    let end = Self.seconds(summer.end, year: date.year) - summer.offset
    let isSummer = start < end ? start..<end ~= instant : !(end..<start ~= instant)
    return isSummer ? summer.offset : standard
  }

  /// Returns the time of a clock change, in seconds since 1970, in the local time that applies before the change.
  private static func seconds(_ change: Change, year: Int) -> Int {
    let newYear = CivilDate(year: year, month: 1, day: 1)?.secondsSince1970 ?? 0
    let day: Int
    switch change.day {
    case .ordinal(let number): day = newYear / 86_400 + number
    case .julian(let number):
      let isLeap = CivilDate.days(inMonth: 2, of: year) == 29
      day = newYear / 86_400 + number - 1 + (isLeap && number >= 60 ? 1 : 0)
    case .week(let month, let week, let weekday):
      let first = (CivilDate(year: year, month: month, day: 1)?.secondsSince1970 ?? 0) / 86_400
      // 1970-01-01 was a Thursday.
      let ahead = (weekday - (first + 4) % 7 + 7) % 7
      var inMonth = ahead + (week - 1) * 7
      if inMonth >= CivilDate.days(inMonth: month, of: year) { inMonth -= 7 }
      day = first + inMonth
    }
    return day * 86_400 + change.time
  }

  /// A scanner for the parts of a rule.
  private struct Scanner {
    private var rest: Substring

    init(_ text: String) { rest = text.prefix(200) }

    var isAtEnd: Bool { rest.isEmpty }
    var peek: Character? { rest.first }

    /// Skips a name: letters, or anything between `<` and `>`.
    mutating func name() -> Bool {
      if rest.first == "<" {
        guard let end = rest.firstIndex(of: ">") else { return false }
        rest = rest[rest.index(after: end)...]
        return true
      }
      let count = rest.prefix(while: \.isLetter).count
      rest = rest.dropFirst(count)
      return count >= 3
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int? {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      guard digits.count <= 4, let value = Int(digits), range.contains(value) else { return nil }
      rest = rest.dropFirst(digits.count)
      return value
    }

    mutating func pass(_ character: Character) -> Bool {
      guard rest.first == character else { return false }
      rest = rest.dropFirst()
      return true
    }

    /// Reads hours, minutes and seconds with an optional sign. Returns the total in seconds.
    mutating func time(mostHours: Int) -> Int? {
      let isNegative = pass("-")
      if !isNegative { _ = pass("+") }
      guard let hours = number(0...mostHours) else { return nil }
      var seconds = hours * 3600
      for unit in [60, 1] where pass(":") {
        guard let value = number(0...59) else { return nil }
        seconds += value * unit
      }
      return isNegative ? -seconds : seconds
    }

    /// Reads a clock change that follows a comma.
    mutating func change() -> Change? {
      guard pass(",") else { return nil }
      let day: Day
      if pass("M") {
        guard let month = number(1...12), pass("."), let week = number(1...5), pass("."),
          let weekday = number(0...6)
        else { return nil }
        day = .week(month: month, week: week, day: weekday)
      } else if pass("J") {
        guard let number = number(1...365) else { return nil }
        day = .julian(number)
      } else {
        guard let number = number(0...365) else { return nil }
        day = .ordinal(number)
      }
      guard pass("/") else { return Change(day: day, time: 7200) }
      return time(mostHours: 167).map { Change(day: day, time: $0) }
    }
  }
}
