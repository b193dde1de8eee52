import Basics
import FileSystem
import Workflows

/// Files from a single folder that were named together.
struct FolderBlock {
  /// The path of the folder; empty for the current folder.
  let folder: String
  /// The paths of the files, at least one.
  private(set) var files: [String]
  /// The layout of the library, which determines where rendered files are stored.
  let layout: LibraryLayout

  /// Groups files by folder, in the order in which the folders were first named. Different spellings of a folder's path
  /// are recognised.
  static func blocks(_ files: [String], _ layout: LibraryLayout) -> [FolderBlock] {
    var blocks: [FolderBlock] = []
    var byName: [[UInt8]: Int] = [:]
    var byPlace: [FileStatus.Place: Int] = [:]
    for file in files {
      let folder = FilePath.split(file).folder
      var index = byName[Array(folder.utf8)]
      if index == nil, let place = try? FileStatus(path: FilePath.shown(folder)).place {
        index = byPlace[place]
        if index == nil { byPlace[place] = blocks.count }
      }
      if let index {
        blocks[index].files.append(file)
      } else {
        blocks.append(FolderBlock(folder: folder, files: [file], layout: layout))
      }
      byName[Array(folder.utf8)] = index ?? blocks.count - 1
    }
    return blocks
  }

  /// The names of the files, without their folder.
  var names: [String] { files.map { FilePath.split($0).name } }

  /// Prints the reason why none of the files was changed.
  func fail(_ error: EditError, _ tally: inout Tally) {
    let failed = files.first { $0 == error.file } ?? files[0]
    tally.fail(error, file: failed)
    if error.code != .unfinished {
      for file in files where file != failed { tally.leave(file, nil, because: .failure) }
    }
    if files.count > 1, error.code != .unfinished {
      Report.notice(
        folder.isEmpty
          ? "nothing was changed in this folder, because files that you name change together or not at all"
          : "nothing was changed in \(folder), because files that you name change together or not at all")
    }
  }

  /// Returns the assets that the files belong to, without duplicates.
  ///
  /// - Parameter isEach: Whether a file that does not belong to an asset is reported and skipped.
  /// - Throws: ``EditError`` if a file does not exist or does not belong to an asset.
  func assets(isEach: Bool, _ tally: inout Tally) throws(EditError) -> [IndexedAsset] {
    let index = try AssetIndex(
      folder: folder, layout: layout, refresh: .never, report: { Report.notice($0) })
    var assets: [IndexedAsset] = []
    var names: Set<String> = []
    for file in files {
      do throws(EditError) {
        guard let asset = try index.asset(named: FilePath.split(file).name) else {
          throw EditError(
            .notFound, file: file, "is not an existing photo or movie", remedy: "check the name")
        }
        if names.insert(asset.name).inserted { assets.append(asset) }
      } catch {
        guard isEach else { throw error }
        tally.fail(error, file: file)
      }
    }
    return assets
  }
}
