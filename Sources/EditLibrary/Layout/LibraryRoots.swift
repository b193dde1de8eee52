import Basics
import FileSystem
import FoundationEssentials
import Synchronization

/// A tree of originals that a library elsewhere knows. An asset is found by its root's name and the relative path of
/// its folder, so that a tree that was moved needs one new path here.
struct LibraryRoot: Codable, Hashable, Sendable {
  /// The name of the folder in the library that holds the homes of the tree.
  var name: String
  /// The absolute path of the tree's top, without links.
  var path: String

  /// The place in the library of the home of a folder in the tree.
  func place(of folder: String) -> String {
    relativePath(of: folder).map { $0.isEmpty ? name : name + "/" + $0 } ?? name
  }

  /// The relative path of a folder in the tree, empty for its top; nil for a folder outside of it.
  func relativePath(of folder: String) -> String? { Self.relativePath(of: folder, in: path) }

  /// The relative path of a folder in another one, empty for itself; nil for a folder outside of it. Both are absolute
  /// and without links.
  static func relativePath(of folder: String, in top: String) -> String? {
    // By bytes: an accent that begins a name makes no other character of the slash before it.
    let (parts, start) = (folder.utf8.split(separator: 0x2F), top.utf8.split(separator: 0x2F))
    guard parts.starts(with: start, by: { $0.elementsEqual($1) }) else { return nil }
    return parts.dropFirst(start.count).map { String(Substring($0)) }.joined(separator: "/")
  }
}

/// The content of `library.json`: the roots of a library. People may edit it, and everything in it is looked at before
/// it is used.
struct LibraryRoots: Codable, Hashable, Sendable {
  /// The form of the file; a later one is not read.
  var form = 1
  /// The roots by name.
  var roots: [LibraryRoot] = []

  /// The file's name in the library's folder, and that of the file in the making.
  static let file = "library.json"
  static let draft = file + ".new"
  /// The most bytes: some 500,000 roots.
  private static let largest = 64 << 20

  /// The last content of each library's file with the status that the file had before it was read, by the place of the
  /// library's folder.
  private static let known = Mutex<[FileStatus.Place: (status: FileStatus, roots: RootIndex)]>([:])

  /// Reads the file of a library.
  ///
  /// - Returns: nil when there is none.
  /// - Throws: ``EditError`` when it is not understood, or what it says makes no sense.
  static func read(in folder: HeldFolder) throws(EditError) -> LibraryRoots? { try index(in: folder)?.list }

  /// Reads the file of a library: once for all its folders, as long as its status is the same.
  ///
  /// - Returns: nil when there is none.
  /// - Throws: ``EditError`` when it is not understood, or what it says makes no sense.
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
          .unsupported, file: path, "was written by a newer liveedit (form \(form.form))",
          remedy: "use that one")
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

  /// Opens the file; nil when there is none. A network file system asks anew for the status of what is opened, and
  /// otherwise goes by what it has heard some time ago.
  private static func open(in folder: HeldFolder) throws -> FileByteSource? {
    func opened() throws -> FileByteSource? {
      guard let status = try folder.statusIfAny(file) else { return nil }
      guard status.kind == .regular else { throw unclear(folder.path(file)) }
      return try folder.source(file)
    }
    // Another computer may have put another file in its place: then the name is looked up anew.
    do { return try opened() } catch SystemError.stale { return try opened() }
  }

  private struct Form: Decodable { var form: Int }

  /// Makes sure that the names are those of different folders in the library, and the paths are absolute.
  private mutating func check(_ path: String) throws(EditError) {
    var names: Set<String> = []
    for index in roots.indices {
      let root = roots[index]
      guard FileName.isPlain(root.name), !root.name.hasPrefix("."), root.name != Self.file,
        root.name.utf8.count <= FileName.longest, names.insert(root.name).inserted
      else { throw Self.problem(path, "has a root named “\(root.name)”, which is no name or there twice") }
      let parts = root.path.utf8.split(separator: 0x2F).map { String(Substring($0)) }
      guard root.path.utf8.first == 0x2F, parts.allSatisfy({ FileName.isPlain($0) }) else {
        throw Self.problem(path, "has a root at “\(root.path)”, which is no absolute path")
      }
      roots[index].path = "/" + parts.joined(separator: "/")
    }
  }

  private static func unclear(_ path: String) -> EditError {
    problem(path, "is not the list of roots that it should be")
  }

  private static func problem(_ path: String, _ problem: Message) -> EditError {
    EditError(.damagedLibrary, file: path, problem, remedy: "put it right; it is a text file")
  }

  /// Puts the roots into the file, whole or not at all.
  ///
  /// - Throws: ``EditError`` when they are more than can be read again; what the system throws.
  func write(in folder: HeldFolder) throws {
    let bytes = VersionDescription.json(self) + [0x0A]
    guard bytes.count <= Self.largest else {
      throw EditError(
        .inTheWay, file: folder.path(Self.file), "has no room for one more root",
        remedy: "name the tree that the folders are in, with -r, or another library")
    }
    try folder.writeWhole(Self.file, bytes: bytes, replacing: true, draft: Self.draft)
  }
}
