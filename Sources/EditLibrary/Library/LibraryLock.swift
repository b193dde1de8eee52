import Basics
import FileSystem

/// The lock that allows only one process at a time to write to a library.
///
/// The system releases the lock when its owner ends for any reason, so a dead process's lock is released immediately.
/// The lock file names the owner, for users who have to wait.
final class LibraryLock {
  private let lock: FileLock

  /// The default maximum time to wait for another writer, in milliseconds.
  static let longestWait = 10_000
  private static let interval = 50
  /// A short wait in milliseconds, for callers that do not wait for an edit in progress. A process that only reads
  /// holds the lock for just a moment.
  static let glance = 200

  /// Acquires the lock, waiting for another owner for a limited time.
  ///
  /// - Parameters:
  ///   - wait: The maximum time to wait, in milliseconds.
  ///   - report: A function that receives one message if the lock is not immediately available.
  /// - Throws: ``EditError`` if another process keeps the lock, or the file system does not support locks.
  init(in folder: HeldFolder, wait: Int, report: (Message) -> Void) throws(EditError) {
    let shown = FilePath.shown(folder.path)
    var waited = 0
    while true {
      do {
        try folder.makeFolder(LibraryPaths.folder)
        switch try FileLock.attempt(LibraryPaths.lock, in: folder, creating: true, isStrict: true) {
        case .locked(let lock):
          try lock.record("\(HostSystem.name)\n\(ChildProcess.ownIdentifier)\n\(HostSystem.boot)\n")
          self.lock = lock
          return
        case .unsupported:
          throw Self.unsupported(shown)
        case .busy:
          if waited == 0, wait > Self.glance {
            report("waiting for \(Self.owner(folder)), which is editing \(shown)")
          }
          guard waited < wait else {
            throw EditError(
              .inTheWay, file: shown, "is being edited by another liveedit (\(Self.owner(folder)))",
              remedy: "try again when the other liveedit has finished")
          }
          HostSystem.sleep(milliseconds: UInt32(Self.interval))
          waited += Self.interval
        case .gone: continue
        }
      } catch SystemError.notFound {
        // The last owner removed the library's folder in the meantime, or the parent folder no longer exists.
        guard (try? folder.status.links) ?? 0 > 0 else {
          throw EditError(writing: shown, SystemError.notFound)
        }
      } catch {
        throw EditError(writing: shown, error)
      }
    }
  }

  /// Returns the error about a file system that does not support locks on whole files or on parts of files.
  static func unsupported(_ shown: String) -> EditError {
    EditError(
      .fileSystem, file: shown, "is on a file system without file locks, where versions could be damaged",
      remedy: "copy the files to another disk, or write to a folder on another disk with -o")
  }

  /// Returns the owner that the lock file names, as a message for the user.
  private static func owner(_ folder: HeldFolder) -> Message {
    guard let bytes = try? folder.bytes(of: LibraryPaths.lock, atMost: 999) else { return "another process" }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    guard lines.count == 3 else { return "another process" }
    let isHere = lines[0] == HostSystem.name && lines[2] == HostSystem.boot
    return isHere ? "process \(lines[1])" : "process \(lines[1]) on \(lines[0])"
  }
}
