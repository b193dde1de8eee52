import Basics
import EditModel
import LivePhotoFormat

/// The photo of a job without the movies in its file that nothing here reads, since no edit of the photo would be one of them
/// too. They stay where only what the file says of the capture is edited, unless its place is: they may say the old one.
struct PhotoWithoutMovies {
  /// The photo, opened; nil for a job without one.
  private(set) var photo: OpenedPhoto?
  /// What it does not carry any more.
  private(set) var removals: [Removal] = []
  /// Further remarks.
  private(set) var notes: [Message] = []

  /// Opens the photo of a job. What is wrong with it is told when it is rendered.
  ///
  /// - Parameter isProcessed: whether a program's own code changes its picture.
  init(of job: RenderJob, isProcessed: Bool) {
    photo = job.photo.map { OpenedPhoto(path: $0.source) }
    guard case .success(let whole)? = photo, whole.kind != nil, whole.source.count <= Int(Int32.max),
      let movies = try? whole.unknownMovies(), !movies.isEmpty
    else { return }
    var other = job.edit
    other.facts = .neutral
    let isRewritten =
      !other.isIdentity || isProcessed || job.settings.renderedPhotoFormat != .same || job.adopted != nil
      || job.fittingSize != nil
    guard isRewritten || job.edit.facts.place != nil else {
      if job.edit.facts.date != nil {
        notes = ["The photo's file contains a movie in an unknown layout, which keeps its own date."]
      }
      return
    }
    let reason = isRewritten ? UnknownMovie.reason : UnknownMovie.contradiction
    do {
      try whole.source.checkPhotoSize()
      let (rest, lost) = try whole.withoutUnknownMovies()
      photo = .success(rest)
      removals = lost.map { Removal(half: .photo, name: $0, reason: reason) }
    } catch {
      photo = .failure(error)
    }
  }
}
