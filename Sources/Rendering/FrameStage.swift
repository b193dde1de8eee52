import EditModel

/// One thing that is done to every picture of an asset, photo and frames alike, after it was decoded and turned
/// upright and before it is encoded. Stages run one after the other, each on what the one before returned.
///
/// The frame belongs to the stage, which may write into it and return it, or return another. Where the first frame
/// of a movie comes out with another size, sampling or depth, all others must too. Frames of the movie come in the
/// order of showing, from one thread; the photo may come at the same time from another.
package typealias FrameStage = @Sendable (_ frame: PlanarFrame, _ context: FrameContext) throws -> PlanarFrame

extension [FrameStage] {
  /// Sends a frame through all stages.
  package func apply(to frame: PlanarFrame, _ context: FrameContext) throws -> PlanarFrame {
    try reduce(frame) { frame, stage in try stage(frame, context) }
  }
}
