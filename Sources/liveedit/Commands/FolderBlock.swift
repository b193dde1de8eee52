import Basics
import FileSystem
import LiveEdit

/// Files of one folder that were named together.
struct FolderBlock {
  /// The folder; empty for the current one.
  let folder: String
  /// The paths of the files, at least one.
  let files: [String]
  /// The place of the renders.
  let layout: LibraryLayout

  /// Sorts files by their folders, in the order in which those were named first.
  static func blocks(_ files: [String], _ layout: LibraryLayout) -> [FolderBlock] {
    var folders: [String] = []
    var members: [String: [String]] = [:]
    for file in files {
      let folder = FilePath.split(file).folder
      if members[folder] == nil { folders.append(folder) }
      members[folder, default: []].append(file)
    }
    return folders.map { FolderBlock(folder: $0, files: members[$0] ?? [], layout: layout) }
  }

  /// The files' names.
  var names: [String] { files.map { FilePath.split($0).name } }

  /// Prints why none of the files was changed.
  func fail(_ error: EditError, _ tally: inout Tally) {
    tally.fail(error, file: files.first { $0 == error.file } ?? files[0])
    if files.count > 1, error.code != .unfinished {
      Report.notice(
        "nothing was changed in \(folder.isEmpty ? "this folder" : folder): files of one folder that are named "
          + "together change together")
    }
  }

  /// The assets that the files belong to, each once.
  ///
  /// - Throws: ``EditError`` when a file does not exist, or is no asset's.
  func assets() throws(EditError) -> [IndexedAsset] {
    let index = try AssetIndex(
      folder: folder, layout: layout, refresh: .never, report: { Report.notice($0) })
    var assets: [IndexedAsset] = []
    for file in files {
      guard let asset = try index.asset(named: FilePath.split(file).name) else {
        throw EditError(
          .notFound, file: file, "is no photo or movie that is there", remedy: "check the name")
      }
      if !assets.contains(where: { $0.path == asset.path }) { assets.append(asset) }
    }
    return assets
  }
}
