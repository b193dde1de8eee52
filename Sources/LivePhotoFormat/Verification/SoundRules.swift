import Basics
import EditModel

/// Rules about decoded sound.
extension [VerificationFinding] {
  mutating func check(_ sound: PictureCheck.Sound) {
    let track = sound.track
    switch sound.outcome {
    case .damaged(let problem):
      return add(.soundDecodes, .movie, "The movie's sound track \(track) cannot be decoded: \(problem).")
    case .unsupported(let problem):
      return add(.soundFormat, .movie, "The movie's sound track \(track) was not decoded: \(problem).")
    case .decoded:
      break
    }
    if let places = sound.damage.places {
      add(
        .soundDecodes, .movie,
        "\(sound.damage.count) of the \(sound.packetCount) packets of the movie's sound track \(track) cannot be decoded: \(places)."
      )
    }
    if let stop = sound.stop {
      add(
        .soundDecodes, .movie,
        "The movie's sound track \(track) can be decoded for \(seconds(stop.seconds)) of its \(seconds(stop.end)) only."
      )
    }
  }
}

extension MediaDamage {
  /// The damaged frames in a sentence; nil without any.
  var frames: Message? {
    guard !spans.isEmpty else { return nil }
    let named = spans.prefix(Self.mostNamed).map { span -> Message in
      span.first == span.last
        ? "frame \(span.first + 1) at \(seconds(span.start))"
        : "frames \(span.first + 1) to \(span.last + 1) from \(seconds(span.start)) to \(seconds(span.end))"
    }
    return .plural(
      count, "\(count) frame is damaged: \(listed(named)). Frames up to the next key frame may show it, too.",
      "\(count) frames are damaged: \(listed(named)). Frames up to the next key frame may show it, too.")
  }

  /// The places of damaged packets; nil without any.
  fileprivate var places: Message? {
    guard !spans.isEmpty else { return nil }
    let named = spans.prefix(Self.mostNamed).map { span -> Message in
      span.first == span.last
        ? "at \(seconds(span.start))" : "from \(seconds(span.start)) to \(seconds(span.end))"
    }
    return listed(named)
  }

  /// Spans that a sentence names; what follows is counted.
  private static var mostNamed: Int { 8 }

  /// Some places, and how many frames or packets lie elsewhere.
  private func listed(_ named: [Message]) -> Message {
    let rest = count - spans.prefix(Self.mostNamed).reduce(0) { $0 + $1.last - $1.first + 1 }
    let list = named.joined(separator: ", ")
    return rest > 0 ? "\(list), and \(rest) more" : list
  }
}

/// A time with thousandths.
private func seconds(_ time: Double) -> Message { "\(decimal: "\((time * 1000).rounded() / 1000)") s" }
