import Basics
import EditLibrary
public import EditModel
import FileSystem
import FoundationEssentials
import Synchronization
import Workflows

/// Renders edits of one asset: both halves of a Live Photo with the same edit, or a photo or movie alone.
///
///     let context = LivePhotoEditingContext(input)
///     context.edit = Edit(orientation: .right)
///     context.frameProcessor = negative
///     let output = try ContentEditingOutput(input)
///     output.adjustmentData = AdjustmentData(
///       formatIdentifier: "com.example.negative", formatVersion: "1", data: Data())
///     try await context.saveLivePhoto(to: output) { print($0.phase, $0.fraction) }
///     try await library.performChanges { $0[asset].contentEditingOutput = output }
///
/// A context can be reused with different values. To stop a render, cancel the task. A cancelled render leaves no files
/// behind.
public final class LivePhotoEditingContext: Sendable {
  /// The input of the edit.
  public let input: ContentEditingInput

  /// liveedit's own changes, applied before the frame processor. If the last edit is resumed and is in liveedit's own
  /// format, the initial value is that edit; otherwise it is an edit without changes.
  public var edit: Edit {
    get { state.withLock { $0.edit } }
    set { state.withLock { $0.edit = newValue } }
  }

  /// A closure of the calling program that changes every picture. A frame processor requires a library whose renderer
  /// is a ``EditModel/FrameRenderer``. liveedit cannot render the result again, so liveedit keeps the rendered files
  /// permanently.
  public var frameProcessor: FrameProcessor? {
    get { state.withLock { $0.processor } }
    set { state.withLock { $0.processor = newValue } }
  }

  /// The factor for the volume of the movie's audio, from 0 to 1. 1 leaves the audio bit-identical, 0 removes the
  /// audio, and values in between reduce the volume. Rendering fails if the volume cannot be reduced.
  public var audioVolume: Double {
    get { state.withLock { $0.volume } }
    set { state.withLock { $0.volume = newValue } }
  }

  private struct State {
    var edit: Edit
    var processor: FrameProcessor?
    var volume = 1.0
  }

  private let state: Mutex<State>

  /// Creates a context for an edit.
  ///
  /// - Parameter input: The input of the edit.
  public init(_ input: ContentEditingInput) {
    self.input = input
    state = Mutex(State(edit: input.adjustmentData?.decoded()?.edit ?? .identity))
  }

  /// Renders the edit at full size into the files of an output.
  ///
  /// - Parameters:
  ///   - output: The output, which determines the files' locations and the render settings. The output must have been
  ///     created from this context's input. The output's files from an earlier render are replaced.
  ///   - progress: A closure that is called from time to time, from any thread.
  /// - Returns: How the edit was rendered, and which parts of the originals could not be carried over to the rendered
  ///   files.
  /// - Throws: ``Basics/EditError``. In that case, no files are left behind.
  @discardableResult
  public func saveLivePhoto(
    to output: ContentEditingOutput, progress: @escaping @Sendable (EditProgress) -> Void = { _ in }
  ) async throws(EditError) -> RenderResult {
    let state = state.withLock { $0 }
    return try await withWorkerThread(about: input.asset.path) { isCancelled throws(EditError) in
      progress(EditProgress(phase: .preparing, fraction: 0))
      let settings = output.renderSettings
      let before = output.rendered?.adjustment
      output.rendered = nil
      let own = AdjustmentData(edit: state.edit, settings: settings)
      let isOwn = state.processor == nil && state.volume == 1
      let base = try HalfIdentifier.shared(by: self.input.sources)
      // If only the calling program can render the result again, the identifier cannot be derived from the edit.
      let identifier =
        isOwn
        ? try NameBasedUUID.renderIdentifier(base: base, adjustment: own)
        : base.map { _ in UUID().uuidString }
      let result = try self.render(
        state, settings, identifier: identifier, to: output.paths, progress: progress, isCancelled)
      do throws(EditError) {
        progress(EditProgress(phase: .checking, fraction: 1))
        try HalfIdentifier.check(output.paths, carry: identifier)
        if isCancelled() { throw EditError.stopped(self.input.asset.path) }
      } catch {
        for path in output.paths.values { _ = try? File.remove(path) }
        throw error
      }
      if isOwn {
        output.rendered = ContentEditingOutput.Rendered(adjustment: own, build: result.build)
        // Adjustment data that the program set itself is kept.
        if output.adjustmentData == nil || output.adjustmentData == before { output.adjustmentData = own }
      }
      return result
    }
  }

  /// Renders a small, fast preview of the edit.
  ///
  ///     let preview = try await context.prepareForPlayback(targetSize: .init(width: 320, height: 320))
  ///     print(preview.photo?.path ?? "no photo", preview.movie?.path ?? "no movie")
  ///
  /// - Parameters:
  ///   - targetSize: The size in pixels that the displayed pictures must fit into.
  ///   - progress: A closure that is called from time to time, from any thread.
  /// - Returns: The preview. The preview's files are deleted when the preview is deinitialised.
  /// - Throws: ``Basics/EditError``. In that case, no files are left behind.
  public func prepareForPlayback(
    targetSize: PixelSize, progress: @escaping @Sendable (EditProgress) -> Void = { _ in }
  ) async throws(EditError) -> LivePhoto {
    let state = state.withLock { $0 }
    return try await withWorkerThread(about: input.asset.path) { isCancelled throws(EditError) in
      progress(EditProgress(phase: .preparing, fraction: 0))
      let files = try EditingFiles(in: self.input.library, stem: self.input.asset.stem)
      let outputs = Dictionary(uniqueKeysWithValues: self.input.sources.keys.map { ($0, files.path($0)) })
      _ = try self.render(
        state, RenderSettings(quality: .small), identifier: nil, fitting: targetSize, to: outputs,
        progress: progress, isCancelled)
      return LivePhoto(photoPath: outputs[.photo], moviePath: outputs[.movie], keeper: files)
    }
  }

  private func render(
    _ state: State, _ settings: RenderSettings, identifier: String?, fitting size: PixelSize? = nil,
    to outputs: [FileRole: String], progress: @escaping @Sendable (EditProgress) -> Void,
    _ isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) -> RenderResult {
    guard 0...1 ~= state.volume else {
      throw EditError(
        .invalidEdit, file: input.asset.path,
        "cannot be edited: the audio volume \(state.volume) is outside the range 0–1",
        remedy: "set audioVolume to a number from 0 to 1")
    }
    guard !state.edit.motion.isLiveOff else {
      throw EditError(
        .unsupported, file: input.asset.path, "has Live switched off, which editing contexts do not support",
        remedy: "switch Live on first")
    }
    func half(_ role: FileRole) -> RenderJob.Half? {
      guard let source = input.sources[role], let output = outputs[role] else { return nil }
      _ = try? File.remove(output)
      return RenderJob.Half(source: source, output: output)
    }
    let job = RenderJob(
      photo: half(.photo), movie: half(.movie), edit: state.edit, settings: settings, identifier: identifier,
      audioVolume: state.volume, fittingSize: size)
    let whole = input.adopted?.applied(to: job) ?? job
    let report = { @Sendable (rendered: RenderProgress) in
      progress(EditProgress(phase: .rendering, fraction: rendered.fraction))
    }
    let folder = FilePath.split(input.asset.path).folder
    guard let processor = state.processor else {
      return try input.record.render(whole, of: folder) { job throws(EditError) in
        try input.library.renderer.render(job, progress: report, isCancelled: isCancelled)
      }
    }
    guard let renderer = input.library.renderer as? any FrameRenderer else {
      throw EditError(
        .unsupported, file: input.asset.path,
        "cannot be edited: the library's renderer runs in another process and cannot call frame processors",
        remedy: "open the library with InProcessRenderer from RenderEngine")
    }
    return try input.record.render(whole, of: folder) { job throws(EditError) in
      try renderer.render(job, processor: processor, progress: report, isCancelled: isCancelled)
    }
  }
}

/// The progress of an edit.
///
///     try await context.saveLivePhoto(to: output) { progress in
///       if progress.phase == .rendering { print(Int(progress.fraction * 100), "%") }
///     }
public struct EditProgress: Hashable, Sendable {
  /// A step of an edit.
  public enum Phase: Hashable, Sendable {
    /// The source files are being examined.
    case preparing
    /// Pictures are being decoded, changed and encoded.
    case rendering
    /// The rendered files are being checked.
    case checking
  }

  /// The current step.
  public var phase: Phase
  /// The fraction of the pictures that are rendered, from 0 to 1.
  public var fraction: Double
}
