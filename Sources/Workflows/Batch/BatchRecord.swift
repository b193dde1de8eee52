import Basics
import EditLibrary
import EditModel
import FileSystem
import FoundationEssentials

/// The list of a batch's assets and their target states, stored in the user's state folder. An interrupted batch is
/// resumed from this list. The libraries, not the list, record which assets were changed.
///
/// The file contains one JSON object per line: the head, each edit once, the assets and, after the batch has ended, the
/// time of its end. The list is written and synced to disk before any asset is edited.
package struct BatchRecord: Sendable {
  /// The command that started a batch.
  package struct Head: Codable, Sendable {
    /// The version of the file format. Files of a later version are not read.
    package var form = 1
    /// The batch's identifier.
    package var batch: String
    /// The arguments of the command line, without the program's name.
    package var words: [String]
    /// The absolute path of the folder in which the command was started.
    package var folder: String
    /// The time at which the command was started, in seconds since 1970.
    package var time: Int
    /// Whether each asset is changed independently of the other assets.
    package var isEach: Bool

    /// The name of the command.
    package var command: String { words.first ?? "" }
    /// The command that resumes the batch.
    package var resumeCommand: String { "liveedit \(command) --resume=\(batch)" }
  }

  /// An asset in the list, as it is encoded.
  private struct Entry: Codable {
    var folder: String
    var photo: String?
    var movie: String?
    var position: String?
    var original: Fingerprint.Mark?
    var edit: Int?
    var version: Int?
  }

  /// A line of the file. Exactly one of its members is set.
  private struct Line: Codable {
    var head: Head?
    var edit: CodedAdjustmentData?
    var asset: Entry?
    var end: Int?
  }

  /// An asset that was read from the list.
  package struct Asset: Sendable {
    /// The absolute path of the original photo, or of the original movie if the asset has no photo.
    package var path: String
    /// The asset's current version before the batch, see ``EditLibrary/AssetRecord/position``.
    package var position: String?
    /// The first original as it was when the batch began, or nil if an earlier liveedit wrote the list.
    package var original: Fingerprint.Mark?
    /// The target state of the asset, or nil if the state is determined only when the asset is processed.
    package var target: Batch.Target?
  }

  /// The command that started the batch.
  package let head: Head
  /// The batch's assets.
  package let assets: [Asset]
  /// Whether the batch has ended, even if individual assets failed.
  package let hasEnded: Bool
  private let path: String
  /// The lock on the list, held while the batch runs.
  private var lock: FileLock?

  private static let largest = 1 << 30
  /// The maximum size of the head's line in bytes. Linux limits a program's arguments to 6 MB, and JSON encoding can
  /// make the arguments up to six times as long.
  private static let longestHead = 64 << 20
  /// The maximum size of all edits in bytes. Edits beyond this limit are not stored; they are determined again from the
  /// command line when their assets are processed.
  private static let mostEdits = 64 << 20
  private static let ending = ".jsonl"
  /// The number of ended batches whose lists are kept for `revert --batch`.
  private static let mostEnded = 100

  /// The folder for the lists, or nil if the environment does not define one.
  package static var folder: String? { UserFolder.state.path.map { $0 + "/batches" } }

  private static var knownFolder: String {
    get throws(EditError) {
      if let folder { return folder }
      throw EditError(
        .notFound, "no folder is available for the lists of batches", remedy: "set XDG_STATE_HOME or HOME")
    }
  }

  /// Writes the list of a new batch and assigns an identifier to the batch.
  ///
  /// - Parameters:
  ///   - words: The arguments of the command line.
  ///   - batch: The batch, which gets a new identifier if it has none. If a list with the batch's identifier already
  ///     exists, that list is not changed.
  /// - Throws: ``EditError`` if the list cannot be written, or if the batch is running.
  package init(beginning words: [String], _ batch: inout Batch) throws(EditError) {
    let folder = try Self.knownFolder
    let current = try whileReading(".") { TerminalText.repaired(try HeldFolder(path: "").realPath) }
    let time = HostSystem.now
    let root = try whileWriting(folder) { try UserFolder.make(folder) }
    var head = Head(batch: "", words: words, folder: current, time: time, isEach: batch.isEach)
    while true {
      head.batch = batch.identifier ?? Self.identifier()
      do {
        let list = try Self.bytes(head, batch, in: current)
        try root.writeWhole(head.batch + Self.ending, bytes: list)
        break
      } catch SystemError.exists {
        if batch.identifier != nil { break }
      } catch {
        throw (error as? EditError) ?? EditError(writing: folder, error)
      }
    }
    path = FilePath.joined(folder, head.batch + Self.ending)
    lock = try Self.lock(path)
    batch.identifier = head.batch
    (self.head, assets, hasEnded) = (head, [], false)
    Self.removeOld(in: root)
  }

  /// Returns the list with its lock, to resume the batch.
  ///
  /// - Throws: ``EditError`` if another process is already running the batch.
  package func goingOn() throws(EditError) -> BatchRecord {
    var record = self
    record.lock = try Self.lock(path)
    return record
  }

  /// Acquires the lock on a list, which shows other processes that the batch is running. Returns nil if the file system
  /// does not support locks.
  private static func lock(_ path: String) throws(EditError) -> FileLock? {
    switch attempt(path) {
    case .locked(let lock)?: return lock
    case .busy?:
      throw EditError(
        .inTheWay, file: path, "is being written by another liveedit",
        remedy: "try again when the other liveedit has finished")
    default: return nil
    }
  }

  /// Returns a name that is easy to type and sorts by time: the date, the time to the millisecond, and a random letter.
  static func identifier() -> String {
    let milliseconds = HostSystem.milliseconds
    let date = Date(timeIntervalSince1970: Double(milliseconds / 1000))
    let digits = date.formatted(.iso8601).filter(\.isNumber)
    let rest = String(milliseconds % 1000 + 1000).dropFirst()
    let letter = String(UInt8.random(in: 10..<36), radix: 36)
    return "\(digits.prefix(8))-\(digits.dropFirst(8).prefix(6))-\(rest)\(letter)"
  }

  private static func bytes(_ head: Head, _ batch: Batch, in current: String) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var bytes: [UInt8] = []
    func add(_ line: Line) throws { bytes += try encoder.encode(line) + [UInt8(ascii: "\n")] }
    try add(Line(head: head))
    var edits: [AdjustmentData: Int] = [:]
    var room = mostEdits
    for item in batch.items {
      let folder = item.asset.folder
      var entry = Entry(
        folder: folder.hasPrefix("/") ? folder : FilePath.joined(current, folder), photo: item.asset.photo,
        movie: item.asset.movie, position: item.position, original: item.original)
      switch item.target {
      case .version(let number)?: entry.version = number
      case nil: break
      case .edit(let adjustment)?:
        if edits[adjustment] == nil, adjustment.data.count <= room {
          room -= adjustment.data.count
          edits[adjustment] = edits.count
          try add(Line(edit: CodedAdjustmentData(adjustment)))
        }
        entry.edit = edits[adjustment]
      }
      try add(Line(asset: entry))
    }
    return bytes
  }

  /// Reads the list of a batch.
  ///
  /// - Throws: ``EditError`` if the list does not exist or cannot be parsed.
  package init(_ identifier: String) throws(EditError) {
    let folder = try Self.knownFolder
    let path = FilePath.joined(folder, identifier + Self.ending)
    guard FileName.isPlain(identifier), try whileReading(path, { try FileStatus.exists(path) }) else {
      throw EditError(
        .notFound, "no list for the batch \(identifier) exists in \(folder)",
        remedy: "check the identifier; liveedit removes the lists of older batches")
    }
    try self.init(reading: path)
  }

  private init(reading path: String) throws(EditError) {
    (self.path, lock) = (path, nil)
    let damage = EditError(
      .invalidFile, file: path, "is not a batch list that this liveedit can read",
      remedy: "update liveedit, or remove the file")
    let lines = try whileReading(path) {
      try FileByteSource(path: path).bytes(atMost: Self.largest)?.split(
        separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    }
    guard let lines else {
      throw EditError(
        .invalidFile, file: path, "exceeds the 1 GB limit for batch lists", remedy: "remove the file")
    }
    var head: Head?
    var edits: [AdjustmentData] = []
    var assets: [Asset] = []
    var hasEnded = false
    // The end is appended after an empty line. A power loss can leave an incomplete end, which is ignored.
    var isWhole = false
    for bytes in lines {
      guard let line = try? JSONText.decode(Line.self, from: bytes) else {
        isWhole = isWhole || bytes.isEmpty
        if isWhole { continue }
        throw damage
      }
      if let found = line.head, head == nil, found.form == 1 { head = found }
      if let edit = line.edit { edits.append(edit.adjustment) }
      if let entry = line.asset {
        guard let name = entry.photo ?? entry.movie, entry.edit.map(edits.indices.contains) != false else {
          throw damage
        }
        let target = entry.version.map { .version($0) } ?? entry.edit.map { Batch.Target.edit(edits[$0]) }
        assets.append(
          Asset(
            path: FilePath.joined(entry.folder, name), position: entry.position, original: entry.original,
            target: target))
      }
      // A batch that is resumed after its end has several end entries.
      if line.end != nil { hasEnded = true }
    }
    guard let head else { throw damage }
    (self.head, self.assets, self.hasEnded) = (head, assets, hasEnded)
  }

  /// Returns the interrupted batches, newest first. Damaged lists are skipped.
  ///
  /// - Throws: ``EditError`` if the system does not allow a list to be read.
  package static func interrupted() throws(EditError) -> [Head] { try latest { !$0 } }

  /// Returns the batches whose lists are kept, newest first. Damaged lists are skipped.
  ///
  /// - Parameter isWanted: Returns whether to include a batch. Its argument is whether the batch has ended or is
  ///   running.
  /// - Throws: ``EditError`` if the system does not allow a list to be read.
  package static func latest(
    where isWanted: (_ hasEnded: Bool) -> Bool = { _ in true }
  ) throws(EditError) -> [Head] {
    var heads: [Head] = []
    for path in try lists().reversed() {
      guard let edges = try edges(of: path) else { continue }
      if isWanted(edges.hasEnded || isRunning(path)) { heads.append(edges.head) }
    }
    return heads
  }

  /// Returns the assets for which interrupted `revert` and `redo` batches were to make another version current, keyed
  /// by the location of their files. The list is needed because a version does not record that a batch made it current.
  ///
  /// - Throws: ``EditError`` if the lists cannot be read.
  static func interruptedSwitches() throws(EditError) -> [FileStatus.Place: (version: Int, head: Head)] {
    var found: [FileStatus.Place: (version: Int, head: Head)] = [:]
    for head in try interrupted() where ["revert", "redo"].contains(head.command) {
      for asset in try ifSound(head.batch, { try BatchRecord(head.batch).assets }) ?? [] {
        // If a disk is not mounted, its assets cannot be edited, so they are skipped.
        guard case .version(let number)? = asset.target,
          asset.position?.split(separator: " ").first.flatMap({ Int($0) }) != number,
          let place = try? FileStatus(path: asset.path).place
        else { continue }
        found[place] = (number, head)
      }
    }
    return found
  }

  /// Returns the paths of the lists, oldest first.
  private static func lists() throws(EditError) -> [String] {
    guard let folder else { return [] }
    // A folder that belongs to another user contains no lists of this user.
    let names = try ifSound(folder) { try Folder.names(in: folder) } ?? []
    return names.filter { $0.hasSuffix(ending) }.sorted().map { FilePath.joined(folder, $0) }
  }

  /// Returns whether another process holds the list's lock.
  private static func isRunning(_ path: String) -> Bool {
    if case .busy? = attempt(path) { true } else { false }
  }

  private static func attempt(_ path: String) -> FileLock.Attempt? {
    guard let (folder, place) = try? HeldFolder.leading(to: path) else { return nil }
    return try? FileLock.attempt(place, in: folder, creating: false)
  }

  /// Returns the head of a list and whether its last line records the end of the batch.
  private static func edges(of path: String) throws(EditError) -> (head: Head, hasEnded: Bool)? {
    try ifSound(path) {
      let source = try FileByteSource(path: path)
      let length = min(source.count, 1 << 16)
      let end = try source.read(at: source.count - length, count: length)
      var start = try source.read(at: 0, count: length)
      while !start.contains(UInt8(ascii: "\n")), start.count < min(source.count, longestHead) {
        start += try source.read(at: start.count, count: min(start.count, source.count - start.count))
      }
      guard let first = start.split(separator: UInt8(ascii: "\n")).first,
        let head = try JSONText.decode(Line.self, from: first).head, head.form == 1,
        let last = end.split(separator: UInt8(ascii: "\n")).last
      else { return nil }
      return (head, (try? JSONText.decode(Line.self, from: last))?.end != nil)
    }
  }

  /// Removes the oldest lists of ended batches, and the temporary files of processes that were killed while they wrote
  /// a list.
  private static func removeOld(in root: HeldFolder) {
    for name in (try? root.names()) ?? [] {
      // A temporary file has the process ID after its name. Writing a list never takes a day, so files older than that
      // are abandoned.
      let parts = name.split(separator: ending + ".", omittingEmptySubsequences: false)
      guard parts.count == 2, Int32(parts[1]) != nil, let status = try? root.status(name),
        status.kind == .regular,
        status.modified / 1_000_000_000 < HostSystem.now - 86_400
      else { continue }
      _ = try? root.remove(name)
    }
    let ended = ((try? lists()) ?? []).filter { (try? edges(of: $0))?.hasEnded == true }
    for path in ended.dropLast(mostEnded) { _ = try? root.remove(FilePath.split(path).name) }
  }

  /// Ends the interrupted batches whose command this batch has repeated, and removes their finished renders.
  ///
  /// - Parameter layout: The layout of the library, which determines where the renders are stored.
  package func endThoseReplaced(_ layout: LibraryLayout) {
    for old in (try? Self.interrupted()) ?? []
    where old.batch != head.batch && old.words == head.words && old.folder == head.folder {
      guard let record = try? BatchRecord(old.batch) else { continue }
      for folder in Set(record.assets.map { FilePath.split($0.path).folder }) {
        guard let library = try? Library.forWriting(folder, layout: layout, wait: 0) else { continue }
        library.removeKept(of: old.batch)
        library.close()
      }
      record.end()
    }
  }

  /// Records that the batch has ended, so that its assets can be edited individually again.
  package func end() {
    guard let line = try? JSONEncoder().encode(Line(end: HostSystem.now)) else { return }
    let end = UInt8(ascii: "\n")
    try? File.append(path, bytes: [end] + Array(line) + [end])
  }
}
