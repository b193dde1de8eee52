import EditModel

/// Rules about the decoded pictures.
enum PictureRules {
  /// Two pictures of one scene agree better than this, in dB, once both are tiny.
  private static let leastLikeness = 22.0

  static func findings(_ photo: PictureCheck.Photo) -> [VerificationFinding] {
    switch photo.outcome {
    case .damaged(let problem):
      return [.init(.photoDecodes, .photo, "The photo cannot be decoded: \(problem).")]
    case .unsupported(let problem):
      return [.init(.notChecked, .photo, "The photo's picture was not checked: \(problem).")]
    case .decoded:
      break
    }
    switch photo.thumbnail {
    case .unreadable:
      return [.init(.thumbnail, .photo, "The photo's embedded thumbnail cannot be decoded.")]
    case .likeness(let decibels) where decibels < leastLikeness:
      return [.init(.thumbnail, .photo, "The photo's embedded thumbnail shows another picture.")]
    case .likeness, nil:
      return []
    }
  }

  static func findings(_ result: PictureCheck.Movie, _ movie: Movie) -> [VerificationFinding] {
    switch result.outcome {
    case .damaged(let problem):
      return [.init(.movieDecodes, .movie, "The movie cannot be decoded: \(problem).")]
    case .unsupported(let problem):
      return [.init(.notChecked, .movie, "The movie's frames were not checked: \(problem).")]
    case .decoded:
      break
    }
    guard let track = try? movie.video, let sync = track.samples.syncSamples else { return [] }
    // Frames are numbered in the order of showing, samples in the order of decoding.
    let times = track.samples.compositionTimes
    let shown = times.indices.sorted { times[$0] < times[$1] }
    let keys = Set(result.keyFrames.compactMap { shown.indices.contains($0) ? shown[$0] + 1 : nil })
    guard keys != Set(sync), !sync.isEmpty else { return [] }
    let missing = keys.subtracting(sync).count
    let wrong = Set(sync).subtracting(keys).count
    return [
      .init(
        .syncTable, .movie,
        "The movie's sync sample table marks \(wrong) frames that are no key frames and leaves out \(missing) that are."
      )
    ]
  }
}
