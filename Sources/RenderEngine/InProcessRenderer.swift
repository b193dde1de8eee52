import Basics
public import EditModel

/// Renders in the calling process, so that the program's own code can edit every picture.
///
/// A file that crashes a codec also crashes the program. LiveEdit's `HelperRenderer` isolates such files, but cannot
/// run frame processors.
///
///     let library = try PhotoLibrary(folder: folder, renderer: InProcessRenderer())
public struct InProcessRenderer: FrameRenderer {
  /// Creates a renderer.
  public init() {}

  /// Renders a job; see `Renderer`. This method blocks, so call it from a thread that may block.
  public func render(
    _ job: RenderJob, progress: @escaping @Sendable (RenderProgress) -> Void,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) -> RenderResult {
    try RenderEngine.render(job, progress: progress, isCancelled: isCancelled)
  }

  /// Renders a job with a frame processor; see `FrameRenderer`. This method blocks, so call it from a thread that may
  /// block.
  public func render(
    _ job: RenderJob, processor: FrameProcessor,
    progress: @escaping @Sendable (RenderProgress) -> Void, isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) -> RenderResult {
    try RenderEngine.render(job, processor: processor, progress: progress, isCancelled: isCancelled)
  }
}

extension InProcessRenderer: EditMatcher {
  /// Matches two photos; see `EditMatcher`. This method blocks, so call it from a thread that may block.
  package func match(
    _ job: MatchJob, isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) -> FoundEdit {
    try matchEdit(job, isCancelled: isCancelled)
  }
}
