import Basics
import Codecs
import EditModel
import FileSystem
import LivePhotoFormat
import Rendering

/// Renders the movie: decodes its frames, rotates and re-encodes them, and copies everything else. If frames may not be
/// re-encoded, the display matrix rotates them instead.
///
/// If every pixel keeps its position and its value, the compressed frames are kept. Pixels keep their positions if the
/// edit neither rotates nor crops, or if it undoes the rotation in the movie's matrix.
///
/// - Parameters:
///   - first: The edit to which the geometry belongs: the job's own edit, or the adopted edit, which is applied to the
///     movie first.
///   - motion: Returns the plan of the frames to show and their times. If the plan is nil, every frame is shown at its
///     original time.
///   - noise: Returns the variance of the noise that the stages remove. See ``VideoTranscoder``.
///   - isRehearsal: Whether to rehearse: nothing is written, and no frame is encoded.
func renderMovie(
  _ half: RenderJob.Half, _ job: RenderJob, first: Edit, geometry: JobGeometry, placement: PixelPlacement,
  motion: (Movie) throws -> MotionPlan?, stages: [FrameStage],
  noise: @escaping () -> Double = { 0 }, isRehearsal: Bool = false,
  stop: StopSignal, meter: ProgressMeter
) throws -> RenderResult {
  let source = try FileByteSource(path: half.source)
  let movie = try Movie(source, stating: job.edit.facts, photoAt: job.stillPlace)
  let summary = try MovieSummary(movie)
  guard summary.frameCount > 0 else { throw MediaError("the video track has no frames") }
  try stop.check()

  let (transform, display) = placement.movie(summary.orientation)
  let effect = try effectFrames(of: movie, summary, half, job, geometry, stop: stop, meter: meter)
  let placing = try effect?.placing(geometry, turnedBy: transform)
  let plan = try placing?.plan ?? geometry.moviePlan(summary, turnedBy: transform)
  let motion = try effect?.shown(job.movieMotion.effect) ?? motion(movie)
  let frameCount = motion?.frames.count ?? summary.frameCount
  // The frames of an effect have already been aligned with the photo.
  let local =
    first.local == nil || effect != nil || isRehearsal
    ? nil
    : try LocalPlacing(movie, of: half.source, summary, stop: stop) { meter.movie(effectShare * $0) }
  let stages = (placing == nil ? plan.map { [$0.stage] } ?? [] : []) + stages
  let isOtherCodec = job.settings.videoCodec.map { $0.format != summary.videoFormat } ?? false
  var transcoder: VideoTranscoder?
  var video: EncodedVideo?
  if !job.settings.isLossless, transform != .identity || isOtherCodec || !stages.isEmpty || motion != nil {
    let scale = job.scale(
      of: plan?.outputSize
        ?? PixelSize(turning: (summary.storedWidth, summary.storedHeight), by: transform))
    let change = { @Sendable (frame: PlanarFrame, ticks: Int64) in
      let time =
        motion == nil ? try movie.videoTime(of: ticks) : Double(ticks) / Double(summary.videoTimeScale)
      var context = FrameContext(half: .movie, time: time, renderScale: scale)
      if first.local != nil {
        let scene = geometry.moviePicture(summary, turnedBy: transform)
        context.source = sourcePlaces(
          plan, of: scene, local?.back(at: ticks, motion, turnedBy: transform), turnedBy: first.orientation
        )
      }
      return try stages.apply(to: frame, context)
    }
    let made = try VideoTranscoder(
      path: half.source, trackID: summary.videoTrackID, orientation: transform, settings: job.settings,
      plan: motion, place: placing?.place, change: stages.isEmpty ? nil : change, noise: noise)
    guard made.frameCount == frameCount, made.timeScale == summary.videoTimeScale else {
      throw MediaError("the sample tables contradict each other")
    }
    video = EncodedVideo(
      format: made.codec.format, configuration: made.configuration, width: made.format.width,
      height: made.format.height, pixelTransform: transform,
      hasOtherColors: !job.edit.keepsAppearance || job.adopted?.edit.keepsAppearance == false,
      isReframed: plan != nil || job.adopted != nil && !job.edit.geometry.isNeutral)
    transcoder = made
  }

  let shareBefore = effect == nil && local == nil ? 0 : effectShare
  let volume = job.audioVolume * job.movieMotion.soundFactor
  let sound = try soundChange(of: movie, half, volume: volume, heardIn: motion?.sound, stop: stop)
  let output = try OutputFile(isRehearsal ? nil : half.output, stop)
  let writer = try MovieWriter(
    movie: movie, source: source, video: video,
    orientation: display, identifier: job.identifier, sound: sound, plan: motion,
    still: movie.keyFrame(of: job.movieMotion)?.seconds, sink: output)
  let method = transcoder == nil ? RenderResult.Method.copied : .encoded
  let still = try motion.map(\.still) ?? movie.keyFrame(of: job.movieMotion)?.seconds ?? movie.stillImageTime
  let notes =
    effect.flatMap { effect in plan.map { [effect.note($0.outputSize.turned(by: display))] } } ?? []
  if let transcoder {
    do {
      if isRehearsal {
        try transcoder.rehearse { stop.isStopped }
        return RenderResult(movie: method, removals: writer.removals, notes: notes + writer.notes)
      }
      try transcoder.run(
        isCancelled: { stop.isStopped },
        onProgress: { meter.movie(shareBefore + (1 - shareBefore) * Double($0) / Double(frameCount)) },
        onPacket: { packet in
          try writer.append(packet.data, presentationTime: packet.presentationTime, isSync: packet.isSync)
        })
    } catch is CancellationError {
      try stop.check()
    }
  }
  try stop.check()
  try writer.finish()
  try output.close()
  if !isRehearsal { try LivePhotoVerification.checkShowing(movie: FileByteSource(path: half.output)) }
  var result = RenderResult(movie: method, removals: writer.removals, notes: notes + writer.notes)
  result.stillTime = still
  return result
}

/// Maps positions in a rendered frame to positions in the photo as displayed, both as fractions of width and height.
///
/// - Parameters:
///   - plan: The crop of the frame, or nil for the whole frame.
///   - picture: The rotated frame, and the part of the frame that shows the same scene as the photo.
///   - camera: The mapping from positions in the rotated frame to positions in the frame at the time of the photo, or
///     nil if these positions are the same.
///   - turn: The rotation of the edit.
private func sourcePlaces(
  _ plan: GeometryPlan?, of picture: GeometryPlan.Picture, _ camera: PictureProjection?,
  turnedBy turn: Orientation
) -> PictureProjection {
  let size = SIMD2(Double(picture.width), Double(picture.height))
  let scene = PictureProjection(
    scale: [picture.scene.z / size.x, picture.scene.w / size.y],
    shift: [picture.scene.x / size.x, picture.scene.y / size.y])
  var places = plan.map { $0.sources.then(scene) } ?? PictureProjection()
  if let camera { places = places.then(camera) }
  return places.then(scene.inverse).then(PictureProjection(turn).inverse)
}

/// The fraction of an effect's work that is complete before the first frame is encoded.
private let effectShare = 0.25

/// Returns the frames from which the effect of a job's movie is created, or nil if the movie has no effect.
private func effectFrames(
  of movie: Movie, _ summary: MovieSummary, _ half: RenderJob.Half, _ job: RenderJob, _ geometry: JobGeometry,
  stop: StopSignal, meter: ProgressMeter
) throws -> EffectFrames? {
  guard job.movieMotion.effect.changesMovie, let plan = try movie.framesOfEffect(of: job.movieMotion) else {
    return nil
  }
  return try EffectFrames(
    plan, of: half.source, summary,
    scene: geometry.moviePicture(summary, turnedBy: .identity).scene, stop: stop,
    onProgress: { meter.movie(effectShare * $0) })
}

/// Returns the change to a movie's audio that the volume setting of a job requires.
///
/// - Parameter part: The audible part of the movie's timeline, in seconds, or nil for the whole movie.
/// - Throws: ``Basics/MediaError`` if the volume of the audio cannot be reduced. Errors that `stop` throws are passed
///   on.
private func soundChange(
  of movie: Movie, _ half: RenderJob.Half, volume: Double, heardIn part: Range<Double>?, stop: StopSignal
) throws -> SoundChange {
  if volume == 1 { return .none }
  guard volume > 0 else { return .removed }
  var recoded: [Int: [[UInt8]]] = [:]
  do {
    for (track, packets) in try movie.compressedSound(heardIn: part) {
      recoded[track] = try SoundTranscoder.scaledPackets(
        path: half.source, trackID: track, by: volume, packets: packets, isCancelled: { stop.isStopped })
    }
  } catch is CancellationError {
    try stop.check()
  }
  return .scaled(by: volume, recoded: recoded)
}

extension RenderSettings.VideoCodec {
  /// The four-character code that identifies the codec in movies.
  var format: String {
    switch self {
    case .h264: "avc1"
    case .hevc: "hvc1"
    }
  }
}
