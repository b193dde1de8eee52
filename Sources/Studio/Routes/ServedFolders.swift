internal import Basics
internal import EditModel
internal import FileSystem
internal import FoundationEssentials
internal import Synchronization
internal import Workflows

/// The served folders. With `-r`, new folders are added when they are found. A folder keeps its number as long as the
/// server runs.
final class ServedFolders: Sendable {
  private struct State {
    var folders: [ServedFolder] = []
    /// The numbers of the folders, keyed by the bytes of their paths.
    var numbers: [[UInt8]: Int] = [:]
    /// The messages about skipped folders that have been reported.
    var reported: Set<String> = []
    var looked = ContinuousClock.now
  }

  private let options: ServerOptions
  private let report: @Sendable (Message) -> Void
  /// The paths of the folders that the user named.
  let roots: [String]
  /// The folders that the user named, kept open. All served files and folders are opened from these folders.
  private let held: [String: HeldFolder]
  private let cache: UserCache?
  private let state = Mutex(State())
  /// The minimum interval between two searches for new folders that are triggered by requests.
  private static let freshness = Duration.seconds(5)

  /// - Parameters:
  ///   - options: The server options.
  ///   - report: A closure that receives messages about skipped folders.
  /// - Throws: ``EditError`` if a folder that the user named cannot be read.
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

  /// The location of the rendered files.
  var layout: LibraryLayout {
    LibraryLayout(library: options.library, trees: options.isRecursive ? roots : [])
  }

  /// All folders, ordered by number.
  var all: [ServedFolder] { state.withLock { $0.folders } }

  /// Returns a folder by its number.
  subscript(number: Int) -> ServedFolder { state.withLock { $0.folders[number] } }

  /// Searches for folders that were created or replaced since the previous search.
  ///
  /// - Returns: The folders that were found.
  func lookAgain() -> [ServedFolder] {
    state.withLock { $0.looked = .now }
    guard options.isRecursive else { return [] }
    var found = all.compactMap { $0.path == $0.root ? nil : renewed($0) }
    for root in roots {
      for path in paths(below: root) {
        // A folder that cannot be served now may be served after the next search.
        if let folder = try? add(path, of: root) { found.append(folder) }
      }
    }
    return found
  }

  /// Searches for new folders, unless the previous search was very recent.
  func refresh() async {
    let isDue = state.withLock { .now - $0.looked > Self.freshness }
    guard isDue, options.isRecursive else { return }
    _ = try? await withWorkerThread(about: nil) { _ throws(EditError) in self.lookAgain() }
  }

  /// Whether folders that are created later are also served.
  var isGrowing: Bool { options.isRecursive }

  /// The folders that are served, or that would be served if they contained a photo.
  var places: [String] {
    options.isRecursive ? roots.flatMap { FolderTree.folders(from: $0) { _, _ in } } : roots
  }

  private func paths(below root: String) -> [String] {
    guard options.isRecursive else { return [root] }
    let known = state.withLock { $0.numbers }
    let all = FolderTree.folders(from: root) { _, error in tellOnce(error) }
    return all.filter { known[Array($0.utf8)] == nil && ($0 == root || Self.holdsAssets($0)) }
  }

  /// Reports a skipped folder, but only once.
  private func tellOnce(_ error: EditError) {
    if state.withLock({ $0.reported.insert("\(error)").inserted }) { report("\(error)") }
  }

  /// Serves a folder that has replaced another folder.
  ///
  /// - Returns: The new folder; nil if the folder is unchanged or missing. A symbolic link does not count as a folder.
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
  /// - Returns: The folder; nil if the folder is already served.
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

  /// Returns the absolute path of a folder without symbolic links, as reported by the kernel.
  private static func absolute(_ path: String) throws(EditError) -> String {
    let bytes = try whileReading(FilePath.shown(path)) { try HeldFolder(path: path).realPath }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw EditError(.unsupported, file: path, "has a name that is not UTF-8", remedy: "rename it")
    }
    return text
  }
}
