import Basics
import FileSystem
import FoundationEssentials
import Synchronization

/// A tree of originals in a separate library. An asset is found by its root's name and the relative path of its folder,
/// so only the root's path needs to be changed if the tree was moved.
struct LibraryRoot: Codable, Hashable, Sendable {
  /// The name of the library's subfolder that contains the tree's library homes.
  var name: String
  /// The absolute path of the tree's top folder, with all symbolic links resolved.
  var path: String

  /// Returns the path of a folder's library home, relative to the library.
  func place(of folder: String) -> String {
    relativePath(of: folder).map { $0.isEmpty ? name : name + "/" + $0 } ?? name
  }

  /// Returns the relative path of a folder in the tree: empty for its top folder, nil for a folder outside the tree.
  func relativePath(of folder: String) -> String? { Self.relativePath(of: folder, in: path) }

  /// Returns the relative path of a folder inside another folder: empty if both folders are the same, nil if the folder
  /// is outside. Both paths must be absolute, with all symbolic links resolved.
  static func relativePath(of folder: String, in top: String) -> String? {
    // The paths are compared as bytes, because an accent at the beginning of a name would otherwise combine with the
    // preceding slash into one character.
    let (parts, start) = (folder.utf8.split(separator: 0x2F), top.utf8.split(separator: 0x2F))
    guard parts.starts(with: start, by: { $0.elementsEqual($1) }) else { return nil }
    return parts.dropFirst(start.count).map { String(Substring($0)) }.joined(separator: "/")
  }
}

/// The content of `library.json`: the roots of a library. Users may edit the file, so all its content is checked before
/// it is used.
struct LibraryRoots: Codable, Hashable, Sendable {
  /// The number of the file's format. Files in later formats are not read.
  var form = 1
  /// The roots, sorted by name.
  var roots: [LibraryRoot] = []

  /// The file's name in the library's folder. A separate name is used while the file is being written.
  static let file = "library.json"
  static let draft = file + ".new"
  /// The maximum size of the file in bytes, enough for some 500,000 roots.
  private static let largest = 64 << 20

  /// The most recently read content of each library's file, keyed by the identity of the library's folder, with the
  /// file's status from before the read.
  private static let known = Mutex<[FileStatus.Place: (status: FileStatus, roots: RootIndex)]>([:])

  /// Reads the file of a library.
  ///
  /// - Returns: The roots, or nil if the file does not exist.
  /// - Throws: ``EditError`` if the file cannot be parsed, or its content is invalid.
  static func read(in folder: HeldFolder) throws(EditError) -> LibraryRoots? { try index(in: folder)?.list }

  /// Reads the file of a library. The result is shared by all its folders until the file's status changes.
  ///
  /// - Returns: The index of the roots, or nil if the file does not exist.
  /// - Throws: ``EditError`` if the file cannot be parsed, or its content is invalid.
  static func index(in folder: HeldFolder) throws(EditError) -> RootIndex? {
    let path = folder.path(file)
    return try whileReading(path) {
      guard let source = try open(in: folder) else { return nil }
      let place = try folder.status.place
      if let known = known.withLock({ $0[place] }), known.status == source.status, known.status.isSettled {
        return known.roots
      }
      guard let bytes = try source.bytes(atMost: largest),
        let form = try? JSONText.decode(Form.self, from: bytes)
      else { throw unclear(path) }
      guard form.form <= 1 else {
        throw EditError(
          .unsupported, file: path, "was written by a newer liveedit (format \(form.form))",
          remedy: "use the newer liveedit")
      }
      guard form.form == 1, var read = try? JSONText.decode(Self.self, from: bytes) else {
        throw unclear(path)
      }
      try read.check(path)
      let roots = RootIndex(read)
      known.withLock { $0[place] = (source.status, roots) }
      return roots
    }
  }

  /// Opens the file, and returns nil if it does not exist. Opening the file makes a network file system fetch its
  /// current status, which may otherwise be outdated.
  private static func open(in folder: HeldFolder) throws -> FileByteSource? {
    func opened() throws -> FileByteSource? {
      guard let status = try folder.statusIfAny(file) else { return nil }
      guard status.kind == .regular else { throw unclear(folder.path(file)) }
      return try folder.source(file)
    }
    // Another computer may have replaced the file, so its name is looked up again.
    do { return try opened() } catch SystemError.stale { return try opened() }
  }

  private struct Form: Decodable { var form: Int }

  /// Checks that the names refer to different folders in the library, and that the paths are absolute.
  private mutating func check(_ path: String) throws(EditError) {
    var names: Set<String> = []
    for index in roots.indices {
      let root = roots[index]
      guard FileName.isPlain(root.name), !root.name.hasPrefix("."), root.name != Self.file,
        root.name.utf8.count <= FileName.longest, names.insert(root.name).inserted
      else {
        throw Self.problem(path, "has a root named “\(root.name)”, which is an invalid or duplicate name")
      }
      let parts = root.path.utf8.split(separator: 0x2F).map { String(Substring($0)) }
      guard root.path.utf8.first == 0x2F, parts.allSatisfy({ FileName.isPlain($0) }) else {
        throw Self.problem(path, "has a root at “\(root.path)”, which is not an absolute path")
      }
      roots[index].path = "/" + parts.joined(separator: "/")
    }
  }

  private static func unclear(_ path: String) -> EditError {
    problem(path, "is not a valid list of roots")
  }

  private static func problem(_ path: String, _ problem: Message) -> EditError {
    EditError(.damagedLibrary, file: path, problem, remedy: "correct the file; it is a text file")
  }

  /// Writes the roots to the file, completely or not at all.
  ///
  /// - Throws: ``EditError`` if the file would be too large to be read again, or an error from the system.
  func write(in folder: HeldFolder) throws {
    let bytes = VersionDescription.json(self) + [0x0A]
    guard bytes.count <= Self.largest else {
      throw EditError(
        .inTheWay, file: folder.path(Self.file), "has no space for another root",
        remedy: "name a common parent folder with -r, or use another library")
    }
    try folder.writeWhole(Self.file, bytes: bytes, replacing: true, draft: Self.draft)
  }
}
