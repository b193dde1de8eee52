import Basics

/// A change of an asset's dates. The change is computed once, when the edit is made, so that rendering does not require
/// a time zone database.
public struct DateChange: Hashable, Sendable {
  /// The kind of date change.
  public enum Aim: Hashable, Sendable {
    /// All dates are shifted by a number of seconds. `clock` applies to local times without a time zone; `instant`
    /// applies to times in UTC or with a time zone.
    case moved(clock: Int, instant: Int)
    /// All dates are set to the same local time, in milliseconds since 1970-01-01T00:00 local time.
    case set(wallClock: Int)
  }

  /// The kind of date change.
  public let aim: Aim
  /// The new offset of local time from UTC in minutes, positive if local time is ahead of UTC; nil keeps each file's
  /// own offset.
  public let offset: Int?
  /// The time zone that the user specified, such as `Europe/Rome`. Later shifts follow this time zone's rules.
  public let zone: String?

  /// The maximum shift in seconds: ten thousand years.
  private static let farthest = 320_000_000_000
  /// The valid offsets from UTC, in minutes.
  public static let offsets = -1439...1439

  /// - Parameters:
  ///   - aim: The kind of change.
  ///   - offset: The new offset from UTC in minutes.
  ///   - zone: The time zone that the user specified.
  /// - Returns: nil if nothing would change, or if the result would be outside the years 1 to 9999.
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

  /// Returns a date after the change.
  ///
  /// - Returns: nil if the result would be outside the years 1 to 9999.
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

  /// Returns a UTC time after the change.
  ///
  /// - Parameters:
  ///   - instant: The time, in seconds since 1970 UTC.
  ///   - captured: The capture date of the half before the change. This date is used if the change sets a date without
  ///     a time zone.
  /// - Returns: The new time, in seconds since 1970 UTC.
  package func applied(toInstant instant: Int, captured: CaptureDate?) -> Int {
    switch aim {
    case .moved(_, let seconds): return instant + seconds
    case .set(let wallClock):
      if let offset = offset ?? captured?.offset { return Self.seconds(wallClock) - offset * 60 }
      guard let captured else { return Self.seconds(wallClock) }
      return instant + Self.seconds(wallClock) - Self.seconds(captured.wallClock)
    }
  }

  /// Converts milliseconds to whole seconds, rounded down.
  package static func seconds(_ milliseconds: Int) -> Int {
    milliseconds >= 0 ? milliseconds / 1000 : (milliseconds - 999) / 1000
  }
}

extension DateChange {
  /// The change by name: the number of seconds of a shift or the new date, followed by the offset and the time zone.
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

  /// Reads the output of ``canonicalJSON``.
  ///
  /// - Returns: nil if the value contains invalid parts.
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
