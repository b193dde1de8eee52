import Basics
import EditLibrary
import EditModel
import FileSystem
import LivePhotoFormat

/// The photos and movies of folders that belong together though they are not tied, and the reasons.
package struct RepairPlan: Sendable {
  /// Why two files belong together.
  package enum Basis: Hashable, Sendable {
    /// They carry one identifier, and different names.
    case identifier
    /// They have one name, and were taken so many milliseconds apart.
    case nameAndTime(Int)
  }

  /// A photo and a movie that are to be tied.
  package struct Pair: Hashable, Sendable {
    /// The photo's path.
    package var photo: String
    /// The movie's path.
    package var movie: String
    /// Why they belong together.
    package var basis: Basis
  }

  /// Files that stay as they are, and why: a clause about the first.
  package struct Rest: Hashable, Sendable {
    /// Their paths.
    package var files: [String]
    /// Why, as a clause.
    package var problem: String
  }

  /// Photos and movies may be taken so many milliseconds apart: a Live Photo's movie begins up to three seconds before
  /// the photo, its header's date may be that of its end, and both dates are rounded to seconds.
  package static let mostApart = 5000

  /// The files to be tied, in the order of the photos' names.
  package private(set) var pairs: [Pair] = []
  /// The files that look as if they belonged together, and are not tied.
  package private(set) var rest: [Rest] = []
  /// The number of Live Photos that are whole.
  package private(set) var wholeCount = 0

  /// The facts about a file.
  private struct Half {
    let path: String
    let stem: String
    let identifier: String?
    let created: CaptureDate?
  }

  /// Looks at folders, each for itself; of what stays alone there, halves of one identifier in different folders belong
  /// together as well. Nothing is written.
  ///
  /// Renders beside their originals are left alone; so is what is alone.
  ///
  /// - Parameter folders: their paths; empty for the current one.
  /// - Throws: ``Basics/EditError`` when a folder cannot be read.
  package init(folders: [String]) throws(EditError) {
    var lone: (photos: [Half], movies: [Half]) = ([], [])
    for folder in folders {
      let listing = try FolderListing(folder: folder)
      var photos = halves(.photo, in: listing)
      var movies = halves(.movie, in: listing)
      for entry in listing.unusable {
        let fileExtension = RenderNames.Parts(entry.name).fileExtension
        guard HalfKind(fileExtension: fileExtension) != nil, !entry.name.hasPrefix(".") else { continue }
        leave([listing.path(entry.name)], UnusableName.note)
      }
      tieByIdentifier(&photos, &movies)
      tieByName(&photos, &movies)
      lone.photos += photos
      lone.movies += movies
    }
    tieByIdentifier(&lone.photos, &lone.movies)
    pairs.sort { $0.photo < $1.photo }
  }

  private mutating func leave(_ files: [String], _ problem: String) {
    rest.append(Rest(files: files, problem: problem))
  }

  private mutating func halves(_ kind: HalfKind, in listing: FolderListing) -> [Half] {
    var found: [Half] = []
    for name in listing.halves(kind: kind) where !name.hasPrefix(".") {
      let stem = RenderNames.Parts(name).stem
      if let original = RenderNames.originalStem(ofRender: stem), !listing.names(stem: original).isEmpty {
        continue
      }
      let path = listing.path(name)
      do {
        let source = try FileByteSource(path: path)
        let (identifier, created): (String?, CaptureDate?)
        if kind == .photo {
          let photo = try Photo(source).metadata()
          (identifier, created) = (photo.contentIdentifier, photo.created)
        } else {
          let movie = try MovieMetadata(reading: source)
          (identifier, created) = (movie.contentIdentifier, movie.created)
        }
        found.append(Half(path: path, stem: stem, identifier: identifier, created: created))
      } catch {
        leave([path], EditError(reading: path, error).problem)
      }
    }
    return found
  }

  /// Takes out the halves whose identifiers say where they belong, rightly or not.
  private mutating func tieByIdentifier(_ photos: inout [Half], _ movies: inout [Half]) {
    let photosByIdentifier = Dictionary(grouping: photos.filter { $0.identifier != nil }, by: \.identifier)
    let moviesByIdentifier = Dictionary(grouping: movies.filter { $0.identifier != nil }, by: \.identifier)
    var done: Set<String> = []
    for (identifier, photos) in photosByIdentifier {
      guard let movies = moviesByIdentifier[identifier] else { continue }
      done.formUnion((photos + movies).map(\.path))
      guard photos.count == 1, movies.count == 1 else {
        leave(
          (photos + movies).map(\.path),
          "carry one identifier, so it is not clear which two belong together")
        continue
      }
      let (photo, movie) = (photos[0], movies[0])
      if photo.stem == movie.stem, FilePath.split(photo.path).folder == FilePath.split(movie.path).folder {
        wholeCount += 1
      } else {
        pairs.append(Pair(photo: photo.path, movie: movie.path, basis: .identifier))
      }
    }
    photos.removeAll { done.contains($0.path) }
    movies.removeAll { done.contains($0.path) }
    rest.sort { $0.files[0] < $1.files[0] }
  }

  /// Takes out the halves of one name.
  private mutating func tieByName(_ photos: inout [Half], _ movies: inout [Half]) {
    var done: Set<String> = []
    defer {
      photos.removeAll { done.contains($0.path) }
      movies.removeAll { done.contains($0.path) }
    }
    let moviesByStem = Dictionary(grouping: movies, by: \.stem)
    for (stem, photos) in Dictionary(grouping: photos, by: \.stem).sorted(by: { $0.key < $1.key }) {
      guard let movies = moviesByStem[stem] else { continue }
      let files = (photos + movies).map(\.path)
      done.formUnion(files)
      guard photos.count == 1, movies.count == 1, let photo = photos.first, let movie = movies.first else {
        leave(files, "have one name, so it is not clear which two belong together")
        continue
      }
      guard let apart = Self.distance(photo.created, movie.created) else {
        leave(
          files,
          "have one name, but not both say when they were taken: liveedit pair ties them if they belong together"
        )
        continue
      }
      if apart <= Self.mostApart {
        pairs.append(Pair(photo: files[0], movie: files[1], basis: .nameAndTime(apart)))
      } else {
        leave(files, "have one name, but were taken \(apart / 1000) s apart")
      }
    }
  }

  /// Milliseconds between two dates; nil when they cannot be compared: where one names no time zone and the other's
  /// clock is UTC's.
  static func distance(_ photo: CaptureDate?, _ movie: CaptureDate?) -> Int? {
    guard let photo, let movie else { return nil }
    if photo.offset != nil, movie.offset != nil { return abs(photo.instant - movie.instant) }
    return movie.source == .movieHeader ? nil : abs(photo.wallClock - movie.wallClock)
  }
}
