package import Basics
package import EditModel
package import FileSystem
import Glibc

/// The names in a folder, found by their stems.
package struct FolderListing: Sendable {
  /// The folder as the user wrote it; empty for the current one.
  package let folder: String
  /// The folder's place in the system, the same for every way to write it.
  package let place: FileStatus.Place
  /// All names, sorted.
  package let names: [String]
  /// The entries whose names are not UTF-8, sorted. Each is shown under a name of its own, which no other has here.
  package let unusable: [Folder.UnusableEntry]
  /// True if the folder's file system finds a name in any mixture of lower and upper case.
  package let ignoresCase: Bool
  /// The names by their stems, see ``key(_:)``.
  private let byStem: [String: [String]]
  private let byKind: [HalfKind: [String]]
  /// True if a name is that of an XMP file: most folders have none, and need not be asked for each asset.
  let hasSidecars: Bool

  /// - Parameters:
  ///   - folder: a folder's path; empty for the current one.
  ///   - ignoresCase: whether its file system ignores case; nil to ask it.
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

  /// Makes sure that a folder is there and can be listed.
  ///
  /// - Parameter folder: its path; empty for the current one.
  /// - Throws: ``EditError`` when it is not, or is no folder.
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
    case ENOENT: EditError(.notFound, file: path, "no such folder", remedy: "check the name")
    case ENOTDIR: EditError(.invalidFile, file: path, "is not a folder", remedy: "name a folder")
    default: EditError(reading: path, error)
    }
  }

  /// The entries that cannot be used, with names that nothing else has: a name may look like another's visible form.
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

  /// Finds out whether a folder ignores case: whether one of its names is there in another case too, without being listed.
  ///
  /// - Parameters:
  ///   - path: the folder's path.
  ///   - names: all of its names, sorted.
  private static func ignoresCase(_ path: String, _ names: [String]) throws(SystemError) -> Bool {
    // Where nearly all names are there in both cases, they are told apart.
    for name in names.prefix(mostAsked) {
      guard let other = FileName.inOtherCase(name), !names.contains(other) else { continue }
      guard try FileStatus.exists(FilePath.joined(path, other)) else { return false }
      // Not a file that came since the names were listed. Numbers of files do not tell: some file systems give each spelling its own.
      return try !Folder.names(in: path).contains(other)
    }
    return false
  }

  /// A stem as stems are compared in a folder: by its canonical form in Unicode, as Swift compares texts.
  private static func key(_ stem: String, _ ignoresCase: Bool) -> String {
    ignoresCase ? FileName.withoutSpelling(stem) : stem
  }

  /// The same in this folder: equal texts belong to one asset.
  func key(_ stem: String) -> String { Self.key(stem, ignoresCase) }

  /// The name under which the folder lists a file that the file system finds under another one: the same bytes, or else the
  /// same name in another canonical form or another case, or else another name of the same file, as FAT's short names are.
  ///
  /// - Parameter name: a name that the file system finds; the same is returned if it is not there, or several could be meant.
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

  /// All stems as they are compared, sorted.
  var stems: [String] { byStem.keys.sorted() }

  /// The names with this stem.
  package func names(stem: String) -> [String] { byStem[key(stem)] ?? [] }

  /// The names that are photos or movies of Live Photos by their extensions.
  package func halves(kind: HalfKind) -> [String] { byKind[kind] ?? [] }

  /// The names with this stem that are photos or movies by their extensions: pictures that stand alone only where there
  /// are no others.
  package func halves(stem: String, kind: HalfKind) -> [String] {
    let all = names(stem: stem).filter { HalfKind(fileExtension: RenderNames.Parts($0).fileExtension) != nil }
    let live = all.filter { !HalfKind.standsAlone($0) }
    return (live.isEmpty ? all : live).filter {
      HalfKind(fileExtension: RenderNames.Parts($0).fileExtension) == kind
    }
  }

  /// True if there is a photo or a movie with this stem.
  func hasHalves(stem: String) -> Bool {
    names(stem: stem).contains { HalfKind(fileExtension: RenderNames.Parts($0).fileExtension) != nil }
  }

  /// The stem of the original whose render a stem names, if that is there. What is a render itself has none, unless it was
  /// edited as an original: `p_edited_edited.JPG` beside `p_edited.JPG` and `p.JPG`. The stem of an original may be its whole
  /// name, if there are adjustment data or versions of that name.
  ///
  /// - Parameter hasVersions: tells whether there are versions of a stem.
  func originalStem(ofRender stem: String, hasVersions: (String) -> Bool) -> String? {
    guard let original = RenderNames.originalStem(ofRender: stem, ignoringCase: ignoresCase),
      hasHalves(stem: original) || isWholeName(original)
    else { return nil }
    let isOriginal =
      hasHalves(stem: original) && originalStem(ofRender: original, hasVersions: hasVersions) == nil
    return isOriginal || !adjustments(stem: original).isEmpty || hasVersions(original) ? original : nil
  }

  /// The adjustment files with this stem; more than one when their extensions differ in case.
  package func adjustments(stem: String) -> [String] {
    names(stem: stem).filter { RenderNames.Parts($0).fileExtension.lowercased() == "aae" }
  }

  /// The names that stand for the folder's assets, in the order of their stems: photos, and movies without a photo of
  /// their name. Renders and hidden files are not among them.
  package var assetNames: [String] { FileGroup.all(in: AssetListing(self)).map(\.name) }

  /// The same, and the movies that have a photo's name and do not belong to it: the identifiers of photos and movies of one
  /// name are read.
  package var assetNamesByIdentifier: [String] {
    FileGroup.all(in: AssetListing(self)).flatMap { group -> [String] in
      guard let photo = group.photo, let movie = group.movie else { return [group.name] }
      do throws(EditError) {
        let ofPhoto = try HalfIdentifier.read(path(photo), kind: .photo)
        let ofMovie = try HalfIdentifier.read(path(movie), kind: .movie)
        return ofPhoto != nil && ofPhoto == ofMovie ? [photo] : [photo, movie]
      } catch {
        // Who works on a file that cannot be read says why.
        return [photo]
      }
    }
  }

  /// The names of the originals of each asset, the photo first, as far as names tell what belongs together.
  var assetFiles: [[String]] { FileGroup.all(in: AssetListing(self)).map(\.originals) }

  /// The same of the assets with a stem; of the original's when it is that of a render.
  func assetFiles(stem: String) -> [[String]] {
    FileGroup.groups(stem: stem, in: AssetListing(self)).map(\.originals)
  }

  /// The names of all photos and movies, renders too. Hidden files are not among them.
  package var allHalves: [String] {
    names.filter {
      !$0.hasPrefix(".") && HalfKind(fileExtension: RenderNames.Parts($0).fileExtension) != nil
    }
  }

  /// The paths, odd bytes made visible, of photos and movies whose names are not UTF-8.
  package var unusableHalves: [String] {
    unusable.filter { HalfKind(fileExtension: RenderNames.Parts($0.name).fileExtension) != nil }.map {
      path($0.name)
    }
  }

  /// A name with the folder before it.
  package func path(_ name: String) -> String { FilePath.joined(folder, name) }
}

/// The listing of the folder that was asked for last, for many files of one folder after another. It is read again once the
/// folder has changed.
package struct LastListing {
  private var last: (listing: FolderListing, status: FileStatus)?
  /// Finds halves of other names, and remembers the identifiers that it read.
  private var locator = AssetLocator(recovers: false)

  /// Begins with nothing read.
  package init() {}

  /// The listing of a folder.
  ///
  /// - Parameter folder: its path; empty for the current one.
  /// - Throws: ``EditError`` when it cannot be listed.
  package mutating func of(_ folder: String) throws(EditError) -> FolderListing {
    // Before the names are read: what changes meanwhile is seen the next time.
    let status = try? FileStatus(path: FilePath.shown(folder))
    if let last, last.listing.folder.hasBytes(of: folder), last.status == status, last.status.isSettled {
      return last.listing
    }
    let listing = try FolderListing(folder: folder)
    last = status.map { (listing, $0) }
    return listing
  }

  /// The other half of a file, of another name, by the identifier that both carry.
  ///
  /// - Parameters:
  ///   - name: the name of the photo or the movie.
  ///   - kind: the kind of the half that is sought.
  ///   - identifier: the identifier of the file.
  ///   - listing: their folder.
  /// - Returns: its name; nil where there is none, or where several files carry the identifier.
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

/// A folder and the folders in it.
package enum FolderTree {
  private static let deepest = 64

  /// A folder and all folders below it, each before those in it. Hidden folders are left out, symbolic links are not
  /// followed.
  ///
  /// - Parameters:
  ///   - root: the folder's path.
  ///   - output: a folder below that is left out with all in it, because the command's own files go there; nil for none.
  ///   - fail: told of folders that cannot be read; they are left out.
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
      // Which of them it is, and not to be looked into, nobody knows.
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
          "lies \(deepest) folders deep, and what lies deeper is not looked into",
          remedy: "name this folder itself"))
      return [root]
    }
    return inner.reduce(into: [root]) { $0 += folders(from: $1, depth: depth + 1, fail: fail) }
  }

  /// The folders in a folder that are not hidden.
  ///
  /// - Parameters:
  ///   - root: the folder's path.
  ///   - names: the names in it.
  ///   - fail: told of those of which the system does not say whether they are folders; they are left out.
  /// - Returns: their paths, sorted. Symbolic links are left out.
  static func visible(
    in root: String, _ names: [String], fail: (String, EditError) -> Void
  ) -> [String] {
    names.sorted().compactMap { name in
      let kind = RenderNames.Parts(name).fileExtension
      // What is named like a photo or a movie is no folder as a rule, and there may be many of them.
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

/// Names that are not UTF-8: their files are shown, and nothing else is done with them.
package enum UnusableName {
  /// The note on such a file in a list.
  package static let note: Message = "its name is not UTF-8, which liveedit cannot work with: rename it"

  /// The error that says why nothing is done with a file or folder; in its path what is odd is made visible.
  package static func error(_ path: String) -> EditError {
    EditError(
      .unsupported, file: path, "has a name that is not UTF-8, which liveedit cannot work with",
      remedy: "rename it")
  }
}
