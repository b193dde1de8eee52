import Basics
import EditModel

extension Facts {
  /// The metadata changes in words: “dates moved by +2 h 30 min”, “location removed”.
  var words: [Message] {
    (date?.words ?? []) + [place?.words].compactMap { $0 } + description.words
  }
}

extension DateChange {
  fileprivate var words: [Message] {
    var words: [Message] = []
    switch aim {
    case .set(let wallClock):
      words.append("date \(CaptureDate(wallClock: wallClock, offset: offset, source: .exif).text)")
    case .moved(let clock, let instant):
      if instant != 0 || clock != 0, instant == clock || instant != 0 && offset == nil {
        words.append("dates shifted by \(Self.duration(clock))")
      } else if instant != 0 {
        words.append("time of capture shifted by \(Self.duration(instant))")
      }
    }
    if let zone {
      words.append("time zone \(zone)")
    } else if case .moved = aim, let offset {
      words.append("time zone \(CaptureDate(wallClock: 0, offset: offset, source: .exif).text.suffix(6))")
    }
    return words
  }

  /// Formats seconds with unit symbols that are the same in every language (SI units, and units that are used with the
  /// SI): “+2 h 30 min”, “−1 d”.
  private static func duration(_ seconds: Int) -> String {
    var rest = Int(seconds.magnitude)
    var parts: [String] = []
    for (name, unit) in [("d", 86_400), ("h", 3600), ("min", 60), ("s", 1)] {
      let (count, left) = rest.quotientAndRemainder(dividingBy: unit)
      if count > 0 { parts.append("\(count) \(name)") }
      rest = left
    }
    return (seconds < 0 ? "−" : "+") + (parts.isEmpty ? "0 s" : parts.joined(separator: " "))
  }
}

extension PlaceChange {
  fileprivate var words: Message {
    guard case .set(let place) = self else { return "location removed" }
    // Coordinates are written in the form in which users can type them.
    func degrees(_ value: Double) -> String {
      (value < 0 ? "-" : "")
        + JSONValue.decimal(Int((value.magnitude * 1e7).rounded()), digits: 7).canonicalText
    }
    let (latitude, longitude) = (degrees(place.latitude), degrees(place.longitude))
    guard let altitude = place.altitude else { return "location \(latitude), \(longitude)" }
    let height = JSONValue.decimal(Int((altitude.magnitude * 1000).rounded()), digits: 3).canonicalText
    return "location \(latitude), \(longitude) at \((altitude < 0 ? "-" : "") + height) m"
  }
}

extension DescriptionChange {
  fileprivate var words: [Message] {
    var words: [Message] = []
    if let title { words.append(title.isEmpty ? "title removed" : "title “\(title)”") }
    if let caption { words.append(caption.isEmpty ? "caption removed" : "caption “\(caption)”") }
    if let rating { words.append("rating \(rating)") }
    for word in keywords.added { words.append("keyword +\(word)") }
    for word in keywords.removed { words.append("keyword −\(word)") }
    for person in persons.added { words.append("person +\(person)") }
    for person in persons.removed { words.append("person −\(person)") }
    return words
  }
}
