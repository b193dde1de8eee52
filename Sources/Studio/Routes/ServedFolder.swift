internal import Basics
internal import EditModel
internal import FileSystem
internal import FoundationEssentials
internal import LiveEdit

/// A folder whose assets are served.
struct ServedFolder: Sendable {
  /// Its number.
  let number: Int
  /// Its path, from the root of the file system on.
  let path: String
  /// Its path from the folder that was named on, with that folder's own name.
  let name: String
  /// The path of the folder that was named.
  let root: String
  /// Its assets.
  let library: PhotoLibrary

  /// The folder's path from the one that was named on; empty for that one itself.
  var place: String { path == root ? "" : String(path.dropFirst(root.count + 1)) }

  /// The name of a file in it as answers have it.
  func shown(_ name: String) -> String { FilePath.joined(place, name) }

  /// True if marks, albums and edits can be written.
  var isWritable: Bool {
    library.layout.library != nil || (try? HeldFolder(path: path).checkWritable()) != nil
  }

  /// The folders that options name.
  ///
  /// - Parameters:
  ///   - options: the options.
  ///   - renderer: renders.
  ///   - report: told of folders that are left out.
  /// - Throws: ``EditError`` when a folder that was named cannot be read.
  static func all(
    _ options: ServerOptions, renderer: HelperRenderer, report: @escaping @Sendable (String) -> Void
  ) throws(EditError) -> [ServedFolder] {
    var folders: [ServedFolder] = []
    let cache = UserFolder.cache.path.flatMap { path in
      options.indexLimit > 0 ? UserCache(path: path + "/index", limit: options.indexLimit) : nil
    }
    for named in options.folders.isEmpty ? [""] : options.folders {
      let root = try absolute(named)
      let name = FilePath.split(root).name
      let paths = options.isRecursive ? FolderTree.folders(from: root) { report("\($1)") } : [root]
      for path in paths where path == root || holdsAssets(path) {
        guard !folders.contains(where: { $0.path == path }) else { continue }
        let layout = options.library.map { LibraryLayout.elsewhere(URL(filePath: $0)) } ?? .besideOriginals
        let library = try PhotoLibrary(
          path: path, layout: layout, renderer: renderer, cache: cache, report: report)
        let place = path == root ? "" : String(path.dropFirst(root.count))
        folders.append(
          ServedFolder(number: folders.count, path: path, name: name + place, root: root, library: library))
      }
    }
    return folders
  }

  private static func holdsAssets(_ path: String) -> Bool {
    guard let listing = try? FolderListing(folder: path) else { return false }
    return !listing.halves(kind: .photo).isEmpty || !listing.halves(kind: .movie).isEmpty
  }

  /// The path of a folder from the root of the file system on, without links, as the kernel knows it.
  static func absolute(_ path: String) throws(EditError) -> String {
    let bytes = try whileReading(FilePath.shown(path)) { try HeldFolder(path: path).realPath }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw EditError(.unsupported, file: path, "has a name that is not UTF-8", remedy: "rename it")
    }
    return text
  }
}
