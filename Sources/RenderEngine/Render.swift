import Basics
import Codecs
import EditModel
import FileSystem
import LivePhotoFormat
import Rendering
import Synchronization

/// Renders an edit: reads the sources, writes the outputs, says what could not be carried over.
///
/// A function of the job and the files alone: no clock, no state. Photo and movie are rendered at the
/// same time, on threads of their own; the calling thread waits, so call it from a thread that may block.
///
/// - Parameters:
///   - job: which files, which edit, where the results go.
///   - processor: called with every picture after the edit's own changes.
///   - progress: called now and then, from any thread, with the fraction of the whole that is done.
///   - isCancelled: asked now and then, from any thread; when it says true the render ends with
///     ``EditError/Code/cancelled``.
/// - Returns: how the halves were made, and what they do not carry.
/// - Throws: ``EditError``. No output is left behind then.
package func render(
  _ job: RenderJob, processor: FrameProcessor? = nil,
  progress: @escaping @Sendable (RenderProgress) -> Void, isCancelled: @escaping @Sendable () -> Bool
) throws(EditError) -> RenderResult {
  try render(job, processor, isRehearsal: false, progress, isCancelled)
}

/// Does all of a render but encode and write pictures: reads the sources, decodes every picture, prepares the encoders,
/// and finds out what could not be carried over.
///
/// - Parameters:
///   - job: which files, and which edit. Nothing is written at the paths of its outputs.
///   - isCancelled: asked now and then, from any thread; true stops the work.
/// - Returns: the result that the render will have.
/// - Throws: ``EditError``, as the render will.
package func rehearse(
  _ job: RenderJob, isCancelled: @escaping @Sendable () -> Bool
) throws(EditError) -> RenderResult {
  try render(job, nil, isRehearsal: true, { _ in }, isCancelled)
}

private func render(
  _ job: RenderJob, _ processor: FrameProcessor?, isRehearsal: Bool,
  _ progress: @escaping @Sendable (RenderProgress) -> Void, _ isCancelled: @escaping @Sendable () -> Bool
) throws(EditError) -> RenderResult {
  guard 0...1 ~= job.audioVolume else {
    throw EditError(.invalidEdit, "the audio volume \(job.audioVolume) is outside the range 0–1")
  }
  if !isRehearsal { try checkFree([job.photo, job.movie].compactMap { $0?.output }) }
  if let whole = try MotionPhotoRender(job) {
    return try whole.render(isRehearsal: isRehearsal, isCancelled: isCancelled) { job throws(EditError) in
      try render(job, processor, isRehearsal: isRehearsal, progress, isCancelled)
    }
  }
  if job.edit.motion.isLiveOff, let movie = job.movie {
    throw EditError(
      .invalidEdit, file: movie.source, "is not rendered, because Live is off",
      remedy: "render only the photo")
  }
  let stop = StopSignal(isCancelled)
  let meter = ProgressMeter(job, report: progress)
  let alone = PhotoWithoutMovies(of: job, isProcessed: processor != nil)
  let original = alone.photo
  let keyPhoto =
    if let picture = try KeyPhoto(adoptedBy: job, original) { picture as KeyPhoto? } else {
      try KeyPhoto(of: job, original)
    }
  let opened = keyPhoto.map { OpenedPhoto.success($0.photo) } ?? original
  let reduction = NoiseReduction(
    job.edit, pieces: HostSystem.processors, sideBySide: WorkerThread.runSideBySide)
  let stages = try frameStages(of: job, opened, reduction, processor).map { stage in
    { @Sendable (frame: PlanarFrame, context: FrameContext) in
      try stop.check()
      return try stage(frame, context)
    }
  }
  let geometry = try JobGeometry(job, opened, keyPhoto: keyPhoto)
  // Colours do not depend on where up is.
  let isUpright = job.fittingSize != nil || processor != nil || job.edit.local != nil
  let placement = PixelPlacement(job, isUpright: isUpright)
  let adopted = try AdoptedEdit(of: job, turnedBy: job.edit.orientation, isUpright: isUpright)
  if let movie = job.movie, !job.edit.geometry.isNeutral || adopted != nil {
    try checkGeometry(movie, adopted?.geometry ?? geometry, adopted?.placement ?? placement)
  }
  var halves: [@Sendable () -> Result<RenderResult, EditError>] = []
  if let photo = job.photo, let opened {
    halves.append {
      attempt(photo, stop) {
        try PhotoRender(
          photo: opened.get(), keyPhoto: keyPhoto, half: photo, job: job, geometry: geometry,
          placement: placement, newProfile: opened.get().newProfile(job.edit),
          stages: stages,
          isUpright: isUpright, isRehearsal: isRehearsal, stop: stop, meter: meter
        ).render()
      }
    }
  }
  if let movie = job.movie {
    halves.append {
      attempt(movie, stop) {
        try renderMovie(
          movie, job, first: adopted?.edit ?? job.edit, geometry: adopted?.geometry ?? geometry,
          placement: adopted?.placement ?? placement,
          motion: { try $0.plan(for: job.movieMotion) },
          stages: adopted.map { $0.stages + [geometry.frameStage()].compactMap { $0 } + stages } ?? stages,
          noise: { reduction?.movieNoise ?? 0 }, isRehearsal: isRehearsal, stop: stop,
          meter: meter)
      }
    }
  }

  let outcomes = onOwnThreads(halves)
  // The first failure stops the other half, whose “cancelled” is then only its echo.
  var failures: [EditError] = []
  var result = RenderResult()
  (result.removals, result.notes) = (alone.removals, alone.notes)
  for outcome in outcomes {
    switch outcome {
    case .success(let half):
      result.photo = half.photo ?? result.photo
      result.movie = half.movie ?? result.movie
      result.stillTime = half.stillTime ?? result.stillTime
      result.removals += half.removals
      result.notes += half.notes
    case .failure(let error):
      failures.append(error)
    }
  }
  if let failure = failures.first(where: { $0.code != .cancelled }) ?? failures.first {
    for half in [job.photo, job.movie] where !isRehearsal {
      if let half { _ = try? File.remove(half.output) }
    }
    throw failure
  }
  result.build = LiveEditVersion.buildPrefix + LibraryBuilds.loaded
  progress(RenderProgress(fraction: 1))
  return result
}

/// Makes sure that a movie can be cropped so far, before both halves begin: where neither can, it would be chance which of
/// them is told.
///
/// - Throws: ``EditError``. What else is wrong with the movie is told when it is rendered.
private func checkGeometry(
  _ movie: RenderJob.Half, _ geometry: JobGeometry, _ placement: PixelPlacement
) throws(EditError) {
  guard let summary = try? MovieSummary(FileByteSource(path: movie.source)) else { return }
  do {
    _ = try geometry.moviePlan(summary, turnedBy: placement.movie(summary.orientation).transform)
  } catch {
    throw EditError(rendering: movie, error)
  }
}

/// Runs pieces of work side by side, each on a thread of its own, and waits for all of them.
///
/// Codecs block; blocking in Swift's cooperative pool, which has one or two threads on a small machine,
/// could leave none to go on with.
private func onOwnThreads(
  _ work: [@Sendable () -> Result<RenderResult, EditError>]
) -> [Result<RenderResult, EditError>] {
  let results = Mutex<[Int: Result<RenderResult, EditError>]>([:])
  WorkerThread.runSideBySide(work.count) { index in
    let result = work[index]()
    results.withLock { $0[index] = result }
  }
  return results.withLock { results in
    work.indices.map { results[$0] ?? .failure(EditError(.renderer, "part of the render result is missing")) }
  }
}

/// Runs one half, puts its errors into words about its file, and stops the other half when it fails.
private func attempt(
  _ half: RenderJob.Half, _ stop: StopSignal, _ body: () throws -> RenderResult
) -> Result<RenderResult, EditError> {
  do {
    return .success(try body())
  } catch {
    stop.stop()
    return .failure(EditError(rendering: half, error))
  }
}

/// Ends a render: because it was asked to, or because one half failed.
final class StopSignal: Sendable {
  private let stopped = Atomic<Bool>(false)
  private let isCancelled: @Sendable () -> Bool

  init(_ isCancelled: @escaping @Sendable () -> Bool) {
    self.isCancelled = isCancelled
  }

  func stop() {
    stopped.store(true, ordering: .relaxed)
  }

  var isStopped: Bool {
    stopped.load(ordering: .relaxed) || isCancelled()
  }

  func check() throws(EditError) {
    if isStopped { throw EditError(.cancelled, "the render was cancelled") }
  }
}

/// Adds up the progress of both halves.
final class ProgressMeter: Sendable {
  private let fractions = Mutex((photo: 0.0, movie: 0.0))
  private let photoWeight: Double
  private let report: @Sendable (RenderProgress) -> Void

  init(_ job: RenderJob, report: @escaping @Sendable (RenderProgress) -> Void) {
    // A photo takes about as long as a few frames of its movie.
    photoWeight = job.movie == nil ? 1 : job.photo == nil ? 0 : 0.1
    self.report = report
  }

  func photo(_ fraction: Double) {
    add { $0.photo = fraction }
  }

  func movie(_ fraction: Double) {
    add { $0.movie = fraction }
  }

  private func add(_ change: (inout (photo: Double, movie: Double)) -> Void) {
    let sum = fractions.withLock { fractions in
      change(&fractions)
      return fractions.photo * photoWeight + fractions.movie * (1 - photoWeight)
    }
    report(RenderProgress(fraction: min(sum, 1)))
  }
}
