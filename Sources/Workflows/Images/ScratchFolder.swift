import Basics
import EditModel
import FileSystem
import FoundationEssentials

/// A folder for temporary files, which is removed when this object is released.
package final class ScratchFolder {
  private let url: URL

  package init() throws(EditError) {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("liveedit-\(UUID().uuidString)")
    do {
      try FileManager.default.createDirectory(
        at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    } catch {
      throw EditError(
        .fileSystem, file: url.filePath, "cannot be created", remedy: "set TMPDIR to a writable folder")
    }
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Returns the path of a file in the folder.
  package func file(_ name: String) -> String { url.filePath + "/" + name }
}
