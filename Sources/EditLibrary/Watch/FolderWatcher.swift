package import Basics
import EditModel
import FileSystem
import LivePhotoFormat

/// Waits until photos and movies that arrive in folders are complete, and reports each asset once.
///
/// A Live Photo is complete when both halves exist, contain all the data that they declare, and no longer change. If
/// the other half does not arrive, a half is reported alone after a while, and so is a file whose completeness is
/// unclear. A file that certainly lacks data is reported with an error. Renders belong to their original's asset, so
/// files that liveedit writes are not arrivals. The system does not report changes made by other computers, so folders
/// to which other computers may write are checked periodically.
package final class FolderWatcher {
  /// The number of seconds without a change after which a file counts as complete.
  private let settling: Int
  /// The number of seconds to wait for the other half, or for the rest of a file that cannot be read.
  private let longestWait: Int
  /// The number of seconds between two checks of folders to which other computers may write.
  private static let lookInterval = 10
  /// The number of seconds without a change in such folders, because network file systems cache a file's status for
  /// some seconds.
  private static let remoteSettling = 5

  private let roots: [String]
  private let isRecursive: Bool
  private let watch: FolderWatch
  private var record: WatchRecord
  private var folders: [String: Watched] = [:]
  /// The folders to which other computers may write, as they were at the last check.
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
    /// The folder's absolute path.
    var path: String
    /// The folder's identity, which distinguishes it from another folder with the same path.
    var place: FileStatus.Place
  }

  /// The state of a folder at the last check.
  private struct Look {
    /// The folder's status before it was checked.
    var status: FileStatus?
    /// Whether the status differed from the previous status. If so, names may have been added since with the same
    /// timestamp.
    var wasChanged = true
  }

  /// An asset that is not complete yet.
  private struct Waiting {
    /// The time of the asset's last change.
    var changed: Int
    /// The status of the asset's files at that time.
    var statuses: [String: FileStatus] = [:]
    /// How much of each file has arrived, for files with this status.
    var findings: [String: Finding] = [:]
  }

  /// The content of a file that may still be being copied.
  private struct Finding {
    var status: FileStatus
    var identifier: String?
    var arrival: FileArrival
  }

  /// How complete an asset is.
  private enum Completeness {
    case complete
    /// More data may arrive.
    case open
    /// A file certainly lacks data.
    case partial(EditError)

    var isComplete: Bool {
      if case .complete = self { true } else { false }
    }
  }

  /// An asset that has arrived.
  package struct Arrival {
    /// The paths of the asset's originals, the photo first.
    package var files: [String]
    /// The error about data that a file still lacks after the longest wait, or nil if no file is known to lack data.
    package var missing: EditError?
    /// The ends of the data in originals that ended in zeros when they were last processed, by their names.
    package var dataEnds: [String: Int]
    fileprivate var folder: String
    fileprivate var names: [String]
  }

  /// Starts watching. If these folders were never watched for this purpose before, existing files are not arrivals.
  /// Otherwise files that were added since the last watch are arrivals.
  ///
  /// - Parameters:
  ///   - roots: The folders.
  ///   - isRecursive: Whether subfolders are watched too.
  ///   - purpose: The use of the arrivals, which distinguishes the record of this watch from the records of other
  ///     watches.
  ///   - settling: The number of seconds without a change after which a file counts as complete.
  ///   - longestWait: The number of seconds to wait for the other half.
  ///   - fail: A function that is called for each folder that cannot be read.
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

  /// The number of assets that already existed when the first watch started.
  package private(set) var knownCount = 0
  /// The number of folders that are watched.
  package var folderCount: Int { folders.count }

  /// Returns the absolute path of a folder, with all symbolic links resolved.
  package static func absolute(_ folder: String) throws(EditError) -> String {
    try whileReading(FilePath.shown(folder)) { TerminalText.repaired(try HeldFolder(path: folder).realPath) }
  }

  private func tree() -> [String] {
    isRecursive ? roots.flatMap { FolderTree.folders(from: $0, fail: fail) } : roots
  }

  /// Watches a folder.
  ///
  /// - Returns: The folder's absolute path, or nil if the folder is already watched or cannot be watched.
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

  /// Checks everything in a folder. Assets that are not recorded count as arriving now.
  ///
  /// - Parameter passingWaiting: Whether assets that are already waiting continue to wait instead of starting their
  ///   wait again.
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

  /// Checks for changes that the system did not report.
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

  /// Waits for changes, for a limited time.
  ///
  /// - Returns: The assets that are complete now.
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

  /// Removes a folder that was renamed or moved away, and its subfolders, from the watch.
  private func leave(_ path: String) {
    for folder in folders.keys where folder == path || folder.hasPrefix(path + "/") {
      watch.remove(FilePath.shown(folder))
      folders[folder] = nil
      remote[folder] = nil
    }
  }

  /// Watches a new folder and its subfolders. Files that arrived before the watch started are found by a scan.
  private func enter(_ path: String) {
    for folder in FolderTree.folders(from: path, fail: fail) where add(folder) != nil { scan(folder) }
  }

  /// Returns the assets that are no longer waiting.
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

  /// Whether files differ from their last known state. The system does not report changes made through memory maps or
  /// by other computers.
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

  /// Determines whether more of an asset is expected: the other half, or the rest of a file.
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

  /// Returns the content of a file, or nil if the file cannot be read or is cut off.
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

  /// Reports an arrival again later, because an obstacle outside its files prevents processing it now.
  package func postpone(_ arrival: Arrival, seconds: Int) {
    touch(arrival.names[0], in: FilePath.split(arrival.files[0]).folder, after: seconds)
  }

  /// Records durably that an arrival was processed. The arrival is not reported again unless its files change.
  package func finish(_ arrival: Arrival) throws(EditError) {
    try record.add(arrival.names, in: arrival.folder)
  }
}
