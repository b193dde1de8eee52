public import EditModel
import FileSystem

/// What the files of one folder say, read once and kept.
///
/// Where the folder has a library that can be written to, the index is kept in `.liveedit/index.sqlite`: a cache
/// that may be removed at any time. Elsewhere it lives as long as the value. Nothing else is ever written.
///
/// Not to be used from two threads at a time.
public final class AssetIndex {
  /// How much is looked at when an index is opened.
  public enum Refresh: Hashable, Sendable {
    /// Nothing, where an index is kept.
    case never
    /// All names and the status of all files, if names came or went since the last time.
    case ifFolderChanged
    /// All names and the status of all files.
    case always
  }

  /// The folder as the user wrote it; empty for the current one.
  public let folder: String

  /// Opens the index of a folder and brings it up to date.
  ///
  /// - Parameters:
  ///   - folder: the assets' folder; empty for the current one.
  ///   - refresh: how much is looked at.
  ///   - report: told what people should know about the library.
  /// - Throws: ``EditError`` when the folder cannot be read.
  public init(
    folder: String, refresh: Refresh = .ifFolderChanged, report: Library.Report = { _ in }
  ) throws(EditError) {
    self.folder = folder
  }

  /// How many assets there are.
  public func count() throws(EditError) -> Int { 0 }

  /// The numbers of the assets that are wanted, in order.
  ///
  /// - Parameter query: which ones.
  public func identifiers(_ query: AssetQuery) throws(EditError) -> [Int64] { [] }

  /// Assets by their numbers, in the order of the numbers; those that are gone are left out. Files that changed
  /// since they were read are read again.
  ///
  /// - Parameter identifiers: not more than are needed at once.
  public func assets(_ identifiers: some Sequence<Int64>) throws(EditError) -> [IndexedAsset] { [] }

  /// The asset that a file belongs to: an original, a render or adjustment data.
  ///
  /// Where the index knows it, the rest of the folder is not looked at.
  ///
  /// - Parameter name: the file's name in the folder.
  /// - Returns: nil when there is no such asset.
  public func asset(named name: String) throws(EditError) -> IndexedAsset? { nil }
}
