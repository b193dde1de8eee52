import Basics
import EditModel
import FileSystem

/// The photos and movies that share a stem: more than one photo, more than one movie, or a photo and a movie.
///
/// A photo and a movie that contain the same identifier are a Live Photo. Files without an identifier are separate
/// assets. The other half of a file with an identifier may have another name; if that half is not in the folder, a
/// photo and a movie with the same name are treated as a Live Photo that was separated. A name is ambiguous if several
/// files contain the same identifier, or if two photos have the same name and neither belongs to a movie of that name.
struct Namesakes {
  /// The names of the photos with the stem.
  let photos: [String]
  /// The names of the movies with the stem.
  let movies: [String]
  /// The folder of the photos and movies.
  let listing: FolderListing
  /// The name of the photo or movie that the user named, or nil for a render or adjustment data with the same stem.
  let named: String?
  /// The Live Photos among the photos and movies.
  private(set) var pairs: [Pair] = []
  /// The identifiers that were read, by the names of the files that contain them.
  private var identifiers: [String: String] = [:]

  /// A photo and a movie with the same identifier. No other file of the same name contains that identifier.
  struct Pair: Hashable {
    let photo: String
    let movie: String
    let identifier: String

    /// Whether a name belongs to one of the halves.
    func contains(_ name: String) -> Bool { [photo, movie].contains(name) }
  }

  /// Reads the identifiers.
  ///
  /// - Parameters:
  ///   - photos: The names of the photos.
  ///   - movies: The names of the movies.
  ///   - listing: The folder of the photos and movies.
  ///   - name: The name that the user specified.
  /// - Throws: ``EditError`` if the named file cannot be read, or if only two files have the stem and one of the two
  ///   cannot be read.
  init(
    _ photos: [String], _ movies: [String], in listing: FolderListing, named name: String
  ) throws(EditError) {
    (self.photos, self.movies, self.listing) = (photos, movies, listing)
    let all = photos + movies
    let named =
      all.first { $0.hasBytes(of: name) } ?? all.first { $0 == name }
      ?? all.first { $0.lowercased() == name.lowercased() }
    self.named = named
    var identifiers: [String: String] = [:]
    func carriers(_ names: [String], _ kind: HalfKind) throws(EditError) -> [String: [String]] {
      var found: [String: [String]] = [:]
      for one in names {
        let path = listing.path(one)
        let identifier =
          all.count == 2 || one == named
          ? try HalfIdentifier.read(path, kind: kind)
          : try ifSound(path) { try HalfIdentifier.read(path, kind: kind) }
        identifiers[one] = identifier
        if let identifier { found[identifier, default: []].append(one) }
      }
      return found
    }
    let carryingMovies = try carriers(movies, .movie)
    for (identifier, photos) in try carriers(photos, .photo) {
      guard let movies = carryingMovies[identifier], photos.count == 1, movies.count == 1 else { continue }
      pairs.append(Pair(photo: photos[0], movie: movies[0], identifier: identifier))
    }
    self.identifiers = identifiers
  }

  /// Checks that a photo and a movie with the same name are not the halves of a Live Photo that was separated. The
  /// check applies if neither file was found to belong to another file.
  ///
  /// - Throws: ``EditError`` if one file contains an identifier that the other does not contain.
  func checkAreNoTornPair() throws(EditError) {
    guard photos.count == 1, movies.count == 1, pairs.isEmpty else { return }
    let carried: Message
    switch (identifiers[photos[0]], identifiers[movies[0]]) {
    case (nil, nil): return
    case (let photo?, nil): carried = "the photo's identifier is \(photo), and the movie has none"
    case (nil, let movie?): carried = "the photo has no identifier, and the movie's is \(movie)"
    case (let photo?, let movie?): carried = "the photo's identifier is \(photo), and the movie's is \(movie)"
    }
    throw EditError(
      .pairing, file: listing.path(photos[0]),
      "has the same name as \(movies[0]), but the two are not a Live Photo (\(carried))",
      remedy: "pair the two with liveedit pair, or move one of them to another folder to edit it separately")
  }

  /// The Live Photo to which the name refers, if any.
  var pair: Pair? {
    guard pairs.count == 1, named.map(pairs[0].contains) ?? true else { return nil }
    return pairs[0]
  }

  /// Returns the photo or movie to which the name refers, if it is not a half of the Live Photo.
  ///
  /// - Throws: ``EditError`` if the name is ambiguous.
  func single() throws(EditError) -> String {
    if let several = [photos, movies].first(where: { $0.count > 1 }), pairs.count != 1 || named == nil {
      throw EditError(
        .pairing, file: listing.path(several[0]),
        several == photos
          ? "is not the only photo with that name: the folder also contains \(several.dropFirst().joined(separator: ", "))"
          : "is not the only movie with that name: the folder also contains \(several.dropFirst().joined(separator: ", "))",
        remedy: "move one of the files to another folder")
    }
    return named ?? photos[0]
  }

  /// Returns the asset that has the stem but does not include the given file.
  ///
  /// - Parameter name: The name of the file.
  func other(than name: String) -> OriginalFiles.Namesake? {
    Self.other(than: name, photos, movies, pair: pairs.first)
  }

  /// Returns the asset that has the stem but does not include the given file. The stem belongs to the Live Photo or, if
  /// no Live Photo exists, to the first photo.
  ///
  /// - Parameters:
  ///   - name: The name of the file.
  ///   - photos: The names of all photos with the stem.
  ///   - movies: The names of all movies with the stem.
  ///   - pair: The Live Photo among the photos and movies, or nil if none is a Live Photo.
  static func other(
    than name: String, _ photos: [String], _ movies: [String], pair: Pair?
  ) -> OriginalFiles.Namesake? {
    if let pair, !pair.contains(name) { return .first(pair.photo) }
    let own = { pair?.contains($0) ?? ($0 == name) }
    guard let other = (photos + movies).first(where: { !own($0) }) else { return nil }
    return pair != nil || photos.first == name ? .second(other) : .first(other)
  }
}

extension AssetLocator {
  /// Returns the asset to which a name refers if several photos and movies have the same stem.
  ///
  /// - Parameters:
  ///   - namesakes: The photos and movies.
  ///   - isAlone: Whether to select only the named file if it is unclear which files belong together.
  mutating func asset(of namesakes: Namesakes, isAlone: Bool) throws(EditError) -> OriginalFiles {
    let listing = namesakes.listing
    if let pair = namesakes.pair {
      var asset = OriginalFiles(
        folder: listing.folder, place: listing.place, photo: pair.photo, movie: pair.movie,
        identifier: pair.identifier)
      asset.namesake = namesakes.other(than: pair.photo)
      return asset
    }
    func files(_ name: String) -> (photo: String?, movie: String?) {
      namesakes.photos.contains(name) ? (name, nil) : (nil, name)
    }
    var name: String
    do throws(EditError) {
      name = try namesakes.single()
      // A stem alone refers to the movie if the stem's versions belong to the movie.
      if namesakes.named == nil, namesakes.photos == [name], let movie = namesakes.movies.first,
        try AssetFolders(listing.folder, layout).wholeName(of: [name], besides: .second(movie)) != nil
      {
        name = movie
      }
    } catch {
      guard isAlone, let named = namesakes.named else { throw error }
      let (photo, movie) = files(named)
      var asset = OriginalFiles(folder: listing.folder, place: listing.place, photo: photo, movie: movie)
      asset.namesake = namesakes.other(than: named)
      return asset
    }
    let (photo, movie) = files(name)
    var asset = try asset(photo: photo, movie: movie, in: listing)
    guard asset.stem == RenderNames.Parts(name).stem else { return asset }
    asset.namesake = namesakes.other(than: name)
    if asset.halves.count == 1, !isAlone { try namesakes.checkAreNoTornPair() }
    if asset.halves.count == 1, namesakes.pairs.isEmpty,
      let other = (namesakes.photos + namesakes.movies).first(where: { $0 != name })
    {
      asset.notes.append(
        "\(other) has the same name but is not paired with this file. To make a Live Photo of the two, use liveedit pair."
      )
    }
    return asset
  }
}
