import EditModel
import FileSystem
import LivePhotoFormat
import Rendering
import Synchronization

/// The stage that changes colours: by one table for each kind of picture among those of a job, made when the first of
/// them comes.
///
/// - Parameters:
///   - job: the job.
///   - photo: its photo, opened; nil without one.
func colorStage(_ job: RenderJob, _ photo: OpenedPhoto?) -> FrameStage {
  let photo = ColorTables(job.edit, photo: photo)
  let movie = ColorTables(job.edit, photo: nil)
  return { frame, context in
    let tables = context.half == .photo ? photo : movie
    guard let table = try tables.table(for: frame.format) else { return frame }
    return try table.apply(to: frame)
  }
}

/// The tables of one half.
private final class ColorTables: Sendable {
  private struct Key: Hashable {
    let color: ColorDescription
    let bitDepth: Int
  }

  private let edit: Edit
  private let photo: OpenedPhoto?
  /// The tables that were made; nil where colours stay as they are.
  private let tables = Mutex<[Key: ColorTable?]>([:])

  /// - Parameters:
  ///   - edit: the edit.
  ///   - photo: the photo, whose profile says what its colours are; nil for the movie.
  init(_ edit: Edit, photo: OpenedPhoto?) {
    self.edit = edit
    self.photo = photo
  }

  /// - Returns: nil when colours stay as they are.
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
