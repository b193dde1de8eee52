import FileSystem
import FoundationEssentials

extension URL {
  /// The path of a file, as the rooms below take it.
  package var filePath: String { isFileURL ? path : absoluteString }

  /// The location of a file.
  ///
  /// - Parameter path: the file's path; empty for the current folder.
  package init(file path: String) { self.init(filePath: FilePath.shown(path)) }
}
