internal import Basics
internal import FileSystem
internal import FoundationEssentials
internal import Synchronization

/// The files that wait to be downloaded: in a folder of their own, for this user alone, which goes away with the server.
final class DownloadFolder: Sendable {
  private struct File: Sendable {
    var path: String
    var job: String
    var made: ContinuousClock.Instant
  }

  private let url: URL
  private let files = Mutex<[String: File]>([:])
  /// The time for which files are kept.
  private static let memory = Duration.seconds(3600)

  /// - Throws: ``EditError`` when there is no place for temporary files.
  init() throws(EditError) {
    url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "liveedit-downloads-\(UUID().uuidString)")
    do {
      try FileManager.default.createDirectory(
        at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    } catch {
      throw EditError(.fileSystem, file: url.path, "cannot be made", remedy: "set TMPDIR to a folder")
    }
  }

  /// The path of the folder for the files of a job's asset.
  func path(job: String, asset: Int) -> String { url.path + "/\(job)/\(asset)" }

  /// Takes note of a file.
  ///
  /// - Returns: the word by which it is asked for.
  func add(_ path: String, job: String) -> String {
    let word = Secret().text
    files.withLock { $0[word] = File(path: path, job: job, made: .now) }
    return word
  }

  /// The path of a file; nil where there is none of that word and name.
  func path(_ word: String, named name: String) -> String? {
    forget()
    return files.withLock { $0[word]?.path }.flatMap { FilePath.split($0).name == name ? $0 : nil }
  }

  /// Removes the files of a job.
  func remove(_ job: String) {
    files.withLock { files in files = files.filter { $0.value.job != job } }
    try? FileManager.default.removeItem(at: url.appendingPathComponent(job))
  }

  /// Removes the jobs whose last file is too old.
  func forget() {
    let now = ContinuousClock.now
    let newest = files.withLock { files in
      Dictionary(files.values.map { ($0.job, $0.made) }, uniquingKeysWith: max)
    }
    for (job, made) in newest where now - made > Self.memory { remove(job) }
  }

  /// Removes all.
  func end() { try? FileManager.default.removeItem(at: url) }
}
