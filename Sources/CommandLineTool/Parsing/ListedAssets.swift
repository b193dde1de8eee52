import Basics
import FileSystem
import Workflows

/// Finds the assets that files on the command line belong to. The result includes the assets' metadata and contains no
/// duplicates.
struct ListedAssets {
  private let layout: LibraryLayout
  private let cache: UserCache?
  private var locator: AssetLocator
  /// The index of the last file's folder.
  private var index: (folder: String, index: AssetIndex)?
  private var seen: Set<OriginalFiles.Identity> = []

  /// - Parameter layout: The layout of the library, which determines where rendered files are stored.
  /// - Throws: ``EditError`` if the configuration cannot be read.
  init(layout: LibraryLayout) throws(EditError) {
    self.layout = layout
    cache = try Configuration().cache
    locator = AssetLocator(layout: layout)
  }

  /// Returns the asset that a file belongs to, together with its metadata; nil if the asset was already returned for an
  /// earlier file.
  ///
  /// - Throws: ``EditError`` if the file does not belong to an asset.
  mutating func find(_ file: String) throws(EditError) -> (asset: OriginalFiles, facts: IndexedAsset)? {
    let asset = try locator.locate(file)
    guard seen.insert(asset.identity).inserted else { return nil }
    if index?.folder != asset.folder {
      let found = try AssetIndex(
        folder: asset.folder, layout: layout, cache: cache, report: { Report.notice($0) })
      index = (asset.folder, found)
    }
    guard let facts = try index?.index.asset(named: asset.photo ?? asset.movie ?? "") else {
      throw EditError(.notFound, file: file, "is not listed as a photo or movie", remedy: "check the name")
    }
    return (asset, facts)
  }
}
