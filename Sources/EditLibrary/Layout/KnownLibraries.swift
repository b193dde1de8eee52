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
  /// - Parameters:
  ///   - own: the path of its library without links; nil for the layout beside the originals.
  ///   - isMade: whether a history may begin beside the originals: then a library that does not say which folders it holds
  ///     stands in the way of those that have none yet.
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
        "cannot be understood, so that it is not known whether \(shown) has its versions in that library",
        remedy: error.remedy)
    }
    guard let (one, isWithin) = found else { return }
    guard !isWithin else {
      throw EditError(
        .inTheWay, file: shown, "is in the library \(one)",
        remedy: "name the originals, with --library \(one)")
    }
    throw EditError(
      .inTheWay, file: shown, "has its versions in the library \(one)",
      remedy: own == nil ? "add --library \(one)" : "name that one with --library")
  }

  /// Makes sure that originals in a folder can be given other names: in no known library their histories could go along.
  ///
  /// - Parameters:
  ///   - folder: the folder's path; empty for the current one.
  ///   - isDestination: whether they are to go there.
  func checkCanMove(in folder: String, isDestination: Bool) throws(EditError) {
    let shown = FilePath.shown(folder)
    let originals = try whileReading(shown) { try HeldFolder(path: folder) }
    guard let (one, isWithin) = try library(of: originals) else { return }
    throw EditError(
      .inTheWay, file: shown,
      isWithin ? "is in the library \(one)" : "has its versions in the library \(one)",
      remedy: isWithin || isDestination
        ? "choose a folder that belongs to no library"
        : "give originals there other names with another program, after liveedit forget --library \(one)")
  }

  /// The known library that a folder of originals has versions in, or is in.
  ///
  /// - Parameters:
  ///   - own: the path of a library that does not count.
  ///   - unclear: told of libraries that cannot be opened.
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
    // What is not there now, or is no library any more, says nothing.
    for failure in failures { try unclear(failure.path, failure.error) }
    return nil
  }
}
