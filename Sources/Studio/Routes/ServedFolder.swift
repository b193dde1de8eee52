internal import EditModel
internal import FileSystem
internal import Workflows

/// A folder whose assets are served.
struct ServedFolder: Sendable {
  /// The number of the folder.
  let number: Int
  /// The absolute path of the folder.
  let path: String
  /// The path relative to the parent of the folder that the user named. The path therefore begins with that folder's
  /// name.
  let name: String
  /// The path of the folder that the user named.
  let root: String
  /// The folder in the state in which the server found it. No other folder is ever opened at its path.
  var guarded: GuardedFolder
  /// The assets of the folder.
  let library: AssetFolder

  /// The path relative to the folder that the user named; empty if this is the folder that the user named.
  var place: String { path == root ? "" : String(path.dropFirst(root == "/" ? 1 : root.count + 1)) }

  /// Returns the name of a file in the folder, as used in responses.
  func shown(_ name: String) -> String { FilePath.joined(place, name) }

  /// Whether marks, albums and edits can be saved in the folder.
  var isWritable: Bool {
    library.layout.library != nil || (try? HeldFolder(path: path).checkWritable()) != nil
  }
}
