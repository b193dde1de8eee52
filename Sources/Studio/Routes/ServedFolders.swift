internal import Basics
internal import EditModel
internal import FileSystem
internal import FoundationEssentials
internal import LiveEdit
internal import Synchronization

/// The folders that are served. With `-r` those that are made later come as they are found; the number of a folder stays
/// its own for as long as the server runs.
final class ServedFolders: Sendable {
  private struct State {
    var folders: [ServedFolder] = []
    /// Their paths.
    var paths: Set<String> = []
    /// The sentences about folders that are left out.
    var reported: Set<String> = []
    var looked = ContinuousClock.now
  }

  private let options: ServerOptions
  private let renderer: HelperRenderer
  private let report: @Sendable (Message) -> Void
  /// The paths of the folders that were named.
  let roots: [String]
  private let cache: UserCache?
  private let state = Mutex(State())
  /// The time for which nobody looks for further folders because an answer is asked for.
  private static let freshness = Duration.seconds(5)

  /// - Parameters:
  ///   - options: what was asked for.
  ///   - renderer: renders.
  ///   - report: told of folders that are left out.
  /// - Throws: ``EditError`` when a folder that was named cannot be read.
  init(
    _ options: ServerOptions, renderer: HelperRenderer, report: @escaping @Sendable (Message) -> Void
  ) throws(EditError) {
    (self.options, self.renderer, self.report) = (options, renderer, report)
    roots = try (options.folders.isEmpty ? [""] : options.folders).map { path throws(EditError) in
      try Self.absolute(path)
    }
    cache = UserFolder.cache.path.flatMap { path in
      options.indexLimit > 0 ? UserCache(path: path + "/index", limit: options.indexLimit) : nil
    }
    for root in roots {
      for path in paths(below: root) { try add(path, of: root) }
    }
  }

  /// The place of the renders.
  var layout: LibraryLayout {
    LibraryLayout(library: options.library, trees: options.isRecursive ? roots : [])
  }

  /// All of them, by their numbers.
  var all: [ServedFolder] { state.withLock { $0.folders } }

  /// A folder by its number.
  subscript(number: Int) -> ServedFolder { state.withLock { $0.folders[number] } }

  /// Looks for folders that were made since.
  ///
  /// - Returns: those that were found.
  func lookAgain() -> [ServedFolder] {
    state.withLock { $0.looked = .now }
    guard options.isRecursive else { return [] }
    var found: [ServedFolder] = []
    for root in roots {
      for path in paths(below: root) {
        // One that cannot be served now may be the next time.
        if let folder = try? add(path, of: root) { found.append(folder) }
      }
    }
    return found
  }

  /// Looks for folders that were made since, unless that was done a moment ago.
  func refresh() async {
    let isDue = state.withLock { .now - $0.looked > Self.freshness }
    guard isDue, options.isRecursive else { return }
    _ = try? await withWorkerThread(about: nil) { _ throws(EditError) in self.lookAgain() }
  }

  /// True if folders that are made later are served, too.
  var isGrowing: Bool { options.isRecursive }

  /// The folders that are served, or would be if a photo came into them.
  var places: [String] {
    options.isRecursive ? roots.flatMap { FolderTree.folders(from: $0) { _, _ in } } : roots
  }

  private func paths(below root: String) -> [String] {
    guard options.isRecursive else { return [root] }
    let known = state.withLock { $0.paths }
    let all = FolderTree.folders(from: root) { _, error in
      if state.withLock({ $0.reported.insert("\(error)").inserted }) { report("\(error)") }
    }
    return all.filter { !known.contains($0) && ($0 == root || Self.holdsAssets($0)) }
  }

  /// Adds a folder.
  ///
  /// - Returns: it; nil when it is there already.
  @discardableResult private func add(_ path: String, of root: String) throws(EditError) -> ServedFolder? {
    guard !state.withLock({ $0.paths.contains(path) }) else { return nil }
    let library = try PhotoLibrary(
      path: path, layout: layout, renderer: renderer, cache: cache, report: report)
    let name = FilePath.split(root).name + path.dropFirst(root.count)
    return state.withLock { state in
      guard state.paths.insert(path).inserted else { return nil }
      let folder = ServedFolder(
        number: state.folders.count, path: path, name: name, root: root, library: library)
      state.folders.append(folder)
      return folder
    }
  }

  private static func holdsAssets(_ path: String) -> Bool {
    guard let listing = try? FolderListing(folder: path) else { return false }
    return !listing.halves(kind: .photo).isEmpty || !listing.halves(kind: .movie).isEmpty
  }

  /// The path of a folder from the root of the file system on, without links, as the kernel knows it.
  private static func absolute(_ path: String) throws(EditError) -> String {
    let bytes = try whileReading(FilePath.shown(path)) { try HeldFolder(path: path).realPath }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw EditError(.unsupported, file: path, "has a name that is not UTF-8", remedy: "rename it")
    }
    return text
  }
}
