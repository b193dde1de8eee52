import EditModel

extension Facts {
  /// The facts in words: “dates moved by +2 h 30 min”, “place removed”.
  var words: [String] {
    (date?.words ?? []) + [place?.words].compactMap { $0 } + description.words
  }
}

extension DateChange {
  fileprivate var words: [String] {
    var words: [String] = []
    switch aim {
    case .set(let wallClock):
      words.append("date " + CaptureDate(wallClock: wallClock, offset: offset, source: .exif).text)
    case .moved(let clock, let instant):
      if instant != 0 || clock != 0, instant == clock || instant != 0 && offset == nil {
        words.append("dates moved by " + Self.duration(clock))
      } else if instant != 0 {
        words.append("moment moved by " + Self.duration(instant))
      }
    }
    if let zone {
      words.append("time zone \(zone)")
    } else if case .moved = aim, let offset {
      words.append("time zone \(CaptureDate(wallClock: 0, offset: offset, source: .exif).text.suffix(6))")
    }
    return words
  }

  /// Seconds in words: “+2 h 30 min”, “−1 d”.
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
  fileprivate var words: String {
    guard case .set(let place) = self else { return "place removed" }
    func degrees(_ value: Double) -> String {
      (value < 0 ? "-" : "") + CanonicalJSON.decimal(Int((value.magnitude * 1e7).rounded()), digits: 7).text
    }
    let altitude = place.altitude.map {
      " at " + ($0 < 0 ? "-" : "")
        + CanonicalJSON.decimal(Int(($0.magnitude * 1000).rounded()), digits: 3).text
        + " m"
    }
    return "place \(degrees(place.latitude)), \(degrees(place.longitude))" + (altitude ?? "")
  }
}

extension DescriptionChange {
  fileprivate var words: [String] {
    var words: [String] = []
    if let title { words.append(title.isEmpty ? "no title" : "title “\(title)”") }
    if let caption { words.append(caption.isEmpty ? "no caption" : "caption “\(caption)”") }
    if let rating { words.append("rating \(rating)") }
    for (name, change) in [("keyword", keywords), ("person", persons)] {
      words += change.added.map { "\(name) +\($0)" } + change.removed.map { "\(name) −\($0)" }
    }
    return words
  }
}
