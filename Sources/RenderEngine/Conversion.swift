public import Basics
import Codecs
public import EditModel
import FileSystem
import LivePhotoFormat
import Rendering

/// Runs a conversion job. Such jobs need a codec but do not render an edit.
///
/// - Parameters:
///   - job: The job.
///   - isCancelled: Called from time to time. The work stops if the result is true.
/// - Returns: A description of what was done.
/// - Throws: ``EditError`` if the job fails. In this case the job's output is removed.
package func convert(_ job: ConversionJob, isCancelled: () -> Bool) throws(EditError) -> ConversionResult {
  if let output = job.output { try checkFree([output]) }
  do {
    switch job {
    case .movie(let movie):
      try Movie.checkEditLists(of: FileByteSource(path: movie.source))
      return try MovieConverter.convert(movie, isCancelled: isCancelled)
    case .stillTime(let photo, let movie):
      return try stillTime(of: photo, in: movie, isCancelled: isCancelled)
    case .bestFrame(let movie, let part, let moment):
      return ConversionResult(
        stillTime: try bestFrame(of: movie, in: part, near: moment, isCancelled: isCancelled))
    case .frame(let movie, let seconds, let output):
      let layout = try Movie(FileByteSource(path: movie)).shownLayout
      let frame = try StillPictures.frame(at: seconds, of: movie, isCancelled: isCancelled)
      let shown = try frame.picture.shown(in: layout).turned(by: layout.orientation)
      let profile = ICCProfileWriter.profile(of: shown.format.color)
      try write(
        ForeignPhoto.jpeg(StillPictures.jpeg(shown.forJPEG()), exif: nil, profile: profile), to: output)
      return ConversionResult(method: .encoded, stillTime: frame.seconds)
    case .preview(let movie, let output, let kind):
      let orientation = try Movie(FileByteSource(path: movie)).shownOrientation
      try Animation.write(
        of: movie, orientation: orientation, to: output, kind: kind, isCancelled: isCancelled)
      return ConversionResult(method: .encoded)
    case .picture(let path, let output):
      let source = try FileByteSource(path: path)
      guard let kind = try ForeignPhoto(source) else {
        throw MediaError("the file is not a PNG, TIFF or WebP picture")
      }
      let picture = try StillPictures.picture(
        path, container: kind.container, isPremultiplied: kind.isPremultiplied(source))
      let jpeg = try ForeignPhoto.jpeg(
        StillPictures.jpeg(picture.frame), carrying: kind.metadata(in: source), profile: picture.profile)
      try write(jpeg.bytes, to: output)
      return ConversionResult(
        method: .encoded,
        notes: jpeg.lostXMP ? ["The photo's XMP is too large for a JPEG and was left out."] : [])
    case .image(let image): return try ImageMaking(job: image).run(isCancelled: isCancelled)
    case .sheet(let sheet): return try SheetMaking(job: sheet).run(isCancelled: isCancelled)
    case .sheetPictures(let job): return try SheetPictureMaking(job: job).run(isCancelled: isCancelled)
    case .grid(let source):
      let image = ImageConversion(source: source.path, isMovie: source.isMovie, output: "", profile: .srgb)
      var result = ConversionResult()
      result.grids = try asking(isCancelled) { try ImageMaking(job: image).grids() }
      return result
    case .video(let video):
      let orientation = try Movie(FileByteSource(path: video.source)).shownOrientation
      return try MovieConverter.convert(video, orientation: orientation, isCancelled: isCancelled)
    }
  } catch {
    if let output = job.output { _ = try? File.remove(output) }
    if error is CancellationError {
      throw EditError(.cancelled, file: job.source, "was not converted: the operation was cancelled")
    }
    var failure = EditError(reading: job.source, error)
    failure.file = failure.file ?? job.source
    throw failure
  }
}

/// Writes a new file, with errors that can be distinguished from errors about the source.
func write(_ bytes: [UInt8], to output: String) throws(EditError) {
  do { try File.create(output, bytes: bytes) } catch { throw EditError(writing: output, error) }
}

/// Finds the time, in seconds on a movie's timeline, at which the movie shows the same picture as a photo. Also
/// measures how closely the movie resembles the photo.
private func stillTime(
  of photo: String, in path: String, isCancelled: () -> Bool
) throws -> ConversionResult {
  let picture: PlanarFrame
  do {
    picture = try DecodedPhoto(path: photo).upright
  } catch {
    // All other errors concern the movie.
    throw EditError(reading: photo, error)
  }
  var search = FrameSearch(photo: picture)
  let movie = try Movie(FileByteSource(path: path))
  let orientation = try movie.shownOrientation
  var frames: [(seconds: Double, likeness: Double)] = []
  try StillPictures.frames(of: path, isCancelled: isCancelled) { frame, seconds in
    let likeness = search.look(at: orientation == .identity ? frame : frame.turned(by: orientation))
    frames.append((seconds, likeness))
    return true
  }
  guard let best = search.best, frames.indices.contains(best.index) else {
    throw MediaError("the movie has no frames")
  }
  var result = ConversionResult(stillTime: frames[best.index].seconds)
  if let mark = movie.stillImageTime {
    // Some files mark the end of the frame's display time, others the middle.
    let nearest = frames.map { abs($0.seconds - mark) }.min() ?? 0
    result.likeness = frames.filter { abs($0.seconds - mark) <= nearest + 0.1 }.map(\.likeness).max()
  } else {
    result.likeness = frames.map(\.likeness).max()
  }
  return result
}

extension InProcessRenderer: MediaConverter {
  /// Converts a file; see `MediaConverter`. This method blocks, so call it from a thread that may block.
  public func convert(
    _ job: ConversionJob, isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) -> ConversionResult {
    try RenderEngine.convert(job, isCancelled: isCancelled)
  }
}
