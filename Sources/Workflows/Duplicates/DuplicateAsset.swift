import Basics
import EditLibrary
import EditModel
import FileSystem
import LivePhotoFormat

/// A photo, a movie, or a pair that shares a name or identifier, as `duplicates` compares it.
package struct DuplicateAsset: Sendable {
  /// The photo, or nil if the asset has no photo.
  let photo: LooseHalf?
  /// The movie, or nil if the asset has no movie.
  let movie: LooseHalf?

  /// The photo's path, or nil if the asset has no photo.
  package var photoPath: String? { photo?.path }
  /// The movie's path, or nil if the asset has no movie.
  package var moviePath: String? { movie?.path }
  /// The asset's files, the photo first.
  var halves: [LooseHalf] { [photo, movie].compactMap { $0 } }
  /// The path that represents the asset: the photo's path, or the movie's path if the asset has no photo.
  package var path: String { halves.first?.path ?? "" }
  /// The total size of the asset's files in bytes.
  package var size: Int { halves.map(\.size).clampedSum }

  /// Whether the asset is a Live Photo whose halves have the same identifier.
  package var isWhole: Bool { photo?.identifier != nil && photo?.identifier == movie?.identifier }

  /// Whether liveedit or another program derived the asset's identifier from an original's. A derived identifier is a
  /// version 5 UUID (RFC 9562 section 5.5), which cameras do not use.
  package var isRender: Bool {
    guard let identifier = halves.compactMap(\.identifier).first else { return false }
    let letters = Array(identifier.utf8)
    return letters.count == 36 && letters[14] == UInt8(ascii: "5")
  }

  /// Returns the assets in a folder.
  ///
  /// - Parameters:
  ///   - photos: The folder's photos.
  ///   - movies: The folder's movies. Each movie is paired with the photo that has its identifier, or else with the
  ///     only photo that has its name.
  static func all(_ photos: [LooseHalf], _ movies: [LooseHalf]) -> [DuplicateAsset] {
    var left = Set(movies.indices)
    let byIdentifier = Dictionary(grouping: movies.indices.filter { movies[$0].identifier != nil }) {
      movies[$0].identifier
    }
    let byStem = Dictionary(grouping: movies.indices) { movies[$0].stem }
    let photosOfStem = Dictionary(grouping: photos, by: \.stem).mapValues(\.count)
    var partner: [ExactName: Int] = [:]
    // Files are paired by name and identifier first, then by identifier, and finally by name.
    for round in 0..<3 {
      for photo in photos where partner[ExactName(photo.path)] == nil {
        let named = (byStem[photo.stem] ?? []).filter(left.contains)
        let tied = photo.identifier.flatMap { byIdentifier[$0] } ?? []
        let candidates =
          switch round {
          case 0: named.filter(tied.contains)
          case 1: tied.filter(left.contains)
          default: photosOfStem[photo.stem] == 1 ? named : []
          }
        guard let movie = candidates.first, round == 0 || candidates.count == 1 else { continue }
        partner[ExactName(photo.path)] = movie
        left.remove(movie)
      }
    }
    return photos.map { photo in
      DuplicateAsset(photo: photo, movie: partner[ExactName(photo.path)].map { movies[$0] })
    } + left.sorted().map { DuplicateAsset(photo: nil, movie: movies[$0]) }
  }

  /// Returns whether this asset is a better copy to keep than another asset.
  func isBetter(than other: DuplicateAsset) -> Bool {
    let (own, others) = (rank, other.rank)
    return own == others ? path < other.path : own.lexicographicallyPrecedes(others)
  }

  /// A sort key in which lower values mark better copies to keep. Complete Live Photos precede halves, originals
  /// precede renders and edited or numbered copies, files with more capture metadata precede files with less, and HEIC
  /// precedes JPEG.
  private var rank: [Int] {
    let facts = halves.reduce(0) { count, half in
      count
        + [half.identifier != nil, half.created != nil, half.location != nil, half.model != nil].filter { $0 }
        .count
    }
    return [
      isWhole ? 0 : 1, photo != nil && movie != nil ? 0 : 1, photo == nil ? 1 : 0, isRender ? 1 : 0,
      halves.contains { $0.form.isEdited } ? 1 : 0, -facts, photo?.photoKind == .jpeg ? 1 : 0,
      halves.contains { $0.form.isCopy } ? 1 : 0, -size,
    ]
  }
}
