package import Basics
import FileSystem

/// Waits for photos and movies that arrive in folders, until they are whole, and hands on each asset once.
///
/// A Live Photo is whole when both halves are there and have stopped growing. One half whose other does not come is
/// handed on alone after a while. Renders are part of their original's asset, so that what liveedit writes is no
/// arrival.
package final class FolderWatcher {
  /// The seconds without a change after which a file has stopped growing.
  private let settling: Int
  /// The seconds that a half waits for the other, and a file that cannot be read for the rest of it.
  private let longestWait: Int

  private let roots: [String]
  private let isRecursive: Bool
  private let watch: FolderWatch
  private var record: WatchRecord
  private var folders: [String: String] = [:]
  /// The time of the last change, by folder and stem.
  private var waiting: [Key: Int] = [:]
  private let fail: (String, EditError) -> Void

  private struct Key: Hashable {
    var folder: String
    var stem: String
  }

  /// An asset that has arrived.
  package struct Arrival {
    /// The paths of its originals, the photo first.
    package var files: [String]
    fileprivate var folder: String
    fileprivate var names: [String]
  }

  /// Begins to watch. What is there already when nobody has watched here like this before is no arrival; otherwise
  /// whatever came meanwhile is one.
  ///
  /// - Parameters:
  ///   - roots: the folders.
  ///   - isRecursive: whether the folders below are watched too.
  ///   - purpose: what is done with arrivals: it tells the record of this watch from others.
  ///   - settling: the seconds without a change after which a file has stopped growing.
  ///   - longestWait: the seconds that a half waits for the other.
  ///   - fail: told of folders that cannot be read.
  package init(
    _ roots: [String], isRecursive: Bool, purpose: [String], settling: Int = 2, longestWait: Int = 60,
    fail: @escaping (String, EditError) -> Void
  ) throws(EditError) {
    (self.roots, self.isRecursive, self.fail) = (roots, isRecursive, fail)
    (self.settling, self.longestWait) = (settling, longestWait)
    var words = purpose
    for root in roots {
      try FolderListing.checkReadable(root)
      words.append(try Self.absolute(root))
    }
    record = try WatchRecord(of: words)
    watch = try whileReading(FilePath.shown(roots.first ?? "")) { try FolderWatch() }
    let isNew = record.isNew
    var known: [(folder: String, names: [[String]])] = []
    for folder in tree() {
      guard let path = add(folder) else { continue }
      if isNew {
        known.append((path, try FolderListing(folder: folder).assetFiles))
      } else {
        scan(folder)
      }
    }
    guard isNew else { return }
    knownCount = known.map(\.names.count).reduce(0, +)
    try record.begin(with: known)
  }

  /// The number of assets that were there before the first watch.
  package private(set) var knownCount = 0
  /// The number of folders that are watched.
  package var folderCount: Int { folders.count }

  /// The absolute path of a folder, links followed.
  package static func absolute(_ folder: String) throws(EditError) -> String {
    try whileReading(FilePath.shown(folder)) { TerminalText.repaired(try HeldFolder(path: folder).realPath) }
  }

  private func tree() -> [String] {
    isRecursive ? roots.flatMap { FolderTree.folders(from: $0, fail: fail) } : roots
  }

  /// Watches a folder.
  ///
  /// - Returns: its absolute path; nil when it is watched already or cannot be.
  private func add(_ folder: String) -> String? {
    guard folders[folder] == nil else { return nil }
    do throws(EditError) {
      let path = try Self.absolute(folder)
      try whileReading(FilePath.shown(folder)) { try watch.add(FilePath.shown(folder)) }
      folders[folder] = path
      return path
    } catch {
      fail(FilePath.shown(folder), error)
      return nil
    }
  }

  /// Looks at everything in a folder: what is not recorded has arrived now.
  private func scan(_ folder: String) {
    guard let path = folders[folder], let listing = try? FolderListing(folder: folder) else { return }
    for names in listing.assetFiles where !record.holds(names, in: path) {
      touch(names[0], in: folder)
    }
  }

  private func touch(_ name: String, in folder: String) {
    waiting[Key(folder: folder, stem: RenderNames.Parts(name).stem)] = HostSystem.now
  }

  /// Waits for something to happen, at most for a while.
  ///
  /// - Returns: the assets that are whole now.
  package func next(milliseconds: Int32) throws(EditError) -> [Arrival] {
    let events = try whileReading(FilePath.shown(roots.first ?? "")) {
      try watch.wait(milliseconds: milliseconds)
    }
    for (shown, names) in events.names {
      let folder = shown == "." ? "" : shown
      for name in names where !name.hasPrefix(".") {
        if HalfKind(fileExtension: RenderNames.Parts(name).fileExtension) != nil {
          touch(name, in: folder)
        } else if isRecursive {
          let path = FilePath.joined(folder, name)
          if (try? FileStatus(path: path, followingLinks: false))?.kind == .folder { enter(path) }
        }
      }
    }
    for lost in events.lost { folders[lost == "." ? "" : lost] = nil }
    if events.isIncomplete {
      for folder in tree() { _ = add(folder) }
      for folder in folders.keys { scan(folder) }
    }
    return whole()
  }

  /// Watches a new folder and those in it. What came before the watch is found by looking.
  private func enter(_ path: String) {
    for folder in FolderTree.folders(from: path, fail: fail) where add(folder) != nil { scan(folder) }
  }

  /// The assets that wait no longer.
  private func whole() -> [Arrival] {
    let now = HostSystem.now
    var arrivals: [Arrival] = []
    var listings: [String: FolderListing] = [:]
    for (key, changed) in waiting where now - changed >= settling {
      guard let path = folders[key.folder] else {
        waiting[key] = nil
        continue
      }
      if listings[key.folder] == nil { listings[key.folder] = try? FolderListing(folder: key.folder) }
      guard let listing = listings[key.folder] else { continue }
      let groups = listing.assetFiles(stem: key.stem).filter { !record.holds($0, in: path) }
      if groups.isEmpty {
        waiting[key] = nil
        continue
      }
      let isOver = now - changed >= longestWait
      guard isOver || groups.allSatisfy({ isComplete($0, in: key.folder) }) else { continue }
      waiting[key] = nil
      for names in groups {
        arrivals.append(
          Arrival(files: names.map { FilePath.joined(key.folder, $0) }, folder: path, names: names))
      }
    }
    return arrivals.sorted { $0.files[0] < $1.files[0] }
  }

  /// True if nothing of an asset is to come: both halves are there and can be read, or a file that is no half of
  /// anything.
  private func isComplete(_ names: [String], in folder: String) -> Bool {
    var identifiers: [String?] = []
    for name in names {
      guard let kind = HalfKind(fileExtension: RenderNames.Parts(name).fileExtension) else { return false }
      do throws(EditError) {
        identifiers.append(try HalfIdentifier.whole(FilePath.joined(folder, name), kind: kind))
      } catch {
        return false
      }
    }
    return names.count > 1 || identifiers == [nil]
  }

  /// Takes note that an arrival is dealt with, durably: it is never handed on again unless it changes.
  package func finish(_ arrival: Arrival) throws(EditError) {
    try record.add(arrival.names, in: arrival.folder)
  }
}
