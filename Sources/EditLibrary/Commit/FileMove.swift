import Basics
import FileSystem

/// A file that a commit renames or removes. Paths are relative to the assets' folder.
struct FileMove: Hashable, Sendable {
  /// The stem of the asset to which the file belongs; empty for the file that stores favourites, hidden assets and
  /// albums.
  var stem: String
  /// The file's path before the move.
  var source: String
  /// The file's path after the move, or nil if the file is removed.
  var target: String?

  /// Whether a path refers to a file directly beside the originals.
  static func isBeside(_ place: String) -> Bool { !place.utf8.contains(0x2F) }

  /// Whether every name in the target's path is short enough.
  var hasPossibleNames: Bool {
    (target ?? "").utf8.split(separator: 0x2F).allSatisfy { $0.count <= FileName.longest }
  }

  /// Whether the move can affect only the asset's own renders, adjustment data and versions. This prevents a library
  /// that was downloaded or tampered with from changing originals or files outside its folder.
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

/// Performs the recorded moves of commits and makes them durable. For the other ways in which files get their names,
/// see ``FilePublisher``.
struct FileMover {
  private let folder: HeldFolder
  /// The folders to which names were added. Folders that lost names are tracked separately.
  private var gained: Set<String> = []
  private var lost: Set<String> = []
  /// The folders that may have become empty.
  private var emptied: Set<String> = []

  /// Creates a mover for a folder.
  ///
  /// - Parameter folder: The assets' folder.
  init(_ folder: HeldFolder) {
    self.folder = folder
  }

  /// Performs the moves of one asset that are not done yet, in order. The caller must call ``sync()`` afterwards.
  ///
  /// - Parameter record: The asset as the commit recorded it, or nil for the file that stores favourites, hidden assets
  ///   and albums.
  /// - Throws: ``EditError`` if a required name is taken, or if a file is not the file that was to be moved. The
  ///   remaining moves are then skipped.
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
      // The folder is also synced if the move was done before, because the process that moved the file may have died
      // before the sync.
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
      // An interrupted move by link and unlink stopped after the link was made.
      try folder.remove(move.source)
    } else {
      try folder.move(move.source, toFree: target)
    }
  }

  /// Checks that a file beside the originals belongs to one of the asset's versions. Another program may have put a
  /// different file there since the move was recorded.
  private func checkSource(_ move: FileMove, of record: AssetRecord?) throws {
    guard FileMove.isBeside(move.source), let record, try !record.hasVersion(at: move.source, in: folder)
    else { return }
    throw EditError(
      .inTheWay, file: folder.path(move.source),
      "was changed by another program before an interrupted edit was finished",
      remedy: "run liveedit check --repair on the folder")
  }

  /// Makes the name changes of ``carryOut(_:of:)`` durable, and removes folders that became empty.
  ///
  /// A file's new name is synced before the removal of its old name. This order matters because a new render moves from
  /// the work folder to a name beside the originals, while the old render moves from there to its version's folder.
  mutating func sync() throws(EditError) {
    let places = [gained.subtracting(lost), gained.intersection(lost), lost.subtracting(gained)]
    for place in places.flatMap({ $0.sorted() }) {
      do {
        try folder.syncFolder(place)
      } catch SystemError.notFound {
        // The folder may have been removed with its last file.
      } catch {
        throw EditError(writing: folder.path(place), error)
      }
    }
    // Other folders are kept.
    for place in emptied where place.hasPrefix(LibraryPaths.versions + "/") {
      try? folder.removeFolder(place)
      try? folder.removeFolder(Self.parent(place))
    }
    (gained, lost, emptied) = ([], [], [])
  }

  /// Whether the source name of a move, or another spelling of that name, already belongs to the file's successor. This
  /// is the case if the successor is no longer at its original path, or exists at both paths because a move by link and
  /// unlink was interrupted.
  private func isDone(_ move: FileMove, _ successors: [String: String]) throws -> Bool {
    let successor =
      try successors[move.source] != nil
      ? move.source : successors.keys.first { try folder.isOneEntry($0, move.source) }
    guard let successor, let origin = successors[successor] else { return false }
    guard try folder.exists(origin) else { return true }
    return try folder.isSameFile(origin, as: successor)
  }

  static func parent(_ place: String) -> String { FilePath.split(place).folder }

  /// Creates the parent folders of a path.
  ///
  /// - Returns: The new folders.
  @discardableResult
  static func makeParents(of place: String, in folder: HeldFolder) throws -> [String] {
    var made: [String] = []
    var missing: [String] = []
    var parent = Self.parent(place)
    // Starts at the innermost folder, because most of the folders already exist.
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
