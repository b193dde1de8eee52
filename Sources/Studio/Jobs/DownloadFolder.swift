internal import Basics
internal import FileSystem
internal import FoundationEssentials
internal import Synchronization

/// The folder for files that are ready to be downloaded. Only this user can access the folder. The folder is removed
/// when the server stops or, if the server was killed, when the next server starts.
final class DownloadFolder: Sendable {
  private struct File: Sendable {
    var path: String
    var job: String
    var made: ContinuousClock.Instant
  }

  private let url: URL
  private let parent: HeldFolder
  /// A lock on a file next to the folder. The lock is held while the server runs.
  private let lock: FileLock
  private let files = Mutex<[String: File]>([:])
  /// The length of time for which files are kept.
  private static let memory = Duration.seconds(3600)

  /// - Throws: ``EditError`` if the folder cannot be created.
  init() throws(EditError) {
    let temporary = FileManager.default.temporaryDirectory
    let name = Self.prefix + UUID().uuidString
    let url = temporary.appendingPathComponent(name)
    self.url = url
    do {
      let parent = try HeldFolder(path: temporary.path)
      self.parent = parent
      Self.removeLeft(in: parent)
      lock = try Self.lock(name + Self.lockEnd, in: parent)
      try FileManager.default.createDirectory(
        at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    } catch {
      throw EditError(
        .fileSystem, file: url.path, "cannot be created", remedy: "set TMPDIR to a writable folder")
    }
  }

  /// Creates a lock file and locks the file. Until the file is locked, another server that starts may mistake the file
  /// for a leftover.
  private static func lock(_ name: String, in parent: HeldFolder) throws -> FileLock {
    for _ in 0..<20 {
      if case .locked(let lock) = try FileLock.attempt(name, in: parent, creating: true) { return lock }
      HostSystem.sleep(milliseconds: 10)
    }
    throw SystemError.exists
  }

  private static let prefix = "liveedit-downloads-"
  private static let lockEnd = ".lock"

  /// Removes the files that were left behind by this user's killed servers. The locks of such servers are no longer
  /// held.
  private static func removeLeft(in parent: HeldFolder) {
    func isOwn(_ name: String, _ kind: FileStatus.Kind) -> Bool {
      guard let status = (try? parent.statusIfAny(name)) ?? nil else { return false }
      return status.kind == kind && status.owner == HostSystem.user
    }
    for file in (try? parent.names()) ?? [] where file.hasPrefix(prefix) && file.hasSuffix(lockEnd) {
      guard isOwn(file, .regular),
        case .locked(let lock)? = try? FileLock.attempt(file, in: parent, creating: false, isStrict: true)
      else { continue }
      let name = String(file.dropLast(lockEnd.count))
      if isOwn(name, .folder) { try? FileManager.default.removeItem(atPath: parent.path(name)) }
      withExtendedLifetime(lock) { _ = try? parent.remove(file) }
    }
  }

  /// Returns the path of the folder that contains the files of an asset in a job.
  func path(job: String, asset: Int) -> String { url.path + "/\(job)/\(asset)" }

  /// Registers a file for download.
  ///
  /// - Returns: The word that clients use to request the file.
  func add(_ path: String, job: String) -> String {
    let word = Secret().text
    files.withLock { $0[word] = File(path: path, job: job, made: .now) }
    return word
  }

  /// Returns the path of a file; nil if no file matches both the word and the name.
  func path(_ word: String, named name: String) -> String? {
    forget()
    return files.withLock { $0[word]?.path }.flatMap { FilePath.split($0).name == name ? $0 : nil }
  }

  /// Removes the files of a job.
  func remove(_ job: String) {
    files.withLock { files in files = files.filter { $0.value.job != job } }
    try? FileManager.default.removeItem(at: url.appendingPathComponent(job))
  }

  /// Removes the files of jobs whose latest file is too old.
  func forget(at now: ContinuousClock.Instant = .now) {
    let newest = files.withLock { files in
      Dictionary(files.values.map { ($0.job, $0.made) }, uniquingKeysWith: max)
    }
    for (job, made) in newest where now - made > Self.memory { remove(job) }
  }

  /// Removes all files in the folder.
  func end() {
    try? FileManager.default.removeItem(at: url)
    _ = try? parent.remove(url.lastPathComponent + Self.lockEnd)
  }
}
