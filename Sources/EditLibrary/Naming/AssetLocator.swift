package import Basics
import EditModel
import FileSystem
import LivePhotoFormat

/// Finds the asset that a path on the command line means.
///
/// A path may name the original or the render of either half, or the asset's `.AAE`. The halves of an asset
/// are sought in the folder of the name as it was written: a symbolic link is followed for reading, and
/// its render goes beside the link. Where the file system finds a file in other spellings of its name too, the name is the one
/// that the folder lists. A name that has the form of a render but no original beside it is an
/// original itself, unless an edit or versions of the original are there: then the original is lost.
///
/// A half that is missing by name is sought by identifier, see ``half(of:named:kind:in:)``. Where the name
/// finds both halves and their identifiers agree, the rest of the folder is not read. A photo and a movie of one name
/// that carry no common identifier are assets of their own, see ``Namesakes``.
package struct AssetLocator {
  private var listings: [[UInt8]: FolderListing] = [:]
  /// The identifiers of files that were read in a search, by their paths; nil for those without one.
  private var identifiers: [[UInt8]: String?] = [:]
  private let report: Library.Report
  private let recovers: Bool
  let layout: LibraryLayout

  /// Begins with nothing read. A locator remembers the folders it has seen; use one for one command.
  ///
  /// - Parameters:
  ///   - layout: the place of the renders.
  ///   - recovers: whether to finish or undo what a dead process left in a folder; not while a library there is
  ///     open.
  ///   - report: told when that happens.
  package init(
    layout: LibraryLayout = .besideOriginals, recovers: Bool = true,
    report: @escaping Library.Report = { _ in }
  ) {
    self.layout = layout
    self.recovers = recovers
    self.report = report
  }

  /// Finds the asset that a path means.
  ///
  /// - Parameters:
  ///   - path: of an original, a render or an `.AAE`.
  ///   - isAlone: true to take a photo of several of one name, or a movie, for itself where it is not clear what belongs
  ///     together.
  /// - Returns: the originals of the asset.
  /// - Throws: ``EditError`` when there is no such file, when it is neither photo nor movie, or when it is
  ///   not clear which files are the asset's halves.
  package mutating func locate(_ path: String, isAlone: Bool = false) throws(EditError) -> OriginalFiles {
    try checkReadable(path)
    let (folder, given) = FilePath.split(path)
    let listing = try listing(of: folder)
    let name = listing.spelling(of: given)
    let parts = RenderNames.Parts(name)
    let isAdjustments = parts.fileExtension.lowercased() == "aae"
    var stem = try assetStem(of: parts.stem, isAdjustments: isAdjustments, path: path, in: listing)
    // A render and adjustment data with the whole name of an original in their names mean that original.
    var named = name
    if stem != parts.stem || isAdjustments, listing.isWholeName(stem) {
      (named, stem) = (stem, RenderNames.Parts(stem).stem)
    }

    let photos = listing.halves(stem: stem, kind: .photo)
    let movies = listing.halves(stem: stem, kind: .movie)
    let isOther = (photos + movies).allSatisfy { $0.lowercased() != named.lowercased() }
    let isSidecar = isAdjustments || parts.fileExtension.lowercased() == "xmp"
    if isOther, !isSidecar, parts.stem == stem, let other = photos.first ?? movies.first {
      if let format = try ifSound(path, { try ForeignFormat(FileByteSource(path: path), name: name) }) {
        throw EditError(reading: path, format.error)
      }
      throw EditError(
        .pairing, file: path, "has the name of \(other), so that the two cannot be told apart",
        remedy: "give it another name to edit it")
    }
    if photos.count > 1 || movies.count > 1 || !photos.isEmpty && !movies.isEmpty {
      return try withStem(
        asset(of: Namesakes(photos, movies, in: listing, named: named), isAlone: isAlone))
    }
    var (photo, movie) = (photos.first, movies.first)
    if photo == nil, movie == nil {
      // The extension does not say what it is; the bytes do.
      switch try HalfIdentifier.kind(ofContent: path) {
      case .photo: photo = name
      case .movie: movie = name
      }
    }
    return try withStem(asset(photo: photo, movie: movie, in: listing))
  }

  /// The asset with the stem that its versions have or would get.
  private func withStem(_ asset: OriginalFiles) throws(EditError) -> OriginalFiles {
    var asset = asset
    asset.wholeName = try AssetFolders(asset.folder, layout).wholeName(
      of: asset.halves.map(\.name), besides: asset.namesake)
    return asset
  }

  private mutating func listing(of folder: String) throws(EditError) -> FolderListing {
    if let known = listings[Array(folder.utf8)] { return known }
    var listing = try FolderListing(folder: folder)
    let folders = try AssetFolders(folder, layout)
    var isOutdated = false
    if folders.areOne {
      isOutdated = WorkFolder.recoverAll(in: listing)
    } else if folders.home.isThere {
      WorkFolder.recoverAll(in: try FolderListing(folder: folders.home.path))
    }
    if recovers, (try? folders.home.exists(LibraryPaths.folder)) == true,
      Library.recoverIfIdle(folder, layout, report: report)
    {
      isOutdated = true
    }
    if isOutdated { listing = try FolderListing(folder: folder) }
    listings[Array(folder.utf8)] = listing
    return listing
  }

  private func checkReadable(_ path: String) throws(EditError) {
    switch try whileReading(path, { try kind(of: path) }) {
    case .regular: return
    case .folder:
      throw EditError(.invalidFile, file: path, "is a folder", remedy: "name the photos or movies in it")
    case .symbolicLink, .other:
      throw EditError(.invalidFile, file: path, "is not a regular file", remedy: "name a photo or a movie")
    }
  }

  /// The kind of a file beside the originals, or of a render that has the same name in their home.
  private func kind(of path: String) throws -> FileStatus.Kind {
    do {
      return try FileStatus(path: path).kind
    } catch SystemError.notFound {
      let (folder, name) = FilePath.split(path)
      guard layout.library != nil, let home = try? AssetFolders(folder, layout).home,
        let status = try home.statusIfAny(name)
      else { throw SystemError.notFound }
      return status.kind
    }
  }

  private func assetStem(
    of stem: String, isAdjustments: Bool, path: String, in listing: FolderListing
  ) throws(EditError) -> String {
    if isAdjustments {
      guard listing.hasHalves(stem: stem) || listing.isWholeName(stem) else {
        throw EditError(
          .notFound, file: path, "has no photo or movie named \(stem) beside it",
          remedy: "put the original back beside it")
      }
      return stem
    }
    let layout = layout
    let original = listing.originalStem(ofRender: stem) { original in
      (try? AssetFolders(listing.folder, layout).home.exists(LibraryPaths.versions(of: original))) == true
    }
    if let original { return original }
    if RenderNames.originalStem(ofRender: stem) != nil,
      let lost = try LostOriginal(ofRender: stem, in: AssetFolders(listing.folder, layout))
    {
      throw lost.error(path)
    }
    return stem
  }

  mutating func asset(
    photo: String?, movie: String?, in listing: FolderListing
  ) throws(EditError) -> OriginalFiles {
    var asset = OriginalFiles(
      folder: listing.folder, place: listing.place, photo: photo, movie: movie, identifier: nil, notes: [])
    if let photo {
      asset.identifier = try HalfIdentifier.read(listing.path(photo), kind: .photo)
    } else if let movie {
      asset.identifier = try HalfIdentifier.read(listing.path(movie), kind: .movie)
    }
    guard let name = photo ?? movie, let identifier = asset.identifier else { return asset }
    let kind: HalfKind = photo == nil ? .photo : .movie
    // What a converter made of a pair may carry the pair's identifier.
    if let photo, try HalfIdentifier.isWhole(listing.path(photo)) { return asset }
    switch try half(of: identifier, named: name, kind: kind, in: listing) {
    case .found(let other):
      if kind == .photo { asset.photo = other } else { asset.movie = other }
    case .missing:
      asset.notes.append(
        kind == .photo
          ? "\(name) is one half of a Live Photo whose photo is not beside it."
          : "\(name) is one half of a Live Photo whose movie is not beside it.")
    case .tooMany(let count):
      asset.notes.append(
        kind == .photo
          ? "\(name) is one half of a Live Photo: no photo is named like it, and among the \(count) other "
            + "photos and movies it was not searched for."
          : "\(name) is one half of a Live Photo: no movie is named like it, and among the \(count) other "
            + "photos and movies it was not searched for.")
    }
    return asset
  }

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
  /// Files that are not sound, or not for this user, are passed over.
  ///
  /// - Parameters:
  ///   - identifier: the identifier of the file that was named.
  ///   - name: the file that was named.
  ///   - kind: the kind of the half that is sought.
  ///   - listing: the folder.
  /// - Throws: ``EditError`` when two files could be the half, or when another file of the named one's kind
  ///   carries the same identifier; or when the system cannot give one of them.
  private mutating func half(
    of identifier: String, named name: String, kind: HalfKind, in listing: FolderListing
  ) throws(EditError) -> Search {
    let own: HalfKind = kind == .photo ? .movie : .photo
    let candidates = listing.halves(kind: kind)
    let rivals = candidates.isEmpty ? [] : listing.halves(kind: own)
    // The file itself, which is no rival, is among them by its extension. Nothing of a large folder is looked through.
    let isAmong =
      HalfKind(fileExtension: RenderNames.Parts(name).fileExtension) == own && !HalfKind.standsAlone(name)
    let count = candidates.count + rivals.count - (isAmong && !rivals.isEmpty ? 1 : 0)
    guard count <= Self.mostFilesSearched else { return .tooMany(count) }
    var halves: [String] = []
    for candidate in candidates where try carries(identifier, listing.path(candidate), kind) {
      halves.append(candidate)
    }
    guard let half = halves.first else { return .missing }
    if halves.count > 1 {
      throw EditError(
        .pairing, file: listing.path(name),
        "could belong to each of \(halves.joined(separator: " and ")): they carry its identifier",
        remedy: "move all but one of them to another folder")
    }
    for rival in rivals where rival != name {
      guard try carries(identifier, listing.path(rival), own) else { continue }
      throw EditError(
        .pairing, file: listing.path(name), "carries the identifier of \(half), and so does \(rival)",
        remedy: "move one of them to another folder")
    }
    return .found(half)
  }

  /// The other half of a file by its identifier; nil where there is none, or too many files to look for it.
  mutating func half(
    of name: String, _ kind: HalfKind, identifier: String, in listing: FolderListing
  ) throws(EditError) -> String? {
    guard case .found(let other) = try half(of: identifier, named: name, kind: kind, in: listing) else {
      return nil
    }
    return other
  }

  private mutating func carries(
    _ identifier: String, _ path: String, _ kind: HalfKind
  ) throws(EditError) -> Bool {
    // By bytes: names that differ only in how an accent is coded are two.
    let key = Array(path.utf8)
    if let known = identifiers[key] { return known == identifier }
    let found = try ifSound(path) { try HalfIdentifier.read(path, kind: kind) }
    identifiers[key] = .some(found)
    return found == identifier
  }
}
