import Basics
import EditLibrary
import EditModel
import FileSystem
import LivePhotoFormat

/// Ties a photo and a movie into a Live Photo again. The files themselves stay as they are; copies that carry one
/// identifier go to another folder, under one name.
package struct PairTying: Sendable {
  /// The photo's path.
  package let photo: String
  /// The movie's path.
  package let movie: String
  /// The identifier of both.
  package let identifier: String
  /// True if the photo carries it already.
  private let isInPhoto: Bool
  /// True if the movie carries it already.
  private let isInMovie: Bool
  private let files: SteadyFiles

  /// True if both halves carry the identifier already.
  package var isTied: Bool { isInPhoto && isInMovie }

  /// Looks at two files, in either order.
  ///
  /// The identifier is that of the half that has one; a new one, which follows from the files' contents, when neither
  /// has one or theirs differ.
  ///
  /// - Throws: ``Basics/EditError`` when they are not a photo and a movie, or cannot be read.
  package init(_ first: String, _ second: String) throws(EditError) {
    files = SteadyFiles([first, second])
    let kinds = (try LivePhotoVerifier.half(first), try LivePhotoVerifier.half(second))
    guard kinds.0 != kinds.1 else {
      throw EditError(
        .pairing, file: first,
        kinds.0 == .photo
          ? "is a photo, and so is \(FilePath.split(second).name)"
          : "is a movie, and so is \(FilePath.split(second).name)",
        remedy: "name a photo and a movie")
    }
    (photo, movie) = kinds.0 == .photo ? (first, second) : (second, first)
    let inPhoto = try readFile(photo) { try Photo($0).contentIdentifier() }
    let (inMovie, forPhotos) = try readFile(movie) { source in
      let movie = try Movie(source)
      return (try MovieSummary(movie).contentIdentifier, try movie.identifierForPhotos)
    }
    if let one = inPhoto ?? inMovie, inPhoto == nil || inMovie == nil || inPhoto == inMovie {
      identifier = one
    } else {
      identifier = try NameBasedUUID.pairIdentifier(of: [photo, movie])
    }
    isInPhoto = inPhoto == identifier
    isInMovie = forPhotos == identifier
  }

  /// Makes sure that two halves with identifiers of their own do not belong to other files beside them.
  ///
  /// - Throws: ``Basics/EditError`` that names the file.
  private func checkAreLoose() throws(EditError) {
    // A half without an identifier is a copy that lost it, and one identifier in both says that they belong together.
    guard let inPhoto = try HalfIdentifier.read(photo, kind: .photo),
      let inMovie = try HalfIdentifier.read(movie, kind: .movie), inPhoto != inMovie
    else { return }
    var listings = LastListing()
    for (path, own, other) in [(photo, inPhoto, HalfKind.movie), (movie, inMovie, .photo)] {
      let (folder, name) = FilePath.split(path)
      let listing = try listings.of(folder)
      if let half = try listings.half(of: name, other, identifier: own, in: listing) {
        throw EditError(
          .pairing, file: path, "belongs to \(half), which has the same identifier",
          remedy: "name \(half) instead, or move that file to another folder")
      }
    }
  }

  /// Writes the tied copies: the photo under its own name, the movie under the photo's with its own extension.
  ///
  /// - Parameters:
  ///   - folder: where they go. Nothing there is overwritten.
  ///   - isTrial: true to make them in a temporary folder, and not to put them there.
  ///   - checker: decodes both, to see whether they are sound.
  ///   - isCancelled: asked now and then, from any thread; true stops the work.
  /// - Returns: the new paths, photo first, and what the photo could not keep.
  /// - Throws: ``Basics/EditError``, also where the two would be no valid Live Photo; nothing is written then.
  package func write(
    into folder: String, isTrial: Bool = false, checkedBy checker: any PictureChecker,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(EditError) -> (written: [String], removals: [Removal]) {
    let name = try photoName()
    let stem = RenderNames.Parts(name).stem
    let movieExtension = RenderNames.Parts(FilePath.split(movie).name).fileExtension
    let items = [
      FilePublisher.Item("photo", name: name, origin: photo),
      FilePublisher.Item(
        "movie",
        name: stem + "." + (HalfKind(fileExtension: movieExtension) == .movie ? movieExtension : "MOV"),
        origin: movie),
    ]
    let publisher = try FilePublisher(in: folder, makesFolders: true, stem: stem, isTrial: isTrial)
    try publisher.checkFree(items.map(\.name))
    try checkAreLoose()
    let photoCopy = publisher.path("photo")
    let movieCopy = publisher.path("movie")
    var removals: [Removal] = []
    try files.during { () throws(EditError) in
      if isInPhoto {
        try copyFile(photo, to: photoCopy)
      } else {
        try changeFile(photo, to: photoCopy) { source, sink in
          removals = try Photo(source).write(tiedBy: identifier, to: sink)
        }
      }
      if isInMovie {
        try copyFile(movie, to: movieCopy)
      } else {
        try changeFile(movie, to: movieCopy) { source, sink in
          var surgery = try MovieSurgery(source)
          removals += surgery.removals
          try surgery.setIdentifier(identifier)
          try surgery.write(to: sink)
        }
      }
      let halves = HalfFiles(
        photo: .init(path: photoCopy, name: name, source: photo),
        movie: .init(path: movieCopy, name: items[1].name, source: movie))
      try halves.verify(carrying: identifier, by: checker, isCancelled: isCancelled)
    }
    return (try publisher.publish(items), removals)
  }

  /// The photo's name, with an extension that says what it is: Photos goes by it.
  private func photoName() throws(EditError) -> String {
    let kind = try readFile(photo) { try Photo($0).kind }
    let name = FilePath.split(photo).name
    return kind?.fitting(name) ?? name
  }
}
