import Basics
import FileSystem
import FoundationEssentials

/// The separate libraries that the user has created. The list ensures that a folder whose versions are in such a
/// library does not get a second history beside its originals. The list is only an aid: if it is damaged or cannot be
/// stored, liveedit works without it.
package struct KnownLibraries: Hashable, Sendable {
  /// The folder that contains the list, or nil if that folder is unknown.
  private let folder: String?

  private static let file = "libraries.json"
  private static let largest = 16 << 20

  private struct Content: Codable {
    var form = 1
    var libraries: [String] = []
  }

  /// Creates a list of known libraries.
  ///
  /// - Parameter folder: The path of the folder that contains the list, which need not exist; nil for no list.
  package init(folder: String?) { self.folder = folder }

  /// The current user's list, see ``FileSystem/UserFolder``.
  package static let ofUser = KnownLibraries(folder: UserFolder.state.path)

  /// Returns the paths of the libraries.
  ///
  /// - Returns: The paths, or nil if the list must not be overwritten because its format is newer or the list is too
  ///   large.
  /// - Throws: ``Basics/EditError`` if the list cannot be read.
  private func paths() throws(EditError) -> [String]? {
    // A folder of another user contains no list for the current user.
    guard let folder, let held = try ifSound(folder, { try HeldFolder(path: folder) }) else { return [] }
    let bytes: [UInt8]? = try whileReading(held.path(Self.file)) {
      try held.exists(Self.file) ? held.bytes(of: Self.file, atMost: Self.largest) : []
    }
    guard let bytes else { return nil }
    guard let content = try? JSONText.decode(Content.self, from: bytes) else { return [] }
    guard content.form <= 1 else { return nil }
    return content.libraries.filter { $0.hasPrefix("/") && !$0.utf8.contains(0) }
  }

  /// Adds a library to the list, if possible.
  ///
  /// - Parameter path: The library's path, with all symbolic links resolved.
  func add(_ path: String) {
    guard let folder, let paths = (try? paths()) ?? nil, !paths.contains(path) else { return }
    guard let held = try? UserFolder.make(folder) else { return }
    let bytes = VersionDescription.json(Content(libraries: (paths + [path]).sorted())) + [0x0A]
    try? held.writeWhole(Self.file, bytes: bytes, replacing: true)
  }

  /// Checks that a folder has no versions in another known library, and is not inside such a library.
  ///
  /// - Parameters:
  ///   - own: The path of the folder's own library, with all symbolic links resolved; nil if its versions are stored
  ///     beside its originals.
  ///   - isMade: Whether a history may be started beside the originals. If this is true and the originals have no
  ///     history, an error is thrown for any known library whose folders cannot be determined.
  func checkNone(
    of originals: HeldFolder, besides own: String? = nil, beforeMaking isMade: Bool = false
  ) throws(EditError) {
    let shown = FilePath.shown(originals.path)
    let found = try library(of: originals, besides: own) { one, error throws(EditError) in
      guard isMade, [.damagedLibrary, .unsupported].contains(error.code),
        try !whileReading(shown, { try Library.holdsAssets(originals) })
      else { return }
      throw EditError(
        .damagedLibrary, file: error.file ?? one,
        "cannot be read, so liveedit cannot tell whether that library contains versions of \(shown)",
        remedy: error.remedy)
    }
    guard let (one, isWithin) = found else { return }
    guard !isWithin else {
      throw EditError(
        .inTheWay, file: shown, "is inside the library \(one)",
        remedy: "name the folder of the originals, with --library \(one)")
    }
    throw EditError(
      .inTheWay, file: shown, "keeps its versions in the library \(one)",
      remedy: own == nil ? "add --library \(one)" : "use that library with --library")
  }

  /// Checks that originals in a folder can be renamed. Renaming is refused if their histories are in a known library,
  /// because those histories could not be renamed too.
  ///
  /// - Parameters:
  ///   - folder: The folder's path; empty for the current folder.
  ///   - isDestination: Whether originals are moved into the folder.
  func checkCanMove(in folder: String, isDestination: Bool) throws(EditError) {
    let shown = FilePath.shown(folder)
    let originals = try whileReading(shown) { try HeldFolder(path: folder) }
    guard let (one, isWithin) = try library(of: originals) else { return }
    throw EditError(
      .inTheWay, file: shown,
      isWithin ? "is inside the library \(one)" : "keeps its versions in the library \(one)",
      remedy: isWithin || isDestination
        ? "choose a folder that does not belong to a library"
        : "run liveedit forget --library \(one), then rename the originals with another program")
  }

  /// Returns the known library that contains a folder of originals, or that stores the folder's versions.
  ///
  /// - Parameters:
  ///   - own: The path of a library to ignore.
  ///   - unclear: A function that is called for each library that cannot be opened.
  private func library(
    of originals: HeldFolder, besides own: String? = nil,
    unclear: (String, EditError) throws(EditError) -> Void = { _, _ in }
  ) throws(EditError) -> (path: String, isWithin: Bool)? {
    let paths = (try paths() ?? []).filter { $0 != own }
    guard !paths.isEmpty, let real = try? originals.realPath,
      let path = String(validating: real, as: UTF8.self)
    else { return nil }
    var failures: [(path: String, error: EditError)] = []
    for one in paths {
      let library: LibraryFolder
      do throws(EditError) {
        library = try LibraryFolder(one)
      } catch {
        failures.append((one, error))
        continue
      }
      if library.contains(path) { return (one, true) }
      if try library.holdsAssets(of: path) { return (one, false) }
    }
    // A missing library, or a folder that is no longer a library, does not show whether the originals have versions.
    for failure in failures { try unclear(failure.path, failure.error) }
    return nil
  }
}
