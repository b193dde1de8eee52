import Basics
import EditModel
import FileSystem

/// The files of an asset's current version besides its originals, as far as names tell.
struct CurrentFiles: Hashable, Sendable {
  /// The names of the renders and the adjustment data.
  var names: [String] = []
  /// True if they stand in a home apart from the originals.
  var areInHome = false

  /// Chooses between the files of two folders: what another program put beside originals that are not written to is the
  /// current version until it is taken in.
  ///
  /// - Parameters:
  ///   - beside: the files beside the originals.
  ///   - home: the files in the home.
  ///   - recorded: the files of all versions in the catalogue.
  ///   - folders: the two folders.
  init(_ beside: EditedFiles, or home: EditedFiles, recorded: Set<RecordedFile>, in folders: AssetFolders) {
    let isNew = beside.names.contains { _, name in
      guard let status = try? folders.originals.status(name, followingLinks: true) else { return false }
      return !recorded.contains(RecordedFile(name: name, size: status.size))
    }
    areInHome = !isNew
    names = (isNew ? beside : home).names.map(\.name)
  }

  /// The files where renders stand beside their originals.
  init(_ beside: EditedFiles) { names = beside.names.map(\.name) }

  /// The files of one half of a photo and a movie that have one name and do not belong together. The adjustment data are those
  /// of the movie where it alone has a render.
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

/// A file of a version, as far as a list compares it: a hash would mean to read it.
struct RecordedFile: Hashable, Sendable {
  var name: String
  var size: Int
}

/// The names in the two folders of assets at one moment.
struct AssetListing {
  /// The names in the originals' folder.
  let originals: FolderListing
  private let folders: AssetFolders?
  /// The names in the home; nil where renders stand beside their originals.
  private let home: FolderListing?
  private let recorded: Set<RecordedFile>
  /// The stems of which there are versions, as they are compared in the home; nil if they weren't listed.
  private let versions: Set<String>?

  /// Lists the folders.
  ///
  /// - Parameter recorded: gives the files of all versions in the catalogue.
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

  /// A folder that was listed, for what concerns originals alone.
  init(_ originals: FolderListing) {
    (self.originals, folders, home, recorded, versions) = (originals, nil, nil, [], nil)
  }

  /// True if there are versions of a stem.
  func hasVersions(_ stem: String) -> Bool {
    if let versions { return versions.contains((home ?? originals).key(stem)) }
    return (try? HeldFolder(path: originals.folder).exists(LibraryPaths.versions(of: stem))) == true
  }

  /// See ``AssetFolders/wholeName(of:besides:)``: few assets have one, and nothing is asked for the others.
  func wholeName(of originals: [String], besides other: OriginalFiles.Namesake?) -> String? {
    guard let name = originals.first, let folders,
      other != nil || hasVersions(name) || !(home ?? self.originals).adjustments(stem: name).isEmpty
    else { return nil }
    return (try? folders.wholeName(of: originals, besides: other)) ?? nil
  }

  /// The files of the current version of an asset.
  ///
  /// - Parameters:
  ///   - originals: the names of its originals.
  ///   - stem: the asset's stem.
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
