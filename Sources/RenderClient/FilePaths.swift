import FileSystem
import FoundationEssentials

extension URL {
  /// The path of a file, in the form that lower-level modules expect.
  package var filePath: String { isFileURL ? path : absoluteString }

  /// Creates the URL of a file.
  ///
  /// - Parameter path: The path of the file, or an empty string for the current folder.
  package init(file path: String) { self.init(filePath: FilePath.shown(path)) }
}
