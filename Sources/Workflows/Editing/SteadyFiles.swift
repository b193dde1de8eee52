import Basics
import FileSystem

/// Files that are read more than once for one result. Where something happens to one of them meanwhile, the result would be of
/// neither content.
struct SteadyFiles: Sendable {
  private let files: [(path: String, status: FileStatus?)]

  /// The milliseconds in which the clocks of most file systems tick.
  private static let tick: UInt32 = 20

  /// Notes how files are now. Waits for a tick if one was changed just now: a change right after would not show.
  init(_ paths: [String]) {
    var statuses = paths.map { try? FileStatus(path: $0) }
    if statuses.contains(where: { $0?.isSettled == false }) {
      HostSystem.sleep(milliseconds: Self.tick)
      statuses = paths.map { try? FileStatus(path: $0) }
    }
    files = Array(zip(paths, statuses))
  }

  /// The first one to which something happened since; nil where all are as they were.
  var disturbed: String? {
    files.first { Self.isDisturbed($0.status, since: try? FileStatus(path: $0.path)) }?.path
  }

  /// True if a file became another one. A backup's new name, and other permissions, leave it as it is, and change the time that tells of
  /// content too.
  private static func isDisturbed(_ before: FileStatus?, since now: FileStatus?) -> Bool {
    guard let before, let now else { return before != now }
    let isAccessAlone =
      (before.links, before.permissions, before.owner) != (now.links, now.permissions, now.owner)
    return before.place != now.place || before.size != now.size || before.modified != now.modified
      || before.changed != now.changed && !isAccessAlone
  }

  /// Makes sure that nothing happened to any of them.
  ///
  /// - Throws: ``EditError`` that names one to which something did.
  func check() throws(EditError) {
    guard let disturbed else { return }
    throw EditError(
      .changedOriginal, file: disturbed, "was changed by another program while liveedit read it",
      remedy: "try again when no other program writes to it")
  }

  /// Does work on them that is worth nothing where something happens to one of them meanwhile.
  ///
  /// - Throws: ``EditError`` that names one to which something did, or what the work throws.
  func during<Value>(_ work: () throws(EditError) -> Value) throws(EditError) -> Value {
    do throws(EditError) {
      let value = try work()
      try check()
      return value
    } catch {
      throw explained(error)
    }
  }

  /// Tells why work on them failed: that one of them changed, where it did, which explains the rest.
  func explained(_ error: EditError) -> EditError {
    guard error.code != .cancelled else { return error }
    do throws(EditError) { try check() } catch { return error }
    return error
  }
}
