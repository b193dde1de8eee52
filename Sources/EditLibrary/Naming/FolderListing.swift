package import Basics
package import EditModel
package import FileSystem
import Glibc

/// The names in a folder, indexed by their stems.
package struct FolderListing: Sendable {
  /// The folder as the user wrote it; empty for the current folder.
  package let folder: String
  /// The folder's identity in the file system, which is the same for every path that leads to the folder.
  package let place: FileStatus.Place
  /// All valid names in the folder, sorted.
  package let names: [String]
  /// The entries whose names are not valid UTF-8, sorted. Each entry is listed under a unique substitute name.
  package let unusable: [Folder.UnusableEntry]
  /// Whether the folder's file system ignores the case of names.
  package let ignoresCase: Bool
  /// The names, by their stems; see ``key(_:)``.
  private let byStem: [String: [String]]
  private let byKind: [HalfKind: [String]]
  /// Whether the folder contains any XMP file, judging by the names. Most folders contain no XMP files, so their assets
  /// need not be checked individually.
  let hasSidecars: Bool

  /// Lists a folder.
  ///
  /// - Parameters:
  ///   - folder: The folder's path; empty for the current folder.
  ///   - ignoresCase: Whether the folder's file system ignores case; nil to find out.
  package init(folder: String, ignoringCase ignoresCase: Bool? = nil) throws(EditError) {
    let path = FilePath.shown(folder)
    let contents: Folder.Contents
    do {
      place = try FileStatus(path: path).place
      contents = try Folder.contents(of: path)
      names = contents.names.sorted()
      self.ignoresCase = if let ignoresCase { ignoresCase } else { try Self.ignoresCase(path, names) }
    } catch {
      throw Self.error(path, error)
    }
    unusable = Self.distinct(contents)
    self.folder = folder
    var (byStem, byKind): ([String: [String]], [HalfKind: [String]]) = ([:], [:])
    for name in names {
      let parts = RenderNames.Parts(name)
      byStem[Self.key(parts.stem, self.ignoresCase), default: []].append(name)
      if let kind = HalfKind(fileExtension: parts.fileExtension), !HalfKind.standsAlone(name) {
        byKind[kind, default: []].append(name)
      }
    }
    (self.byStem, self.byKind) = (byStem, byKind)
    hasSidecars = names.contains { $0.hasSuffix(".xmp") || $0.hasSuffix(".XMP") }
  }

  /// Checks that a folder exists and can be listed.
  ///
  /// - Parameter folder: The folder's path; empty for the current folder.
  /// - Throws: ``EditError`` if the folder does not exist, cannot be listed, or is not a folder.
  package static func checkReadable(_ folder: String) throws(EditError) {
    let path = FilePath.shown(folder)
    do {
      try Folder.checkReadable(path)
    } catch {
      throw Self.error(path, error)
    }
  }

  static func error(_ path: String, _ error: SystemError) -> EditError {
    switch error.code {
    case ENOENT: EditError(.notFound, file: path, "no such folder", remedy: "check the folder's name")
    case ENOTDIR: EditError(.invalidFile, file: path, "is not a folder", remedy: "name a folder")
    default: EditError(reading: path, error)
    }
  }

  /// Returns the unusable entries under unique names, because a valid name may look like the substitute for an invalid
  /// one.
  private static func distinct(_ contents: Folder.Contents) -> [Folder.UnusableEntry] {
    if contents.unusable.isEmpty { return [] }
    var taken = Set(contents.names)
    return contents.unusable.sorted { $0.name < $1.name }.map { entry in
      var entry = entry
      while !taken.insert(entry.name).inserted { entry.name = "\\" + entry.name }
      return entry
    }
  }

  private static let mostAsked = 20

  /// Determines whether a folder ignores case, by checking whether one of its names also exists in another case without
  /// being listed.
  ///
  /// - Parameters:
  ///   - path: The folder's path.
  ///   - names: All names in the folder, sorted.
  private static func ignoresCase(_ path: String, _ names: [String]) throws(SystemError) -> Bool {
    // If nearly all names are listed in both upper and lower case, the file system is case-sensitive.
    for name in names.prefix(mostAsked) {
      guard let other = FileName.inOtherCase(name), !names.contains(other) else { continue }
      guard try FileStatus.exists(FilePath.joined(path, other)) else { return false }
      // The folder is listed again in case the file was added since the first listing. Inode numbers do not help,
      // because some file systems assign a separate inode number to each spelling.
      return try !Folder.names(in: path).contains(other)
    }
    return false
  }

  /// Returns a stem in the form in which stems are compared in a folder: its canonical Unicode form, as Swift compares
  /// strings.
  private static func key(_ stem: String, _ ignoresCase: Bool) -> String {
    ignoresCase ? FileName.withoutSpelling(stem) : stem
  }

  /// Returns a stem in the form in which this folder compares stems. Stems with equal results belong to the same asset.
  func key(_ stem: String) -> String { Self.key(stem, ignoresCase) }

  /// Returns the name under which the folder lists a file that the file system finds under another name. Names with the
  /// same bytes are preferred, followed by the same name in another canonical form or case, and then by another name of
  /// the same file, such as a FAT short name.
  ///
  /// - Parameter name: A name that the file system finds. It is returned unchanged if the file does not exist or
  ///   several names match.
  package func spelling(of name: String) -> String {
    let alike = names(stem: RenderNames.Parts(name).stem).filter { key($0) == key(name) }
    if alike.contains(where: { $0.hasBytes(of: name) }) { return name }
    func status(_ name: String) -> FileStatus? {
      (try? FileStatus.ifAny(path(name), followingLinks: false)) ?? nil
    }
    guard let found = status(name) else { return name }
    if alike.count == 1 { return alike[0] }
    let same = names.filter { status($0)?.place == found.place }
    return same.count == 1 ? same[0] : name
  }

  /// All stems in the form in which they are compared, sorted.
  var stems: [String] { byStem.keys.sorted() }

  /// Returns the names with the given stem.
  package func names(stem: String) -> [String] { byStem[key(stem)] ?? [] }

  /// Returns the names that have the extensions of Live Photo photos or movies.
  package func halves(kind: HalfKind) -> [String] { byKind[kind] ?? [] }

  /// Returns the names with the given stem that have the extensions of photos or movies. Stand-alone pictures are
  /// returned only if no other photos have that stem.
  package func halves(stem: String, kind: HalfKind) -> [String] {
    let all = names(stem: stem).filter { HalfKind(fileExtension: RenderNames.Parts($0).fileExtension) != nil }
    let live = all.filter { !HalfKind.standsAlone($0) }
    return (live.isEmpty ? all : live).filter {
      HalfKind(fileExtension: RenderNames.Parts($0).fileExtension) == kind
    }
  }

  /// Whether the folder contains a photo or a movie with the given stem.
  func hasHalves(stem: String) -> Bool {
    names(stem: stem).contains { HalfKind(fileExtension: RenderNames.Parts($0).fileExtension) != nil }
  }

  /// Returns the stem of the original whose render has the given stem, if that original exists. A render has no renders
  /// of its own unless the render was edited as an original: `p_edited_edited.JPG` beside `p_edited.JPG` and `p.JPG`.
  /// The stem of an original may be its whole name if adjustment data or versions of that name exist.
  ///
  /// - Parameter hasVersions: A function that returns whether a stem has versions.
  func originalStem(ofRender stem: String, hasVersions: (String) -> Bool) -> String? {
    guard let original = RenderNames.originalStem(ofRender: stem, ignoringCase: ignoresCase),
      hasHalves(stem: original) || isWholeName(original)
    else { return nil }
    let isOriginal =
      hasHalves(stem: original) && originalStem(ofRender: original, hasVersions: hasVersions) == nil
    return isOriginal || !adjustments(stem: original).isEmpty || hasVersions(original) ? original : nil
  }

  /// Returns the names of the adjustment data with the given stem. Several names are possible if their extensions
  /// differ in case.
  package func adjustments(stem: String) -> [String] {
    names(stem: stem).filter { RenderNames.Parts($0).fileExtension.lowercased() == "aae" }
  }

  /// The names that represent the folder's assets, in the order of their stems: photos, and movies without a photo of
  /// the same name. Renders and hidden files are not included.
  package var assetNames: [String] { FileGroup.all(in: AssetListing(self)).map(\.name) }

  /// The same names as ``assetNames``, and the movies that have the name of a photo but are not paired with that photo.
  /// If a photo and a movie have the same name, their identifiers are read.
  package var assetNamesByIdentifier: [String] {
    FileGroup.all(in: AssetListing(self)).flatMap { group -> [String] in
      guard let photo = group.photo, let movie = group.movie else { return [group.name] }
      do throws(EditError) {
        let ofPhoto = try HalfIdentifier.read(path(photo), kind: .photo)
        let ofMovie = try HalfIdentifier.read(path(movie), kind: .movie)
        return ofPhoto != nil && ofPhoto == ofMovie ? [photo] : [photo, movie]
      } catch {
        // The unreadable file is reported when it is used.
        return [photo]
      }
    }
  }

  /// The names of the originals of each asset, the photo first, judging by names alone.
  var assetFiles: [[String]] { FileGroup.all(in: AssetListing(self)).map(\.originals) }

  /// Returns the names of the originals of each asset with the given stem. If the stem belongs to a render, the list is
  /// empty.
  func assetFiles(stem: String) -> [[String]] {
    FileGroup.groups(stem: stem, in: AssetListing(self)).map(\.originals)
  }

  /// The names of all photos and movies, including renders. Hidden files are not included.
  package var allHalves: [String] {
    names.filter {
      !$0.hasPrefix(".") && HalfKind(fileExtension: RenderNames.Parts($0).fileExtension) != nil
    }
  }

  /// The paths of photos and movies whose names are not valid UTF-8, with the invalid bytes shown as escapes.
  package var unusableHalves: [String] {
    unusable.filter { HalfKind(fileExtension: RenderNames.Parts($0.name).fileExtension) != nil }.map {
      path($0.name)
    }
  }

  /// Returns the path of a name in the folder.
  package func path(_ name: String) -> String { FilePath.joined(folder, name) }
}

/// The listing of the most recently requested folder, used to process many files from a single folder in sequence. The
/// listing is read again if the folder has changed.
package struct LastListing {
  private var last: (listing: FolderListing, status: FileStatus)?
  /// The locator that finds halves with other names, and caches the identifiers that it reads.
  private var locator = AssetLocator(recovers: false)

  /// Creates an empty value that has not read any folder.
  package init() {}

  /// Returns the listing of a folder.
  ///
  /// - Parameter folder: The folder's path; empty for the current folder.
  /// - Throws: ``EditError`` if the folder cannot be listed.
  package mutating func of(_ folder: String) throws(EditError) -> FolderListing {
    // The status is read before the names, so that a change in the meantime is noticed the next time.
    let status = try? FileStatus(path: FilePath.shown(folder))
    if let last, last.listing.folder.hasBytes(of: folder), last.status == status, last.status.isSettled {
      return last.listing
    }
    let listing = try FolderListing(folder: folder)
    last = status.map { (listing, $0) }
    return listing
  }

  /// Finds the other half of a file under another name, using the identifier that both halves contain.
  ///
  /// - Parameters:
  ///   - name: The name of the photo or the movie.
  ///   - kind: The kind of the missing half.
  ///   - identifier: The identifier of the file.
  ///   - listing: The folder of both halves.
  /// - Returns: The half's name, or nil if no file or several files contain the identifier.
  package mutating func half(
    of name: String, _ kind: HalfKind, identifier: String, in listing: FolderListing
  ) throws(EditError) -> String? {
    do throws(EditError) {
      return try locator.half(of: name, kind, identifier: identifier, in: listing)
    } catch {
      guard error.code == .pairing else { throw error }
      return nil
    }
  }
}

/// A folder and its subfolders.
package enum FolderTree {
  private static let deepest = 64

  /// Returns a folder and all its subfolders. Each folder precedes its own subfolders. Hidden folders are left out, and
  /// symbolic links are not followed.
  ///
  /// - Parameters:
  ///   - root: The folder's path.
  ///   - output: A subfolder to leave out with all its content, because the command's own files are written there; nil
  ///     for none.
  ///   - fail: A function that is called for each folder that cannot be read. Such folders are left out.
  package static func folders(
    from root: String, except output: String? = nil, fail: (String, EditError) -> Void
  ) -> [String] {
    let found = folders(from: root, depth: 0, fail: fail)
    guard let output else { return found }
    func place(_ path: String) throws(EditError) -> FileStatus.Place? {
      try whileReading(path) { try FileStatus.ifAny(path)?.place }
    }
    do throws(EditError) {
      guard let own = try place(FilePath.shown(output)) else { return found }
      for out in found.dropFirst() where try place(out) == own {
        return found.filter { $0 != out && !$0.hasPrefix(out + "/") }
      }
      return found
    } catch {
      // Without this status, it is unknown which folder must be left out.
      fail(error.file ?? output, error)
      return []
    }
  }

  private static func folders(
    from root: String, depth: Int, fail: (String, EditError) -> Void
  ) -> [String] {
    let contents: Folder.Contents
    do {
      contents = try Folder.contents(of: FilePath.shown(root))
    } catch {
      fail(root, FolderListing.error(FilePath.shown(root), error))
      return []
    }
    for entry in contents.unusable where entry.status?.kind == .folder && !entry.name.hasPrefix(".") {
      let path = FilePath.joined(root == "." ? "" : root, entry.name)
      fail(path, UnusableName.error(path))
    }
    let inner = visible(in: root, contents.names, fail: fail)
    guard depth < deepest || inner.isEmpty else {
      fail(
        root,
        EditError(
          .invalidFile, file: FilePath.shown(root),
          "is \(deepest) folders deep, and deeper folders were not searched",
          remedy: "name this folder on the command line to search it"))
      return [root]
    }
    return inner.reduce(into: [root]) { $0 += folders(from: $1, depth: depth + 1, fail: fail) }
  }

  /// Returns the visible subfolders of a folder.
  ///
  /// - Parameters:
  ///   - root: The folder's path.
  ///   - names: The names in the folder.
  ///   - fail: A function that is called for each name that the system cannot identify as a folder or a file. Such
  ///     names are left out.
  /// - Returns: The subfolders' paths, sorted. Symbolic links are left out.
  static func visible(
    in root: String, _ names: [String], fail: (String, EditError) -> Void
  ) -> [String] {
    names.sorted().compactMap { name in
      let kind = RenderNames.Parts(name).fileExtension
      // A name with the extension of a photo or a movie is rarely a folder, and there may be many such names.
      guard !name.hasPrefix("."), HalfKind(fileExtension: kind) == nil, kind.lowercased() != "aae" else {
        return nil
      }
      let path = FilePath.joined(root == "." ? "" : root, name)
      do {
        return try FileStatus.ifAny(path, followingLinks: false)?.kind == .folder ? path : nil
      } catch {
        fail(path, EditError(reading: path, error))
        return nil
      }
    }
  }
}

/// Names that are not valid UTF-8. Files with such names are listed, but not otherwise processed.
package enum UnusableName {
  /// The note for a file whose name is not valid UTF-8.
  package static let note: Message =
    "its name is not valid UTF-8, so liveedit cannot edit it: rename the file"

  /// Returns the error that explains why a file or folder is not processed. Invalid bytes in its path are made visible.
  package static func error(_ path: String) -> EditError {
    EditError(
      .unsupported, file: path, "has a name that is not valid UTF-8, so liveedit cannot use it",
      remedy: "rename it")
  }
}
