import EditModel
import FileSystem

/// A job in the form in which it is sent to the helper. It includes the guarded folders that contain the job's files,
/// so that a symbolic link planted there cannot redirect the helper.
struct GuardedJob: Encodable {
  private let job: HelperJob

  /// - Parameter job: The job.
  init(_ job: HelperJob) { self.job = job }

  func encode(to encoder: any Encoder) throws {
    try job.encode(to: encoder)
    let folders = GuardedFolders.around(job.inputs + job.outputs)
    if !folders.isEmpty { try GuardedFolderList(folders).encode(to: encoder) }
  }
}
