import Basics
import EditLibrary
import EditModel
import FileSystem
import LivePhotoFormat

/// Re-pairs a photo and a movie as a Live Photo. The files themselves are not changed. Copies that share an identifier
/// and a name are written to another folder.
package struct PairTying: Sendable {
  /// The path of the photo.
  package let photo: String
  /// The path of the movie.
  package let movie: String
  /// The identifier for both files.
  package let identifier: String
  /// Whether the photo already has the identifier.
  private let isInPhoto: Bool
  /// Whether the movie already has the identifier.
  private let isInMovie: Bool
  private let files: SteadyFiles

  /// Whether both halves already have the identifier.
  package var isTied: Bool { isInPhoto && isInMovie }

  /// Reads two files, in either order.
  ///
  /// If one half has an identifier, that identifier is used. If neither half has one, or if the identifiers differ, a
  /// new identifier is derived from the files' contents.
  ///
  /// - Throws: ``Basics/EditError`` if the files are not a photo and a movie, or cannot be read.
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

  /// Checks that two halves with different identifiers do not belong to other files in their folders.
  ///
  /// - Throws: ``Basics/EditError`` that names the file that belongs to another file.
  private func checkAreLoose() throws(EditError) {
    // A half without an identifier is a copy that has lost its identifier. Halves with the same identifier belong
    // together.
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

  /// Writes the paired copies. The photo keeps its name, and the movie gets the photo's name with its own extension.
  ///
  /// - Parameters:
  ///   - folder: The folder for the copies. Existing files are not overwritten.
  ///   - isTrial: Whether to make the copies in a temporary folder without publishing them.
  ///   - checker: The checker that decodes both copies to find damage.
  ///   - isCancelled: Called repeatedly, from any thread. If the function returns true, the work stops.
  /// - Returns: The new paths, photo first, and the metadata that the photo could not keep.
  /// - Throws: ``Basics/EditError`` if the copies cannot be written or would not be a valid Live Photo. No file is
  ///   written in that case.
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

  /// Returns the photo's name with the extension for its format, because Photos relies on the extension.
  private func photoName() throws(EditError) -> String {
    let kind = try readFile(photo) { try Photo($0).kind }
    let name = FilePath.split(photo).name
    return kind?.fitting(name) ?? name
  }
}
