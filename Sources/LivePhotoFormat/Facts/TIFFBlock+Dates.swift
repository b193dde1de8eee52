import EditModel

/// Changes the dates in an Exif block (Exif 2.32 sections 4.6.4, 4.6.5 and 4.6.6).
extension TIFFBlock {
  /// The tag of a date, together with the tags for the date's fraction of a second and offset from UTC.
  private struct DateTags {
    let date: Int
    let directory: Directory
    let fraction: Int
    let offset: Int
  }

  private static let dates = [
    DateTags(date: Tag.dateTime, directory: .main, fraction: Tag.subSecTime, offset: 0x9010),
    DateTags(
      date: Tag.dateTimeOriginal, directory: .exif, fraction: Tag.subSecTimeOriginal,
      offset: Tag.offsetTimeOriginal),
    DateTags(
      date: Tag.dateTimeDigitized, directory: .exif, fraction: Tag.subSecTimeDigitized,
      offset: Tag.offsetTimeDigitized),
  ]
  private static let gpsTime = 7
  private static let gpsDate = 29

  /// Changes all dates. If the change sets a capture date and the block contains no capture date, the date is added.
  mutating func change(dates rewrite: DateRewrite) {
    if rewrite.isSet, makeDirectory(.exif), text(Tag.dateTimeOriginal, in: .exif) == nil {
      putText("0000:00:00 00:00:00", Tag.dateTimeOriginal, in: .exif)
    }
    for tags in Self.dates { change(tags, rewrite) }
    // The thumbnail's directory may repeat the modification date.
    if let old = text(Tag.dateTime, in: .thumbnail), let new = rewrite.moved(old) {
      putText(new, Tag.dateTime, in: .thumbnail)
    }
    changeGPSTime(rewrite)
  }

  private mutating func change(_ tags: DateTags, _ rewrite: DateRewrite) {
    guard let old = text(tags.date, in: tags.directory), old.utf8.count == 19 else { return }
    let offset = text(tags.offset, in: .exif).flatMap { CaptureDate.offset(Array($0.utf8)) }
    let new: CaptureDate
    if var date = CaptureDate(old, source: .exif) {
      date.offset = offset
      guard let moved = rewrite.change.applied(to: date) else { return }
      new = moved
    } else if rewrite.isSet, let set = rewrite.newCapture {
      // Zeros and spaces mean “unknown”.
      new = set
    } else {
      return
    }
    let seconds = DateChange.seconds(new.wallClock)
    guard let civil = CivilDate(secondsSince1970: seconds) else { return }
    let digits = civil.text.map { $0 == "-" ? ":" : $0 == "T" ? " " : $0 }
    putText(String(digits), tags.date, in: tags.directory)
    if rewrite.isSet {
      let milliseconds = new.wallClock - seconds * 1000
      if milliseconds == 0 {
        remove(tags.fraction, from: .exif)
      } else if makeDirectory(.exif) {
        putText(CivilDate.pad(milliseconds, 3), tags.fraction, in: .exif)
      }
    }
    if rewrite.change.offset != nil, let offset = new.offset, makeDirectory(.exif) {
      putText(DateRewrite.zone(offset, separator: ":"), tags.offset, in: .exif)
    }
  }

  /// Changes GPSTimeStamp, which consists of three fractions, and GPSDateStamp. Both tags contain UTC. Invalid times
  /// are removed.
  private mutating func changeGPSTime(_ rewrite: DateRewrite) {
    guard let entry = listing(.gps)?.entry(Self.gpsTime) else { return }
    let day = text(Self.gpsDate, in: .gps)
    guard entry.type == 5, entry.count == 3, let value = entry.value,
      let old = gpsSeconds(at: value.lowerBound),
      let date = CaptureDate((day ?? "1970:01:02") + " 00:00:00", source: .exif)
    else {
      remove(Self.gpsTime, from: .gps)
      remove(Self.gpsDate, from: .gps)
      return
    }
    let whole = Int(old.value.rounded(.down))
    let instant = rewrite.moved(instant: DateChange.seconds(date.wallClock) + whole)
    guard let new = CivilDate(secondsSince1970: instant) else {
      remove(Self.gpsTime, from: .gps)
      remove(Self.gpsDate, from: .gps)
      return
    }
    // The fraction of the second keeps its denominator.
    let over = rewrite.isSet ? new.second : new.second * old.under + old.rest
    let parts = [(new.hour, 1), (new.minute, 1), (over, rewrite.isSet ? 1 : old.under)]
    let data = parts.flatMap { order.bytes(of: $0.0, width: 4) + order.bytes(of: $0.1, width: 4) }
    _ = set(Self.gpsTime, type: 5, count: 3, data: data, in: .gps)
    if day != nil { putText(String(new.dateText.map { $0 == "-" ? ":" : $0 }), Self.gpsDate, in: .gps) }
  }

  /// Reads a time of day stored as three fractions, and returns the whole seconds since midnight and the remaining
  /// fraction of a second.
  private func gpsSeconds(at position: Int) -> (value: Double, rest: Int, under: Int)? {
    let numbers = (0..<6).compactMap { number(at: position + 4 * $0, width: 4) }
    guard numbers.count == 6, numbers[1] > 0, numbers[3] > 0, numbers[5] > 0, numbers[5] < 1 << 24 else {
      return nil
    }
    func seconds(of unit: Double, at index: Int) -> Double {
      unit * Double(numbers[index]) / Double(numbers[index + 1])
    }
    let value = seconds(of: 3600, at: 0) + seconds(of: 60, at: 2) + seconds(of: 1, at: 4)
    guard value < 86_401 else { return nil }
    let isPlain = numbers[0] % numbers[1] == 0 && numbers[2] % numbers[3] == 0
    let under = isPlain ? numbers[5] : 1000
    let rest = isPlain ? numbers[4] % numbers[5] : Int((value - value.rounded(.down)) * 1000)
    return (value, rest, under)
  }

  /// Sets the text of an ASCII tag if the directory has room for it.
  mutating func putText(_ text: String, _ tag: Int, in directory: Directory) {
    let data = Array(text.utf8) + [0]
    _ = set(tag, type: 2, count: data.count, data: data, in: directory)
  }
}
