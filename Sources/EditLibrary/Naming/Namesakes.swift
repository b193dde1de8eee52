import Basics
import EditModel
import FileSystem

/// The photos and movies of one stem that are more than one photo, more than one movie, or a photo and a movie.
///
/// A photo and a movie that carry one identifier are a Live Photo. Files without an identifier are assets of their own. A file
/// with an identifier may have its other half under another name; if that half isn't in the folder, a photo and a movie of one
/// name are taken for a Live Photo that came apart. Which asset a name means is not clear where several files carry one
/// identifier, and where two photos have one name and neither belongs to a movie of that name.
struct Namesakes {
  /// The names of the photos.
  let photos: [String]
  /// The names of the movies.
  let movies: [String]
  /// Their folder.
  let listing: FolderListing
  /// The one that was named; nil for a render or adjustment data of their stem.
  let named: String?
  /// The Live Photos among them.
  private(set) var pairs: [Pair] = []
  /// The identifiers that were read, by the names of the files that carry them.
  private var identifiers: [String: String] = [:]

  /// A photo and a movie that carry one identifier, which no other one of the name carries.
  struct Pair: Hashable {
    let photo: String
    let movie: String
    let identifier: String

    /// True if a name is that of one of the halves.
    func contains(_ name: String) -> Bool { [photo, movie].contains(name) }
  }

  /// Reads the identifiers.
  ///
  /// - Parameters:
  ///   - photos: the names of the photos.
  ///   - movies: the names of the movies.
  ///   - listing: their folder.
  ///   - name: the name that somebody gave.
  /// - Throws: ``EditError`` when the file that was named, or one of only two, cannot be read.
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

  /// Makes sure that a photo and a movie of one name, of which neither was found to belong to another file, are not the
  /// halves of a Live Photo that came apart.
  ///
  /// - Throws: ``EditError`` when one of them carries an identifier that the other one does not carry.
  func checkAreNoTornPair() throws(EditError) {
    guard photos.count == 1, movies.count == 1, pairs.isEmpty else { return }
    let carried: Message
    switch (identifiers[photos[0]], identifiers[movies[0]]) {
    case (nil, nil): return
    case (let photo?, nil): carried = "the photo carries the identifier \(photo), the movie none"
    case (nil, let movie?): carried = "the photo carries no identifier, the movie \(movie)"
    case (let photo?, let movie?): carried = "the photo carries the identifier \(photo), the movie \(movie)"
    }
    throw EditError(
      .pairing, file: listing.path(photos[0]),
      "has the name of \(movies[0]), but the two are not one Live Photo (\(carried))",
      remedy: "tie them with liveedit pair, or move one of them to another folder to edit it alone")
  }

  /// The Live Photo that is meant, if it is one of these.
  var pair: Pair? {
    guard pairs.count == 1, named.map(pairs[0].contains) ?? true else { return nil }
    return pairs[0]
  }

  /// The photo or movie that is meant, where it is no half of the Live Photo.
  ///
  /// - Throws: ``EditError`` when that is not clear.
  func single() throws(EditError) -> String {
    if let several = [photos, movies].first(where: { $0.count > 1 }), pairs.count != 1 || named == nil {
      throw EditError(
        .pairing, file: listing.path(several[0]),
        several == photos
          ? "is not the only photo of that name: \(several.dropFirst().joined(separator: ", ")) is there too"
          : "is not the only movie of that name: \(several.dropFirst().joined(separator: ", ")) is there too",
        remedy: "move one of them to another folder")
    }
    return named ?? photos[0]
  }

  /// The asset of the stem other than that of one of the files.
  ///
  /// - Parameter name: the name of a file.
  func other(than name: String) -> OriginalFiles.Namesake? {
    Self.other(than: name, photos, movies, pair: pairs.first)
  }

  /// The asset of a stem other than that of one of its files. The stem belongs to the Live Photo, or without one to the first
  /// photo.
  ///
  /// - Parameters:
  ///   - name: the name of a file.
  ///   - photos: the names of all photos of the stem.
  ///   - movies: the names of all movies of the stem.
  ///   - pair: the Live Photo among them; nil if there is none.
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
  /// The asset that a name means of several photos and movies of one stem.
  ///
  /// - Parameters:
  ///   - namesakes: the photos and movies.
  ///   - isAlone: true to take what was named for itself where it is not clear what belongs together.
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
      // The stem alone means the movie if the movie has the versions under it.
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
        "\(other) has the same name, but the two are not tied; liveedit pair makes a Live Photo of them.")
    }
    return asset
  }
}
