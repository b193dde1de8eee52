import Basics
import EditLibrary
import FileSystem
import LivePhotoFormat

/// Identifies the camera's original among several photos, or several movies, of one Live Photo.
enum HalfCopies {
  /// Returns the original among files that have the same identifier.
  ///
  /// A file whose name marks it as edited ranks below a file that is not edited. A HEIC file ranks above a JPEG,
  /// because cameras and programs convert HEIC to JPEG. A movie that marks the photo's time ranks above a movie that
  /// does not. A file with the same name and folder as the other half ranks above other files. If files are identical,
  /// the first by name is returned.
  ///
  /// - Parameters:
  ///   - halves: Files of one kind.
  ///   - others: The files of the other kind.
  /// - Returns: The original, or nil if files with different contents have the same rank.
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

  /// Returns whether two files are byte-identical.
  private static func isEqual(_ one: LooseHalf, _ other: LooseHalf) throws(EditError) -> Bool {
    guard one.size == other.size,
      let digest = try ifSound(one.path, { try Digest.sha256(ofFile: one.path) })
    else { return false }
    return try ifSound(other.path) { try Digest.sha256(ofFile: other.path) } == digest
  }

  /// Returns whether a file is a copy of another file of the same kind, or was derived from that file. A copy has the
  /// same content and a later name. A derived file has the same original name and capture time, and its name or kind
  /// shows that a program made it.
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
    /// The folders and stems of the halves.
    private(set) var places: Set<[String]> = []
    /// The stems of the halves in lower case.
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

  /// Returns a sort key in which lower values mark more likely originals. The first number is the most significant.
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
