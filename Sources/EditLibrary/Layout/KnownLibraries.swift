import Basics
import FileSystem
import FoundationEssentials

/// The libraries elsewhere that the user has made, so that a folder that has its versions in one of them does not get a
/// second history beside its originals. The list is a help: where it cannot be kept, or is damaged, there is none.
package struct KnownLibraries: Hashable, Sendable {
  /// The folder that holds the list; nil where it is not known which.
  private let folder: String?

  private static let file = "libraries.json"
  private static let largest = 16 << 20

  private struct Content: Codable {
    var form = 1
    var libraries: [String] = []
  }

  /// - Parameter folder: the path of the folder that holds the list, which need not exist; nil for none.
  package init(folder: String?) { self.folder = folder }

  /// The user's own list, see ``FileSystem/UserFolder``.
  package static let ofUser = KnownLibraries(folder: UserFolder.state.path)

  /// The paths of the libraries.
  ///
  /// - Returns: nil where there is a list that is not to be written over, since it is of a later form or too large.
  /// - Throws: ``Basics/EditError`` when the system does not let the list be read.
  private func paths() throws(EditError) -> [String]? {
    // Another user's folder has none of this one's.
    guard let folder, let held = try ifSound(folder, { try HeldFolder(path: folder) }) else { return [] }
    let bytes: [UInt8]? = try whileReading(held.path(Self.file)) {
      try held.exists(Self.file) ? held.bytes(of: Self.file, atMost: Self.largest) : []
    }
    guard let bytes else { return nil }
    guard let content = try? JSONText.decode(Content.self, from: bytes) else { return [] }
    guard content.form <= 1 else { return nil }
    return content.libraries.filter { $0.hasPrefix("/") && !$0.utf8.contains(0) }
  }

  /// Adds a library to the list, if that can be done.
  ///
  /// - Parameter path: its path without links.
  func add(_ path: String) {
    guard let folder, let paths = (try? paths()) ?? nil, !paths.contains(path) else { return }
    guard let held = try? UserFolder.make(folder) else { return }
    let bytes = VersionDescription.json(Content(libraries: (paths + [path]).sorted())) + [0x0A]
    try? held.writeWhole(Self.file, bytes: bytes, replacing: true)
  }

  /// Makes sure that a folder that is to have its versions beside its originals, or in a library, has none in another
  /// known library, and is in none.
  ///
  /// - Parameter own: the path of its library without links; nil for the layout beside the originals.
  func checkNone(of originals: HeldFolder, besides own: String? = nil) throws(EditError) {
    let paths = (try paths() ?? []).filter { $0 != own }
    guard !paths.isEmpty, let real = try? originals.realPath,
      let path = String(validating: real, as: UTF8.self)
    else { return }
    for one in paths {
      // What is not there now, or is no library any more, says nothing.
      guard let library = try? LibraryFolder(one) else { continue }
      if library.contains(path) {
        throw EditError(
          .inTheWay, file: FilePath.shown(originals.path), "is in the library \(one)",
          remedy: "name the originals, with --library \(one)")
      }
      guard try library.holdsAssets(of: path) else { continue }
      throw EditError(
        .inTheWay, file: FilePath.shown(originals.path), "has its versions in the library \(one)",
        remedy: own == nil ? "add --library \(one)" : "name that one with --library")
    }
  }
}
