import Basics
import FileSystem
import FoundationEssentials

/// The files that a watch has dealt with, by their fingerprints, in the user's state folder: whoever watches again goes
/// on from there. One JSON object a line, the last one of an asset counts.
struct WatchRecord {
  /// An asset as it was when it was dealt with.
  private struct Entry: Codable {
    /// The absolute path of the folder.
    var folder: String
    /// The originals' fingerprints by their names. Those of files that were there before the watch have no hash.
    var files: [String: Fingerprint]
  }

  private let path: String
  private var known: [String: [String: Fingerprint]] = [:]
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
    for name in entry.files.keys { known[FilePath.joined(entry.folder, name)] = entry.files }
  }

  /// True if an asset was dealt with as it is now: equal status means unchanged, otherwise the hash decides.
  ///
  /// - Parameters:
  ///   - names: of its originals.
  ///   - folder: the absolute path of their folder.
  func holds(_ names: [String], in folder: String) -> Bool {
    guard let first = names.first, let files = known[FilePath.joined(folder, first)],
      Set(files.keys) == Set(names)
    else { return false }
    return files.allSatisfy { name, print in
      (try? print.isFile(FilePath.joined(folder, name))) == true
    }
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
    for name in names {
      let path = FilePath.joined(folder, name)
      // What is gone meanwhile comes again as another file.
      files[name] = try ifSound(path) {
        try hashing
          ? Fingerprint(ofFile: path, hashing: true) : Fingerprint(FileStatus(path: path), sha256: "")
      }
    }
    let entry = Entry(folder: folder, files: files)
    add(entry)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return ((try? encoder.encode(entry)).map { Array($0) } ?? []) + [UInt8(ascii: "\n")]
  }
}
