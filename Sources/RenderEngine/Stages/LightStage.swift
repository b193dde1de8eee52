import EditModel
import LivePhotoFormat
import Rendering
import Synchronization

/// Returns the stage that adjusts light locally, or nil if the edit does not adjust light locally.
///
/// - Parameters:
///   - job: The job.
///   - photo: The opened photo of the job, or nil if the job has no photo.
func lightStage(_ job: RenderJob, _ photo: OpenedPhoto?) -> FrameStage? {
  guard let light = LocalLight(job.edit) else { return nil }
  let movie = Mutex<LocalLight.History?>(LocalLight.History())
  return { frame, context in
    switch context.half {
    case .photo:
      var none: LocalLight.History?
      light.apply(to: frame, profile: try photo?.get().iccProfile(), after: &none)
    case .movie: movie.withLock { light.apply(to: frame, after: &$0) }
    }
    return frame
  }
}
