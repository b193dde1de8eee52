import Basics
public import EditModel

extension HelperRenderer: MediaConverter, EditMatcher {
  /// See ``Renderer/render(_:progress:isCancelled:)``.
  public func render(
    _ job: RenderJob, progress: @escaping @Sendable (RenderProgress) -> Void,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) -> RenderResult {
    let subject = job.photo?.source ?? job.movie?.source
    return try run(.render(job), about: subject, progress: progress, isCancelled: isCancelled) {
      if case .result(let result) = $0 { result } else { nil }
    }
  }

  /// Does all of a render in the helper but encode and write pictures.
  ///
  /// - Parameters:
  ///   - job: the render.
  ///   - isCancelled: asked now and then, from any thread; true stops the work.
  /// - Returns: the result that the render will have, but for its build.
  /// - Throws: ``EditError``, as the render will, or when the helper cannot be run or dies.
  package func rehearse(
    _ job: RenderJob, isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) -> RenderResult {
    let subject = job.photo?.source ?? job.movie?.source
    return try run(.rehearse(job), about: subject, isCancelled: isCancelled) {
      if case .result(let result) = $0 { result } else { nil }
    }
  }

  /// Looks at a photo, or at the frames of a movie, in the helper, and writes nothing.
  ///
  /// - Parameters:
  ///   - job: the files.
  ///   - isCancelled: asked now and then, from any thread; true stops the work.
  /// - Returns: values for an edit of these files.
  /// - Throws: ``EditError`` when a file cannot be read or decoded, or the helper cannot be run or dies.
  package func propose(
    _ job: AutoJob, isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) -> AutoProposal {
    try run(.propose(job), about: job.photo ?? job.movie, isCancelled: isCancelled) {
      if case .proposed(let proposal) = $0 { proposal } else { nil }
    }
  }

  /// Finds in the helper the edit that made one photo of another, and writes nothing.
  ///
  /// - Parameters:
  ///   - job: the files.
  ///   - isCancelled: asked now and then, from any thread; true stops the work.
  /// - Throws: ``EditError`` when a file cannot be read or decoded, when the one photo was not made of the other, or when the
  ///   helper cannot be run or dies.
  package func match(
    _ job: MatchJob, isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) -> FoundEdit {
    try run(.match(job), about: job.edited, isCancelled: isCancelled) {
      if case .matched(let found) = $0 { found } else { nil }
    }
  }

  /// The libraries that the helper uses, and how it is confined while it works; nil where it does not say so.
  ///
  /// - Throws: ``EditError`` when the helper cannot be run or dies.
  package func description() throws(EditError) -> (
    libraries: [LinkedLibrary], confinement: ConfinementState?
  ) {
    let told = try told(.describe, about: nil, { _ in }, { false })
    guard case .libraries(let libraries) = told.last else { throw HelperConversation.nonsense(nil) }
    return (libraries, told.confinement)
  }

  /// Does a job for which a codec is needed in the helper.
  ///
  /// - Parameters:
  ///   - job: what to do.
  ///   - isCancelled: asked now and then, from any thread; true stops the work.
  /// - Throws: ``EditError``; the output is gone then.
  public func convert(
    _ job: ConversionJob, isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) -> ConversionResult {
    try run(.convert(job), about: job.source, isCancelled: isCancelled) {
      if case .converted(let result) = $0 { result } else { nil }
    }
  }

  /// Decodes a photo or the frames of a movie in the helper, and writes nothing.
  ///
  /// - Parameters:
  ///   - job: the files.
  ///   - isCancelled: asked now and then, from any thread; true stops the work.
  /// - Returns: what decoding showed. A damaged file is no error.
  /// - Throws: ``EditError`` when a file cannot be opened, or the helper cannot be run or dies.
  public func check(
    _ job: PictureCheckJob, isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) -> PictureCheck {
    try run(.check(job), about: job.photo ?? job.movie, isCancelled: isCancelled) {
      if case .checked(let result) = $0 { result } else { nil }
    }
  }
}
