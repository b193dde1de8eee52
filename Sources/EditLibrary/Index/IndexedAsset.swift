public import EditModel
import FileSystem

/// An asset of a folder as the index knows it.
public struct IndexedAsset: Hashable, Sendable, Identifiable {
  /// Identifies an asset in its folder: no other asset there has the same one, and it stays when files are renamed and when the
  /// folder is scanned again. It is the inode of the photo, or of the movie where there is none, so a file that is copied or replaced
  /// gets another one.
  public struct ID: Hashable, Sendable {
    /// The inode; nil where it is unknown.
    package var inode: UInt64?
    /// The name, if the inode is unknown, or is also that of another asset of the folder (hard links).
    package var name: String?

    package init(inode: UInt64?, name: String?) { (self.inode, self.name) = (inode, name) }
  }

  /// Identifies the asset in its folder.
  public var id: ID
  /// The folder as the user wrote it; empty for the current one.
  public var folder: String
  /// The place of the renders.
  package var layout: LibraryLayout
  /// The name of the original photo, if there is one.
  public var photo: String?
  /// The name of the original movie, if there is one.
  public var movie: String?
  /// The metadata of its files.
  public var metadata: AssetMetadata
  /// True if it is marked as a favourite.
  public var isFavourite: Bool
  /// True if it is marked as hidden.
  public var isHidden: Bool
  /// True if it stands for its burst. No file says which one does: it is the first by date and name in its folder.
  /// False outside of bursts.
  public var representsBurst: Bool
  /// A number that is another one whenever one of its files has changed: names, sizes and times tell.
  public var revision: Int64 = 0
  /// See ``OriginalFiles/wholeName``.
  package var wholeName: String?
  /// The paths of the renders and the adjustment data that show the current version; none where the originals do.
  package var currentPaths: [String] = []

  /// The name that stands for the asset: its photo's, or its movie's without a photo.
  public var name: String { photo ?? movie ?? "" }
  /// The stem that names the asset in the catalogue, see `AssetRecord.stem`: its name without extension, or its whole name if
  /// another asset has that stem.
  public var stem: String { wholeName ?? RenderNames.Parts(name).stem }
  /// The path of the file that stands for the asset.
  public var path: String { FilePath.joined(folder, name) }
  /// The paths of the originals.
  package var paths: [String] { [photo, movie].compactMap { $0 }.map { FilePath.joined(folder, $0) } }
}
