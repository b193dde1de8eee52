internal import Basics
internal import EditModel
internal import FileSystem
internal import RenderClient
internal import Synchronization
internal import Workflows

/// The base files for the next edits of assets, and the helpers that handle requests about these edits. Only the most
/// recently requested assets are kept.
final class EditPreviews: Sendable {
  /// The base of the next edit of an asset.
  struct Base: Sendable {
    /// The files that form the base.
    let files: ScreenMediaMaker.Files
    /// Whether the asset has a movie, in its own file or inside the photo's file.
    let hasMovie: Bool
    /// All values on which the pictures of the base depend.
    let words: [String]
    /// The folder that contains the small pictures and movies named in requests.
    let folder: EditFolder
    /// The helper that quickly returns the data that a shader needs.
    let helper: PreviewHelper
    /// The helper that renders pictures, which takes longer than returning data for a shader.
    let painter: PreviewHelper
    /// The helper that renders full-size pictures. Because this takes long, the helper is terminated if the picture is
    /// no longer wanted.
    let finisher: PreviewHelper

    /// Terminates all helpers of the asset.
    func end() {
      for one in [helper, painter, finisher] { one.end() }
      folder.remove()
    }
  }

  private struct Entry {
    let revision: Int64
    let base: Base
    var used: ContinuousClock.Instant
  }

  private struct State {
    var entries: [String: Entry] = [:]
    var isWatching = false
  }

  private let renderer: HelperRenderer
  private let previews: ScreenMediaCache
  private let state = Mutex(State())

  /// The maximum number of assets whose helpers may run at the same time.
  private static let most = 2
  /// The time after which an unused helper is terminated.
  private static let age = Duration.seconds(60)

  /// - Parameters:
  ///   - renderer: The renderer, which starts the helpers.
  ///   - previews: The cache that contains the small pictures and movies named in requests.
  init(_ renderer: HelperRenderer, _ previews: ScreenMediaCache) {
    (self.renderer, self.previews) = (renderer, previews)
  }

  /// Returns the base of the next edit of an asset.
  ///
  /// - Parameters:
  ///   - asset: The asset in its current state.
  ///   - name: The opaque name of the asset.
  /// - Throws: ``EditError`` if either half is missing.
  func base(of asset: IndexedAsset, _ name: String) throws(EditError) -> Base {
    let known = state.withLock { state -> Base? in
      guard let entry = state.entries[name], entry.revision == asset.revision else { return nil }
      state.entries[name]?.used = .now
      return entry.base
    }
    if let known { return known }
    let source = try EditBase(of: asset).source
    let files = ScreenMediaMaker.Files(source)
    var words = ["base"]
    for path in [files.photo, files.movie] {
      guard let path else { continue }
      let status = try whileReading(path) { try FileByteSource(path: path).status }
      words.append(status.version)
    }
    let folder = try EditFolder(in: previews.folder())
    let job = PreviewJob(photo: files.photo, movie: files.movie, folder: folder.path)
    let base = Base(
      files: files, hasMovie: try source.hasMovie, words: words, folder: folder,
      helper: PreviewHelper(renderer, job),
      painter: PreviewHelper(renderer, job), finisher: PreviewHelper(renderer, job))
    let gone = state.withLock { state -> [Base] in
      var gone: [Base] = []
      if let old = state.entries.updateValue(
        Entry(revision: asset.revision, base: base, used: .now), forKey: name)
      {
        gone.append(old.base)
      }
      while state.entries.count > Self.most,
        let last = state.entries.min(by: { $0.value.used < $1.value.used })
      {
        state.entries[last.key] = nil
        gone.append(last.value.base)
      }
      return gone
    }
    for old in gone { old.end() }
    watch()
    return base
  }

  /// Terminates all helpers.
  func end() {
    let all = state.withLock { state in
      defer { state.entries = [:] }
      return state.entries.values.map(\.base)
    }
    for base in all { base.end() }
  }

  /// Terminates unused helpers, until no helpers remain.
  private func watch() {
    let isFirst = state.withLock { state in
      defer { state.isWatching = true }
      return !state.isWatching
    }
    guard isFirst else { return }
    Task.detached { [weak self] in
      while true {
        try? await Task.sleep(for: Self.age / 4)
        guard let self, !endOld() else { return }
      }
    }
  }

  /// - Returns: Whether all helpers have been terminated.
  private func endOld() -> Bool {
    let (old, isEmpty) = state.withLock { state -> ([Base], Bool) in
      let old = state.entries.filter { $0.value.used.duration(to: .now) >= Self.age }
      for name in old.keys { state.entries[name] = nil }
      if state.entries.isEmpty { state.isWatching = false }
      return (old.values.map(\.base), state.entries.isEmpty)
    }
    for base in old { base.end() }
    return isEmpty
  }
}
