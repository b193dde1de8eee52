import Basics
import EditLibrary
import EditModel
import FileSystem
import LivePhotoFormat

/// The photos and movies of folders that belong together though they are not tied, and the reasons.
package struct RepairPlan: Sendable {
  /// The evidence that decides that two files belong together.
  package enum Basis: String, Hashable, Sendable {
    /// They carry one identifier.
    case identifier
    /// Google Takeout's files beside them describe one asset.
    case takeout
    /// They have one name, and one camera took them at one time.
    case nameAndTime
    /// Their names or times agree, and so do their pictures.
    case picture
  }

  /// A photo and a movie that are to be tied.
  package struct Pair: Hashable, Sendable {
    /// The photo's path.
    package var photo: String
    /// The movie's path.
    package var movie: String
    /// The evidence that decides that they belong together.
    package var basis: Basis
    /// All that is known for and against it.
    package var evidence: PairEvidence
    /// Files that are copies of the one or the other half, or were made of it, and are left out.
    package var copies: [String]
  }

  /// Files that stay as they are, and why: a clause about the first.
  package struct Rest: Hashable, Sendable {
    /// Their paths.
    package var files: [String]
    /// Why, as a clause.
    package var problem: Message
    /// True if it could not be looked at, so that nobody knows where it belongs or what it says.
    package var isUnread = false
  }

  /// Compares a photo with a movie at its mark by their paths, see ``EditModel/ConversionResult/likeness``; nil where that
  /// cannot be done.
  package typealias Likeness = (_ photo: String, _ movie: String) throws(EditError) -> Double?

  /// The files to be tied, in the order of the photos' names.
  package private(set) var pairs: [Pair] = []
  /// The files that look as if they belonged together, and are not tied.
  package private(set) var rest: [Rest] = []
  /// The number of Live Photos that are whole.
  package private(set) var wholeCount = 0
  /// The photos of whole Live Photos whose halves, as they were taken, contradict each other in when or where that was: in
  /// the order of their paths. ``AssetEditor/disagreement(of:)`` says whether an edit has ended that.
  package private(set) var contradicting: [String] = []

  /// The names in the folders, by their paths.
  private var listings: [ExactName: FolderListing] = [:]

  /// Looks at folders, each for itself; of what stays alone there, halves in different folders belong together as well. An
  /// identifier that both carry goes before everything else. Nothing is written.
  ///
  /// Renders beside their originals are left alone; so is what is alone.
  ///
  /// - Parameters:
  ///   - folders: their paths; empty for the current one.
  ///   - likeness: compares two files. It is asked only where nothing else decides.
  /// - Throws: ``Basics/EditError`` when a folder cannot be read, or a file that is compared with another one.
  package init(folders: [String], likeness: @escaping Likeness) throws(EditError) {
    var all: [(photos: [LooseHalf], movies: [LooseHalf])] = []
    for folder in folders {
      let listing = try FolderListing(folder: folder)
      listings[ExactName(listing.folder)] = listing
      var halves = LooseHalf.all(in: listing) { leave([$0], $1, isUnread: true) }
      try tieByIdentifier(&halves.photos, &halves.movies)
      all.append(halves)
    }
    // What is alone in its folder by its identifier may have its other half in another one.
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

  /// Takes out the halves whose identifiers say where they belong.
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

  /// True if no other file of a half's kind has its name.
  private func isAlone(_ half: LooseHalf) -> Bool {
    listings[ExactName(half.folder)]?.halves(stem: half.stem, kind: half.kind).count == 1
  }
}

extension PairEvidence {
  /// The evidence that decides.
  var basis: RepairPlan.Basis {
    if isIdentifierShared == true { return .identifier }
    if isTakeoutShared == true { return .takeout }
    return suffices ? .nameAndTime : .picture
  }
}
