import Basics
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
  }

  /// A folder that was listed, for what concerns originals alone.
  init(_ originals: FolderListing) {
    (self.originals, folders, home, recorded) = (originals, nil, nil, [])
  }

  /// True if there are versions of a stem.
  func hasVersions(_ stem: String) -> Bool {
    let home = folders?.home ?? (try? HeldFolder(path: originals.folder))
    return (try? home?.exists(LibraryPaths.versions(of: stem))) == true
  }

  /// The files of the current version of an asset.
  ///
  /// - Parameter originals: the names of its originals.
  func currentFiles(of originals: [String]) -> CurrentFiles {
    let beside = EditedFiles(originals: originals, in: self.originals)
    guard let folders, !folders.areOne else { return CurrentFiles(beside) }
    let home =
      home.map { EditedFiles(originals: originals, in: $0, originalsIn: self.originals) } ?? EditedFiles()
    return CurrentFiles(beside, or: home, recorded: recorded, in: folders)
  }
}
