/// The job that the render helper `liveedit-render` reads as one line of JSON.
package enum HelperJob: Codable, Hashable, Sendable {
  /// Renders an edit.
  case render(RenderJob)
  /// Performs all steps of a render except encoding and writing pictures.
  case rehearse(RenderJob)
  /// Decodes pictures without writing files.
  case check(PictureCheckJob)
  /// Finds improvements for pictures.
  case propose(AutoJob)
  /// Finds the edit that turns one photo into another.
  case match(MatchJob)
  /// Performs a job other than rendering that requires a codec.
  case convert(ConversionJob)
  /// Answers a series of requests about edits of the same files.
  case preview(PreviewJob)
  /// Lists the libraries that the render helper uses.
  case describe

  /// The paths of the files that the job writes. They are deleted if the job fails.
  package var outputs: [String] {
    switch self {
    case .render(let job): [job.photo, job.movie].compactMap { $0?.output }
    case .convert(let job): [job.output].compactMap { $0 }
    case .match(let job): [job.report].compactMap { $0 }
    case .rehearse, .check, .propose, .preview, .describe: []
    }
  }

  /// Returns the job with other paths for its output files.
  ///
  /// - Parameter paths: The new paths, keyed by the paths in ``outputs``.
  package func writing(to paths: [String: String]) -> HelperJob {
    switch self {
    case .render(var job):
      if let output = job.photo?.output { job.photo?.output = paths[output] ?? output }
      if let output = job.movie?.output { job.movie?.output = paths[output] ?? output }
      return .render(job)
    case .convert(let job): return .convert(job.output.flatMap { paths[$0] }.map(job.writing) ?? job)
    case .match(var job):
      if let report = job.report { job.report = paths[report] ?? report }
      return .match(job)
    case .rehearse, .check, .propose, .preview, .describe: return self
    }
  }
}
