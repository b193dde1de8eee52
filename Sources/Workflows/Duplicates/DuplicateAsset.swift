import Basics
import EditLibrary
import EditModel
import FileSystem
import LivePhotoFormat

/// A photo, a movie, or both under one name or identifier, as `duplicates` compares it.
package struct DuplicateAsset: Sendable {
  /// The photo; nil where there is none.
  let photo: LooseHalf?
  /// The movie; nil where there is none.
  let movie: LooseHalf?

  /// The photo's path; nil where there is none.
  package var photoPath: String? { photo?.path }
  /// The movie's path; nil where there is none.
  package var moviePath: String? { movie?.path }
  /// The files, the photo first.
  var halves: [LooseHalf] { [photo, movie].compactMap { $0 } }
  /// The path that stands for it.
  package var path: String { halves.first?.path ?? "" }
  /// Bytes of its files.
  package var size: Int { halves.map(\.size).clampedSum }

  /// True for a Live Photo whose halves carry one identifier.
  package var isWhole: Bool { photo?.identifier != nil && photo?.identifier == movie?.identifier }

  /// True if its identifier is one that liveedit or another program made of an original's: a UUID of version 5 (RFC 9562
  /// section 5.5), which cameras do not use.
  package var isRender: Bool {
    guard let identifier = halves.compactMap(\.identifier).first else { return false }
    let letters = Array(identifier.utf8)
    return letters.count == 36 && letters[14] == UInt8(ascii: "5")
  }

  /// The assets of a folder.
  ///
  /// - Parameters:
  ///   - photos: its photos.
  ///   - movies: its movies. Each goes with the photo of its identifier, else with the only one of its name.
  static func all(_ photos: [LooseHalf], _ movies: [LooseHalf]) -> [DuplicateAsset] {
    var left = Set(movies.indices)
    let byIdentifier = Dictionary(grouping: movies.indices.filter { movies[$0].identifier != nil }) {
      movies[$0].identifier
    }
    let byStem = Dictionary(grouping: movies.indices) { movies[$0].stem }
    let photosOfStem = Dictionary(grouping: photos, by: \.stem).mapValues(\.count)
    var partner: [ExactName: Int] = [:]
    // First by name and identifier, then by identifier, at last by name.
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

  /// True if this is the copy to keep rather than another one.
  func isBetter(than other: DuplicateAsset) -> Bool {
    let (own, others) = (rank, other.rank)
    return own == others ? path < other.path : own.lexicographicallyPrecedes(others)
  }

  /// The less, the likelier this is the copy to keep: whole ones before halves, originals before renders, edited and numbered
  /// copies, those that say more about the capture before others, HEIC before JPEG.
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
