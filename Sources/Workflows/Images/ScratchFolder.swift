import Basics
import EditModel
import FileSystem
import FoundationEssentials

/// A folder for files in between, which goes away with this value.
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

  /// The path of a file in it.
  package func file(_ name: String) -> String { url.filePath + "/" + name }
}
