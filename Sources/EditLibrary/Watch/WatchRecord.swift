import Basics
import FileSystem
import FoundationEssentials
import LivePhotoFormat

/// The files that a watch has dealt with, by their fingerprints, in the user's state folder: whoever watches again goes
/// on from there. One JSON object a line, the last one of an asset counts.
struct WatchRecord {
  /// An asset as it was when it was dealt with.
  private struct Entry: Codable {
    /// The absolute path of the folder.
    var folder: String
    /// The originals' fingerprints by their names. Files that were there before the watch are not hashed, unless they
    /// changed just before they were recorded.
    var files: [String: Fingerprint]
    /// The ends of the data in files that end in zeros, by their names: they may have been unfinished copies.
    var dataEnds: [String: Int]?
  }

  /// The properties that a file keeps when it or a folder around it is renamed.
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
  /// The same by what files keep under another name.
  private var marked: [Mark: [String: Fingerprint]] = [:]
  /// True if nobody has watched there like this before.
  let isNew: Bool

  private static let largest = 1 << 30

  /// Reads the record of a watch.
  ///
  /// - Parameter words: what tells the watch from others: the folder and what is done there.
  /// - Throws: ``EditError`` when it cannot be read or written.
  init(of words: [String]) throws(EditError) {
    guard let folder = UserFolder.state.path.map({ $0 + "/watch" }) else {
      throw EditError(
        .notFound, "there is no folder for the record of what was done", remedy: "set XDG_STATE_HOME or HOME")
    }
    let name = try NameBasedUUID.name(of: words) + ".jsonl"
    path = FilePath.joined(folder, name)
    let root = try whileWriting(folder) { try UserFolder.make(folder) }
    isNew = try whileReading(path) { try !root.exists(name) }
    if isNew { return }
    let bytes = try whileReading(path) { try FileByteSource(path: path).bytes(atMost: Self.largest) }
    guard let bytes else {
      throw EditError(
        .invalidFile, file: path, "is larger than 1 GB, which no record of a watch is",
        remedy: "remove it; what is in the folder by then counts as edited")
    }
    // Some may be half of one.
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

  /// True if an asset was dealt with as it is now, under these names or before it was renamed or moved.
  ///
  /// - Parameters:
  ///   - names: of its originals.
  ///   - folder: the absolute path of their folder.
  func holds(_ names: [String], in folder: String) -> Bool {
    guard let first = names.first else { return false }
    if let files = known[FilePath.joined(folder, first)], Set(files.keys) == Set(names),
      files.allSatisfy({ name, print in (try? print.isFile(FilePath.joined(folder, name))) == true })
    {
      return true
    }
    return holdsMoved(names, in: folder)
  }

  /// The ends of the data in files that ended in zeros when they were dealt with, by their names.
  func dataEnds(_ names: [String], in folder: String) -> [String: Int] {
    names.reduce(into: [:]) { $0[$1] = dataEnds[FilePath.joined(folder, $1)] }
  }

  /// True if the files are those of one asset that was dealt with under other names.
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

  /// Begins the record with what was there before anybody watched: wholly or not at all.
  ///
  /// - Parameter assets: the names of the originals of each asset, by the absolute paths of their folders.
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

  /// Takes note of an asset that is dealt with, durably.
  ///
  /// - Parameters:
  ///   - names: of its originals.
  ///   - folder: the absolute path of their folder.
  mutating func add(_ names: [String], in folder: String) throws(EditError) {
    // Behind whatever a power loss left of a line.
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
      // What is gone meanwhile comes again as another file.
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
