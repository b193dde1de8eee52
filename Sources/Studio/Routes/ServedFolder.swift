internal import EditModel
internal import FileSystem
internal import Workflows

/// A folder whose assets are served.
struct ServedFolder: Sendable {
  /// Its number.
  let number: Int
  /// Its path, from the root of the file system on.
  let path: String
  /// Its path from the folder that was named on, with that folder's own name.
  let name: String
  /// The path of the folder that was named.
  let root: String
  /// The folder as it was when it was found; nothing else is opened at its path.
  var guarded: GuardedFolder
  /// Its assets.
  let library: AssetFolder

  /// The folder's path from the one that was named on; empty for that one itself.
  var place: String { path == root ? "" : String(path.dropFirst(root == "/" ? 1 : root.count + 1)) }

  /// The name of a file in it as answers have it.
  func shown(_ name: String) -> String { FilePath.joined(place, name) }

  /// True if marks, albums and edits can be written.
  var isWritable: Bool {
    library.layout.library != nil || (try? HeldFolder(path: path).checkWritable()) != nil
  }
}
