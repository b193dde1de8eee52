import Basics
import EditLibrary
import EditModel
import FileSystem

extension AssetRecord {
  /// How often a render is begun whose files something happens to.
  private static let attempts = 3

  /// Renders an edit of the originals as they are recorded: once more where anything happened meanwhile to a file that is read.
  /// It may have been another one for a moment, which what it is before and after does not tell.
  ///
  /// - Parameters:
  ///   - job: the render. Its outputs are removed where they are not taken.
  ///   - folder: the originals' folder; empty for the current one.
  ///   - render: does it.
  /// - Throws: ``EditError``, also when an original is not what it was, or something happens to a file each time.
  package func render(
    _ job: RenderJob, of folder: String,
    by render: (RenderJob) throws(EditError) -> RenderResult
  ) throws(EditError) -> RenderResult {
    let inputs = HelperJob.render(job).inputs
    for _ in 0..<Self.attempts {
      if let result = try undisturbed(job, inputs, folder, render) { return result }
      for half in [job.photo, job.movie] { if let half { _ = try? File.remove(half.output) } }
    }
    throw EditError(
      .changedOriginal, file: inputs.first, "was changed by another program during the edit",
      remedy: "edit it again when no other program writes to it")
  }

  /// The result; nil where something happened to a file.
  private func undisturbed(
    _ job: RenderJob, _ inputs: [String], _ folder: String,
    _ render: (RenderJob) throws(EditError) -> RenderResult
  ) throws(EditError) -> RenderResult? {
    let files = SteadyFiles(inputs)
    try checkOriginals(in: folder)
    let result = try render(job)
    return files.disturbed == nil ? result : nil
  }
}
