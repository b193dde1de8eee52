import Basics
public import EditModel

/// Renders in the program's own process, so that the program's own code can change every picture.
///
/// A file that crashes a codec crashes the program; `HelperRenderer` of LiveEdit keeps such files at a distance, but
/// can run no frame processor.
///
///     let library = try PhotoLibrary(folder: folder, renderer: InProcessRenderer())
public struct InProcessRenderer: FrameRenderer {
  /// Makes a renderer.
  public init() {}

  /// See `Renderer`. Blocks, so call it from a thread that may.
  public func render(
    _ job: RenderJob, progress: @escaping @Sendable (RenderProgress) -> Void,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) -> RenderResult {
    try RenderEngine.render(job, progress: progress, isCancelled: isCancelled)
  }

  /// See `FrameRenderer`. Blocks, so call it from a thread that may.
  public func render(
    _ job: RenderJob, processor: FrameProcessor,
    progress: @escaping @Sendable (RenderProgress) -> Void, isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) -> RenderResult {
    try RenderEngine.render(job, processor: processor, progress: progress, isCancelled: isCancelled)
  }
}

extension InProcessRenderer: EditMatcher {
  /// See `EditMatcher`. Blocks, so call it from a thread that may.
  package func match(
    _ job: MatchJob, isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) -> FoundEdit {
    try matchEdit(job, isCancelled: isCancelled)
  }
}
