import EditModel
import FileSystem

/// A job as the helper reads it: with the guarded folders that its files are in, so that no link which somebody puts there leads
/// the helper elsewhere.
struct GuardedJob: Encodable {
  private let job: HelperJob

  /// - Parameter job: the job.
  init(_ job: HelperJob) { self.job = job }

  func encode(to encoder: any Encoder) throws {
    try job.encode(to: encoder)
    let folders = GuardedFolders.around(job.inputs + job.outputs)
    if !folders.isEmpty { try GuardedFolderList(folders).encode(to: encoder) }
  }
}
