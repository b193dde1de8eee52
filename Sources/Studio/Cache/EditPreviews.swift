internal import Basics
internal import EditModel
internal import FileSystem
internal import RenderClient
internal import Synchronization
internal import Workflows

/// The starts of the next edits of assets, and helpers that answer questions about them: those of the assets that were
/// asked about last.
final class EditPreviews: Sendable {
  /// The start of the next edit of an asset.
  struct Base: Sendable {
    /// Its files.
    let files: ScreenMediaMaker.Files
    /// True if there is a movie, in a file of its own or in the photo's.
    let hasMovie: Bool
    /// All that pictures of it depend on.
    let words: [String]
    /// The small pictures and movies that questions name.
    let folder: EditFolder
    /// Answers what a shader must know, at once.
    let helper: PreviewHelper
    /// Paints pictures, which takes longer.
    let painter: PreviewHelper
    /// Paints those of full size, which takes so long that it is ended where nobody wants them any more.
    let finisher: PreviewHelper

    /// Ends all of them.
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

  /// Assets whose helpers may run at a time.
  private static let most = 2
  /// The time after which a helper that nobody asks is ended.
  private static let age = Duration.seconds(60)

  /// - Parameters:
  ///   - renderer: the helper.
  ///   - previews: holds the small pictures and movies that questions are about.
  init(_ renderer: HelperRenderer, _ previews: ScreenMediaCache) {
    (self.renderer, self.previews) = (renderer, previews)
  }

  /// The start of the next edit of an asset.
  ///
  /// - Parameters:
  ///   - asset: the asset, as it is now.
  ///   - name: its opaque name.
  /// - Throws: ``EditError`` when a half is missing.
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

  /// Ends all helpers.
  func end() {
    let all = state.withLock { state in
      defer { state.entries = [:] }
      return state.entries.values.map(\.base)
    }
    for base in all { base.end() }
  }

  /// Ends what nobody asks, until there is nothing left.
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

  /// - Returns: whether there is nothing left.
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
