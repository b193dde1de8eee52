import Basics
import EditLibrary
import EditModel
import FileSystem
import LivePhotoFormat

/// The photos and movies in folders that belong together but are not paired, with the evidence.
package struct RepairPlan: Sendable {
  /// The decisive evidence that two files belong together.
  package enum Basis: String, Hashable, Sendable {
    /// The files have the same identifier.
    case identifier
    /// The sidecars from Google Takeout describe the same asset.
    case takeout
    /// The files have the same name, and one camera took them at the same time.
    case nameAndTime
    /// The names or times match, and the pictures are similar.
    case picture
  }

  /// A photo and a movie that should be paired.
  package struct Pair: Hashable, Sendable {
    /// The path of the photo.
    package var photo: String
    /// The path of the movie.
    package var movie: String
    /// The decisive evidence that the files belong together.
    package var basis: Basis
    /// All evidence for and against the pair.
    package var evidence: PairEvidence
    /// Files that are omitted because they are copies of one of the halves or were derived from it.
    package var copies: [String]
  }

  /// Files that are not paired, with a clause about the first file that states the reason.
  package struct Rest: Hashable, Sendable {
    /// The paths of the files.
    package var files: [String]
    /// The reason, as a clause.
    package var problem: Message
    /// Whether the file could not be read, so that its content and its other half are unknown.
    package var isUnread = false
  }

  /// A function that takes the paths of a photo and a movie, and compares the photo with the movie's frame at the
  /// marked time. See ``EditModel/ConversionResult/likeness``. The function returns nil if the files cannot be
  /// compared.
  package typealias Likeness = (_ photo: String, _ movie: String) throws(EditError) -> Double?

  /// The files to pair, in the order of the photos' names.
  package private(set) var pairs: [Pair] = []
  /// The files that seem to belong together but are not paired.
  package private(set) var rest: [Rest] = []
  /// The number of complete Live Photos.
  package private(set) var wholeCount = 0
  /// The photos of complete Live Photos whose original halves contradict each other in their capture date or location,
  /// in the order of their paths. ``AssetEditor/disagreement(of:)`` checks whether an edit has resolved the
  /// contradiction.
  package private(set) var contradicting: [String] = []

  /// The listings of the folders, by path.
  private var listings: [ExactName: FolderListing] = [:]

  /// Searches each folder separately, and then pairs the remaining files across folders. A shared identifier takes
  /// precedence over all other evidence. Nothing is written.
  ///
  /// Renders beside their originals and files without a counterpart are ignored.
  ///
  /// - Parameters:
  ///   - folders: The paths of the folders; empty for the current folder.
  ///   - likeness: Compares two files. The function is called only if other evidence is not decisive.
  /// - Throws: ``Basics/EditError`` if a folder cannot be read, or if a file that must be compared cannot be read.
  package init(folders: [String], likeness: @escaping Likeness) throws(EditError) {
    var all: [(photos: [LooseHalf], movies: [LooseHalf])] = []
    for folder in folders {
      let listing = try FolderListing(folder: folder)
      listings[ExactName(listing.folder)] = listing
      var halves = LooseHalf.all(in: listing) { leave([$0], $1, isUnread: true) }
      try tieByIdentifier(&halves.photos, &halves.movies)
      all.append(halves)
    }
    // A file whose identifier is unique in its folder may have its other half in another folder.
    var photos = all.flatMap(\.photos)
    var movies = all.flatMap(\.movies)
    try tieByIdentifier(&photos, &movies)
    let left = Set((photos + movies).map(\.path))
    var search = PairSearch(likeness: likeness)
    for halves in all {
      try search.look(
        at: halves.photos.filter { left.contains($0.path) }, halves.movies.filter { left.contains($0.path) })
    }
    if all.count > 1 { try search.lookAcross() }
    for match in search.matches {
      pairs.append(
        Pair(
          photo: match.photo.path, movie: match.movie.path, basis: match.evidence.basis,
          evidence: match.evidence, copies: match.copies.map(\.path).sorted()))
    }
    rest += search.rest
    rest.sort { $0.files[0] < $1.files[0] }
    pairs.sort { $0.photo < $1.photo }
    contradicting.sort()
  }

  private mutating func leave(_ files: [String], _ problem: Message, isUnread: Bool = false) {
    rest.append(Rest(files: files, problem: problem, isUnread: isUnread))
  }

  /// Pairs the halves that share an identifier and removes them from the lists.
  private mutating func tieByIdentifier(
    _ photos: inout [LooseHalf], _ movies: inout [LooseHalf]
  ) throws(EditError) {
    let photosByIdentifier = Dictionary(grouping: photos.filter { $0.identifier != nil }, by: \.identifier)
    let moviesByIdentifier = Dictionary(grouping: movies.filter { $0.identifier != nil }, by: \.identifier)
    var done: Set<String> = []
    for (identifier, photos) in photosByIdentifier {
      guard let movies = moviesByIdentifier[identifier] else { continue }
      let files = (photos + movies).map(\.path).sorted()
      done.formUnion(files)
      guard let photo = try HalfCopies.original(of: photos, for: movies),
        let movie = try HalfCopies.original(of: movies, for: [photo])
      else {
        leave(files, "have the same identifier, so liveedit cannot tell which two belong together")
        continue
      }
      if photo.stem == movie.stem, photo.folder == movie.folder, isAlone(photo), isAlone(movie) {
        wholeCount += 1
        if FactsAgreement(photo: photo.facts, movie: movie.facts).isContradiction {
          contradicting.append(photo.path)
        }
      } else {
        pairs.append(
          Pair(
            photo: photo.path, movie: movie.path, basis: .identifier, evidence: PairEvidence(photo, movie),
            copies: files.filter { $0 != photo.path && $0 != movie.path }))
      }
    }
    photos.removeAll { done.contains($0.path) }
    movies.removeAll { done.contains($0.path) }
  }

  /// Returns whether no other file of the half's kind has its name.
  private func isAlone(_ half: LooseHalf) -> Bool {
    listings[ExactName(half.folder)]?.halves(stem: half.stem, kind: half.kind).count == 1
  }
}

extension PairEvidence {
  /// The decisive evidence.
  var basis: RepairPlan.Basis {
    if isIdentifierShared == true { return .identifier }
    if isTakeoutShared == true { return .takeout }
    return suffices ? .nameAndTime : .picture
  }
}
