import Basics
import EditModel
import LivePhotoFormat
import Rendering

/// A step from the decoded picture to the edited picture. Renders and previews apply all steps in the order of the
/// cases, after the picture has been rotated, straightened and cropped.
enum EditStage: CaseIterable {
  /// Noise reduction.
  case noise
  /// Local light adjustments, such as highlights and shadows.
  case light
  /// Colours and tones, changed with a single table.
  case color
  /// The local gains of an adopted edit.
  case localGains
  /// Sharpening, vignette and grain.
  case detail
}

/// Returns the stages for every decoded picture of a job, in addition to rotation, straightening and cropping. If at
/// least one stage is returned, both halves are decoded and re-encoded, regardless of their rotation.
func frameStages(
  of job: RenderJob, _ photo: OpenedPhoto?, _ reduction: NoiseReduction?, _ processor: FrameProcessor?
) throws(EditError) -> [FrameStage] {
  var stages: [FrameStage] = []
  if let size = job.fittingSize { stages.append(reductionStage(size)) }
  for stage in EditStage.allCases {
    switch stage {
    case .noise:
      guard let reduction else { break }
      stages.append { frame, context in
        reduction.apply(to: frame, context)
        return frame
      }
    case .light:
      if let light = lightStage(job, photo) { stages.append(light) }
    case .color:
      if !job.edit.keepsColors { stages.append(colorStage(job, photo)) }
    case .localGains:
      guard let local = job.edit.local.map(LocalGainsStage.init) else { break }
      stages.append { frame, context in
        local.apply(to: frame, source: context.source)
        return frame
      }
    case .detail:
      guard let passes = DetailPasses(job.edit) else { break }
      stages.append { frame, _ in
        passes.apply(to: frame)
        return frame
      }
    }
  }
  if let processor { stages.append(processingStage(processor, photo, after: job.edit)) }
  let isReframed = !job.edit.geometry.isNeutral
  let hasEffect = job.edit.motion.effect != .none
  guard !job.settings.isLossless || (stages.isEmpty && !isReframed && !hasEffect) else {
    throw EditError(
      .invalidEdit, file: job.photo?.source ?? job.movie?.source,
      isReframed
        ? "cannot be cropped or straightened losslessly, because every picture must be re-encoded"
        : hasEffect
          ? "cannot be given an effect losslessly, because its pictures must be re-encoded"
          : "cannot be edited losslessly, because the edit changes pixels",
      remedy: "omit --lossless")
  }
  return stages
}
