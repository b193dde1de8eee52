import Basics
import EditLibrary
import EditModel
import FileSystem
import LivePhotoFormat

/// Finds assets that exist more than once. The search writes and removes nothing.
package struct DuplicateSearch: Sendable {
  /// How closely two files match.
  package enum Likeness: String, Hashable, Sendable {
    /// The files are byte-identical.
    case content
    /// The encoded picture or movie is identical, but the metadata or orientation may differ.
    case picture
  }

  /// A duplicate of an asset.
  package struct Copy: Sendable {
    /// The duplicate.
    package let asset: DuplicateAsset
    /// How closely the duplicate's photo matches the best copy's photo, or nil if either photo is missing or the photos
    /// differ.
    package let photo: Likeness?
    /// How closely the duplicate's movie matches the best copy's movie, or nil if either movie is missing or the movies
    /// differ.
    package let movie: Likeness?
  }

  /// An asset and its duplicates.
  package struct Group: Sendable {
    /// The copy that is best to keep: it has the most halves, a shared identifier and the camera's own metadata.
    package let best: DuplicateAsset
    /// The other copies, in the order of their paths.
    package let copies: [Copy]
  }

  /// The groups of duplicates, in the order of the best copies' paths.
  package private(set) var groups: [Group] = []
  /// The groups of similar pictures, in the order of the best copies' paths; see
  /// ``seekSimilar(by:jobs:progress:isCancelled:)``.
  package internal(set) var similar: [SimilarGroup] = []
  /// The files that could not be compared, each with a clause that states the reason.
  package private(set) var failures: [(path: String, problem: Message)] = []
  /// The best asset of each group of duplicates, and every asset that has no duplicate.
  private(set) var representatives: [DuplicateAsset] = []

  /// Searches folders for duplicates.
  ///
  /// The search reads the headers of all files. If encoded pictures have equal sizes, it hashes the pictures; if their
  /// hashes match, it hashes the whole files.
  ///
  /// - Parameters:
  ///   - folders: The paths of the folders; empty for the current folder.
  ///   - isCancelled: Called before each file is read. If the function returns true, the search ends with the results
  ///     so far.
  /// - Throws: ``Basics/EditError`` if a folder cannot be read.
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
    // Live Photos are grouped by their photos alone, because different Live Photos can contain the same movie.
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
      // A movie without a photo is a duplicate if it matches the movie of a Live Photo.
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

  /// Returns the hashes of encoded pictures and movie samples, keyed by file path, for all files that may have
  /// duplicates.
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

  /// An open file and the half that it contains.
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

/// A union-find structure that merges sets of numbers.
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

  /// The sets, each with its numbers in ascending order.
  var groups: [[Int]] {
    Dictionary(grouping: parents.indices, by: root).sorted { $0.key < $1.key }.map(\.value)
  }
}
