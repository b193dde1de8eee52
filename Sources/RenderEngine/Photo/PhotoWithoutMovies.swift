import Basics
import EditModel
import LivePhotoFormat

/// The photo of a job without embedded movies whose layout is unknown. Such movies are removed, because the edit of the
/// photo cannot be applied to them. If only capture metadata is edited, the movies are kept, unless the location
/// changes: a movie may contain the old location.
struct PhotoWithoutMovies {
  /// The opened photo, or nil for a job without a photo.
  private(set) var photo: OpenedPhoto?
  /// The metadata that the photo no longer contains.
  private(set) var removals: [Removal] = []
  /// Additional notes for the user.
  private(set) var notes: [Message] = []

  /// Opens the photo of a job. Problems with the photo are reported when it is rendered.
  ///
  /// - Parameter isProcessed: Whether custom code of the calling program changes the picture.
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
