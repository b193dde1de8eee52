package import Basics
import FileSystem

/// A folder and the folders in it.
package enum FolderTree {
  private static let deepest = 64

  /// A folder and all folders below it, each before those in it. Hidden folders are left out, symbolic links are not
  /// followed.
  ///
  /// - Parameters:
  ///   - root: the folder's path.
  ///   - fail: told of folders that cannot be read; they are left out.
  package static func folders(from root: String, fail: (String, EditError) -> Void) -> [String] {
    folders(from: root, depth: 0, fail: fail)
  }

  private static func folders(
    from root: String, depth: Int, fail: (String, EditError) -> Void
  ) -> [String] {
    let contents: Folder.Contents
    do {
      contents = try Folder.contents(of: FilePath.shown(root))
    } catch {
      fail(root, FolderListing.error(FilePath.shown(root), error))
      return []
    }
    for entry in contents.unusable where entry.status?.kind == .folder && !entry.name.hasPrefix(".") {
      let path = FilePath.joined(root == "." ? "" : root, entry.name)
      fail(path, UnusableName.error(path))
    }
    var found = [root]
    guard depth < deepest else { return found }
    for name in contents.names.sorted() where !name.hasPrefix(".") {
      let kind = RenderNames.Parts(name).fileExtension
      // What is named like a photo or a movie is no folder as a rule, and there may be many of them.
      guard HalfKind(fileExtension: kind) == nil, kind.lowercased() != "aae" else { continue }
      let path = FilePath.joined(root == "." ? "" : root, name)
      guard (try? FileStatus(path: path, followingLinks: false))?.kind == .folder else { continue }
      found += folders(from: path, depth: depth + 1, fail: fail)
    }
    return found
  }
}
