import EditModel
import FileSystem
import LivePhotoFormat
import Rendering
import Synchronization

/// Returns the stage that changes colours. The stage uses one table for each picture format in a job, and creates a
/// table when the first picture in this format arrives.
///
/// - Parameters:
///   - job: The job.
///   - photo: The opened photo of the job, or nil if the job has no photo.
func colorStage(_ job: RenderJob, _ photo: OpenedPhoto?) -> FrameStage {
  let photo = ColorTables(job.edit, photo: photo)
  let movie = ColorTables(job.edit, photo: nil)
  return { frame, context in
    let tables = context.half == .photo ? photo : movie
    guard let table = try tables.table(for: frame.format) else { return frame }
    return try table.apply(to: frame)
  }
}

/// The colour tables of one half.
private final class ColorTables: Sendable {
  private struct Key: Hashable {
    let color: ColorDescription
    let bitDepth: Int
  }

  private let edit: Edit
  private let photo: OpenedPhoto?
  /// The tables created so far. A table is nil if the colours do not change.
  private let tables = Mutex<[Key: ColorTable?]>([:])

  /// - Parameters:
  ///   - edit: The edit.
  ///   - photo: The photo whose profile specifies the colours, or nil for the movie.
  init(_ edit: Edit, photo: OpenedPhoto?) {
    self.edit = edit
    self.photo = photo
  }

  /// - Returns: Nil if the colours do not change.
  func table(for format: FrameFormat) throws -> ColorTable? {
    let key = Key(color: format.color, bitDepth: format.bitDepth)
    return try tables.withLock { tables in
      if let made = tables[key] { return made }
      let photo = try photo?.get()
      let made = try ColorTable(
        edit, color: key.color, bitDepth: key.bitDepth, profile: photo?.iccProfile(),
        newProfile: photo?.newProfile(edit), pieces: HostSystem.processors, by: WorkerThread.runSideBySide)
      tables.updateValue(made, forKey: key)
      return made
    }
  }
}
