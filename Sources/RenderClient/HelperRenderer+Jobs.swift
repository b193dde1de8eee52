import Basics
public import EditModel

extension HelperRenderer: MediaConverter, EditMatcher {
  /// Renders a job in the helper; see ``Renderer/render(_:progress:isCancelled:)``.
  public func render(
    _ job: RenderJob, progress: @escaping @Sendable (RenderProgress) -> Void,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) -> RenderResult {
    let subject = job.photo?.source ?? job.movie?.source
    return try run(.render(job), about: subject, progress: progress, isCancelled: isCancelled) {
      if case .result(let result) = $0 { result } else { nil }
    }
  }

  /// Performs all steps of a render in the helper, except for encoding and writing pictures.
  ///
  /// - Parameters:
  ///   - job: The render job.
  ///   - isCancelled: Called from time to time, on any thread. The work stops if the result is true.
  /// - Returns: The expected result of the render, without the build.
  /// - Throws: ``EditError`` if the render would fail, or if the helper cannot be run or crashes.
  package func rehearse(
    _ job: RenderJob, isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) -> RenderResult {
    let subject = job.photo?.source ?? job.movie?.source
    return try run(.rehearse(job), about: subject, isCancelled: isCancelled) {
      if case .result(let result) = $0 { result } else { nil }
    }
  }

  /// Analyses a photo or the frames of a movie in the helper without writing anything.
  ///
  /// - Parameters:
  ///   - job: The files.
  ///   - isCancelled: Called from time to time, on any thread. The work stops if the result is true.
  /// - Returns: Proposed values for an edit of these files.
  /// - Throws: ``EditError`` if a file cannot be read or decoded, or if the helper cannot be run or crashes.
  package func propose(
    _ job: AutoJob, isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) -> AutoProposal {
    try run(.propose(job), about: job.photo ?? job.movie, isCancelled: isCancelled) {
      if case .proposed(let proposal) = $0 { proposal } else { nil }
    }
  }

  /// Determines, in the helper, the edit that converts one photo to another photo, without writing anything.
  ///
  /// - Parameters:
  ///   - job: The files.
  ///   - isCancelled: Called from time to time, on any thread. The work stops if the result is true.
  /// - Throws: ``EditError`` if a file cannot be read or decoded, if neither photo is an edit of the other, or if the
  ///   helper cannot be run or crashes.
  package func match(
    _ job: MatchJob, isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) -> FoundEdit {
    try run(.match(job), about: job.edited, isCancelled: isCancelled) {
      if case .matched(let found) = $0 { found } else { nil }
    }
  }

  /// Returns the libraries that the helper uses, and the restrictions in force while it works. If the helper does not
  /// report its restrictions, they are nil.
  ///
  /// - Throws: ``EditError`` if the helper cannot be run or crashes.
  package func description() throws(EditError) -> (
    libraries: [LinkedLibrary], confinement: ConfinementState?
  ) {
    let told = try told(.describe, about: nil, { _ in }, { false })
    guard case .libraries(let libraries) = told.last else { throw HelperConversation.nonsense(nil) }
    return (libraries, told.confinement)
  }

  /// Runs a conversion job, which needs a codec, in the helper.
  ///
  /// - Parameters:
  ///   - job: The job.
  ///   - isCancelled: Called from time to time, on any thread. The work stops if the result is true.
  /// - Throws: ``EditError`` if the job fails. In this case the job's output is removed.
  public func convert(
    _ job: ConversionJob, isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) -> ConversionResult {
    try run(.convert(job), about: job.source, isCancelled: isCancelled) {
      if case .converted(let result) = $0 { result } else { nil }
    }
  }

  /// Decodes a photo or the frames of a movie in the helper without writing anything.
  ///
  /// - Parameters:
  ///   - job: The files.
  ///   - isCancelled: Called from time to time, on any thread. The work stops if the result is true.
  /// - Returns: The result of decoding. Damage to a file is reported as a result, not as an error.
  /// - Throws: ``EditError`` if a file cannot be opened, or if the helper cannot be run or crashes.
  public func check(
    _ job: PictureCheckJob, isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) -> PictureCheck {
    try run(.check(job), about: job.photo ?? job.movie, isCancelled: isCancelled) {
      if case .checked(let result) = $0 { result } else { nil }
    }
  }
}
