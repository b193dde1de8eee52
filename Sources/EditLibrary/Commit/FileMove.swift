import Basics
import FileSystem

/// One file that a commit gives another name, or removes. Places are relative to the assets' folder.
struct FileMove: Hashable, Sendable {
  /// The asset that it is for; empty for the file of marks and albums.
  var stem: String
  /// The file's place before the move.
  var source: String
  /// The file's place afterwards; nil for a file that is removed.
  var target: String?

  /// True if a place is one of the names beside the originals.
  static func isBeside(_ place: String) -> Bool { !place.utf8.contains(0x2F) }

  /// True if no name of the target is longer than a name can be.
  var hasPossibleNames: Bool {
    (target ?? "").utf8.split(separator: 0x2F).allSatisfy { $0.count <= FileName.longest }
  }

  /// True if the move can reach nothing but the asset's own renders, adjustment data and versions, so that a library
  /// that came with a download, or that somebody else wrote to, cannot touch an original or leave its folder.
  func isHarmless(for record: AssetRecord?) -> Bool {
    guard let record else {
      return stem.isEmpty && isInWork(source) && target == LibraryPaths.collections
    }
    return isOwn(source, of: record) && (target.map { isOwn($0, of: record) } ?? true)
  }

  private func isInWork(_ place: String) -> Bool {
    guard let parts = FileName.parts(of: place), parts.count == 3 else { return false }
    return parts[0] + "/" + parts[1] == LibraryPaths.work && LibraryPaths.isWorkName(parts[2])
  }

  private func isOwn(_ place: String, of record: AssetRecord) -> Bool {
    guard let parts = FileName.parts(of: place) else { return false }
    if parts.count == 1 {
      return RenderNames.canStandBeside(record.originals.map(\.name), ofAsset: record.stem, place)
    }
    if parts.count == 5 {
      return parts[..<3].joined(separator: "/") == LibraryPaths.versions(of: record.stem)
        && LibraryPaths.number(ofFolder: parts[3]) != nil
    }
    return isInWork(place)
  }
}

/// Does the moves of commits that are recorded, and makes them durable: one of the ways by which files get names, see
/// ``FilePublisher``.
struct FileMover {
  private let folder: HeldFolder
  /// Folders that got names, and folders that lost some.
  private var gained: Set<String> = []
  private var lost: Set<String> = []
  /// Folders that may have become empty.
  private var emptied: Set<String> = []

  /// - Parameter folder: the assets' folder.
  init(_ folder: HeldFolder) {
    self.folder = folder
  }

  /// Does the moves of one asset that are not done yet, in order. The caller syncs afterwards.
  ///
  /// - Parameter record: the asset as the commit recorded it; nil for the file of marks and albums.
  /// - Throws: ``EditError`` when something has a name that is needed, or is not what was to be moved; the rest of the
  ///   moves is not done then.
  mutating func carryOut(_ moves: [FileMove], of record: AssetRecord?) throws(EditError) {
    let successors = Dictionary(
      moves.compactMap { move in move.target.map { ($0, move.source) } },
      uniquingKeysWith: { first, _ in first })
    for move in moves {
      do {
        guard move.isHarmless(for: record) else { throw EditError.inTheWay(folder.path(move.source)) }
        if try !isDone(move, successors), try folder.exists(move.source) {
          try checkSource(move, of: record)
          try carryOut(move)
        }
      } catch SystemError.exists {
        throw EditError.inTheWay(folder.path(move.target ?? move.source))
      } catch {
        throw EditError(writing: folder.path(move.target ?? move.source), error)
      }
      // Also when it was done before: whoever did it may have died before the sync.
      lost.insert(Self.parent(move.source))
      if let target = move.target { gained.insert(Self.parent(target)) }
      if move.target == nil { emptied.insert(Self.parent(move.source)) }
    }
  }

  private mutating func carryOut(_ move: FileMove) throws {
    guard let target = move.target else {
      try folder.remove(move.source)
      return
    }
    gained.formUnion(try Self.makeParents(of: target, in: folder).map(Self.parent))
    if target == LibraryPaths.collections {
      try folder.replace(target, with: move.source)
    } else if try folder.isSameFile(move.source, as: target) {
      // A move by link and unlink stopped between the two.
      try folder.remove(move.source)
    } else {
      try folder.move(move.source, toFree: target)
    }
  }

  /// Makes sure that a file beside the originals is one of the asset's versions: another program may have put something
  /// else there since the move was recorded.
  private func checkSource(_ move: FileMove, of record: AssetRecord?) throws {
    guard FileMove.isBeside(move.source), let record, try !record.hasVersion(at: move.source, in: folder)
    else { return }
    throw EditError(
      .inTheWay, file: folder.path(move.source),
      "was changed by another program while an edit waited for its end",
      remedy: "run liveedit check --repair on the folder")
  }

  /// Makes the names durable that ``carryOut(_:of:)`` changed, and removes folders that became empty.
  ///
  /// A file's new name comes before the loss of its old one: a render goes from the folder of work to beside the originals, another
  /// one from there to its version's folder.
  mutating func sync() throws(EditError) {
    let places = [gained.subtracting(lost), gained.intersection(lost), lost.subtracting(gained)]
    for place in places.flatMap({ $0.sorted() }) {
      do {
        try folder.syncFolder(place)
      } catch SystemError.notFound {
        // The folder may be gone with its last file.
      } catch {
        throw EditError(writing: folder.path(place), error)
      }
    }
    // The others stay.
    for place in emptied where place.hasPrefix(LibraryPaths.versions + "/") {
      try? folder.removeFolder(place)
      try? folder.removeFolder(Self.parent(place))
    }
    (gained, lost, emptied) = ([], [], [])
  }

  /// True if the name that a file was to leave, or another spelling of it, has been taken by its successor already: that one is gone from where it
  /// was made, or is in both places after a move by link and unlink that stopped between the two.
  private func isDone(_ move: FileMove, _ successors: [String: String]) throws -> Bool {
    let successor =
      try successors[move.source] != nil
      ? move.source : successors.keys.first { try folder.isOneEntry($0, move.source) }
    guard let successor, let origin = successors[successor] else { return false }
    guard try folder.exists(origin) else { return true }
    return try folder.isSameFile(origin, as: successor)
  }

  static func parent(_ place: String) -> String { FilePath.split(place).folder }

  /// Makes the folders above a place.
  ///
  /// - Returns: the new folders.
  @discardableResult
  static func makeParents(of place: String, in folder: HeldFolder) throws -> [String] {
    var made: [String] = []
    var missing: [String] = []
    var parent = Self.parent(place)
    // From below: most are there.
    while !parent.isEmpty {
      do {
        if try folder.makeFolder(parent) { made.append(parent) }
        break
      } catch SystemError.notFound {
        missing.append(parent)
        parent = Self.parent(parent)
      }
    }
    for parent in missing.reversed() {
      if try folder.makeFolder(parent) { made.append(parent) }
    }
    return made
  }
}
