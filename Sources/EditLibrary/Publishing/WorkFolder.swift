package import Basics
import FileSystem
import FoundationEssentials
import Synchronization

/// The hidden folder in which files for another folder are made: `.liveedit-NAME`.
///
/// It is a subfolder of the files' destination folder, and contains
/// - `lock`: locked by the process that uses the folder, for as long as the process runs,
/// - `WORD-N`: a file that process N writes,
/// - `commit`: the moves, written once all files are complete and durable. The file is created by a rename, so it is
///   either complete or absent.
///
/// If a process dies before `commit` appears, the next process removes the files that the dead process left. If a
/// process dies later, the next process gives the files their names. In both cases the folder is removed. If the file
/// system does not support locks (see ``FileSystem/FileLock``), dead and running processes cannot be distinguished. Two
/// processes that work in one folder at the same time may then undo each other's unfinished work, so that one of them
/// fails. No other harm is possible.
package final class WorkFolder {
  /// The destination folder of the files.
  let root: HeldFolder
  /// The hidden folder's name.
  private let name: String
  private var lock: FileLock?

  static let prefix = HeldFolder.ownPrefix + "-"
  /// The maximum length in bytes of the name after the prefix. Longer names are truncated.
  private static var longestName: Int { min(200, ReadingLimit.names.value - prefix.utf8.count) }
  private static let largestPlan = 1 << 16
  /// The maximum time to wait for a lock, in milliseconds. Each name contains the process identifier (``ownMark``). If
  /// another process has the lock, that process is therefore either checking for the work of dead processes
  /// (``recoverAll(in:)``) or running under the same process identifier on another computer or in another container.
  private static let longestWait = 3000

  /// A part of a name that no other running process uses.
  package static var ownMark: String { "\(ChildProcess.ownIdentifier)" }

  /// Returns the path to which a file must be written.
  ///
  /// A helper whose parent died may continue to write to its own file for a moment before removing it, so no two
  /// processes share a name.
  ///
  /// - Parameter word: The file's purpose, in letters, digits and hyphens.
  package func path(_ word: String) -> String { root.path(place(Self.member(word))) }

  static func member(_ word: String) -> String { "\(word)-\(ChildProcess.ownIdentifier)" }

  func place(_ member: String) -> String { name + "/" + member }

  /// Whether a name in a work folder belongs to an unfinished file.
  static func isMember(_ name: String) -> Bool {
    guard let dash = name.lastIndex(of: "-"), Int32(name[name.index(after: dash)...]) != nil else {
      return false
    }
    let word = name[..<dash].utf8
    return !word.isEmpty
      && word.allSatisfy { byte in
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D
      }
  }

  private init(_ name: String, in root: HeldFolder, lock: FileLock) {
    self.root = root
    self.name = name
    self.lock = lock
  }

  deinit {
    close()
  }

  /// Creates a work folder and locks it. A dead process's work in the folder is finished or undone.
  ///
  /// - Parameters:
  ///   - folder: The destination folder; empty for the current folder.
  ///   - name: The name that distinguishes this work folder from others in the same folder.
  /// - Throws: ``EditError`` if another process is working there, or the folder is not writable.
  package convenience init(in folder: String, name: String) throws(EditError) {
    let root = try whileWriting(FilePath.shown(folder)) { try HeldFolder(path: folder) }
    var cut = name
    while cut.utf8.count > Self.longestName { cut.removeFirst() }
    let hidden = Self.prefix + cut
    self.init(hidden, in: root, lock: try Self.lock(hidden, in: root, creating: true))
    try recover()
  }

  /// Finishes or undoes the work that dead processes left in a folder. The work of running processes is kept, and so is
  /// work that cannot be finished now.
  ///
  /// - Returns: Whether any work was found.
  @discardableResult
  package static func recoverAll(in listing: FolderListing) -> Bool {
    let left = listing.names.filter { $0.hasPrefix(prefix) }
    guard !left.isEmpty, let root = try? HeldFolder(path: listing.folder) else { return false }
    recover(left, in: root)
    return true
  }

  /// The identity of a folder. The identity includes the time of creation, because file systems reuse the inode numbers
  /// of deleted folders.
  private struct Numbered: Hashable {
    let place: FileStatus.Place
    let born: Int64?
  }

  /// For each folder, the number of files started since the folder was last checked, the number of its names at that
  /// time, and the time itself.
  private static let looks = Mutex<[Numbered: (begun: Int, names: Int, time: Int)]>([:])
  /// The maximum number of a folder's names that are read per file started in the folder.
  private static let namesPerFile = 64
  /// The number of seconds after which a folder is checked again in any case.
  private static let lookLasts = 10

  /// Finishes or undoes dead processes' work in a folder in which a file is about to be made. The folder is not listed
  /// for every file, because it may contain thousands of names. It is checked for the first file, and checked again
  /// after some seconds or after a number of files that depends on the number of names.
  ///
  /// - Throws: ``EditError`` if the folder cannot be listed.
  static func recoverAll(in folder: String) throws(EditError) {
    let path = FilePath.shown(folder)
    do {
      let root = try HeldFolder(path: path)
      let place = Numbered(place: try root.status.place, born: try root.born)
      let isDue = looks.withLock { looks in
        guard let look = looks[place], (look.begun + 1) * namesPerFile <= look.names,
          HostSystem.uptime - look.time < lookLasts
        else { return true }
        looks[place]?.begun += 1
        return false
      }
      guard isDue else { return }
      let names = try root.names()
      looks.withLock { $0[place] = (0, names.count, HostSystem.uptime) }
      recover(names.filter { $0.hasPrefix(prefix) }, in: root)
    } catch let error as SystemError {
      throw FolderListing.error(path, error)
    } catch {
      throw EditError(reading: path, error)
    }
  }

  private static func recover(_ names: [String], in root: HeldFolder) {
    for name in names {
      guard let lock = try? lock(name, in: root, creating: false) else { continue }
      try? WorkFolder(name, in: root, lock: lock).recover()
    }
  }

  /// Gives all files in the work folder their names, or gives no file a name.
  ///
  /// - Throws: ``EditError`` if a file is in the way or an operation fails. In that case no file keeps its name. If the
  ///   names could not be removed again, the next process names the remaining files.
  func commit(_ plan: PublishPlan) throws(EditError) {
    try plan.check(in: root)
    do throws(EditError) {
      try writeJournal(plan)
      try plan.carryOut(in: root, from: name)
    } catch {
      if plan.isUndone(in: root, from: name) { _ = try? root.remove(place("commit")) }
      throw error
    }
    clear()
  }

  private func writeJournal(_ plan: PublishPlan) throws(EditError) {
    try whileWriting(FilePath.shown(root.path)) {
      for case let from? in plan.steps.map(\.from) where try root.status(place(from)).kind == .regular {
        try root.sync(place(from))
      }
      try root.create(place("commit.draft"), bytes: Array(try JSONEncoder().encode(plan)))
      try root.replace(place("commit"), with: place("commit.draft"))
      try root.syncFolder(name)
      // The journal can be found again only if the work folder's own name is also durable.
      try root.syncFolder()
    }
  }

  /// Removes the folder and releases the lock. A commit that could not be finished is kept.
  package func close() {
    guard lock != nil else { return }
    if (try? root.exists(place("commit"))) == false {
      clear()
      _ = try? root.remove(place("lock"))
      try? root.removeFolder(name)
    }
    lock = nil
  }

  /// Finishes a commit that was started, or removes files if no commit was started.
  private func recover() throws(EditError) {
    let journal = root.path(place("commit"))
    try whileReading(journal) {
      if try root.exists(place("commit")) {
        guard let bytes = try root.source(place("commit")).bytes(atMost: Self.largestPlan),
          let plan = try? JSONText.decode(PublishPlan.self, from: bytes), plan.isHarmless
        else {
          throw EditError(
            .inTheWay, file: journal, "belongs to an interrupted export that this liveedit cannot finish",
            remedy:
              "use the newer liveedit that started the export, or remove the folder that contains this file")
        }
        try plan.carryOut(in: root, from: name)
      }
    }
    clear()
  }

  /// Removes everything that liveedit created here except the lock. The journal is removed first, because its moves are
  /// done.
  private func clear() {
    for name in ["commit", "commit.draft"] { _ = try? root.remove(place(name)) }
    for name in (try? root.names(in: name)) ?? [] where Self.isMember(name) {
      guard let kind = try? root.status(place(name)).kind else { continue }
      if kind == .regular { _ = try? root.remove(place(name)) }
      guard kind == .folder else { continue }
      // The folder is a bundle being made, or a folder in which a helper wrote a file.
      root.removeFolderOfFiles(place(name))
    }
  }

  private static func lock(_ name: String, in root: HeldFolder, creating: Bool) throws(EditError) -> FileLock
  {
    do {
      // The last owner may remove the folder between two steps, so each round starts from the beginning.
      var (gone, busy) = (0, 0)
      while gone < 16 {
        // Other users need no access.
        if creating { try root.makeFolder(name, permissions: 0o700) }
        switch try FileLock.attempt(name + "/lock", in: root, creating: creating) {
        case .locked(let lock): return lock
        case .busy:
          busy += 1
          guard creating, busy <= longestWait / 10 else {
            throw EditError(
              .inTheWay, file: root.path(String(name.dropFirst(prefix.count))),
              "is being written by another liveedit", remedy: "try again when the other liveedit has finished"
            )
          }
          HostSystem.sleep(milliseconds: 10)
        case .unsupported, .gone:
          gone += 1
          if creating { continue }
          // A helper may have written these files after its parent had died and another process had cleaned up.
          let names = try root.names(in: name)
          if !names.isEmpty, names.allSatisfy(isMember) {
            return try lock(name, in: root, creating: true)
          }
          try root.removeFolder(name)
          throw SystemError.notFound
        }
      }
      throw SystemError.tryAgain
    } catch {
      throw EditError(writing: FilePath.shown(root.path), error)
    }
  }
}
