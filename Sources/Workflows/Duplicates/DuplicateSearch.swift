import Basics
import EditLibrary
import EditModel
import FileSystem
import LivePhotoFormat

/// Assets of which several are there. Nothing is written, and nothing removed.
package struct DuplicateSearch: Sendable {
  /// How alike two files are.
  package enum Likeness: String, Hashable, Sendable {
    /// All bytes are the same.
    case content
    /// The coded picture or movie is the same; what is said about it, or how it is turned, may differ.
    case picture
  }

  /// A copy of an asset.
  package struct Copy: Sendable {
    /// The copy.
    package let asset: DuplicateAsset
    /// How alike its photo and the best copy's are; nil where one has none, or where they differ.
    package let photo: Likeness?
    /// How alike its movie and the best copy's are; nil where one has none, or where they differ.
    package let movie: Likeness?
  }

  /// An asset and its copies.
  package struct Group: Sendable {
    /// The copy that has the most: both halves, the tie between them, the camera's own metadata.
    package let best: DuplicateAsset
    /// The others, in the order of their paths.
    package let copies: [Copy]
  }

  /// The groups, in the order of the best copies' paths.
  package private(set) var groups: [Group] = []
  /// The groups of pictures that are alike, in the order of the best copies' paths; see ``seekSimilar(by:jobs:progress:isCancelled:)``.
  package internal(set) var similar: [SimilarGroup] = []
  /// The files that could not be compared, with the reasons: clauses.
  package private(set) var failures: [(path: String, problem: Message)] = []
  /// One asset of those that are equal, the best, and all that have no equal.
  private(set) var representatives: [DuplicateAsset] = []

  /// Looks at folders.
  ///
  /// Headers of all files are read. Of files whose coded pictures are of one size these are hashed, and of those that are
  /// equal the whole files.
  ///
  /// - Parameters:
  ///   - folders: their paths; empty for the current one.
  ///   - isCancelled: asked before every file; true ends the search with what it has found.
  /// - Throws: ``Basics/EditError`` when a folder cannot be read.
  package init(folders: [String], isCancelled: () -> Bool = { false }) throws(EditError) {
    var assets: [DuplicateAsset] = []
    for folder in folders {
      let listing = try FolderListing(folder: folder)
      let halves = LooseHalf.all(in: listing) { failures.append(($0, $1)) }
      assets += DuplicateAsset.all(halves.photos, halves.movies)
    }
    let digests = self.digests(of: assets.flatMap(\.halves), isCancelled)
    var sets = DisjointSets(count: assets.count)
    var first: [String: Int] = [:]
    // Of Live Photos the photos decide: a movie that is part of several says nothing about their photos.
    for (index, asset) in assets.enumerated() {
      guard let half = asset.photo ?? asset.movie, let digest = digests[ExactName(half.path)] else {
        continue
      }
      sets.join(index, first[digest, default: index])
      first[digest] = first[digest] ?? index
    }
    for (index, asset) in assets.enumerated() {
      guard asset.photo != nil, let movie = asset.movie, let digest = digests[ExactName(movie.path)] else {
        continue
      }
      // A movie alone is a copy of a Live Photo's half.
      if let lone = first[digest], assets[lone].photo == nil { sets.join(index, lone) }
    }
    for members in sets.groups {
      let ranked = members.map { assets[$0] }.sorted { $0.isBetter(than: $1) }
      guard let best = ranked.first else { continue }
      representatives.append(best)
      guard ranked.count > 1 else { continue }
      groups.append(
        Group(
          best: best,
          copies: ranked.dropFirst().sorted { $0.path < $1.path }.map { copy in
            Copy(
              asset: copy, photo: likeness(copy.photo, best.photo, digests),
              movie: likeness(copy.movie, best.movie, digests))
          }))
    }
    groups.sort { $0.best.path < $1.best.path }
  }

  private mutating func likeness(
    _ one: LooseHalf?, _ other: LooseHalf?, _ digests: [ExactName: String]
  ) -> Likeness? {
    guard let one, let other, let digest = digests[ExactName(one.path)],
      digest == digests[ExactName(other.path)]
    else {
      return nil
    }
    guard one.size == other.size else { return .picture }
    guard let content = attempt(one, { try Digest.sha256(of: $0.file) }),
      let otherContent = attempt(other, { try Digest.sha256(of: $0.file) })
    else { return .picture }
    return content == otherContent ? .content : .picture
  }

  /// Hashes of coded pictures and samples by paths, of those that may have an equal.
  private mutating func digests(of halves: [LooseHalf], _ isCancelled: () -> Bool) -> [ExactName: String] {
    var bySize: [String: [LooseHalf]] = [:]
    for half in halves {
      if isCancelled() { return [:] }
      guard let size = attempt(half, { try Self.media(of: $0).byteCount }) else { continue }
      bySize["\(half.kind.rawValue) \(size)", default: []].append(half)
    }
    var digests: [ExactName: String] = [:]
    for (key, halves) in bySize where halves.count > 1 {
      for half in halves {
        if isCancelled() { return [:] }
        digests[ExactName(half.path)] = attempt(half) { half in
          key + " " + (try Digest.sha256(of: Self.media(of: half).parts, in: half.file))
        }
      }
    }
    return digests
  }

  /// An open file and which half it is.
  private struct OpenHalf {
    let kind: HalfKind
    let file: FileByteSource
  }

  private static func media(of half: OpenHalf) throws -> CodedMedia {
    try half.kind == .photo
      ? Photo(half.file).codedPicture() : Movie(half.file).codedSamples(of: half.file)
  }

  private mutating func attempt<Value>(_ half: LooseHalf, _ read: (OpenHalf) throws -> Value) -> Value? {
    do throws(EditError) {
      return try readFile(half.path) { try read(OpenHalf(kind: half.kind, file: $0)) }
    } catch {
      failures.append((half.path, error.problem))
      return nil
    }
  }
}

/// Numbers in sets that grow together.
private struct DisjointSets {
  private var parents: [Int]

  init(count: Int) { parents = Array(0..<count) }

  private func root(_ number: Int) -> Int {
    var number = number
    while parents[number] != number { number = parents[number] }
    return number
  }

  mutating func join(_ one: Int, _ other: Int) {
    let (low, high) = (min(root(one), root(other)), max(root(one), root(other)))
    parents[high] = low
  }

  /// The sets, each in the order of its numbers.
  var groups: [[Int]] {
    Dictionary(grouping: parents.indices, by: root).sorted { $0.key < $1.key }.map(\.value)
  }
}
