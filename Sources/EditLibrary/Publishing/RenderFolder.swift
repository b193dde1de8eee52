package import Basics
import FileSystem

/// The folder in which a helper makes one file, beside the name that the file gets when it is whole. The helper can write
/// there alone: whoever breaks it reaches no file in the making of another asset.
///
/// In a library's work folder, and in a ``WorkFolder``, what a dead process left of it is removed by the next one.
package struct RenderFolder: Sendable {
  /// The path that the file gets.
  package let target: String
  /// The path at which the helper makes it.
  package let path: String

  /// The folder that holds it from which on no link is followed, and the places of the file, now and then, in it.
  private let home: HeldFolder
  private let folder: String
  private let name: String
  private let targetPlace: String

  /// The beginning of such a folder's name.
  static let prefix = "liveedit-render-"

  /// Makes the folder.
  ///
  /// - Parameter target: the path that the file gets; nothing is there.
  /// - Throws: ``Basics/EditError`` when the folder cannot be made.
  package init(for target: String) throws(EditError) {
    self.target = target
    do {
      (home, targetPlace) = try HeldFolder.leading(to: target)
      let parts = FilePath.split(targetPlace)
      name = parts.name
      folder = FilePath.joined(parts.folder, Self.prefix + name)
      // Nobody else has to look into it. A process that died may have had the same number, and made the same.
      if try !home.makeFolder(folder, permissions: 0o700) {
        home.removeFolderOfFiles(folder)
        guard try home.makeFolder(folder, permissions: 0o700) else { throw SystemError.exists }
      }
      path = home.path(folder + "/" + name)
    } catch {
      throw EditError(writing: target, error)
    }
  }

  /// Gives files their names, all or none, and removes their folders.
  ///
  /// - Throws: ``Basics/EditError`` when one of them was not made, or its name is taken.
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

  /// Removes the folder with the files in it.
  package func discard() { home.removeFolderOfFiles(folder) }

  /// True if a name is that of such a folder for a file.
  ///
  /// - Parameter isFile: whether a name is that of a file in the making.
  static func isName(_ name: String, _ isFile: (String) -> Bool) -> Bool {
    name.hasPrefix(prefix) && isFile(String(name.dropFirst(prefix.count)))
  }
}
