import Codecs
public import EditModel
import FileSystem

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
    }
  } catch {
    if let output = job.output { _ = try? File.remove(output) }
    if error is CancellationError {
      throw EditError(.cancelled, file: job.source, "was not converted: stopped on request")
    }
    throw EditError(reading: job.source, error)
  }
}

extension InProcessRenderer: MediaConverter {
  /// See `MediaConverter`. Blocks, so call it from a thread that may.
  public func convert(
    _ job: ConversionJob, isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) -> ConversionResult {
    try RenderEngine.convert(job, isCancelled: isCancelled)
  }
}
