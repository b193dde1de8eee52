import Basics
import FileSystem
import Synchronization

/// A scan that updates an index from its folder. The scan checks the names and the status of all files, but reads only
/// files that have changed. It uses one thread per processor.
///
/// Only the folder's names and one slice of rows are in memory at a time.
struct FolderScan {
  /// The originals' folder and the library home.
  let folders: AssetFolders
  /// The index that is updated.
  let store: IndexStore

  /// The number of assets that are checked before their rows are written.
  private static let slice = 2048
  /// The number of assets that a thread processes at a time.
  private static let portion = 16
  /// The number of seconds after a change during which another change to a folder may go unnoticed, because file system
  /// clocks can advance in steps of up to two seconds.
  private static let granularity = 3

  /// The content of a row before the scan.
  private struct Known: Sendable {
    var movie: String?
    var stamp: Int64
  }

  /// The result of checking some groups.
  private struct Findings {
    var rows: [IndexRow] = []
    var names: [String] = []
  }

  /// Scans the folder.
  func run() throws(EditError) {
    let before = try Self.status(of: folders)
    let start = HostSystem.now
    let listing = try AssetListing(folders) { [store] () throws(EditError) in try store.recordedFiles() }
    var known: [ExactName: Known] = [:]
    var pairs: [String: String] = [:]
    try store.eachStamp { name, photo, movie, stamp in
      known[ExactName(name)] = Known(movie: photo == nil ? nil : movie, stamp: stamp)
      if let photo, let movie, RenderNames.Parts(photo).stem != RenderNames.Parts(movie).stem {
        pairs[photo] = movie
      }
    }
    let groups = FileGroup.all(in: listing, pairs: pairs)
    var gone = Set(known.keys)
    // Files that could not be read are checked again by the next scan.
    var isWhole = true
    var at = 0
    while at < groups.count {
      let part = groups[at..<min(at + Self.slice, groups.count)]
      let findings = look(at: Array(part), known: known)
      for name in findings.names { gone.remove(ExactName(name)) }
      if findings.rows.contains(where: { $0.stamp == IndexRow.unknownStamp }) { isWhole = false }
      try store.write(findings.rows)
      at += Self.slice
    }
    let unusable = listing.originals.unusable.compactMap(AssetReader(folders: folders).row)
    gone.subtract(unusable.map { ExactName($0.name) })
    try store.write(unusable, removing: gone.map(\.name).sorted())
    try joinSeparateHalves(listing)
    let after = try Self.status(of: folders)
    let isSettled =
      isWhole && after == before
      && before.allSatisfy { $0.modified / 1_000_000_000 <= Int64(start - Self.granularity) }
    try store.setScanned(isSettled ? after : [])
  }

  /// Returns the status of everything that determines which files exist: the folders, and the catalogue if it may
  /// contain versions that no file reveals.
  static func status(of folders: AssetFolders) throws(EditError) -> [FileStatus] {
    try whileReading(FilePath.shown(folders.originals.path)) {
      let originals = try folders.originals.status
      guard !folders.areOne, folders.home.isThere else { return [originals] }
      let catalogue = try folders.home.statusIfAny(LibraryPaths.catalogue)
      return [originals, try folders.home.status] + [catalogue].compactMap { $0 }
    }
  }

  /// Checks groups on all processors.
  private func look(at groups: [FileGroup], known: [ExactName: Known]) -> Findings {
    let found = Mutex(Findings())
    let reader = AssetReader(folders: folders)
    let portions = (groups.count + Self.portion - 1) / Self.portion
    WorkerThread.share(portions, among: HostSystem.processors) { next in
      while let start = next().map({ $0 * Self.portion }) {
        var findings = Findings()
        for group in groups[start..<min(start + Self.portion, groups.count)] {
          Self.look(at: group, known, reader, &findings)
        }
        found.withLock { found in
          found.rows += findings.rows
          found.names += findings.names
        }
      }
    }
    return found.withLock { $0 }
  }

  private static func look(
    at group: FileGroup, _ known: [ExactName: Known], _ reader: AssetReader, _ findings: inout Findings
  ) {
    if let row = known[ExactName(group.name)] {
      if row.movie.hasBytes(of: group.photo == nil ? nil : group.movie) {
        if row.stamp == group.stamp(in: reader.folders) {
          findings.names.append(group.name)
          return
        }
      } else if let photo = group.photo, let movie = group.movie, row.movie == nil,
        let other = known[ExactName(movie)],
        row.stamp == group.alone(photo, in: reader.folders).stamp(in: reader.folders),
        other.stamp == group.alone(movie, in: reader.folders).stamp(in: reader.folders)
      {
        // The halves turned out not to be a pair.
        findings.names += [photo, movie]
        return
      }
    }
    let rows = reader.rows(of: group)
    findings.rows += rows
    findings.names += rows.map(\.name)
  }

  /// Combines a photo and a movie that contain the same identifier under different names into one row.
  private func joinSeparateHalves(_ listing: AssetListing) throws(EditError) {
    let reader = AssetReader(folders: folders)
    var rows: [IndexRow] = []
    var joined: [String] = []
    for (photo, movie) in try store.separateHalves() {
      let group = FileGroup(
        photo: photo.name, movie: movie.name, wholeName: photo.wholeName, in: listing)
      guard case let both = reader.rows(of: group), both.count == 1 else { continue }
      rows += both
      joined.append(movie.name)
    }
    try store.write(rows, removing: joined)
  }
}
