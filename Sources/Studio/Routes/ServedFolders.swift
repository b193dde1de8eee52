internal import Basics
internal import EditModel
internal import FileSystem
internal import FoundationEssentials
internal import Synchronization
internal import Workflows

/// The folders that are served. With `-r` those that are made later come as they are found; the number of a folder stays
/// its own for as long as the server runs.
final class ServedFolders: Sendable {
  private struct State {
    var folders: [ServedFolder] = []
    /// The numbers of the folders by the bytes of their paths.
    var numbers: [[UInt8]: Int] = [:]
    /// The sentences about folders that are left out.
    var reported: Set<String> = []
    var looked = ContinuousClock.now
  }

  private let options: ServerOptions
  private let report: @Sendable (Message) -> Void
  /// The paths of the folders that were named.
  let roots: [String]
  /// The folders that were named, held open: all that is served is found from there.
  private let held: [String: HeldFolder]
  private let cache: UserCache?
  private let state = Mutex(State())
  /// The time for which nobody looks for further folders because an answer is asked for.
  private static let freshness = Duration.seconds(5)

  /// - Parameters:
  ///   - options: what was asked for.
  ///   - report: told of folders that are left out.
  /// - Throws: ``EditError`` when a folder that was named cannot be read.
  init(
    _ options: ServerOptions, report: @escaping @Sendable (Message) -> Void
  ) throws(EditError) {
    (self.options, self.report) = (options, report)
    var (roots, held): ([String], [String: HeldFolder]) = ([], [:])
    for path in options.folders.isEmpty ? [""] : options.folders {
      let root = try Self.absolute(path)
      roots.append(root)
      held[root] = try whileReading(root) { try HeldFolder(path: root) }
    }
    (self.roots, self.held) = (roots, held)
    cache = UserFolder.cache.path.flatMap { path in
      options.indexLimit > 0 ? UserCache(path: path + "/index", limit: options.indexLimit) : nil
    }
    for root in roots {
      for path in paths(below: root) {
        do throws(EditError) {
          try add(path, of: root)
        } catch {
          if path == root { throw error }
          tellOnce(error)
        }
      }
    }
  }

  deinit { GuardedFolders.remove(all.map(\.guarded)) }

  /// The place of the renders.
  var layout: LibraryLayout {
    LibraryLayout(library: options.library, trees: options.isRecursive ? roots : [])
  }

  /// All of them, by their numbers.
  var all: [ServedFolder] { state.withLock { $0.folders } }

  /// A folder by its number.
  subscript(number: Int) -> ServedFolder { state.withLock { $0.folders[number] } }

  /// Looks for folders that were made since, or were replaced by others.
  ///
  /// - Returns: those that were found.
  func lookAgain() -> [ServedFolder] {
    state.withLock { $0.looked = .now }
    guard options.isRecursive else { return [] }
    var found = all.compactMap { $0.path == $0.root ? nil : renewed($0) }
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
    let known = state.withLock { $0.numbers }
    let all = FolderTree.folders(from: root) { _, error in tellOnce(error) }
    return all.filter { known[Array($0.utf8)] == nil && ($0 == root || Self.holdsAssets($0)) }
  }

  /// Tells of a folder that is left out, the first time.
  private func tellOnce(_ error: EditError) {
    if state.withLock({ $0.reported.insert("\(error)").inserted }) { report("\(error)") }
  }

  /// Serves the folder that has taken the place of another one.
  ///
  /// - Returns: it; nil where the folder is the same, or there is none: a link is no folder.
  private func renewed(_ folder: ServedFolder) -> ServedFolder? {
    guard let root = held[folder.root], !GuardedFolders.holds(folder.guarded),
      let guarded = try? GuardedFolders.add(folder.path, in: root), guarded != folder.guarded
    else { return nil }
    return state.withLock { state in
      state.folders[folder.number].guarded = guarded
      return state.folders[folder.number]
    }
  }

  /// Adds a folder.
  ///
  /// - Returns: it; nil when it is there already.
  @discardableResult private func add(_ path: String, of root: String) throws(EditError) -> ServedFolder? {
    let isKnown = state.withLock { $0.numbers[Array(path.utf8)] != nil }
    guard !isKnown, let held = held[root] else { return nil }
    let guarded = try whileReading(path) { try GuardedFolders.add(path, in: held) }
    let library = try AssetFolder(path, layout: layout, cache: cache, report: report)
    let name = FilePath.split(root).name + path.dropFirst(root.count)
    return state.withLock { state in
      guard state.numbers[Array(path.utf8)] == nil else { return nil }
      let folder = ServedFolder(
        number: state.folders.count, path: path, name: name, root: root, guarded: guarded, library: library)
      state.folders.append(folder)
      state.numbers[Array(path.utf8)] = folder.number
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
