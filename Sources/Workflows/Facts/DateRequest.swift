import Basics
import EditLibrary
import EditModel
import FileSystem
import LivePhotoFormat

/// A change of dates, as requested by a user. The resulting date depends on the asset's own date.
package enum DateRequest: Sendable {
  /// Shifts the dates by a number of seconds.
  case shift(seconds: Int)
  /// Sets the dates to a local time in milliseconds since 1970-01-01T00:00 on the local clock. The offset is the number
  /// of minutes by which the clock is ahead of UTC; nil keeps the offset in the files.
  case set(wallClock: Int, offset: Int?)
  /// Changes the time zone of the dates. Either the instant or the local clock time is kept.
  case zone(TimeZoneRules, keepsClock: Bool)
}

extension EditSource {
  /// Returns the edit with further changes to its dates.
  ///
  /// - Parameters:
  ///   - requests: The changes, in the order in which they are applied.
  ///   - edit: The edit.
  /// - Throws: ``Basics/EditError`` if the files contain no date to change, or if a date would be outside the years 1
  ///   to 9999.
  package func changingDates(_ requests: [DateRequest], in edit: Edit) throws(EditError) -> Edit {
    let original = try captured()
    var edit = edit
    for request in requests {
      edit.facts.date = try changed(edit.facts.date, by: request, of: original)
    }
    return edit
  }

  /// Returns the capture date from the asset's files. The result is the photo's date. If that date has no time zone,
  /// the movie's time zone is used.
  ///
  /// - Throws: ``Basics/EditError`` if a file cannot be read.
  package func captured() throws(EditError) -> CaptureDate? {
    var photo: CaptureDate?
    var movie: CaptureDate?
    if let path = files[.photo] { photo = try readFile(path) { try Photo($0).metadata().created } }
    if let path = files[.movie] { movie = try readFile(path) { try MovieMetadata(reading: $0).created } }
    guard var date = photo else { return movie }
    // The date in a movie's header has no time zone.
    if date.offset == nil, movie?.source == .quickTime { date.offset = movie?.offset }
    return date
  }

  private func changed(
    _ last: DateChange?, by request: DateRequest, of original: CaptureDate?
  ) throws(EditError) -> DateChange? {
    let file = files[.photo] ?? files[.movie]
    let outOfRange = EditError(
      .invalidEdit, file: file, "would get a date outside the years 1 to 9999", remedy: "choose another date")
    if case .set(let wallClock, let offset) = request {
      guard let change = DateChange(.set(wallClock: wallClock), offset: offset ?? original?.offset) else {
        throw outOfRange
      }
      return change
    }
    let present = last.map { change in original.flatMap(change.applied) ?? change.setDate } ?? original
    guard let present else {
      throw EditError(
        .invalidEdit, file: file, "has no date to change",
        remedy: "set a date first, for example with liveedit date --set 2024-05-01T10:00+02:00")
    }
    var new = present
    var zone = last?.zone
    switch request {
    case .set: break
    case .shift(let seconds):
      guard seconds.magnitude < 1 << 40 else { throw outOfRange }
      new.wallClock += seconds * 1000
      if let zone, let offset = present.offset {
        // The zone's rules determine the local time at the shifted instant.
        let instant = present.instant + seconds * 1000
        let ahead = try TimeZones.rules(of: zone).offset(at: DateChange.seconds(instant))
        new.wallClock += (ahead - offset) * 60_000
        new.offset = ahead
      }
    case .zone(let rules, keepsClock: true):
      new.offset = rules.offset(atWallClock: DateChange.seconds(new.wallClock))
      zone = rules.name
    case .zone(let rules, keepsClock: false):
      guard let old = present.offset else {
        throw EditError(
          .invalidEdit, file: file, "has no time zone, so the exact time of capture is unknown",
          remedy: "add --keep-clock if the camera's clock showed the time in the new zone")
      }
      let ahead = rules.offset(at: DateChange.seconds(present.instant))
      new.wallClock += (ahead - old) * 60_000
      new.offset = ahead
      zone = rules.name
    }
    guard CivilDate(secondsSince1970: DateChange.seconds(new.wallClock)) != nil else { throw outOfRange }
    if case .set? = last?.aim {
      return DateChange(.set(wallClock: new.wallClock), offset: new.offset, zone: zone)
    }
    guard let original else { return nil }
    let clock = DateChange.seconds(new.wallClock - original.wallClock)
    // If the original has no time zone, the instant shifts by the same amount as the local time.
    let instant =
      original.offset == nil ? clock : DateChange.seconds(new.instant - original.instant)
    let offset = zone == nil && last?.offset == nil ? nil : new.offset
    return DateChange(
      .moved(clock: clock, instant: instant), offset: offset, zone: offset == nil ? nil : zone)
  }
}

extension DateChange {
  /// The date that this change sets, or nil if the change shifts dates.
  fileprivate var setDate: CaptureDate? {
    guard case .set(let wallClock) = aim else { return nil }
    return CaptureDate(wallClock: wallClock, offset: offset, source: .exif)
  }
}
