public import EditModel
import FileSystem

/// An asset in a folder, with the information that the index contains.
public struct IndexedAsset: Hashable, Sendable, Identifiable {
  /// The identity of an asset in its folder. No other asset in the folder has the same identity, and renaming files or
  /// scanning the folder again does not change the identity. The identity is the inode of the photo, or of the movie if
  /// there is no photo, so a file that is copied or replaced gets a new identity.
  public struct ID: Hashable, Sendable {
    /// The inode, or nil if it is unknown.
    package var inode: UInt64?
    /// The name, if the inode is unknown or another asset in the folder has the same inode (hard links).
    package var name: String?

    package init(inode: UInt64?, name: String?) { (self.inode, self.name) = (inode, name) }
  }

  /// The asset's identity in its folder.
  public var id: ID
  /// The folder as the user wrote it; empty for the current folder.
  public var folder: String
  /// Where renders are stored.
  package var layout: LibraryLayout
  /// The name of the original photo, or nil if the asset has no photo.
  public var photo: String?
  /// The name of the original movie, or nil if the asset has no movie.
  public var movie: String?
  /// The metadata of the asset's files.
  public var metadata: AssetMetadata
  /// Whether the asset is marked as a favourite.
  public var isFavourite: Bool
  /// Whether the asset is marked as hidden.
  public var isHidden: Bool
  /// Whether the asset represents its burst. Files do not state which asset represents the burst, so the first asset in
  /// the folder, in order of date and name, is chosen. The value is false for assets outside bursts.
  public var representsBurst: Bool
  /// A number that changes whenever the names, sizes or times of the asset's files change.
  public var revision: Int64 = 0
  /// The whole name that identifies the asset, see ``OriginalFiles/wholeName``.
  package var wholeName: String?
  /// The paths of the renders and the adjustment data of the current version. The list is empty if the originals are
  /// current.
  package var currentPaths: [String] = []

  /// The name that represents the asset: the name of its photo or, without a photo, of its movie.
  public var name: String { photo ?? movie ?? "" }
  /// The stem that identifies the asset in the catalogue, see `AssetRecord.stem`: its name without extension, or its
  /// whole name if another asset has that stem.
  public var stem: String { wholeName ?? RenderNames.Parts(name).stem }
  /// The path of the file that represents the asset.
  public var path: String { FilePath.joined(folder, name) }
  /// The paths of the originals.
  package var paths: [String] { [photo, movie].compactMap { $0 }.map { FilePath.joined(folder, $0) } }
}
