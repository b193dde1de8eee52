internal import CLinux
import Glibc

/// A watch on folders that reports the names of entries when they are added, removed or changed in content. Subfolders
/// are not watched.
///
/// Changes made by other computers on a network file system are not reported; see ``isRemote(_:)``.
package final class FolderWatch {
  /// The changes since the previous report.
  package struct Events: Hashable, Sendable {
    /// The changed names, keyed by the folder's path as it was passed to the watch.
    package var names: [String: Set<String>] = [:]
    /// Whether the system dropped events because too many occurred.
    package var isIncomplete = false
    /// The folders that are no longer watched because they, or their file systems, were removed.
    package var lost: Set<String> = []

    /// Whether nothing changed.
    package var isEmpty: Bool { names.isEmpty && !isIncomplete && lost.isEmpty }
  }

  private let descriptor: Int32
  private var folders: [Int32: String] = [:]

  /// Creates a watch that does not watch any folder yet.
  ///
  /// The corresponding C function is `inotify_init1`.
  package init() throws(SystemError) {
    descriptor = try calling { inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK)) }
  }

  deinit {
    close(descriptor)
  }

  /// Adds a folder to the watch. Adding a folder twice is not an error.
  ///
  /// The corresponding C function is `inotify_add_watch`.
  package func add(_ folder: String) throws(SystemError) {
    let events = IN_CREATE | IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_ONLYDIR
    let watch = try calling { inotify_add_watch(descriptor, folder, UInt32(events)) }
    folders[watch] = folder
  }

  /// Stops watching a folder that was moved away from its path. If the folder was added under another path in the
  /// meantime, the folder is still watched.
  ///
  /// The corresponding C function is `inotify_rm_watch`.
  package func remove(_ folder: String) {
    for (watch, path) in folders where path == folder {
      folders[watch] = nil
      _ = inotify_rm_watch(descriptor, watch)
    }
  }

  /// Returns whether a folder can change without being reported, because of other computers or programs behind a FUSE
  /// file system. Also returns true if the answer cannot be determined.
  ///
  /// The corresponding C function is `statfs`; the numbers come from statfs(2) and linux/magic.h.
  package static func isRemote(_ folder: String) -> Bool {
    var kind: UInt32 = 0
    guard liveedit_file_system_kind(folder, &kind) == 0 else { return true }
    // NFS, SMB (three clients), 9P, FUSE, Ceph, AFS (two), Coda, OCFS2, GFS2, and VirtualBox shared folders.
    let kinds: Set<UInt32> = [
      0x6969, 0xFF53_4D42, 0xFE53_4D42, 0x517B, 0x0102_1997, 0x6573_5546, 0x00C3_6400, 0x5346_414F,
      0x6B41_4653,
      0x7375_7245, 0x7461_636F, 0x0116_1970, 0x786F_4256,
    ]
    return kinds.contains(kind)
  }

  /// Waits until a watched folder changes.
  ///
  /// The corresponding C functions are `poll` and `read`.
  ///
  /// - Parameter milliseconds: The maximum time to wait.
  /// - Returns: All changes since the previous call.
  package func wait(milliseconds: Int32) throws(SystemError) -> Events {
    var events = Events()
    var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard try calling({ poll(&wanted, 1, milliseconds) }) > 0 else { return events }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno != EAGAIN { throw SystemError(errno) }
      // No more events are pending.
      guard count > 0 else { return events }
      collect(buffer[..<count], into: &events)
    }
  }

  /// Parses the output of `read`: a sequence of 16-byte structures `struct inotify_event`, each followed by a name
  /// (inotify(7)).
  private func collect(_ bytes: ArraySlice<UInt8>, into events: inout Events) {
    func word(_ at: Int) -> UInt32 {
      bytes[at..<at + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
    var at = bytes.startIndex
    while bytes.endIndex - at >= 16 {
      let length = Int(word(at + 12))
      guard bytes.endIndex - at - 16 >= length else { return }
      if word(at + 4) & UInt32(IN_Q_OVERFLOW) != 0 { events.isIncomplete = true }
      if word(at + 4) & UInt32(IN_IGNORED) != 0,
        let folder = folders.removeValue(forKey: Int32(bitPattern: word(at)))
      {
        events.lost.insert(folder)
      }
      let name = String(decoding: bytes[at + 16..<at + 16 + length].prefix { $0 != 0 }, as: UTF8.self)
      if let folder = folders[Int32(bitPattern: word(at))], !name.isEmpty {
        events.names[folder, default: []].insert(name)
      }
      at += 16 + length
    }
  }
}
