import Basics

/// A program or library that renders an edit of originals to files.
public protocol Renderer: Sendable {
  /// Renders a job. Returns when the outputs are written.
  ///
  /// - Parameters:
  ///   - job: The files, the edit and the settings. The outputs must not exist yet.
  ///   - progress: A closure that is called from time to time, from any thread.
  ///   - isCancelled: A closure that is called from time to time, from any thread; returning true stops the render.
  /// - Returns: The result of the render.
  /// - Throws: ``Basics/EditError``. In that case, the outputs are deleted.
  func render(
    _ job: RenderJob, progress: @escaping @Sendable (RenderProgress) -> Void,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) -> RenderResult
}

/// A renderer that runs in the calling process and can call a frame processor for every picture.
public protocol FrameRenderer: Renderer {
  /// Renders a job with a frame processor.
  ///
  /// - Parameters:
  ///   - job: The files, the edit and the settings. The outputs must not exist yet.
  ///   - processor: The frame processor, which is called with every picture after the edit's own changes are applied;
  ///     see ``FrameProcessor``.
  ///   - progress: A closure that is called from time to time, from any thread.
  ///   - isCancelled: A closure that is called from time to time, from any thread; returning true stops the render.
  /// - Returns: The result of the render.
  /// - Throws: ``Basics/EditError``. In that case, the outputs are deleted.
  func render(
    _ job: RenderJob, processor: FrameProcessor,
    progress: @escaping @Sendable (RenderProgress) -> Void, isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) -> RenderResult
}
