import EditModel
import FileSystem
import FoundationEssentials

/// The hidden folder in which a render for another folder is made: `.liveedit-STEM`. Before there was a
/// catalogue, versions were made in one beside the asset; what is left of those is still completed.
///
/// It is on the same file system as the names that the files will get, and holds
/// - `lock`: locked by the process that works on the asset, as long as it lives,
/// - `photo-N`, `movie-N`, `adjustments-N`: the version that process N makes,
/// - `commit`: the moves, once the version is complete and durable. It appears by a rename, so it is
///   whole or absent.
///
/// A process that dies before `commit` appeared leaves litter, which the next one to come by removes; one
/// that dies later leaves a version that the next one completes. Either way the folder goes away.
/// Where the file system has no locks (see ``FileSystem/FileLock``) the dead cannot be told from the
/// living: two processes that edit in one folder at the same time may then undo each other's work in the
/// making, and one of them fails. Never more than that.
public final class WorkFolder {
  let folder: String
  private let path: String
  private var lock: FileLock?

  /// Where the rendered photo is to be written.
  public var photo: String { FolderListing.path(path, Self.name("photo")) }
  /// Where the rendered movie is to be written.
  public var movie: String { FolderListing.path(path, Self.name("movie")) }
  /// Where the adjustment data is to be written.
  public var adjustments: String { FolderListing.path(path, Self.name("adjustments")) }

  static let prefix = ".liveedit-"

  /// Part of a name that no other living process uses.
  public static var ownMark: String { "\(ChildProcess.ownIdentifier)" }

  /// The name of a file in the making: a helper whose parent died may still write to its own for a moment,
  /// and removes it in the end, so no two processes share one.
  static func name(_ member: String) -> String { "\(member)-\(ChildProcess.ownIdentifier)" }

  /// Whether a name in a work folder is that of a file in the making.
  static func isMember(_ name: String) -> Bool {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    return parts.count == 2 && ["photo", "movie", "adjustments"].contains(parts[0]) && Int32(parts[1]) != nil
  }
  private static let largestPlan = 1 << 16

  private init(folder: String, path: String, lock: FileLock) {
    self.folder = folder
    self.path = path
    self.lock = lock
  }

  deinit {
    close()
  }

  /// Makes the work folder of an asset and locks it; finishes or undoes what a dead process left in it.
  ///
  /// - Parameters:
  ///   - folder: the destination folder; empty for the current one.
  ///   - stem: the asset's stem.
  /// - Throws: ``EditError`` when another process edits the asset, or the folder cannot be written to.
  public convenience init(in folder: String, stem: String) throws(EditError) {
    let path = FolderListing.path(folder, Self.prefix + stem)
    self.init(folder: folder, path: path, lock: try Self.lock(path, in: folder, creating: true))
    try recover()
  }

  /// Finishes or undoes whatever dead processes left in a folder, and leaves what living ones work on.
  ///
  /// What cannot be finished now (something is in the way, the folder is read-only) stays for an edit of
  /// the asset itself to complain about.
  ///
  /// - Returns: whether anything was found.
  @discardableResult
  public static func recoverAll(in listing: FolderListing) -> Bool {
    let left = listing.names.filter { $0.hasPrefix(prefix) }
    for name in left {
      let path = listing.path(name)
      guard let lock = try? lock(path, in: listing.folder, creating: false) else { continue }
      let work = WorkFolder(folder: listing.folder, path: path, lock: lock)
      try? work.recover()
    }
    return !left.isEmpty
  }

  /// Makes the version in the work folder current.
  ///
  /// - Parameter plan: the names that change.
  /// - Throws: ``EditError`` when something is in the way; nothing has changed then.
  func commit(_ plan: CommitPlan) throws(EditError) {
    try plan.check(in: folder)
    do {
      for step in plan.steps {
        if let from = step.from { try File.sync(FolderListing.path(path, from)) }
      }
      let draft = FolderListing.path(path, "commit.draft")
      try File.create(draft, bytes: Array(try JSONEncoder().encode(plan)))
      try File.replace(FolderListing.path(path, "commit"), with: draft)
      try Folder.sync(path)
      // The journal is found again only if the work folder's own name is durable too.
      try Folder.sync(folder.isEmpty ? "." : folder)
    } catch {
      throw EditError(writing: folder.isEmpty ? "." : folder, error)
    }
    try plan.carryOut(in: folder, from: path)
    clear()
  }

  /// Removes the folder and gives back the lock. A commit that could not be finished stays.
  public func close() {
    guard lock != nil else { return }
    if (try? FileStatus.exists(FolderListing.path(path, "commit"))) == false {
      clear()
      _ = try? File.remove(FolderListing.path(path, "lock"))
      try? Folder.remove(path)
    }
    lock = nil
  }

  /// Finishes a commit that was begun, or removes what was never to be committed.
  private func recover() throws(EditError) {
    let journal = FolderListing.path(path, "commit")
    do {
      if try FileStatus.exists(journal) {
        let source = try FileByteSource(path: journal)
        guard source.count <= Self.largestPlan else { throw unreadable(journal) }
        let bytes = try source.read(at: 0, count: source.count)
        guard let plan = try? JSONDecoder().decode(CommitPlan.self, from: Data(bytes)), plan.isHarmless else {
          throw unreadable(journal)
        }
        try plan.carryOut(in: folder, from: path)
      }
    } catch {
      throw EditError(reading: journal, error)
    }
    clear()
  }

  private func unreadable(_ journal: String) -> EditError {
    EditError(
      .inTheWay, file: journal, "is not a commit that this liveedit can finish",
      remedy: "use the newer liveedit that began it, or remove the folder it is in")
  }

  /// Removes all files but the lock. The journal goes first: what it names is done with.
  private func clear() {
    _ = try? File.remove(FolderListing.path(path, "commit"))
    for name in (try? Folder.names(in: path)) ?? [] where name != "lock" {
      let left = FolderListing.path(path, name)
      if (try? File.remove(left)) != nil { continue }
      // A bundle in the making.
      for member in (try? Folder.names(in: left)) ?? [] {
        _ = try? File.remove(FolderListing.path(left, member))
      }
      try? Folder.remove(left)
    }
  }

  private static func lock(_ path: String, in folder: String, creating: Bool) throws(EditError) -> FileLock {
    do {
      // Between a step and the next the last owner may remove the folder; each round starts afresh.
      for _ in 0..<16 {
        if creating { _ = try Folder.create(path) }
        guard try FileStatus(path: path, followingLinks: false).kind == .folder else {
          throw CommitPlan.inTheWay(path)
        }
        switch try FileLock.attempt(FolderListing.path(path, "lock"), creating: creating) {
        case .locked(let lock): return lock
        case .busy:
          let stem = AssetLocator.split(path).name.dropFirst(prefix.count)
          throw EditError(
            .inTheWay, file: FolderListing.path(folder, String(stem)), "is being edited by another liveedit",
            remedy: "try again when it is done")
        case .unsupported, .gone:
          if creating { continue }
          // What a helper wrote after its parent had died and somebody had cleaned up.
          let names = try Folder.names(in: path)
          if !names.isEmpty, names.allSatisfy(isMember) {
            return try lock(path, in: folder, creating: true)
          }
          try Folder.remove(path)
          throw SystemError.notFound
        }
      }
      throw SystemError.tryAgain
    } catch {
      throw EditError(writing: folder.isEmpty ? "." : folder, error)
    }
  }
}
