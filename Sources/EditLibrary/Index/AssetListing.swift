import Basics
import EditModel
import FileSystem

/// The files of an asset's current version except the originals, judging by file names.
struct CurrentFiles: Hashable, Sendable {
  /// The names of the renders and the adjustment data.
  var names: [String] = []
  /// Whether the files are in a library home separate from the originals.
  var areInHome = false

  /// Chooses between the files of two folders. Files that another program put beside read-only originals are the
  /// current version until they are adopted.
  ///
  /// - Parameters:
  ///   - beside: The files beside the originals.
  ///   - home: The files in the library home.
  ///   - recorded: The files of all versions in the catalogue.
  ///   - folders: The two folders.
  init(_ beside: EditedFiles, or home: EditedFiles, recorded: Set<RecordedFile>, in folders: AssetFolders) {
    let isNew = beside.names.contains { _, name in
      guard let status = try? folders.originals.status(name, followingLinks: true) else { return false }
      return !recorded.contains(RecordedFile(name: name, size: status.size))
    }
    areInHome = !isNew
    names = (isNew ? beside : home).names.map(\.name)
  }

  /// Creates the current files for a layout that stores renders beside their originals.
  init(_ beside: EditedFiles) { names = beside.names.map(\.name) }

  /// Returns the files that belong to one half if a photo and a movie have the same name but are not a pair. The
  /// adjustment data belongs to the movie if only the movie has a render; otherwise it belongs to the photo.
  func alone(_ half: HalfKind) -> CurrentFiles {
    func kind(_ name: String) -> HalfKind? {
      HalfKind(fileExtension: RenderNames.Parts(name).fileExtension)
    }
    let owner: HalfKind = Set(names.compactMap(kind)) == [.movie] ? .movie : .photo
    let own = names.filter { half == owner && (kind($0) ?? half) == half }
    return CurrentFiles(names: own, areInHome: areInHome)
  }

  init(names: [String], areInHome: Bool) {
    self.names = names
    self.areInHome = areInHome
  }
}

/// A file of a version, with the values that a listing compares. The hash is omitted because computing it would require
/// reading the file.
struct RecordedFile: Hashable, Sendable {
  var name: String
  var size: Int
}

/// The names in an asset's two folders at one moment.
struct AssetListing {
  /// The names in the originals' folder.
  let originals: FolderListing
  private let folders: AssetFolders?
  /// The names in the library home, or nil if renders are beside their originals.
  private let home: FolderListing?
  private let recorded: Set<RecordedFile>
  /// The stems that have versions, normalised for name comparison in the library home, or nil if the stems were not
  /// listed.
  private let versions: Set<String>?

  /// Lists the folders.
  ///
  /// - Parameter recorded: A function that returns the files of all versions in the catalogue.
  init(
    _ folders: AssetFolders, recorded: () throws(EditError) -> Set<RecordedFile>
  ) throws(EditError) {
    self.folders = folders
    originals = try FolderListing(folder: folders.originals.path)
    home = folders.areOne || !folders.home.isThere ? nil : try FolderListing(folder: folders.home.path)
    self.recorded = folders.areOne ? [] : try recorded()
    let stems = (try? folders.home.namesIfAny(in: LibraryPaths.versions)) ?? []
    versions = Set(stems.map((home ?? originals).key))
  }

  /// Creates a listing of the originals alone from a folder that was listed before.
  init(_ originals: FolderListing) {
    (self.originals, folders, home, recorded, versions) = (originals, nil, nil, [], nil)
  }

  /// Whether a stem has versions.
  func hasVersions(_ stem: String) -> Bool {
    if let versions { return versions.contains((home ?? originals).key(stem)) }
    return (try? HeldFolder(path: originals.folder).exists(LibraryPaths.versions(of: stem))) == true
  }

  /// Returns the asset's whole name in the same way as ``AssetFolders/wholeName(of:besides:)``. Few assets have a whole
  /// name; for all other assets, nothing is read.
  func wholeName(of originals: [String], besides other: OriginalFiles.Namesake?) -> String? {
    guard let name = originals.first, let folders,
      other != nil || hasVersions(name) || !(home ?? self.originals).adjustments(stem: name).isEmpty
    else { return nil }
    return (try? folders.wholeName(of: originals, besides: other)) ?? nil
  }

  /// Returns the files of the current version of an asset.
  ///
  /// - Parameters:
  ///   - originals: The names of the asset's originals.
  ///   - stem: The asset's stem.
  func currentFiles(of originals: [String], ofAsset stem: String) -> CurrentFiles {
    let beside = EditedFiles(originals: originals, ofAsset: stem, in: self.originals)
    guard let folders, !folders.areOne else { return CurrentFiles(beside) }
    let home =
      home.map {
        EditedFiles(originals: originals, ofAsset: stem, in: $0, originalsIn: self.originals)
      } ?? EditedFiles()
    return CurrentFiles(beside, or: home, recorded: recorded, in: folders)
  }
}
