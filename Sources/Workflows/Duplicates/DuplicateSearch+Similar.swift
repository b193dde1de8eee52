import Basics
import EditLibrary
import EditModel
import Likeness

extension DuplicateSearch {
  /// A copy that looks similar to an asset.
  package struct SimilarCopy: Sendable {
    /// The asset that is the copy.
    package let asset: DuplicateAsset
    /// The correlation between the fine detail in this copy's picture and in the best copy's picture, from
    /// ``SimilarPictures/threshold`` to 1.
    package let likeness: Double
  }

  /// An asset and the copies that look similar to it. Each copy was compared directly with the best copy.
  package struct SimilarGroup: Sendable {
    /// The copy that is best to keep.
    package let best: DuplicateAsset
    /// The other copies, in the order of their paths.
    package let copies: [SimilarCopy]
  }

  /// A half of an asset, with the asset's index in the list.
  private struct Source {
    let asset: Int
    let half: LooseHalf
  }

  /// Two similar assets, by their indices in the list.
  private typealias Pair = (one: Int, other: Int, likeness: Double)

  /// Finds pictures that look similar although their files differ. The search compares photos. It also compares the
  /// first frames of two movies if at least one of them has no photo. Each set of identical assets is represented by
  /// its best asset.
  ///
  /// Capture metadata can rule out similarity. Files whose capture times are different but less than a minute apart are
  /// separate shots, as in a burst. Movies of different durations are also separate shots.
  ///
  /// - Parameters:
  ///   - converter: The converter that decodes the pictures.
  ///   - jobs: The approximate number of files to decode in parallel.
  ///   - begin: Receives the number of files.
  ///   - progress: Called before each file is decoded, from any thread.
  ///   - isCancelled: Called repeatedly, from any thread. If the function returns true, the search ends with the
  ///     results so far.
  /// - Returns: The errors for files that could not be compared.
  package mutating func seekSimilar(
    by converter: any MediaConverter, jobs: Int, begin: (_ total: Int) -> Void = { _ in },
    progress: @escaping @Sendable (_ index: Int, _ path: String) -> Void = { _, _ in },
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) -> [EditError] {
    let all = representatives.sorted { $0.isBetter(than: $1) }
    let hasLoneMovies = all.contains { $0.photo == nil }
    let photos = all.indices.compactMap { index in all[index].photo.map { Source(asset: index, half: $0) } }
    let movies =
      hasLoneMovies
      ? all.indices.compactMap { index in all[index].movie.map { Source(asset: index, half: $0) } } : []
    let sources = (photos + movies).map {
      PictureGrid.Source(path: $0.half.path, isMovie: $0.half.kind == .movie)
    }
    begin(sources.count)
    let reader = GridReader(converter: converter, jobs: jobs, progress: progress, isCancelled: isCancelled)
    let answer = reader.read(sources)
    if isCancelled() { return [] }
    func pairs(
      _ sources: [Source], from first: Int, where isCandidate: (Source, Source) -> Bool
    ) -> [Pair] {
      let pictures = sources.enumerated().flatMap { place, source in
        (answer.grids[first + place] ?? []).map { (source: source, grid: ComparedGrid($0)) }
      }
      return SimilarPictures.pairs(
        of: pictures.map(\.grid),
        isCandidate: { one, other in
          let (one, other) = (pictures[one].source, pictures[other].source)
          return one.asset != other.asset && isCandidate(one, other)
            && !Self.areTwoShots(one.half, other.half)
        }, isCancelled: isCancelled
      ).map { (pictures[$0.one].source.asset, pictures[$0.other].source.asset, $0.likeness) }
    }
    let alike =
      pairs(photos, from: 0) { _, _ in true }
      // Live Photos are compared by their photos alone.
      + pairs(movies, from: photos.count) { all[$0.asset].photo == nil || all[$1.asset].photo == nil }
    similar = Self.groups(of: all, alike)
    return answer.failures.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Returns whether the metadata of two files shows that they are separate shots.
  static func areTwoShots(_ one: LooseHalf, _ other: LooseHalf) -> Bool {
    if let first = one.duration, let second = other.duration,
      abs(first - second) > max(0.5, 0.1 * max(first, second))
    {
      return true
    }
    guard let first = one.created, let second = other.created, first.source != .movieHeader,
      second.source != .movieHeader
    else { return false }
    let haveZones = first.offset != nil && second.offset != nil
    let times = haveZones ? (first.instant, second.instant) : (first.wallClock, second.wallClock)
    // Copies often lose fractions of a second.
    let isWhole = times.0 % 1000 == 0 || times.1 % 1000 == 0
    let apart = isWhole ? abs(times.0 / 1000 - times.1 / 1000) * 1000 : abs(times.0 - times.1)
    return 1..<60_000 ~= apart
  }

  /// Groups the similar assets around the best assets.
  ///
  /// - Parameters:
  ///   - assets: The assets, best first.
  ///   - pairs: The similar assets and their similarity.
  private static func groups(
    of assets: [DuplicateAsset], _ pairs: [Pair]
  ) -> [SimilarGroup] {
    var near: [Int: [Int: Double]] = [:]
    for pair in pairs {
      for (from, to) in [(pair.one, pair.other), (pair.other, pair.one)] {
        near[from, default: [:]][to] = max(pair.likeness, near[from]?[to] ?? -1)
      }
    }
    var done: Set<Int> = []
    var groups: [SimilarGroup] = []
    for index in assets.indices where !done.contains(index) {
      let copies = (near[index] ?? [:]).filter { !done.contains($0.key) }
      guard !copies.isEmpty else { continue }
      done.formUnion(copies.keys)
      done.insert(index)
      groups.append(
        SimilarGroup(
          best: assets[index],
          copies: copies.map { SimilarCopy(asset: assets[$0.key], likeness: $0.value) }
            .sorted { $0.asset.path < $1.asset.path }))
    }
    return groups.sorted { $0.best.path < $1.best.path }
  }
}
