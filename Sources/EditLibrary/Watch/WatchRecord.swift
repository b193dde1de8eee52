import Basics
import FileSystem
import FoundationEssentials
import LivePhotoFormat

/// The record of files that a watch has processed, by their fingerprints. The record is stored in the user's state
/// folder, so that a later watch can continue from there. Each line is a JSON object, and the last line for an asset
/// applies.
struct WatchRecord {
  /// An asset as it was when it was processed.
  private struct Entry: Codable {
    /// The absolute path of the asset's folder.
    var folder: String
    /// The originals' fingerprints, by their names. Files that existed before the watch are not hashed unless they
    /// changed just before they were recorded.
    var files: [String: Fingerprint]
    /// The ends of the data in files that end in zeros, by their names. Such files may have been unfinished copies.
    var dataEnds: [String: Int]?
  }

  /// The properties that a file keeps when it or one of its parent folders is renamed.
  private struct Mark: Hashable {
    var size: Int
    var modified: Int64
    var inode: Int64

    init(_ print: Fingerprint) {
      (size, modified, inode) = (print.size, print.modified, print.inode)
    }
  }

  private let path: String
  private var known: [String: [String: Fingerprint]] = [:]
  private var dataEnds: [String: Int] = [:]
  /// The processed files, keyed by the properties that a file keeps when it is renamed.
  private var marked: [Mark: [String: Fingerprint]] = [:]
  /// Whether these folders were never watched for this purpose before.
  let isNew: Bool

  private static let largest = 1 << 30

  /// Reads the record of a watch.
  ///
  /// - Parameter words: The words that identify the watch: the folder and the purpose.
  /// - Throws: ``EditError`` if the record cannot be read or written.
  init(of words: [String]) throws(EditError) {
    guard let folder = UserFolder.state.path.map({ $0 + "/watch" }) else {
      throw EditError(
        .notFound, "no folder is available for the record of edited files",
        remedy: "set XDG_STATE_HOME or HOME")
    }
    let name = try NameBasedUUID.name(of: words) + ".jsonl"
    path = FilePath.joined(folder, name)
    let root = try whileWriting(folder) { try UserFolder.make(folder) }
    isNew = try whileReading(path) { try !root.exists(name) }
    if isNew { return }
    let bytes = try whileReading(path) { try FileByteSource(path: path).bytes(atMost: Self.largest) }
    guard let bytes else {
      throw EditError(
        .invalidFile, file: path, "exceeds the 1 GB limit for watch records",
        remedy: "remove the file; liveedit then treats all files in the watched folder as edited")
    }
    // Some lines may be incomplete.
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      guard let entry = try? JSONText.decode(Entry.self, from: line) else { continue }
      add(entry)
    }
  }

  private mutating func add(_ entry: Entry) {
    for (name, print) in entry.files {
      known[FilePath.joined(entry.folder, name)] = entry.files
      marked[Mark(print)] = entry.files
      dataEnds[FilePath.joined(entry.folder, name)] = entry.dataEnds?[name]
    }
  }

  /// Whether an asset was processed in its current state, under these names or before it was renamed or moved.
  ///
  /// - Parameters:
  ///   - names: The names of the asset's originals.
  ///   - folder: The absolute path of their folder.
  func holds(_ names: [String], in folder: String) -> Bool {
    guard let first = names.first else { return false }
    if let files = known[FilePath.joined(folder, first)], Set(files.keys) == Set(names),
      files.allSatisfy({ name, print in (try? print.isFile(FilePath.joined(folder, name))) == true })
    {
      return true
    }
    return holdsMoved(names, in: folder)
  }

  /// Returns the ends of the data in files that ended in zeros when they were processed, by their names.
  func dataEnds(_ names: [String], in folder: String) -> [String: Int] {
    names.reduce(into: [:]) { $0[$1] = dataEnds[FilePath.joined(folder, $1)] }
  }

  /// Whether the files belong to one asset that was processed under other names.
  private func holdsMoved(_ names: [String], in folder: String) -> Bool {
    var asset: [String: Fingerprint]?
    for name in names {
      let path = FilePath.joined(folder, name)
      guard let status = try? FileStatus(path: path), case let mark = Mark(Fingerprint(status, sha256: "")),
        let files = marked[mark], files.count == names.count, files == asset ?? files,
        let print = files.values.first(where: { Mark($0) == mark }), (try? print.isFile(path)) == true
      else { return false }
      asset = files
    }
    return asset != nil
  }

  /// Starts the record with all assets that existed before the first watch, or with none of them.
  ///
  /// - Parameter assets: The names of the originals of each asset, by the absolute paths of their folders.
  mutating func begin(with assets: [(folder: String, names: [[String]])]) throws(EditError) {
    var bytes: [UInt8] = []
    for (folder, groups) in assets {
      for names in groups { bytes += try line(names, in: folder, hashing: false) }
    }
    try whileWriting(path) {
      let (root, place) = try HeldFolder.leading(to: path)
      try root.writeWhole(place, bytes: bytes)
    }
  }

  /// Records durably that an asset was processed.
  ///
  /// - Parameters:
  ///   - names: The names of the asset's originals.
  ///   - folder: The absolute path of their folder.
  mutating func add(_ names: [String], in folder: String) throws(EditError) {
    // Starts on a new line, in case a power failure left an incomplete line.
    let bytes = [UInt8(ascii: "\n")] + (try line(names, in: folder, hashing: true))
    try whileWriting(path) { try File.append(path, bytes: bytes) }
  }

  private mutating func line(
    _ names: [String], in folder: String, hashing: Bool
  ) throws(EditError) -> [UInt8] {
    var files: [String: Fingerprint] = [:]
    var dataEnds: [String: Int] = [:]
    for name in names {
      let path = FilePath.joined(folder, name)
      // A file that has disappeared in the meantime will arrive again as another file.
      files[name] = try ifSound(path) {
        let print = try Fingerprint(FileStatus(path: path), sha256: "")
        guard hashing || !print.isSettled else { return print }
        let source = try FileByteSource(path: path)
        let end = try FileArrival.dataEnd(of: source)
        if end < source.count { dataEnds[name] = end }
        return try Fingerprint(of: source)
      }
    }
    let entry = Entry(folder: folder, files: files, dataEnds: dataEnds.isEmpty ? nil : dataEnds)
    add(entry)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return ((try? encoder.encode(entry)).map { Array($0) } ?? []) + [UInt8(ascii: "\n")]
  }
}
