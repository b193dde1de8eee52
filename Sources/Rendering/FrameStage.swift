import EditModel

/// A processing step that is applied to the photo and to every movie frame of an asset. The step runs after the picture
/// has been decoded and rotated upright, and before the picture is encoded. Stages run one after the other, each on the
/// result of the previous stage.
///
/// The frame belongs to the stage, which may modify and return it, or return another frame. If a stage changes the
/// size, chroma sampling or bit depth of a movie's first frame, it must change all other frames in the same way. The
/// movie's frames arrive in display order on one thread. The photo may be processed at the same time on another thread.
package typealias FrameStage = @Sendable (_ frame: PlanarFrame, _ context: FrameContext) throws -> PlanarFrame

extension [FrameStage] {
  /// Passes a frame through all stages.
  package func apply(to frame: PlanarFrame, _ context: FrameContext) throws -> PlanarFrame {
    try reduce(frame) { frame, stage in try stage(frame, context) }
  }
}
