import Basics
import EditLibrary
import EditModel
import FileSystem
import FoundationEssentials

/// The list of a batch's assets with what each is to become, in the user's state folder: with it an interrupted batch
/// goes on. What was done stands in the libraries, not here.
///
/// The file holds a JSON object a line: the head; each edit once; the assets; and at last, when the batch came to its end,
/// the time. It is written, and made durable, before anything is edited.
package struct BatchRecord: Sendable {
  /// The command that a batch belongs to.
  package struct Head: Codable, Sendable {
    /// The form of the file; a later one is not read.
    package var form = 1
    /// The batch's identifier.
    package var batch: String
    /// The words of the command line, without the program's name.
    package var words: [String]
    /// The absolute path of the folder in which it was given.
    package var folder: String
    /// The time at which it was given, in seconds since 1970.
    package var time: Int
    /// True if each asset is changed for itself.
    package var isEach: Bool

    /// The name of the command.
    package var command: String { words.first ?? "" }
    /// The command that lets the batch go on.
    package var resumeCommand: String { "liveedit \(command) --resume=\(batch)" }
  }

  /// An asset of the list.
  private struct Entry: Codable {
    var folder: String
    var photo: String?
    var movie: String?
    var position: String?
    var original: Fingerprint.Mark?
    var edit: Int?
    var version: Int?
  }

  /// A line of the file. One of its members is there.
  private struct Line: Codable {
    var head: Head?
    var edit: CodedAdjustmentData?
    var asset: Entry?
    var end: Int?
  }

  /// An asset of the list as it is found again.
  package struct Asset: Sendable {
    /// The absolute path of the original photo, or of the movie where there is none.
    package var path: String
    /// The asset's current version before, see ``EditLibrary/AssetRecord/position``.
    package var position: String?
    /// Its first original as it was then; nil in the list of an earlier liveedit.
    package var original: Fingerprint.Mark?
    /// The state that the asset is to get; nil when that is found when it is its turn.
    package var target: Batch.Target?
  }

  /// The command.
  package let head: Head
  /// The assets.
  package let assets: [Asset]
  /// True if the batch came to its end, whatever became of single assets.
  package let hasEnded: Bool
  private let path: String
  /// The lock of the list, as long as the batch runs.
  private var lock: FileLock?

  private static let largest = 1 << 30
  /// The most bytes of the head's line: Linux gives a program at most 6 MB of words, of which JSON may make six times as many.
  private static let longestHead = 64 << 20
  /// The most bytes of edits; the change of assets behind them is found when it is their turn, by the words.
  private static let mostEdits = 64 << 20
  private static let ending = ".jsonl"
  /// The number of ended batches that are kept, for `revert --batch`.
  private static let mostEnded = 100

  /// The folder of the lists; nil where the environment names none.
  package static var folder: String? { UserFolder.state.path.map { $0 + "/batches" } }

  private static var knownFolder: String {
    get throws(EditError) {
      if let folder { return folder }
      throw EditError(
        .notFound, "no folder is available for the lists of batches", remedy: "set XDG_STATE_HOME or HOME")
    }
  }

  /// Writes the list of a batch that begins, and gives it its identifier.
  ///
  /// - Parameters:
  ///   - words: the words of the command line.
  ///   - batch: the batch; it gets the identifier, unless it has one. A list of that one stays as it is.
  /// - Throws: ``EditError`` when the list cannot be written, or the batch is running.
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

  /// The list of a batch that goes on now.
  ///
  /// - Throws: ``EditError`` when somebody else goes on with it already.
  package func goingOn() throws(EditError) -> BatchRecord {
    var record = self
    record.lock = try Self.lock(path)
    return record
  }

  /// Takes the lock of a list, which shows others that its batch is running; nil where the file system has none.
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

  /// A name that people can type, in the order of time: the date, the time to the millisecond, and a letter by chance.
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
  /// - Throws: ``EditError`` when there is none, or it cannot be understood.
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
    // Ends are appended behind an empty line, and what a power loss left of one says nothing.
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
      // A batch that goes on after its end has more than one.
      if line.end != nil { hasEnded = true }
    }
    guard let head else { throw damage }
    (self.head, self.assets, self.hasEnded) = (head, assets, hasEnded)
  }

  /// The batches that were interrupted, the newest first; lists that are not sound are passed over.
  ///
  /// - Throws: ``EditError`` when the system does not let one be read.
  package static func interrupted() throws(EditError) -> [Head] { try latest { !$0 } }

  /// The batches whose lists are kept, the newest first; lists that are not sound are passed over.
  ///
  /// - Parameter isWanted: asked whether a batch counts, by whether it came to its end, or is running.
  /// - Throws: ``EditError`` when the system does not let one be read.
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

  /// The assets that interrupted batches of `revert` and `redo` were to bring to another version, by the places of their
  /// files: no version says that it was made current by a batch.
  ///
  /// - Throws: ``EditError`` when the system does not tell.
  static func interruptedSwitches() throws(EditError) -> [FileStatus.Place: (version: Int, head: Head)] {
    var found: [FileStatus.Place: (version: Int, head: Head)] = [:]
    for head in try interrupted() where ["revert", "redo"].contains(head.command) {
      for asset in try ifSound(head.batch, { try BatchRecord(head.batch).assets }) ?? [] {
        // A disk that is not there now has nothing that could be edited.
        guard case .version(let number)? = asset.target,
          asset.position?.split(separator: " ").first.flatMap({ Int($0) }) != number,
          let place = try? FileStatus(path: asset.path).place
        else { continue }
        found[place] = (number, head)
      }
    }
    return found
  }

  /// The paths of the lists, the oldest first.
  private static func lists() throws(EditError) -> [String] {
    guard let folder else { return [] }
    // Another user's folder has none of this one's.
    let names = try ifSound(folder) { try Folder.names(in: folder) } ?? []
    return names.filter { $0.hasSuffix(ending) }.sorted().map { FilePath.joined(folder, $0) }
  }

  /// True if somebody has the list's lock.
  private static func isRunning(_ path: String) -> Bool {
    if case .busy? = attempt(path) { true } else { false }
  }

  private static func attempt(_ path: String) -> FileLock.Attempt? {
    guard let (folder, place) = try? HeldFolder.leading(to: path) else { return nil }
    return try? FileLock.attempt(place, in: folder, creating: false)
  }

  /// The first and the last line of a list.
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

  /// Removes the oldest lists of ended batches, and what processes left that were killed over their lists.
  private static func removeOld(in root: HeldFolder) {
    for name in (try? root.names()) ?? [] {
      // The number of the process stands behind the name; nobody writes a list for a day.
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

  /// Ends the interrupted batches that asked for what this one has done anew, and removes the finished renders that wait
  /// for them.
  ///
  /// - Parameter layout: the place of the renders.
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

  /// Takes note that the batch came to its end: its assets can be changed by hand again.
  package func end() {
    guard let line = try? JSONEncoder().encode(Line(end: HostSystem.now)) else { return }
    let end = UInt8(ascii: "\n")
    try? File.append(path, bytes: [end] + Array(line) + [end])
  }
}
