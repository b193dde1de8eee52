import Basics
import EditLibrary
import FileSystem
import LivePhotoFormat

/// Which of several photos, or of several movies, of one Live Photo is the one that the camera made.
enum HalfCopies {
  /// The original among files that carry one identifier.
  ///
  /// One that was not edited goes before one that was, by its name; a HEIC before a JPEG, which is what cameras and
  /// programs make of it; a movie that marks the photo's place before one that does not; one with the other half's name and
  /// folder before others; and of files with one content the first by its name.
  ///
  /// - Parameters:
  ///   - halves: files of one kind.
  ///   - others: those of the other kind.
  /// - Returns: nil when files with different contents are equal in all of this.
  static func original(
    of halves: [LooseHalf], for others: [LooseHalf]
  ) throws(EditError) -> LooseHalf? {
    let others = Others(others)
    let ranked = halves.map { (half: $0, rank: rank($0, others)) }.sorted {
      $0.rank != $1.rank ? $0.rank.lexicographicallyPrecedes($1.rank) : $0.half.path < $1.half.path
    }
    guard let first = ranked.first else { return nil }
    for other in ranked.dropFirst() where other.rank == first.rank {
      if try !isEqual(first.half, other.half) { return nil }
    }
    return first.half
  }

  /// True if two files have one content.
  private static func isEqual(_ one: LooseHalf, _ other: LooseHalf) throws(EditError) -> Bool {
    guard one.size == other.size,
      let digest = try ifSound(one.path, { try Digest.sha256(ofFile: one.path) })
    else { return false }
    return try ifSound(other.path) { try Digest.sha256(ofFile: other.path) } == digest
  }

  /// True if a file is a copy of another one of its kind, or was made of it: it has the same content and the later name; or
  /// it comes from one name, was taken at one time, and by its name or kind is what a program made.
  static func isCopy(_ half: LooseHalf, of original: LooseHalf) throws(EditError) -> Bool {
    guard half.form.root == original.form.root, half.kind == original.kind else { return false }
    if let one = half.instant ?? half.wallClock, let other = original.instant ?? original.wallClock,
      abs(one - other) >= 1000
    {
      return false
    }
    let ranks = (rank(original, Others([])), rank(half, Others([])))
    if ranks.0.prefix(3) == ranks.1.prefix(3) {
      let isLater =
        ranks.0 == ranks.1 ? original.path < half.path : ranks.0.lexicographicallyPrecedes(ranks.1)
      guard isLater else { return false }
      return try isEqual(half, original)
    }
    return ranks.0.lexicographicallyPrecedes(ranks.1)
  }

  /// The names and folders of the halves of the other kind.
  private struct Others {
    /// Folders and stems.
    private(set) var places: Set<[String]> = []
    /// Stems in lower case.
    private(set) var stems: Set<String> = []
    private(set) var folders: Set<String> = []

    init(_ halves: [LooseHalf]) {
      for half in halves {
        places.insert([half.folder, half.stem])
        stems.insert(half.stem.lowercased())
        folders.insert(half.folder)
      }
    }
  }

  /// The smaller the likelier an original, the first number counting most.
  private static func rank(_ half: LooseHalf, _ others: Others) -> [Int] {
    [
      half.form.isEdited ? 1 : 0, half.photoKind == .jpeg ? 1 : 0,
      half.kind == .movie && !half.marksPhoto ? 1 : 0,
      others.places.contains([half.folder, half.stem]) ? 0 : 1,
      others.stems.contains(half.stem.lowercased()) ? 0 : 1,
      others.folders.contains(half.folder) ? 0 : 1, half.form.isCopy ? 1 : 0,
    ]
  }
}
