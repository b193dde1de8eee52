import Basics

/// A program or library that turns originals and an edit into rendered files.
public protocol Renderer: Sendable {
  /// Renders a job, and returns when its outputs are written.
  ///
  /// - Parameters:
  ///   - job: the files, the edit and the settings. The outputs do not exist yet.
  ///   - progress: called now and then, from any thread.
  ///   - isCancelled: asked now and then, from any thread; true stops the render.
  /// - Returns: what was done.
  /// - Throws: ``Basics/EditError``; the outputs are gone then.
  func render(
    _ job: RenderJob, progress: @escaping @Sendable (RenderProgress) -> Void,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) -> RenderResult
}

/// A renderer in the program's own process, which can call the program's own code for every picture.
public protocol FrameRenderer: Renderer {
  /// Renders a job, with a change of every picture by the program.
  ///
  /// - Parameters:
  ///   - job: the files, the edit and the settings. The outputs do not exist yet.
  ///   - processor: called with every picture after the edit's own changes; see ``FrameProcessor``.
  ///   - progress: called now and then, from any thread.
  ///   - isCancelled: asked now and then, from any thread; true stops the render.
  /// - Returns: what was done.
  /// - Throws: ``Basics/EditError``; the outputs are gone then.
  func render(
    _ job: RenderJob, processor: FrameProcessor,
    progress: @escaping @Sendable (RenderProgress) -> Void, isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) -> RenderResult
}
