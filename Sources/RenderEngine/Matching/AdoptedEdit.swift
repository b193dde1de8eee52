import Basics
import EditModel
import FileSystem
import Rendering
import Synchronization

/// The edit of another program that the photo of a job has already: its movie gets it first, and so does a frame that
/// becomes the photo.
///
/// What the job's own edit turns is turned before everything else, so that no picture is turned twice: light and colours do
/// not depend on where up is.
struct AdoptedEdit: Sendable {
  /// The edit, turned as the job's own edit turns what comes of it.
  let edit: Edit
  /// How it straightens and crops.
  let geometry: JobGeometry
  /// How it turns what is stored.
  let placement: PixelPlacement
  /// The changes of frames that are turned, straightened and cropped.
  let stages: [FrameStage]

  /// - Parameters:
  ///   - job: the job.
  ///   - turn: what the job's own edit turns besides.
  ///   - isUpright: whether pictures are handed to somebody who must see them as they are displayed.
  /// - Returns: nil where the job adopts nothing.
  /// - Throws: ``EditError`` when it cannot be rendered as the job asks for.
  init?(of job: RenderJob, turnedBy turn: Orientation, isUpright: Bool) throws(EditError) {
    guard let adopted = job.adopted else { return nil }
    var edit = adopted.edit.turned(turn)
    edit.motion = .neutral
    if job.edit.motion.effect == .longExposure {
      throw EditError(
        .invalidEdit, file: job.photo?.source,
        "was edited in another program, so frames of its movie cannot be blended into it",
        remedy: "for a long exposure, first restore the original with liveedit revert")
    }
    let first = RenderJob(
      photo: nil, movie: job.movie, edit: edit, settings: job.settings, identifier: nil)
    self.edit = edit
    geometry = try JobGeometry(
      first, adopted.photo.map { OpenedPhoto(path: $0) }, cutsScene: !job.edit.geometry.isNeutral)
    // A crop of what comes out is one of the displayed picture.
    placement = PixelPlacement(
      first, isUpright: isUpright || edit.local != nil || !job.edit.geometry.isNeutral)
    let noise = NoiseReduction(edit, sideBySide: WorkerThread.runSideBySide)
    stages = try frameStages(of: first, nil, noise, nil)
  }

  /// A frame of the movie with the edit, which is handed over and comes back as it is displayed.
  ///
  /// - Parameters:
  ///   - frame: the frame, upright, without what is not shown of it.
  ///   - time: its time, in seconds.
  func applied(to frame: PlanarFrame, at time: Double) throws -> PlanarFrame {
    let turned = frame.turned(by: edit.orientation)
    let plan = try geometry.plan(ofFrame: turned.format)
    var context = FrameContext(half: .movie, time: time, renderScale: 1)
    context.source = (plan?.sources ?? PictureProjection()).then(PictureProjection(edit.orientation).inverse)
    return try stages.apply(to: plan?.applied(to: turned) ?? turned, context)
  }
}

extension JobGeometry {
  /// The stage that straightens and crops frames, of whatever size they come; nil where none are.
  func frameStage() -> FrameStage? {
    guard changesPictures else { return nil }
    let plans = Mutex<[FrameFormat: GeometryPlan?]>([:])
    return { frame, _ in
      let found = try plans.withLock { plans -> GeometryPlan? in
        if let made = plans[frame.format] { return made }
        let made = try self.plan(ofFrame: frame.format)
        plans.updateValue(made, forKey: frame.format)
        return made
      }
      return try found?.applied(to: frame) ?? frame
    }
  }
}
