import Basics

/// A change of the dates of one asset. It is found out once, when the edit is made, so that no table of time zones is asked
/// when the edit is rendered.
public struct DateChange: Hashable, Sendable {
  /// The way in which dates change.
  public enum Aim: Hashable, Sendable {
    /// Dates move. `clock` is how far those go that say what a clock showed, without a time zone; `instant` how far those go
    /// that say a moment: in UTC, or with a time zone. Both in seconds.
    case moved(clock: Int, instant: Int)
    /// All dates become one: what the clock at the place showed, in milliseconds since 1970-01-01T00:00 on that clock.
    case set(wallClock: Int)
  }

  /// The way in which dates change.
  public let aim: Aim
  /// The minutes by which the clock at the place is ahead of UTC from then on; nil leaves that as the files say it.
  public let offset: Int?
  /// The time zone that was named, as in `Europe/Rome`: later shifts go by its rules.
  public let zone: String?

  /// The farthest that dates can move, in seconds: ten thousand years.
  private static let farthest = 320_000_000_000
  /// Time zones are within these minutes of UTC.
  public static let offsets = -1439...1439

  /// - Parameters:
  ///   - aim: the way in which dates change.
  ///   - offset: how far the clock is ahead of UTC from then on, in minutes.
  ///   - zone: the time zone that was named.
  /// - Returns: nil for a change that changes nothing, or that leads out of the years 1 to 9999.
  public init?(_ aim: Aim, offset: Int?, zone: String? = nil) {
    switch aim {
    case .moved(let clock, let instant):
      guard clock.magnitude <= Self.farthest, instant.magnitude <= Self.farthest,
        clock != 0 || instant != 0 || offset != nil
      else { return nil }
    case .set(let wallClock):
      guard CivilDate(secondsSince1970: Self.seconds(wallClock)) != nil else { return nil }
    }
    guard offset.map(Self.offsets.contains) ?? true,
      zone.map({ $0.utf8.count <= 255 && offset != nil }) ?? true
    else { return nil }
    (self.aim, self.offset, self.zone) = (aim, offset, zone)
  }

  /// A date after the change.
  ///
  /// - Returns: nil where it would lie out of the years 1 to 9999.
  public func applied(to date: CaptureDate) -> CaptureDate? {
    var new = date
    new.offset = offset ?? date.offset
    switch aim {
    case .set(let wallClock): new.wallClock = wallClock
    case .moved(let clock, let instant):
      if let old = date.offset, let offset = new.offset {
        new.wallClock += (instant + (offset - old) * 60) * 1000
      } else {
        new.wallClock += clock * 1000
      }
    }
    return CivilDate(secondsSince1970: Self.seconds(new.wallClock)) == nil ? nil : new
  }

  /// A moment after the change, for dates in UTC.
  ///
  /// - Parameters:
  ///   - instant: in seconds since 1970 UTC.
  ///   - captured: when the half was taken before the change, for what is set without a time zone.
  /// - Returns: seconds since 1970 UTC.
  package func applied(toInstant instant: Int, captured: CaptureDate?) -> Int {
    switch aim {
    case .moved(_, let seconds): return instant + seconds
    case .set(let wallClock):
      if let offset = offset ?? captured?.offset { return Self.seconds(wallClock) - offset * 60 }
      guard let captured else { return Self.seconds(wallClock) }
      return instant + Self.seconds(wallClock) - Self.seconds(captured.wallClock)
    }
  }

  /// Whole seconds of milliseconds, the earlier ones.
  package static func seconds(_ milliseconds: Int) -> Int {
    milliseconds >= 0 ? milliseconds / 1000 : (milliseconds - 999) / 1000
  }
}

extension DateChange {
  /// The change by name: the seconds by which dates move, or the date that is set, then offset and zone.
  var canonicalJSON: JSONValue {
    var members: [String: JSONValue] = [:]
    switch aim {
    case .moved(let clock, let instant):
      members["clock"] = .integer(clock)
      members["instant"] = .integer(instant)
    case .set(let wallClock):
      members["set"] = .string(CaptureDate(wallClock: wallClock, offset: nil, source: .exif).text)
    }
    if let offset { members["offset"] = .integer(offset) }
    if let zone { members["zone"] = .string(zone) }
    return .object(members)
  }

  /// Reads what ``canonicalJSON`` writes.
  ///
  /// - Returns: nil when something in it is impossible.
  init?(stored value: JSONValue) {
    func integer(_ name: String) -> Int? {
      if case .integer(let number)? = value[name] { Int(exactly: number) } else { nil }
    }
    let aim: Aim
    if let text = value["set"]?.text {
      guard let date = CaptureDate(text, source: .exif), date.offset == nil else { return nil }
      aim = .set(wallClock: date.wallClock)
    } else if let clock = integer("clock"), let instant = integer("instant") {
      aim = .moved(clock: clock, instant: instant)
    } else {
      return nil
    }
    self.init(aim, offset: integer("offset"), zone: value["zone"]?.text)
  }
}
