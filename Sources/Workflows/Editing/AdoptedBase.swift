import EditLibrary
import EditModel

/// The files behind a version whose photo another program made: edits of it are applied to that photo, and, in the movie, to
/// the original's frames after the edit that was found.
package struct AdoptedBase: Hashable, Sendable {
  /// The edit that was found.
  private let edit: RenderJob.Adopted
  /// Path of the original movie.
  private let movie: String

  /// - Parameters:
  ///   - number: the version that an edit is applied to; 0 is the original.
  ///   - record: the asset.
  ///   - library: its library.
  /// - Returns: nil for other versions, and for one whose movie has another length: an edit's times are those of the movie
  ///   that is seen.
  package init?(of number: Int, _ record: AssetRecord, _ library: Library) {
    guard let found = record.version(number)?.adoptedEdit, found.motion.trim == nil,
      !found.motion.effect.changesMovie,
      let movie = record.originals.first(where: { $0.role == .movie })
    else { return nil }
    let photo = record.originals.first { $0.role == .photo }
    edit = RenderJob.Adopted(edit: found, photo: photo.map { library.originalPath($0.name) })
    self.movie = library.originalPath(movie.name)
  }

  /// A job with the original movie in place of the one that was rendered of it.
  package func applied(to job: RenderJob) -> RenderJob {
    var job = job
    job.adopted = edit
    job.movie?.source = movie
    if job.frameSource != nil { job.frameSource = movie }
    return job
  }
}
