import EditLibrary
import EditModel

/// The files and the edit from which a version with another program's photo was made. Further edits of the version use
/// that photo. For the movie, further edits use the original movie's frames with the adopted edit applied.
package struct AdoptedBase: Hashable, Sendable {
  /// The adopted edit, as it was determined by comparing the photos.
  private let edit: RenderJob.Adopted
  /// The path of the original movie.
  private let movie: String

  /// - Parameters:
  ///   - number: The version that an edit is applied to; 0 is the original.
  ///   - record: The asset's record.
  ///   - library: The asset's library.
  /// - Returns: Nil for a version that is not adopted, and for a version whose movie has a different length, because an
  ///   edit's times refer to the displayed movie.
  package init?(of number: Int, _ record: AssetRecord, _ library: Library) {
    guard let found = record.version(number)?.adoptedEdit, found.motion.trim == nil,
      !found.motion.effect.changesMovie,
      let movie = record.originals.first(where: { $0.role == .movie })
    else { return nil }
    let photo = record.originals.first { $0.role == .photo }
    edit = RenderJob.Adopted(edit: found, photo: photo.map { library.originalPath($0.name) })
    self.movie = library.originalPath(movie.name)
  }

  /// Returns a job that reads the original movie instead of the movie that was rendered from it.
  package func applied(to job: RenderJob) -> RenderJob {
    var job = job
    job.adopted = edit
    job.movie?.source = movie
    if job.frameSource != nil { job.frameSource = movie }
    return job
  }
}
