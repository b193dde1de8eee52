import Basics

extension AssetLocator {
  /// The result of a search for the other half.
  enum Search: Equatable {
    /// The file's name.
    case found(String)
    /// No file in the folder carries the identifier.
    case missing
    /// There are more files than a search reads.
    case tooMany(Int)
  }

  /// The greatest number of files that a search opens. Each costs about a tenth of a millisecond when it is cached
  /// and a seek or a round trip when it is not, so that a folder of ten thousand is not read for one edit.
  static let mostFilesSearched = 1000

  /// Finds the other half of a file by its identifier, when there is none by its name.
  ///
  /// Only headers are read, and none in a folder with more than ``mostFilesSearched`` photos and movies.
  /// Files that cannot be read are passed over.
  ///
  /// - Parameters:
  ///   - identifier: the identifier of the file that was named.
  ///   - name: the file that was named.
  ///   - kind: the kind of the half that is sought.
  ///   - listing: the folder.
  /// - Throws: ``EditError`` when two files could be the half, or when another file of the named one's kind
  ///   carries the same identifier.
  static func half(
    of identifier: String, named name: String, kind: HalfKind, in listing: FolderListing
  ) throws(EditError) -> Search {
    let own: HalfKind = kind == .photo ? .movie : .photo
    let candidates = listing.halves(kind: kind)
    let rivals = candidates.isEmpty ? [] : listing.halves(kind: own).filter { $0 != name }
    guard candidates.count + rivals.count <= mostFilesSearched else {
      return .tooMany(candidates.count + rivals.count)
    }
    let halves = candidates.filter { carries(identifier, listing.path($0), kind) }
    guard let half = halves.first else { return .missing }
    if halves.count > 1 {
      throw EditError(
        .pairing, file: listing.path(name),
        "could belong to each of \(halves.joined(separator: " and ")): they carry its identifier",
        remedy: "move all but one of them to another folder")
    }
    if let rival = rivals.first(where: { carries(identifier, listing.path($0), own) }) {
      throw EditError(
        .pairing, file: listing.path(name), "carries the identifier of \(half), and so does \(rival)",
        remedy: "move one of them to another folder")
    }
    return .found(half)
  }
  private static func carries(_ identifier: String, _ path: String, _ kind: HalfKind) -> Bool {
    guard let found = try? HalfIdentifier.read(path, kind: kind) else { return false }
    return found == identifier
  }
}
