import Basics
import EditModel

/// Rules for decoded audio.
extension [VerificationFinding] {
  mutating func check(_ sound: PictureCheck.Sound) {
    let track = sound.track
    switch sound.outcome {
    case .damaged(let problem):
      return add(.soundDecodes, .movie, "Audio track \(track) in the movie cannot be decoded: \(problem).")
    case .unsupported(let problem):
      return add(.soundFormat, .movie, "Audio track \(track) in the movie was not decoded: \(problem).")
    case .decoded:
      break
    }
    if let places = sound.damage.places {
      add(
        .soundDecodes, .movie,
        "\(sound.damage.count) of the \(sound.packetCount) packets in the movie's audio track \(track) cannot be decoded: \(places)."
      )
    }
    if let stop = sound.stop {
      add(
        .soundDecodes, .movie,
        "Audio track \(track) in the movie can be decoded only for the first \(seconds(stop.seconds)) of its \(seconds(stop.end))."
      )
    }
  }
}

extension MediaDamage {
  /// A sentence that lists the damaged frames, or nil if no frames are damaged.
  var frames: Message? {
    guard !spans.isEmpty else { return nil }
    let named = spans.prefix(Self.mostNamed).map { span -> Message in
      span.first == span.last
        ? "frame \(span.first + 1) at \(seconds(span.start))"
        : "frames \(span.first + 1) to \(span.last + 1) from \(seconds(span.start)) to \(seconds(span.end))"
    }
    return .plural(
      count,
      "\(count) frame is damaged: \(listed(named)). Later frames up to the next keyframe may also show the damage.",
      "\(count) frames are damaged: \(listed(named)). Later frames up to the next keyframe may also show the damage."
    )
  }

  /// A list of the times of damaged packets, or nil if no packets are damaged.
  fileprivate var places: Message? {
    guard !spans.isEmpty else { return nil }
    let named = spans.prefix(Self.mostNamed).map { span -> Message in
      span.first == span.last
        ? "at \(seconds(span.start))" : "from \(seconds(span.start)) to \(seconds(span.end))"
    }
    return listed(named)
  }

  /// The maximum number of time spans listed in a sentence. The frames or packets in further time spans are only
  /// counted.
  private static var mostNamed: Int { 8 }

  /// Returns a list of times, followed by the number of damaged frames or packets that are not in the list.
  private func listed(_ named: [Message]) -> Message {
    let rest = count - spans.prefix(Self.mostNamed).reduce(0) { $0 + $1.last - $1.first + 1 }
    let list = named.joined(separator: ", ")
    return rest > 0 ? "\(list), and \(rest) more" : list
  }
}

/// Formats a time in seconds with millisecond precision.
private func seconds(_ time: Double) -> Message { "\(decimal: "\((time * 1000).rounded() / 1000)") s" }
