import Basics
import EditLibrary
import EditModel
import FileSystem

extension AssetRecord {
  /// The maximum number of attempts to render if files keep changing.
  private static let attempts = 3

  /// Renders an edit of the originals if they match their record. If a source file changes during rendering, the edit
  /// is rendered again. The file may briefly have had different content, even if its content is the same before and
  /// after.
  ///
  /// - Parameters:
  ///   - job: The render job. Its outputs are removed if they are not used.
  ///   - folder: The originals' folder; empty for the current folder.
  ///   - render: The function that renders the job.
  /// - Throws: ``EditError`` if an original does not match its record, or if files change during every attempt.
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
      remedy: "edit the file again when no other program writes to it")
  }

  /// Returns the result, or nil if a file changed.
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
