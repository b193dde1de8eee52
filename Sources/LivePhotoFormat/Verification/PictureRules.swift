import Basics
import EditModel

/// Rules for decoded pictures.
extension [VerificationFinding] {
  mutating func check(_ photo: PictureCheck.Photo) {
    switch photo.outcome {
    case .damaged(let problem):
      return add(.photoDecodes, .photo, "The photo cannot be decoded: \(problem).")
    case .unsupported(let problem):
      return add(.notChecked, .photo, "The photo's picture was not checked: \(problem).")
    case .decoded:
      break
    }
    switch photo.thumbnail {
    case .unreadable:
      add(.thumbnail, .photo, "The photo's embedded thumbnail cannot be decoded.")
    case .likeness(let decibels) where decibels < PictureCheck.Thumbnail.leastLikeness:
      add(.thumbnail, .photo, "The photo's embedded thumbnail shows a different picture.")
    case .likeness, nil:
      break
    }
  }

  mutating func check(_ result: PictureCheck.Movie, of movie: Movie) {
    switch result.outcome {
    case .damaged(let problem):
      let sentence: Message = "The movie cannot be decoded: \(problem)."
      return add(.movieDecodes, .movie, result.damage.frames.map { "\(sentence) \($0)" } ?? sentence)
    case .unsupported(let problem):
      return add(.notChecked, .movie, "The movie's frames were not checked: \(problem).")
    case .decoded:
      break
    }
    // An implausible table has already been reported.
    guard let track = try? movie.video, let sync = track.samples.syncSamples, !sync.isEmpty,
      !contains(where: { $0.rule == .syncTable })
    else { return }
    // Frames are numbered in display order, and samples in decoding order.
    let times = track.samples.compositionTimes
    let shown = times.indices.sorted { times[$0] < times[$1] }
    let keys = Set(result.keyFrames.compactMap { shown.indices.contains($0) ? shown[$0] + 1 : nil })
    let missing = keys.subtracting(sync).count
    let wrong = Set(sync).subtracting(keys).count
    guard missing + wrong > 0 else { return }
    add(
      .syncTable, .movie,
      "The movie's sync sample table marks \(wrong) frames that are not keyframes and omits \(missing) keyframes."
    )
  }
}
