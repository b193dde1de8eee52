import Basics
import Codecs
import EditModel
import FileSystem
import LivePhotoFormat
import Rendering
import Synchronization

/// Renders an edit: reads the sources, writes the outputs, and reports the metadata that is lost.
///
/// The result depends only on the job and the files, not on the current time or on earlier calls. The photo and the
/// movie are rendered concurrently on separate threads. The calling thread waits, so call this function from a thread
/// that may block.
///
/// - Parameters:
///   - job: The files, the edit and the output paths.
///   - processor: Called with every picture after the edit has been applied.
///   - progress: Called from time to time, on any thread, with the completed fraction of the work.
///   - isCancelled: Called from time to time, on any thread. If the result is true, the render ends with
///     ``EditError/Code/cancelled``.
/// - Returns: A description of how the halves were rendered, and the metadata that could not be kept.
/// - Throws: ``EditError`` if the render fails; no output is left behind.
package func render(
  _ job: RenderJob, processor: FrameProcessor? = nil,
  progress: @escaping @Sendable (RenderProgress) -> Void, isCancelled: @escaping @Sendable () -> Bool
) throws(EditError) -> RenderResult {
  try render(job, processor, isRehearsal: false, progress, isCancelled)
}

/// Performs all steps of a render except encoding and writing pictures: reads the sources, decodes every picture,
/// prepares the encoders, and determines the metadata that could not be kept.
///
/// - Parameters:
///   - job: The files and the edit. Nothing is written to the output paths.
///   - isCancelled: Called from time to time, on any thread. The work stops if the result is true.
/// - Returns: The expected result of the render.
/// - Throws: ``EditError`` if the render would fail.
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
  // Colour changes alone do not depend on the orientation.
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
  // The first failure stops the other half. An error “cancelled” from the other half is then only a consequence.
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

/// Checks before rendering that a movie can be cropped as requested. Without this check, if neither half can be
/// cropped, chance would decide which of the two errors is reported.
///
/// - Throws: ``EditError`` if the movie cannot be cropped as requested. Other problems are reported when the movie is
///   rendered.
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

/// Runs closures concurrently, each on a separate thread, and waits for all of them.
///
/// Codecs block their thread. Swift's cooperative pool has only one or two threads on a small machine. If all of these
/// threads were blocked, no work could continue.
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

/// Renders one half, converts its errors to errors about its file, and stops the other half if this half fails.
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

/// Stops a render after a cancellation or after one half has failed.
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

/// Combines the progress of both halves.
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
