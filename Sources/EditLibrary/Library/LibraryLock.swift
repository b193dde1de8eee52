import Basics
import FileSystem

/// The lock that one writer at a time holds on a library, across processes.
///
/// The system gives it back when its owner ends, however it ends, so a dead owner's lock is free at once. The
/// file says who owns it, for people who wait.
final class LibraryLock {
  private let lock: FileLock

  /// The longest wait for another writer, in milliseconds.
  static let longestWait = 10_000
  private static let interval = 50
  /// The wait where nobody is to be waited for, in milliseconds: who only looks has the lock for a moment.
  static let glance = 200

  /// Takes the lock, and waits for another owner within bounds.
  ///
  /// - Parameters:
  ///   - wait: how long to wait at most, in milliseconds.
  ///   - report: told once when there is something to wait for.
  /// - Throws: ``EditError`` when another process keeps the lock, or the file system has none.
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
            report("waiting for \(Self.owner(folder)) in \(shown)")
          }
          guard waited < wait else {
            throw EditError(
              .inTheWay, file: shown, "is being edited by another liveedit (\(Self.owner(folder)))",
              remedy: "try again when it is done")
          }
          HostSystem.sleep(milliseconds: UInt32(Self.interval))
          waited += Self.interval
        case .gone: continue
        }
      } catch SystemError.notFound {
        // The last owner removed the library's folder in between, or there is no folder to make it in any more.
        guard (try? folder.status.links) ?? 0 > 0 else {
          throw EditError(writing: shown, SystemError.notFound)
        }
      } catch {
        throw EditError(writing: shown, error)
      }
    }
  }

  /// The error where a file system has no locks, of whole files or of parts of them.
  static func unsupported(_ shown: String) -> EditError {
    EditError(
      .fileSystem, file: shown, "is on a file system without locks, where versions are not safe",
      remedy: "copy the files to another disk, or use -o to render there")
  }

  /// The owner by the file's words, for people.
  private static func owner(_ folder: HeldFolder) -> Message {
    guard let bytes = try? folder.bytes(of: LibraryPaths.lock, atMost: 999) else { return "another process" }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    guard lines.count == 3 else { return "another process" }
    let isHere = lines[0] == HostSystem.name && lines[2] == HostSystem.boot
    return isHere ? "process \(lines[1])" : "process \(lines[1]) on \(lines[0])"
  }
}
