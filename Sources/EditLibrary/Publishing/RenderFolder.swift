package import Basics
import FileSystem

/// The folder in which the render helper writes one file, next to the completed file's final path. The helper can write
/// only to this folder, so a compromised helper cannot change files of another asset.
///
/// In a library's work folder and in a ``WorkFolder``, the next process removes any files that a dead process left in
/// such a folder.
package struct RenderFolder: Sendable {
  /// The file's final path.
  package let target: String
  /// The path to which the helper writes the file.
  package let path: String

  /// The open parent folder, inside which no symbolic link is followed. The file's paths are relative to this folder.
  private let home: HeldFolder
  private let folder: String
  private let name: String
  private let targetPlace: String

  /// The prefix of the folder's name.
  static let prefix = "liveedit-render-"

  /// Creates the folder.
  ///
  /// - Parameter target: The file's final path, where no file exists yet.
  /// - Throws: ``Basics/EditError`` if the folder cannot be created.
  package init(for target: String) throws(EditError) {
    self.target = target
    do {
      (home, targetPlace) = try HeldFolder.leading(to: target)
      let parts = FilePath.split(targetPlace)
      name = parts.name
      folder = FilePath.joined(parts.folder, Self.prefix + name)
      // Other users need no access. A dead process with the same process identifier may have created the same folder.
      if try !home.makeFolder(folder, permissions: 0o700) {
        home.removeFolderOfFiles(folder)
        guard try home.makeFolder(folder, permissions: 0o700) else { throw SystemError.exists }
      }
      path = home.path(folder + "/" + name)
    } catch {
      throw EditError(writing: target, error)
    }
  }

  /// Gives all files their names, or gives no file a name. Also removes the files' folders.
  ///
  /// - Throws: ``Basics/EditError`` if a file was not written, or its name is taken.
  package static func publish(_ folders: [RenderFolder]) throws(EditError) {
    for (index, folder) in folders.enumerated() {
      do throws(EditError) {
        try folder.publish()
      } catch {
        for done in folders[..<index] { _ = try? done.home.remove(done.targetPlace) }
        throw error
      }
    }
  }

  private func publish() throws(EditError) {
    do {
      let made = folder + "/" + name
      guard try home.status(made).kind == .regular else { throw SystemError.notFound }
      try home.move(made, toFree: targetPlace)
    } catch {
      throw EditError(writing: target, error)
    }
    discard()
  }

  /// Removes the folder and its files.
  package func discard() { home.removeFolderOfFiles(folder) }

  /// Whether a name belongs to a folder in which the helper writes a file.
  ///
  /// - Parameter isFile: A function that returns whether a name belongs to a file in the work folder.
  static func isName(_ name: String, _ isFile: (String) -> Bool) -> Bool {
    name.hasPrefix(prefix) && isFile(String(name.dropFirst(prefix.count)))
  }
}
