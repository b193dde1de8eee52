import EditModel
import FileSystem

/// The names in a folder, found by their stems.
public struct FolderListing: Sendable {
  /// The folder as the user wrote it; empty for the current one.
  public let folder: String
  /// The folder's place in the system, the same for every way to write it.
  public let place: FileStatus.Place
  /// All names, sorted.
  public let names: [String]
  private let byStem: [String: [String]]

  /// - Parameter folder: a folder's path; empty for the current one.
  public init(folder: String) throws(EditError) {
    let path = folder.isEmpty ? "." : folder
    do {
      place = try FileStatus(path: path).place
      names = try Folder.names(in: path).sorted()
    } catch {
      throw EditError(reading: path, error)
    }
    self.folder = folder
    byStem = Dictionary(grouping: names) { RenderNames.Parts($0).stem }
  }

  /// All stems, sorted.
  var stems: [String] { byStem.keys.sorted() }

  /// The names with this stem.
  public func names(stem: String) -> [String] { byStem[stem] ?? [] }

  /// The names that are photos or movies by their extensions.
  public func halves(kind: HalfKind) -> [String] {
    names.filter { HalfKind(fileExtension: RenderNames.Parts($0).fileExtension) == kind }
  }

  /// The names with this stem that are photos or movies by their extensions.
  public func halves(stem: String, kind: HalfKind) -> [String] {
    names(stem: stem).filter { HalfKind(fileExtension: RenderNames.Parts($0).fileExtension) == kind }
  }

  /// The adjustment files with this stem; more than one when their extensions differ in case.
  public func adjustments(stem: String) -> [String] {
    names(stem: stem).filter { RenderNames.Parts($0).fileExtension.lowercased() == "aae" }
  }

  /// A name with the folder before it.
  public func path(_ name: String) -> String { Self.path(folder, name) }

  static func path(_ folder: String, _ name: String) -> String {
    if folder.isEmpty { return name }
    return folder.hasSuffix("/") ? folder + name : folder + "/" + name
  }
}
