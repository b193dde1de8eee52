import Basics
import EditLibrary
import EditModel
import FileSystem
import LivePhotoFormat

/// Verifies Live Photos. A file name means the file here, not the asset.
package struct LivePhotoVerifier {
  /// The files of one Live Photo.
  package struct Files: Hashable, Sendable {
    /// The photo's path; nil when there is none.
    package var photo: String?
    /// The movie's path; nil when there is none.
    package var movie: String?
    /// The extension of the name that the photo will have; nil where it has its name.
    var photoExtension: String?
    /// True if an edit left the photo alone.
    package var isLiveOff = false
    /// Further photos of the same name.
    var otherPhotos: [String] = []
    /// Further movies of the same name.
    var otherMovies: [String] = []
  }

  private let renderer: any PictureChecker
  private let isCancelled: @Sendable () -> Bool

  /// - Parameters:
  ///   - renderer: decodes.
  ///   - isCancelled: asked now and then, from any thread; true stops the work.
  package init(renderer: any PictureChecker, isCancelled: @escaping @Sendable () -> Bool = { false }) {
    self.renderer = renderer
    self.isCancelled = isCancelled
  }

  /// Finds the other half of a file: by its name, or under another name by the identifier that both carry.
  ///
  /// - Parameters:
  ///   - path: a photo or a movie.
  ///   - listings: the listing of the folder, where the file before lies in it too.
  /// - Throws: ``EditError`` when it cannot be read, or is adjustment data.
  private static func files(of path: String, _ listings: inout LastListing) throws(EditError) -> Files {
    let (folder, name) = FilePath.split(path)
    let kind = try half(path)
    let listing = try listings.of(folder)
    let stem = RenderNames.Parts(name).stem
    // What was named comes first, whatever its extension.
    func halves(_ half: HalfKind) -> [String] {
      let others = listing.halves(stem: stem, kind: half).map(listing.path).filter { $0 != path }
      return (half == kind ? [path] : []) + others
    }
    var (photos, movies) = (halves(.photo), halves(.movie))
    if let other = try otherHalf(of: path, kind, kind == .photo ? movies : photos, in: listing, &listings) {
      if kind == .photo { movies = [other] } else { photos = [other] }
    }
    return Files(
      photo: photos.first, movie: movies.first,
      isLiveOff: movies.isEmpty ? try AdjustmentFile.isLiveOff(besideRender: stem, in: folder) : false,
      otherPhotos: Array(photos.dropFirst()), otherMovies: Array(movies.dropFirst()))
  }

  /// The half of another name that carries a file's identifier, where none of its name does.
  ///
  /// - Parameter namesakes: the paths of the halves of its name.
  private static func otherHalf(
    of path: String, _ kind: HalfKind, _ namesakes: [String], in listing: FolderListing,
    _ listings: inout LastListing
  ) throws(EditError) -> String? {
    let other: HalfKind = kind == .photo ? .movie : .photo
    func identifier(_ path: String, _ kind: HalfKind) throws(EditError) -> String? {
      try ifSound(path) { try HalfIdentifier.read(path, kind: kind) }
    }
    guard let own = try identifier(path, kind) else { return nil }
    for one in namesakes where try identifier(one, other) == own { return nil }
    return try listings.half(of: FilePath.split(path).name, other, identifier: own, in: listing).map(
      listing.path)
  }

  /// The Live Photos that some paths mean: a photo and a movie alone are one, whatever their names; otherwise
  /// each file means itself and the other half of its name, and both halves mean one.
  ///
  /// - Parameter paths: photos and movies.
  /// - Returns: each Live Photo once, or why a path means none.
  package static func files(of paths: [String]) -> [(path: String, found: Result<Files, EditError>)] {
    if paths.count == 2 {
      do throws(EditError) {
        let first = try half(paths[0])
        if try half(paths[1]) != first {
          let photoFirst = first == .photo
          return [
            (paths[0], .success(Files(photo: paths[photoFirst ? 0 : 1], movie: paths[photoFirst ? 1 : 0])))
          ]
        }
      } catch {
        // By their names they are one, and which one is not known; of any other error each file tells by itself.
        let kinds = paths.map { HalfKind(fileExtension: RenderNames.Parts($0).fileExtension) }
        if error.code == .fileSystem, !error.isNotReadable, kinds[0] != kinds[1] {
          return [(error.file ?? paths[0], .failure(error))]
        }
      }
    }
    var seen: Set<[String?]> = []
    var all: [(String, Result<Files, EditError>)] = []
    var listings = LastListing()
    for path in paths {
      do throws(EditError) {
        let files = try files(of: path, &listings)
        if seen.insert([files.photo, files.movie]).inserted { all.append((path, .success(files))) }
      } catch {
        all.append((path, .failure(error)))
      }
    }
    return all
  }

  /// Takes sidecars and pictures and movies of other kinds out of some paths, as a wildcard names them together with Live
  /// Photos; where nothing else is named, they stay.
  ///
  /// - Returns: the other paths, and the number of those that were taken out by kind: “sidecar”, “PNG”.
  package static func withoutOthers(_ paths: [String]) -> (paths: [String], others: [String: Int]) {
    var kept: [String] = []
    var others: [String: Int] = [:]
    for path in paths {
      if let kind = otherKind(path) { others[kind, default: 0] += 1 } else { kept.append(path) }
    }
    return kept.isEmpty ? (paths, [:]) : (kept, others)
  }

  /// The kind of a file that is no half of a Live Photo, as far as its name tells and its content does not say otherwise.
  private static func otherKind(_ path: String) -> String? {
    let name = FilePath.split(path).name
    if name.hasPrefix(HeldFolder.ownPrefix)
      || sidecarExtensions.contains(RenderNames.Parts(name).fileExtension.lowercased())
    {
      return "sidecar"
    }
    return (try? FileByteSource(path: path)).flatMap { FileRole.otherKind($0, name: name) }
  }

  private static let sidecarExtensions: Set<String> = ["aae", "xmp", "json"]

  /// The half that a file is, looked at alone.
  static func half(_ path: String) throws(EditError) -> HalfKind {
    switch try readFile(path, { try FileRole($0, name: path) }) {
    case .photo: return .photo
    case .movie: return .movie
    case .adjustments, .sidecar:
      throw EditError(
        .invalidFile, file: path, "is a sidecar, not a photo or a movie",
        remedy: "name the photo or the movie")
    }
  }

  /// Applies all rules to the files of one Live Photo; decodes both, with their sound.
  ///
  /// - Throws: ``EditError`` when a file cannot be opened or the helper cannot be run.
  package func verify(_ files: Files) throws(EditError) -> LivePhotoVerification {
    var further = files.otherPhotos.map { other in
      VerificationFinding(
        .onePhoto, .pair, "Another photo has the same name: \(FilePath.split(other).name).")
    }
    further += files.otherMovies.map { other in
      VerificationFinding(
        .oneMovie, .pair, "Another movie has the same name: \(FilePath.split(other).name).")
    }
    let photo = try files.photo.map { path throws(EditError) in
      let own = files.photoExtension ?? RenderNames.Parts(FilePath.split(path).name).fileExtension
      return try readFile(path) { try PhotoEvidence(reading: $0, fileExtension: own) }
    }
    let movie = try files.movie.map { path throws(EditError) in
      try readFile(path) { try MovieEvidence(reading: $0) }
    }
    var pictures = PictureCheck()
    if let path = files.photo, photo?.isSound ?? false {
      pictures.photo = try renderer.check(PictureCheckJob(photo: path), isCancelled: isCancelled).photo
    }
    let moviePath = files.movie ?? (photo?.embedded == nil ? nil : files.photo)
    if let path = moviePath, let evidence = movie ?? photo?.embedded, let track = evidence.videoTrack {
      let job = PictureCheckJob(movie: path, videoTrack: track, soundTracks: evidence.soundTracks)
      pictures.movie = try renderer.check(job, isCancelled: isCancelled).movie
    }
    return LivePhotoVerification(
      photo: photo, movie: movie, pictures: pictures, further: further, isLiveOff: files.isLiveOff)
  }
}
