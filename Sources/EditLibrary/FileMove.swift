import EditModel
import FileSystem

/// One file that a commit gives another name, or removes. Paths are relative to the assets' folder.
struct FileMove: Hashable, Sendable {
  /// The asset that it is for.
  var stem: String
  /// Where the file is.
  var source: String
  /// Where it goes; nil when it goes away.
  var target: String?

  /// Whether the move can reach nothing but renders, adjustment data and the library's own files, so that a
  /// library that came with a download cannot touch an original.
  var isHarmless: Bool { Self.isHarmless(source) && (target.map(Self.isHarmless) ?? true) }

  private static func isHarmless(_ path: String) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ Catalogue.isName(String($0)) }) else { return false }
    if parts.count > 2 { return parts[0] == LibraryPaths.folder && ["versions", "work"].contains(parts[1]) }
    guard parts.count == 1 else { return false }
    let name = RenderNames.Parts(path)
    return RenderNames.originalStem(ofRender: name.stem) != nil || name.fileExtension.lowercased() == "aae"
  }

  /// Does the moves that are not done yet, in order, and makes them durable.
  ///
  /// - Parameters:
  ///   - moves: of one commit.
  ///   - folder: the assets' folder.
  /// - Throws: ``EditError`` when something has a name that is needed; the rest of the moves is not done then.
  static func carryOut(_ moves: [FileMove], in folder: String) throws(EditError) {
    var touched: Set<String> = []
    let successors = Dictionary(
      moves.compactMap { move in move.target.map { ($0, move.source) } },
      uniquingKeysWith: { first, _ in first })
    for move in moves {
      let source = FolderListing.path(folder, move.source)
      let target = move.target.map { FolderListing.path(folder, $0) }
      do {
        guard move.isHarmless else { throw CommitPlan.inTheWay(source) }
        let isDone = try isDone(move, successors, in: folder)
        if try !isDone && FileStatus.exists(source) {
          if let target {
            try makeParents(of: move.target ?? "", in: folder, &touched)
            if try FileStatus.exists(target) {
              // A move by link and unlink stopped between the two.
              guard
                try FileStatus(path: source, followingLinks: false).place
                  == FileStatus(path: target, followingLinks: false).place
              else { throw SystemError.exists }
              try File.remove(source)
            } else {
              try File.move(source, toFree: target)
            }
          } else {
            try File.remove(source)
          }
        }
      } catch SystemError.exists {
        throw CommitPlan.inTheWay(target ?? source)
      } catch {
        throw EditError(writing: target ?? source, error)
      }
      // Also when it was done before: whoever did it may have died before the sync.
      touched.insert(parent(move.source))
      if let target = move.target { touched.insert(parent(target)) }
    }
    for path in touched.sorted() {
      let full = path.isEmpty ? (folder.isEmpty ? "." : folder) : FolderListing.path(folder, path)
      do {
        try Folder.sync(full)
      } catch {
        // The folder may be gone with its last file.
        if error != .notFound { throw EditError(writing: full, error) }
      }
    }
    // Folders that became empty; the others stay.
    for move in moves where move.target == nil {
      try? Folder.remove(FolderListing.path(folder, parent(move.source)))
    }
  }

  /// Whether the name that a file was to leave has been taken by its successor already: that one is gone from
  /// where it was made, or is in both places after a move by link and unlink that stopped between the two.
  private static func isDone(
    _ move: FileMove, _ successors: [String: String], in folder: String
  ) throws -> Bool {
    guard let successor = successors[move.source] else { return false }
    let origin = FolderListing.path(folder, successor)
    let taken = FolderListing.path(folder, move.source)
    guard try FileStatus.exists(origin) else { return true }
    guard try FileStatus.exists(taken) else { return false }
    return try FileStatus(path: origin, followingLinks: false).place
      == FileStatus(path: taken, followingLinks: false).place
  }

  private static func parent(_ path: String) -> String { AssetLocator.split(path).folder }

  /// Makes the folders above a path, and remembers whose entries are new.
  private static func makeParents(of path: String, in folder: String, _ touched: inout Set<String>) throws {
    var made = ""
    for part in path.split(separator: "/").dropLast() {
      let above = made
      made += (made.isEmpty ? "" : "/") + part
      if try Folder.create(FolderListing.path(folder, made)) { touched.insert(above) }
    }
  }
}
