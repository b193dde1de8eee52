import Basics
import EditModel
import FileSystem
import LivePhotoFormat

/// The render of a Motion Photo: the photo and the movie in its file are rendered like those of a Live Photo, and put together
/// again as they were.
struct MotionPhotoRender {
  private let job: RenderJob
  private let half: RenderJob.Half
  private let files: MotionPhotoFiles

  /// Takes the photo of a job apart.
  ///
  /// - Returns: nil for other jobs. What is wrong with the photo is told when it is rendered.
  /// - Throws: ``EditError`` when it cannot be taken apart.
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

  /// Renders both parts, and writes them into one file.
  ///
  /// - Parameters:
  ///   - isRehearsal: whether nothing is written.
  ///   - isCancelled: asked now and then.
  ///   - render: renders a job of a photo and a movie.
  func render(
    isRehearsal: Bool, isCancelled: @escaping @Sendable () -> Bool,
    _ render: (RenderJob) throws(EditError) -> RenderResult
  ) throws(EditError) -> RenderResult {
    var inner = job
    // One that a converter left in the photo ties it to no file; in a movie that has one too it is renewed as well.
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
      // Where its time stays as it was, so does what the file says of it.
      let motion = job.movieMotion
      let isRetimed =
        motion.trim != nil || motion.keyPhoto != nil || [.loop, .bounce].contains(motion.effect)
      if isRetimed, dialect.timestamp != nil { dialect.timestamp = -1 }
      dialect.isRetimed = isRetimed
      if files.stillTime == 0, motion.trim.map({ $0.seconds.lowerBound > 0 }) ?? false, motion.keyPhoto == nil
      {
        result.notes.append(
          "The trim removed the photo's time, 0 s, so the file now gives the first frame's time instead.")
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

  /// Names the photo's file in errors about its parts.
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
