import FoundationEssentials
import Glibc

/// A folder for the files that targets need. It is removed when the process ends.
enum ScratchFolder {
  /// The path of the folder.
  static let path: String = {
    let path = FileManager.default.temporaryDirectory.path + "/liveedit-fuzz-\(getpid())"
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    atexit { try? FileManager.default.removeItem(atPath: ScratchFolder.path) }
    return path
  }()
}
