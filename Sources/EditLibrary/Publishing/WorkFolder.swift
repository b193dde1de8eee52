package import Basics
import FileSystem
import FoundationEssentials
import Synchronization

/// The hidden folder in which files for another folder are made: `.liveedit-NAME`.
///
/// It is in the folder that the files will get their names in, and holds
/// - `lock`: locked by the process that works there, as long as it lives,
/// - `WORD-N`: what process N makes,
/// - `commit`: the moves, once everything is complete and durable. It appears by a rename, so it is
///   whole or absent.
///
/// A process that dies before `commit` appeared leaves litter, which the next one to come by removes; one
/// that dies later leaves files that the next one gives their names. Either way the folder goes away.
/// Where the file system has no locks (see ``FileSystem/FileLock``) the dead cannot be told from the
/// living: two processes that work in one folder at the same time may then undo each other's work in the
/// making, and one of them fails. Never more than that.
package final class WorkFolder {
  /// The folder that the files will get their names in.
  let root: HeldFolder
  /// The hidden folder's name.
  private let name: String
  private var lock: FileLock?

  static let prefix = HeldFolder.ownPrefix + "-"
  /// The longest name after the prefix, in bytes: what is longer is cut.
  private static var longestName: Int { min(200, ReadingLimit.names.value - prefix.utf8.count) }
  private static let largestPlan = 1 << 16
  /// How many milliseconds a lock is waited for. Names are those of one process (``ownMark``): another one has the lock while it looks for
  /// what the dead have left (``recoverAll(in:)``), or is one of another computer or container that has this process's number.
  private static let longestWait = 3000

  /// A part of a name that no other living process uses.
  package static var ownMark: String { "\(ChildProcess.ownIdentifier)" }

  /// The path at which a file is to be made.
  ///
  /// A helper whose parent died may still write to its own for a moment, and removes it in the end, so no two processes
  /// share a name.
  ///
  /// - Parameter word: what it is: letters, digits and hyphens.
  package func path(_ word: String) -> String { root.path(place(Self.member(word))) }

  static func member(_ word: String) -> String { "\(word)-\(ChildProcess.ownIdentifier)" }

  func place(_ member: String) -> String { name + "/" + member }

  /// True if a name in a work folder is that of a file in the making.
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

  /// Makes a work folder and locks it; finishes or undoes what a dead process left in it.
  ///
  /// - Parameters:
  ///   - folder: the destination folder; empty for the current one.
  ///   - name: what tells it from others in the same folder.
  /// - Throws: ``EditError`` when another process works there, or the folder cannot be written to.
  package convenience init(in folder: String, name: String) throws(EditError) {
    let root = try whileWriting(FilePath.shown(folder)) { try HeldFolder(path: folder) }
    var cut = name
    while cut.utf8.count > Self.longestName { cut.removeFirst() }
    let hidden = Self.prefix + cut
    self.init(hidden, in: root, lock: try Self.lock(hidden, in: root, creating: true))
    try recover()
  }

  /// Finishes or undoes the work that dead processes left in a folder. The work of living ones, and what cannot be
  /// finished now, stays.
  ///
  /// - Returns: whether anything was found.
  @discardableResult
  package static func recoverAll(in listing: FolderListing) -> Bool {
    let left = listing.names.filter { $0.hasPrefix(prefix) }
    guard !left.isEmpty, let root = try? HeldFolder(path: listing.folder) else { return false }
    recover(left, in: root)
    return true
  }

  /// The identity of a folder. The time of its creation is part of it, because file systems reuse the inode numbers of removed folders.
  private struct Numbered: Hashable {
    let place: FileStatus.Place
    let born: Int64?
  }

  /// The files that were begun in a folder since it was looked through last, the names that it had then, and when that was.
  private static let looks = Mutex<[Numbered: (begun: Int, names: Int, time: Int)]>([:])
  /// The names of a folder that are read for each file that is begun in it, at most.
  private static let namesPerFile = 64
  /// The seconds after which a folder is looked through again in any case.
  private static let lookLasts = 10

  /// The same for a folder in which a file is about to be made. One of thousands of names is not listed for each of
  /// thousands of files: it is looked through for the first, and again after as many as its names are worth, or some seconds.
  ///
  /// - Throws: ``EditError`` when it cannot be listed.
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

  /// Gives the files in the work folder their names, all or none.
  ///
  /// - Throws: ``EditError`` when something is in the way, or fails; no file has its name then, or, where names could not be taken back
  ///   either, whoever comes next gives the others theirs.
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
      // The journal is found again only if the work folder's own name is durable too.
      try root.syncFolder()
    }
  }

  /// Removes the folder and gives back the lock. A commit that could not be finished stays.
  package func close() {
    guard lock != nil else { return }
    if (try? root.exists(place("commit"))) == false {
      clear()
      _ = try? root.remove(place("lock"))
      try? root.removeFolder(name)
    }
    lock = nil
  }

  /// Finishes a commit that was begun, or removes what was never to be committed.
  private func recover() throws(EditError) {
    let journal = root.path(place("commit"))
    try whileReading(journal) {
      if try root.exists(place("commit")) {
        guard let bytes = try root.source(place("commit")).bytes(atMost: Self.largestPlan),
          let plan = try? JSONText.decode(PublishPlan.self, from: bytes), plan.isHarmless
        else {
          throw EditError(
            .inTheWay, file: journal, "is not a commit that this liveedit can finish",
            remedy: "use the newer liveedit that began it, or remove the folder it is in")
        }
        try plan.carryOut(in: root, from: name)
      }
    }
    clear()
  }

  /// Removes what liveedit made here, but for the lock. The journal goes first: what it names is done with.
  private func clear() {
    for name in ["commit", "commit.draft"] { _ = try? root.remove(place(name)) }
    for name in (try? root.names(in: name)) ?? [] where Self.isMember(name) {
      guard let kind = try? root.status(place(name)).kind else { continue }
      if kind == .regular { _ = try? root.remove(place(name)) }
      guard kind == .folder else { continue }
      // A bundle in the making, or where a helper made a file.
      root.removeFolderOfFiles(place(name))
    }
  }

  private static func lock(_ name: String, in root: HeldFolder, creating: Bool) throws(EditError) -> FileLock
  {
    do {
      // Between a step and the next the last owner may remove the folder; each round starts afresh.
      var (gone, busy) = (0, 0)
      while gone < 16 {
        // Nobody else has to look into it.
        if creating { try root.makeFolder(name, permissions: 0o700) }
        switch try FileLock.attempt(name + "/lock", in: root, creating: creating) {
        case .locked(let lock): return lock
        case .busy:
          busy += 1
          guard creating, busy <= longestWait / 10 else {
            throw EditError(
              .inTheWay, file: root.path(String(name.dropFirst(prefix.count))),
              "is being made by another liveedit", remedy: "try again when it is done")
          }
          HostSystem.sleep(milliseconds: 10)
        case .unsupported, .gone:
          gone += 1
          if creating { continue }
          // What a helper wrote after its parent had died and somebody had cleaned up.
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
