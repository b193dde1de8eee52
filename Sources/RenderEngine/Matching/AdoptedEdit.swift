import Basics
import EditModel
import FileSystem
import Rendering
import Synchronization

/// An edit by another program that the job's photo already contains. Before the job's own edit, the adopted edit is
/// applied to the movie, and to a movie frame that becomes the key photo.
///
/// The rotation of the job's own edit is applied before everything else, so that no picture is rotated twice. Light and
/// colour changes do not depend on the orientation.
struct AdoptedEdit: Sendable {
  /// The adopted edit, rotated to match the rotation of the job's own edit.
  let edit: Edit
  /// The geometry of the adopted edit, which straightens and crops.
  let geometry: JobGeometry
  /// The rotation that the adopted edit applies to stored pixels.
  let placement: PixelPlacement
  /// The changes to frames that have been rotated, straightened and cropped.
  let stages: [FrameStage]

  /// - Parameters:
  ///   - job: The job.
  ///   - turn: The additional rotation of the job's own edit.
  ///   - isUpright: Whether a later stage needs pictures in their displayed orientation.
  /// - Returns: Nil if the job adopts no edit.
  /// - Throws: ``EditError`` if the adopted edit cannot be rendered as requested.
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
    // A crop of the result corresponds to a crop of the displayed picture.
    placement = PixelPlacement(
      first, isUpright: isUpright || edit.local != nil || !job.edit.geometry.isNeutral)
    let noise = NoiseReduction(edit, sideBySide: WorkerThread.runSideBySide)
    stages = try frameStages(of: first, nil, noise, nil)
  }

  /// Applies the adopted edit to a frame of the movie. The frame and the result have the displayed orientation.
  ///
  /// - Parameters:
  ///   - frame: The upright frame, without its hidden parts.
  ///   - time: The time of the frame in seconds.
  func applied(to frame: PlanarFrame, at time: Double) throws -> PlanarFrame {
    let turned = frame.turned(by: edit.orientation)
    let plan = try geometry.plan(ofFrame: turned.format)
    var context = FrameContext(half: .movie, time: time, renderScale: 1)
    context.source = (plan?.sources ?? PictureProjection()).then(PictureProjection(edit.orientation).inverse)
    return try stages.apply(to: plan?.applied(to: turned) ?? turned, context)
  }
}

extension JobGeometry {
  /// Returns the stage that straightens and crops frames of any size, or nil if frames are neither straightened nor
  /// cropped.
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
