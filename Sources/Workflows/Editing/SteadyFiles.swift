import Basics
import FileSystem

/// Files that are read more than once for one result. If a file changes in between, the result would mix the file's old
/// and new content.
struct SteadyFiles: Sendable {
  private let files: [(path: String, status: FileStatus?)]

  /// The clock resolution of most file systems, in milliseconds.
  private static let tick: UInt32 = 20

  /// Records the current state of the files. If a file has just been changed, the initialiser waits for one clock tick,
  /// because a change within the same tick could not be detected.
  init(_ paths: [String]) {
    var statuses = paths.map { try? FileStatus(path: $0) }
    if statuses.contains(where: { $0?.isSettled == false }) {
      HostSystem.sleep(milliseconds: Self.tick)
      statuses = paths.map { try? FileStatus(path: $0) }
    }
    files = Array(zip(paths, statuses))
  }

  /// The first file that has changed since, or nil if no file has changed.
  var disturbed: String? {
    files.first { Self.isDisturbed($0.status, since: try? FileStatus(path: $0.path)) }?.path
  }

  /// Returns whether a file's content may have changed. New permissions, or a hard link that a backup creates, change
  /// the status time but not the content, so they are ignored.
  private static func isDisturbed(_ before: FileStatus?, since now: FileStatus?) -> Bool {
    guard let before, let now else { return before != now }
    let isAccessAlone =
      (before.links, before.permissions, before.owner) != (now.links, now.permissions, now.owner)
    return before.place != now.place || before.size != now.size || before.modified != now.modified
      || before.changed != now.changed && !isAccessAlone
  }

  /// Checks that no file has changed.
  ///
  /// - Throws: ``EditError`` that names a changed file.
  func check() throws(EditError) {
    guard let disturbed else { return }
    throw EditError(
      .changedOriginal, file: disturbed, "was changed by another program while liveedit read it",
      remedy: "try again when no other program writes to it")
  }

  /// Performs work on the files and discards its result if a file changes meanwhile.
  ///
  /// - Throws: ``EditError`` that names a changed file, or the error from the work.
  func during<Value>(_ work: () throws(EditError) -> Value) throws(EditError) -> Value {
    do throws(EditError) {
      let value = try work()
      try check()
      return value
    } catch {
      throw explained(error)
    }
  }

  /// Replaces an error with an error that names a changed file, if a file changed during the work and so explains the
  /// failure.
  func explained(_ error: EditError) -> EditError {
    guard error.code != .cancelled else { return error }
    do throws(EditError) { try check() } catch { return error }
    return error
  }
}
