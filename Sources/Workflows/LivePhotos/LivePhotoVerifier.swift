import Basics
import EditLibrary
import EditModel
import FileSystem
import LivePhotoFormat

/// Verifies Live Photos. A file name refers to the file itself, not to its asset.
package struct LivePhotoVerifier {
  /// The files of one Live Photo.
  package struct Files: Hashable, Sendable {
    /// The path of the photo, or nil if there is none.
    package var photo: String?
    /// The path of the movie, or nil if there is none.
    package var movie: String?
    /// The extension that the photo's name will have, or nil if the name does not change.
    var photoExtension: String?
    /// Whether an edit turned Live off, so that the photo has no movie.
    package var isLiveOff = false
    /// Further photos with the same name.
    var otherPhotos: [String] = []
    /// Further movies with the same name.
    var otherMovies: [String] = []
  }

  private let renderer: any PictureChecker
  private let isCancelled: @Sendable () -> Bool

  /// - Parameters:
  ///   - renderer: The checker that decodes the files.
  ///   - isCancelled: Called repeatedly, from any thread. If the function returns true, the work stops.
  package init(renderer: any PictureChecker, isCancelled: @escaping @Sendable () -> Bool = { false }) {
    self.renderer = renderer
    self.isCancelled = isCancelled
  }

  /// Finds the other half of a file by its name, or by a shared identifier if the names differ.
  ///
  /// - Parameters:
  ///   - path: The path of a photo or a movie.
  ///   - listings: The listing of the previous file's folder, which is reused if possible.
  /// - Throws: ``EditError`` if the file cannot be read or is adjustment data.
  private static func files(of path: String, _ listings: inout LastListing) throws(EditError) -> Files {
    let (folder, name) = FilePath.split(path)
    let kind = try half(path)
    let listing = try listings.of(folder)
    let stem = RenderNames.Parts(name).stem
    // The file that the user named comes first, whatever its extension.
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

  /// Returns the half with a different name that has the file's identifier, unless a half with the same name also has
  /// that identifier.
  ///
  /// - Parameter namesakes: The paths of the halves with the same name.
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

  /// Returns the Live Photos that paths refer to. If there are only two paths, a photo and a movie, they form one Live
  /// Photo regardless of their names. Otherwise, each file refers to itself and to the other half of the same name;
  /// naming both halves has the same effect as naming one half.
  ///
  /// - Parameter paths: The paths of photos and movies.
  /// - Returns: Each Live Photo once, or the reason why a path does not refer to a Live Photo.
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
        // The extensions show that the two files form one Live Photo, so one error is reported. Other errors are
        // reported for each file separately.
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

  /// Removes sidecars and unsupported pictures and movies from the paths, because a wildcard can match them together
  /// with Live Photos. If the paths contain nothing else, they are returned unchanged.
  ///
  /// - Returns: The remaining paths, and the number of removed paths by kind: “sidecar”, “PNG”.
  package static func withoutOthers(_ paths: [String]) -> (paths: [String], others: [String: Int]) {
    var kept: [String] = []
    var others: [String: Int] = [:]
    for path in paths {
      if let kind = otherKind(path) { others[kind, default: 0] += 1 } else { kept.append(path) }
    }
    return kept.isEmpty ? (paths, [:]) : (kept, others)
  }

  /// Returns the kind that the name indicates if the file cannot be half of a Live Photo, or nil if the file's content
  /// shows otherwise.
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

  /// Determines which half a single file contains.
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

  /// Applies all rules to the files of one Live Photo. Both files are decoded, including their audio.
  ///
  /// - Throws: ``EditError`` if a file cannot be opened or the helper cannot be run.
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
