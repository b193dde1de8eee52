/// The one line of JSON that the helper `liveedit-render` reads: what to do.
package enum HelperJob: Codable, Hashable, Sendable {
  /// Render an edit.
  case render(RenderJob)
  /// Do all of a render but encode and write pictures.
  case rehearse(RenderJob)
  /// Decode pictures and write nothing.
  case check(PictureCheckJob)
  /// Find what would make pictures better.
  case propose(AutoJob)
  /// Find the edit that made one photo of another.
  case match(MatchJob)
  /// Do what a codec is needed for besides rendering.
  case convert(ConversionJob)
  /// Answer questions about edits of some files, until there are no more.
  case preview(PreviewJob)
  /// Say which libraries do all this.
  case describe

  /// Paths of the files that it makes; they are gone when it fails.
  package var outputs: [String] {
    switch self {
    case .render(let job): [job.photo, job.movie].compactMap { $0?.output }
    case .convert(let job): [job.output].compactMap { $0 }
    case .match(let job): [job.report].compactMap { $0 }
    case .rehearse, .check, .propose, .preview, .describe: []
    }
  }

  /// The job with other paths for the files that it makes.
  ///
  /// - Parameter paths: the other paths, by those of ``outputs``.
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
