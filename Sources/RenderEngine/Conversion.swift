public import Basics
import Codecs
public import EditModel
import FileSystem
import LivePhotoFormat
import Rendering

/// Does a job for which a codec is needed besides rendering.
///
/// - Parameters:
///   - job: what to do.
///   - isCancelled: asked now and then; true stops the work.
/// - Returns: what was done.
/// - Throws: ``EditError``; the output is gone then.
public func convert(_ job: ConversionJob, isCancelled: () -> Bool) throws(EditError) -> ConversionResult {
  do {
    switch job {
    case .movie(let movie): return try MovieConverter.convert(movie, isCancelled: isCancelled)
    case .stillTime(let photo, let movie):
      return ConversionResult(stillTime: try stillTime(of: photo, in: movie, isCancelled: isCancelled))
    case .bestFrame(let movie, let part, let moment):
      return ConversionResult(
        stillTime: try bestFrame(of: movie, in: part, near: moment, isCancelled: isCancelled))
    case .frame(let movie, let seconds, let output):
      let orientation = try Movie(FileByteSource(path: movie)).shownOrientation
      let frame = try StillPictures.frame(
        at: seconds, of: movie, orientation: orientation, isCancelled: isCancelled)
      let profile = ICCProfileWriter.profile(of: frame.color)
      try write(ForeignPhoto.jpeg(frame.jpeg, exif: nil, profile: profile), to: output)
      return ConversionResult(method: .encoded, stillTime: frame.seconds)
    case .preview(let movie, let output, let kind):
      let orientation = try Movie(FileByteSource(path: movie)).shownOrientation
      try LoopingPreview.write(
        of: movie, orientation: orientation, to: output, kind: kind, isCancelled: isCancelled)
      return ConversionResult(method: .encoded)
    case .picture(let path, let output):
      let source = try FileByteSource(path: path)
      guard let kind = try ForeignPhoto(source) else {
        throw MediaError("it is no PNG, TIFF or WebP picture")
      }
      let picture = try StillPictures.picture(path, container: kind.container)
      let jpeg = try ForeignPhoto.jpeg(
        StillPictures.jpeg(picture.frame), exif: kind.exif(in: source), profile: picture.profile)
      try write(jpeg, to: output)
      return ConversionResult(method: .encoded)
    case .image(let image): return try ImageMaking(job: image).run(isCancelled: isCancelled)
    case .sheet(let sheet): return try SheetMaking(job: sheet).run(isCancelled: isCancelled)
    case .video(let video):
      let orientation = try Movie(FileByteSource(path: video.source)).shownOrientation
      return try MovieConverter.convert(video, orientation: orientation, isCancelled: isCancelled)
    }
  } catch {
    if let output = job.output { _ = try? File.remove(output) }
    if error is CancellationError {
      throw EditError(.cancelled, file: job.source, "was not converted: stopped on request")
    }
    var failure = EditError(reading: job.source, error)
    failure.file = failure.file ?? job.source
    throw failure
  }
}

/// Writes a new file; trouble with it is told apart from trouble with the source.
func write(_ bytes: [UInt8], to output: String) throws(EditError) {
  do { try File.create(output, bytes: bytes) } catch { throw EditError(writing: output, error) }
}

/// Where a movie shows what a photo shows.
///
/// - Returns: seconds on the movie's timeline.
private func stillTime(of photo: String, in movie: String, isCancelled: () -> Bool) throws -> Double {
  let picture: PlanarFrame
  do {
    picture = try DecodedPhoto(path: photo).upright
  } catch {
    // All else is about the movie.
    throw EditError(reading: photo, error)
  }
  var search = FrameSearch(photo: picture)
  let orientation = try Movie(FileByteSource(path: movie)).shownOrientation
  var times: [Double] = []
  try StillPictures.frames(of: movie, isCancelled: isCancelled) { frame, seconds in
    search.look(at: orientation == .identity ? frame : frame.turned(by: orientation))
    times.append(seconds)
    return true
  }
  guard let best = search.best, times.indices.contains(best.index) else {
    throw MediaError("it has no frames")
  }
  return times[best.index]
}

extension InProcessRenderer: MediaConverter {
  /// See `MediaConverter`. Blocks, so call it from a thread that may.
  public func convert(
    _ job: ConversionJob, isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) -> ConversionResult {
    try RenderEngine.convert(job, isCancelled: isCancelled)
  }
}
