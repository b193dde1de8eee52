package import Basics
import EditModel
import FileSystem
import LivePhotoFormat

/// Finds the asset to which a path on the command line refers.
///
/// A path can name the original or the render of either half, or the asset's `.AAE`. liveedit searches for an asset's
/// halves in the folder named in the path. A symbolic link is followed for reading, but the render is stored beside the
/// link. If the file system also finds a file under other spellings of its name, the spelling in the folder's listing
/// is used. A file with a render's name but no original beside it is itself an original. But if an edit or versions of
/// the missing original exist, that original counts as lost.
///
/// A half that is not found by name is searched for by identifier, see ``half(of:named:kind:in:)``. If the name finds
/// both halves and their identifiers agree, the rest of the folder is not read. A photo and a movie that have the same
/// name but no common identifier are separate assets, see ``Namesakes``.
package struct AssetLocator {
  private var listings: [[UInt8]: FolderListing] = [:]
  /// The identifiers that were read in searches, keyed by the files' paths; nil for files without an identifier.
  private var identifiers: [[UInt8]: String?] = [:]
  private let report: Library.Report
  private let recovers: Bool
  let layout: LibraryLayout

  /// Creates a locator that has not read anything yet. A locator remembers the folders that it has read, so use one
  /// locator for one command.
  ///
  /// - Parameters:
  ///   - layout: Where renders are stored.
  ///   - recovers: Whether to finish or undo a dead process's work in a folder. This must be false while a library in
  ///     the folder is open.
  ///   - report: A function that receives a message if such work is finished or undone.
  package init(
    layout: LibraryLayout = .besideOriginals, recovers: Bool = true,
    report: @escaping Library.Report = { _ in }
  ) {
    self.layout = layout
    self.recovers = recovers
    self.report = report
  }

  /// Finds the asset to which a path refers.
  ///
  /// - Parameters:
  ///   - path: The path of an original, a render or an `.AAE`.
  ///   - isAlone: Whether to select only the named photo or movie if it is unclear which files belong together.
  /// - Returns: The originals of the asset.
  /// - Throws: ``EditError`` if the file does not exist or is neither a photo nor a movie, or if it is unclear which
  ///   files are the asset's halves.
  package mutating func locate(_ path: String, isAlone: Bool = false) throws(EditError) -> OriginalFiles {
    try checkReadable(path)
    let (folder, given) = FilePath.split(path)
    let listing = try listing(of: folder)
    let name = listing.spelling(of: given)
    let parts = RenderNames.Parts(name)
    let isAdjustments = parts.fileExtension.lowercased() == "aae"
    var stem = try assetStem(of: parts.stem, isAdjustments: isAdjustments, path: path, in: listing)
    // Renders and adjustment data whose names contain the whole name of an original belong to that original.
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
        .pairing, file: path, "has the same name as \(other), so their versions could not be told apart",
        remedy: "rename the file before you edit it")
    }
    if photos.count > 1 || movies.count > 1 || !photos.isEmpty && !movies.isEmpty {
      return try withStem(
        asset(of: Namesakes(photos, movies, in: listing, named: named), isAlone: isAlone))
    }
    var (photo, movie) = (photos.first, movies.first)
    if photo == nil, movie == nil {
      // The extension does not reveal the type, so the content is read.
      switch try HalfIdentifier.kind(ofContent: path) {
      case .photo: photo = name
      case .movie: movie = name
      }
    }
    return try withStem(asset(photo: photo, movie: movie, in: listing))
  }

  /// Returns the asset with the stem that its versions have or would get.
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
      throw EditError(
        .invalidFile, file: path, "is a folder", remedy: "name the photos or movies in the folder")
    case .symbolicLink, .other:
      throw EditError(.invalidFile, file: path, "is not a regular file", remedy: "name a photo or a movie")
    }
  }

  /// Returns the type of a file beside the originals, or of a render with the same name in the library home.
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
          .notFound, file: path, "belongs to \(stem), but the folder has no photo or movie with that name",
          remedy: "put the original back into the folder")
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
    // A file that was converted from a pair may contain the pair's identifier.
    if let photo, try HalfIdentifier.isWhole(listing.path(photo)) { return asset }
    switch try half(of: identifier, named: name, kind: kind, in: listing) {
    case .found(let other):
      if kind == .photo { asset.photo = other } else { asset.movie = other }
    case .missing:
      asset.notes.append(
        kind == .photo
          ? "\(name) is one half of a Live Photo, but its photo is not in this folder."
          : "\(name) is one half of a Live Photo, but its movie is not in this folder.")
    case .tooMany(let count):
      asset.notes.append(
        kind == .photo
          ? "\(name) is one half of a Live Photo, but no photo has the same name. liveedit did not search the \(count) other "
            + "photos and movies in the folder."
          : "\(name) is one half of a Live Photo, but no movie has the same name. liveedit did not search the \(count) other "
            + "photos and movies in the folder.")
    }
    return asset
  }

  /// The result of a search for the other half.
  enum Search: Equatable {
    /// The name of the file that was found.
    case found(String)
    /// No file in the folder contains the identifier.
    case missing
    /// The folder contains more files than a search reads.
    case tooMany(Int)
  }

  /// The maximum number of files that a search opens. Opening a file takes about 0.1 ms if the file is cached, and
  /// otherwise a seek or a network round trip, so a folder of ten thousand files is not read for one edit.
  static let mostFilesSearched = 1000

  /// Finds the other half of a file by its identifier if no file matches by name.
  ///
  /// Only headers are read. In a folder with more than ``mostFilesSearched`` photos and movies, no files are read.
  /// Files that are damaged or unreadable for this user are skipped.
  ///
  /// - Parameters:
  ///   - identifier: The identifier of the named file.
  ///   - name: The name of the file.
  ///   - kind: The kind of the missing half.
  ///   - listing: The folder.
  /// - Throws: ``EditError`` if two files could be the other half, if another file of the same kind as the named file
  ///   contains the same identifier, or if the system cannot read a file.
  private mutating func half(
    of identifier: String, named name: String, kind: HalfKind, in listing: FolderListing
  ) throws(EditError) -> Search {
    let own: HalfKind = kind == .photo ? .movie : .photo
    let candidates = listing.halves(kind: kind)
    let rivals = candidates.isEmpty ? [] : listing.halves(kind: own)
    // The extension reveals whether the list includes the named file, which must not be counted. This avoids searching
    // the list of a large folder.
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
        "could belong to \(halves.joined(separator: " and ")): they all have the same identifier",
        remedy: "move all but one of these files to another folder")
    }
    for rival in rivals where rival != name {
      guard try carries(identifier, listing.path(rival), own) else { continue }
      throw EditError(
        .pairing, file: listing.path(name), "has the same identifier as \(half), and so does \(rival)",
        remedy: "move one of the two files to another folder")
    }
    return .found(half)
  }

  /// Returns the other half of a file by its identifier, or nil if no other half exists or the folder has too many
  /// files to search.
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
    // The paths are compared as bytes, because names that differ only in how an accent is encoded belong to different
    // files.
    let key = Array(path.utf8)
    if let known = identifiers[key] { return known == identifier }
    let found = try ifSound(path) { try HalfIdentifier.read(path, kind: kind) }
    identifiers[key] = .some(found)
    return found == identifier
  }
}
