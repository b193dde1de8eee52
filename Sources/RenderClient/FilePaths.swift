import FileSystem
import FoundationEssentials

extension URL {
  /// The path of a file, in the form that the lower modules expect.
  package var filePath: String { isFileURL ? path : absoluteString }

  /// Creates the URL of a file.
  ///
  /// - Parameter path: The path of the file; empty for the current folder.
  package init(file path: String) { self.init(filePath: FilePath.shown(path)) }
}
