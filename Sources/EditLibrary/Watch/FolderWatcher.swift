package import Basics
import EditModel
import FileSystem
import LivePhotoFormat

/// Waits for photos and movies that arrive in folders, until they are whole, and hands on each asset once.
///
/// A Live Photo is whole when both halves are there, hold all the data that they list, and no longer change. One half whose
/// other does not come is handed on alone after a while, and so is a file that may or may not be whole. A file that
/// certainly lacks data is handed on with the error that says so. Renders are part of their original's asset, so that what
/// liveedit writes is no arrival. Where other computers may write too, which the system does not tell, it looks itself now
/// and then.
package final class FolderWatcher {
  /// The seconds without a change after which a file has stopped growing.
  private let settling: Int
  /// The seconds that a half waits for the other, and a file that cannot be read for the rest of it.
  private let longestWait: Int
  /// The seconds between two looks at folders in which other computers may write.
  private static let lookInterval = 10
  /// The seconds without a change there: network file systems remember the status of a file for some of them.
  private static let remoteSettling = 5

  private let roots: [String]
  private let isRecursive: Bool
  private let watch: FolderWatch
  private var record: WatchRecord
  private var folders: [String: Watched] = [:]
  /// The folders in which other computers may write, as they were at the last look.
  private var remote: [String: Look] = [:]
  private var lastLook = HostSystem.uptime
  private var waiting: [Key: Waiting] = [:]
  private let fail: (String, EditError) -> Void

  private struct Key: Hashable {
    var folder: String
    var stem: String
  }

  /// A folder that is watched.
  private struct Watched {
    /// Its absolute path.
    var path: String
    /// Its place, which another folder of that name does not have.
    var place: FileStatus.Place
  }

  /// A folder at the last look.
  private struct Look {
    /// Its status before it was looked at.
    var status: FileStatus?
    /// True if that was another one than before: names may have come since, at the same time by its clock.
    var wasChanged = true
  }

  /// An asset that is not whole yet.
  private struct Waiting {
    /// The time of the last change.
    var changed: Int
    /// The status of its files then.
    var statuses: [String: FileStatus] = [:]
    /// How much of its files has arrived, for files with this status.
    var findings: [String: Finding] = [:]
  }

  /// What a file holds that may still be being copied.
  private struct Finding {
    var status: FileStatus
    var identifier: String?
    var arrival: FileArrival
  }

  /// How complete an asset is.
  private enum Completeness {
    case complete
    /// More may come.
    case open
    /// A file certainly lacks data.
    case partial(EditError)

    var isComplete: Bool {
      if case .complete = self { true } else { false }
    }
  }

  /// An asset that has arrived.
  package struct Arrival {
    /// The paths of its originals, the photo first.
    package var files: [String]
    /// The data that one of the files lacks after the longest wait; nil when none is known to lack data.
    package var missing: EditError?
    /// The ends of the data in originals that ended in zeros when they were last dealt with, by their names.
    package var dataEnds: [String: Int]
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
    do throws(SystemError) {
      watch = try FolderWatch()
    } catch {
      throw LibraryWatch.failure(FilePath.shown(roots.first ?? ""), error)
    }
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
      do throws(SystemError) {
        try watch.add(FilePath.shown(folder))
      } catch {
        throw LibraryWatch.failure(FilePath.shown(folder), error)
      }
      let place = try whileReading(FilePath.shown(folder)) {
        try FileStatus(path: FilePath.shown(folder)).place
      }
      folders[folder] = Watched(path: path, place: place)
      if FolderWatch.isRemote(FilePath.shown(folder)) { remote[folder] = Look() }
      return path
    } catch {
      fail(FilePath.shown(folder), error)
      return nil
    }
  }

  /// Looks at everything in a folder: what is not recorded has arrived now.
  ///
  /// - Parameter passingWaiting: whether what waits already goes on with it, and does not begin anew.
  private func scan(_ folder: String, passingWaiting: Bool = false) {
    guard let path = folders[folder]?.path else { return }
    let listing: FolderListing
    do throws(EditError) {
      listing = try FolderListing(folder: folder)
    } catch {
      if error.code != .notFound { fail(FilePath.shown(folder), error) }
      return
    }
    for names in listing.assetFiles where !record.holds(names, in: path) {
      let key = Key(folder: folder, stem: RenderNames.Parts(names[0]).stem)
      if !passingWaiting || waiting[key] == nil {
        for name in names { touch(name, in: folder) }
      }
    }
  }

  private func touch(_ name: String, in folder: String, after seconds: Int = 0) {
    let key = Key(folder: folder, stem: RenderNames.Parts(name).stem)
    waiting[key, default: Waiting(changed: 0)].changed = HostSystem.uptime + seconds
    waiting[key]?.statuses[name] = status(of: name, in: folder)
  }

  private func status(of name: String, in folder: String) -> FileStatus? {
    try? FileStatus(path: FilePath.joined(folder, name))
  }

  /// Looks for what came unseen.
  private func lookAtRemote() {
    guard !remote.isEmpty, HostSystem.uptime - lastLook >= Self.lookInterval else { return }
    lastLook = HostSystem.uptime
    if isRecursive {
      for folder in tree() { _ = add(folder) }
    }
    for (folder, look) in remote {
      let status = try? FileStatus(path: FilePath.shown(folder))
      let isChanged = status != look.status
      if isChanged || look.wasChanged { scan(folder, passingWaiting: true) }
      remote[folder] = Look(status: status, wasChanged: isChanged)
    }
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
          do {
            let status = try FileStatus.ifAny(path, followingLinks: false)
            if let known = folders[path], known.place != status?.place { leave(path) }
            if status?.kind == .folder { enter(path) }
          } catch {
            fail(path, EditError(reading: path, error))
          }
        }
      }
    }
    for lost in events.lost.map({ $0 == "." ? "" : $0 }) {
      folders[lost] = nil
      remote[lost] = nil
    }
    if events.isIncomplete {
      for folder in tree() { _ = add(folder) }
      for folder in folders.keys { scan(folder) }
    }
    lookAtRemote()
    return whole()
  }

  /// Forgets a folder that was renamed or moved away, and those in it.
  private func leave(_ path: String) {
    for folder in folders.keys where folder == path || folder.hasPrefix(path + "/") {
      watch.remove(FilePath.shown(folder))
      folders[folder] = nil
      remote[folder] = nil
    }
  }

  /// Watches a new folder and those in it. What came before the watch is found by looking.
  private func enter(_ path: String) {
    for folder in FolderTree.folders(from: path, fail: fail) where add(folder) != nil { scan(folder) }
  }

  /// The assets that wait no longer.
  private func whole() -> [Arrival] {
    let now = HostSystem.uptime
    var arrivals: [Arrival] = []
    var listings: [String: FolderListing] = [:]
    for (key, entry) in waiting {
      let isRemote = remote[key.folder] != nil
      guard now - entry.changed >= (isRemote ? max(settling, Self.remoteSettling) : settling) else {
        continue
      }
      guard let path = folders[key.folder]?.path else {
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
      var entry = entry
      if hasChanged(&entry, groups.flatMap { $0 }, in: key.folder, isRemote: isRemote) {
        entry.changed = now
        waiting[key] = entry
        continue
      }
      let isOver = now - entry.changed >= longestWait
      let found = groups.map { completeness(of: $0, in: key.folder, &entry) }
      waiting[key] = entry
      guard isOver || found.allSatisfy(\.isComplete) else { continue }
      waiting[key] = nil
      for (names, completeness) in zip(groups, found) {
        var arrival = Arrival(
          files: names.map { FilePath.joined(key.folder, $0) }, dataEnds: record.dataEnds(names, in: path),
          folder: path, names: names)
        if case .partial(let error) = completeness { arrival.missing = error }
        arrivals.append(arrival)
      }
    }
    return arrivals.sorted { $0.files[0] < $1.files[0] }
  }

  /// True if files are not as they were when they were last seen to change: the system tells neither of what programs write
  /// through memory maps, nor of what other computers write.
  private func hasChanged(
    _ entry: inout Waiting, _ names: [String], in folder: String, isRemote: Bool
  ) -> Bool {
    var hasChanged = false
    for name in names {
      let status = status(of: name, in: folder)
      if let last = entry.statuses[name] ?? (isRemote ? nil : status), last == status { continue }
      entry.statuses[name] = status
      hasChanged = true
    }
    return hasChanged
  }

  /// Finds out whether more of an asset is to come: the other half, or the rest of a file.
  private func completeness(
    of names: [String], in folder: String, _ entry: inout Waiting
  ) -> Completeness {
    var identifiers: [String?] = []
    for name in names {
      guard let finding = finding(of: name, in: folder, &entry) else { return .open }
      switch finding.arrival {
      case .whole: identifiers.append(finding.identifier)
      case .doubtful: return .open
      case .partial(let error):
        return .partial(EditError(reading: FilePath.joined(folder, name), error))
      }
    }
    return names.count > 1 || identifiers == [nil] ? .complete : .open
  }

  /// What a file holds; nil for one that cannot be read, or is cut off.
  private func finding(of name: String, in folder: String, _ entry: inout Waiting) -> Finding? {
    guard let kind = HalfKind(fileExtension: RenderNames.Parts(name).fileExtension),
      let status = status(of: name, in: folder)
    else { return nil }
    if let known = entry.findings[name], known.status == status { return known }
    do throws(EditError) {
      let (identifier, arrival) = try HalfIdentifier.arriving(FilePath.joined(folder, name), kind: kind)
      let finding = Finding(status: status, identifier: identifier, arrival: arrival)
      entry.findings[name] = finding
      return finding
    } catch {
      return nil
    }
  }

  /// Hands an arrival on again later: something stands in the way that does not lie in its files.
  package func postpone(_ arrival: Arrival, seconds: Int) {
    touch(arrival.names[0], in: FilePath.split(arrival.files[0]).folder, after: seconds)
  }

  /// Takes note that an arrival is dealt with, durably: it is never handed on again unless it changes.
  package func finish(_ arrival: Arrival) throws(EditError) {
    try record.add(arrival.names, in: arrival.folder)
  }
}
