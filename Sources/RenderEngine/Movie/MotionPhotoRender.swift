import Basics
import EditModel
import FileSystem
import LivePhotoFormat

/// A render of a Motion Photo. The photo and the movie in its file are rendered like the halves of a Live Photo, and
/// then combined again in the same layout.
struct MotionPhotoRender {
  private let job: RenderJob
  private let half: RenderJob.Half
  private let files: MotionPhotoFiles

  /// Splits the photo of a job.
  ///
  /// - Returns: Nil if the photo is not a Motion Photo. Problems with the photo are reported when it is rendered.
  /// - Throws: ``EditError`` if the photo cannot be split.
  init?(_ job: RenderJob) throws(EditError) {
    guard let half = job.photo, job.movie == nil else { return nil }
    do {
      let files = try MotionPhotoFiles(
        path: half.source, keepsMakersNames: !job.edit.motion.isLiveOff)
      guard let files else { return nil }
      self.files = files
    } catch is MediaError {
      return nil
    } catch {
      throw EditError(rendering: half, error)
    }
    (self.job, self.half) = (job, half)
  }

  /// Renders both parts and writes them into one file.
  ///
  /// - Parameters:
  ///   - isRehearsal: Whether to write nothing.
  ///   - isCancelled: Called from time to time. The work stops if the result is true.
  ///   - render: Renders a job that has a photo and a movie.
  func render(
    isRehearsal: Bool, isCancelled: @escaping @Sendable () -> Bool,
    _ render: (RenderJob) throws(EditError) -> RenderResult
  ) throws(EditError) -> RenderResult {
    var inner = job
    // If only the photo contains an identifier, it was left behind by a converter and pairs the photo with no other
    // file. If the movie also contains an identifier, a new identifier is assigned.
    do {
      let isOfMovie = try MovieMetadata(reading: files.movie).contentIdentifier != nil
      if !isOfMovie { inner.identifier = nil }
    } catch { throw EditError(reading: half.source, error) }
    inner.stillPlace = StillPlace(seconds: files.stillTime)
    if job.edit.motion.isLiveOff {
      inner.photo = RenderJob.Half(source: files.photo.path, output: half.output)
      inner.frameSource = files.movie.path
      var result = try naming { () throws(EditError) in try render(inner) }
      result.removals = files.lost + result.removals
      return result
    }
    let (picture, frames) = (half.output + ".photo", half.output + ".movie")
    if !isRehearsal { try checkFree([picture, frames]) }
    defer { for path in [picture, frames] where !isRehearsal { _ = try? File.remove(path) } }
    inner.photo = RenderJob.Half(source: files.photo.path, output: picture)
    inner.movie = RenderJob.Half(source: files.movie.path, output: frames)
    var result = try naming { () throws(EditError) in try render(inner) }
    result.removals = files.lost + result.removals
    do {
      var dialect = files.dialect
      result.removals += try dialect.state(job.edit, of: Photo(files.photo))
      guard !isRehearsal else { return result }
      // If the time of the key photo does not change, the time in the file's metadata does not change either.
      let motion = job.movieMotion
      let isRetimed =
        motion.trim != nil || motion.keyPhoto != nil || [.loop, .bounce].contains(motion.effect)
      if isRetimed, dialect.timestamp != nil { dialect.timestamp = -1 }
      dialect.isRetimed = isRetimed
      if files.stillTime == 0, motion.trim.map({ $0.seconds.lowerBound > 0 }) ?? false, motion.keyPhoto == nil
      {
        result.notes.append(
          "The trim removed the moment of the photo (0 s), so the file now states the first frame's time instead."
        )
      }
      let sink = try OutputFile(half.output, StopSignal(isCancelled))
      var photo = try Photo(FileByteSource(path: picture))
      if let identifier = job.identifier, inner.identifier == nil {
        let tied = MemoryByteSink()
        result.removals += try photo.write(tiedBy: identifier, to: tied)
        photo = try Photo(MemoryByteSource(tied.bytes))
      }
      result.removals += try MotionPhoto.write(
        photo: photo, movie: FileByteSource(path: frames),
        stillTime: isRetimed ? result.stillTime : nil, as: dialect, to: sink)
      try sink.close()
    } catch {
      _ = try? File.remove(half.output)
      throw EditError(rendering: half, error)
    }
    return result
  }

  /// Replaces the file names of the parts in errors with the name of the Motion Photo's file.
  private func naming(
    _ body: () throws(EditError) -> RenderResult
  ) throws(EditError) -> RenderResult {
    do {
      return try body()
    } catch {
      var error = error
      switch error.file {
      case files.photo.path, files.movie.path: error.file = half.source
      case half.output + ".photo", half.output + ".movie": error.file = half.output
      default: break
      }
      throw error
    }
  }
}
