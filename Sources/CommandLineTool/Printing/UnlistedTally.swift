import Basics
import EditModel
import FileSystem
import Workflows

/// The entries that a list of several folders omits, described in words.
struct UnlistedTally {
  private var paths: [String: [String]] = [:]
  private var folders = 0

  /// The maximum number of files of each kind that are named. Any additional files are only counted.
  private static let named = 3

  /// Adds the omitted entries of a folder.
  mutating func add(_ entries: UnlistedEntries, in folder: String) {
    for (kind, names) in entries.files {
      paths[kind, default: []] += names.map { FilePath.joined(folder, $0) }
    }
    folders += entries.folders
  }

  /// The line about the omitted files, with the most frequent kind first; nil if no files were omitted.
  var filesLine: Message? {
    guard !paths.isEmpty else { return nil }
    let kinds = paths.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
    let counts = kinds.map { kind, paths in
      // Format names have no plural.
      kind.first?.isLowercase == true ? TextNumber.count(paths.count, kind) : "\(paths.count) \(kind)"
    }.joined(separator: ", ")
    let all = kinds.flatMap(\.value)
    let shown = all.prefix(Self.named) + (all.count > Self.named ? ["…"] : [])
    return "not listed: \(counts) (\(shown.joined(separator: ", ")))"
  }

  /// The paths of the omitted files by kind, as JSON; nil if no files were omitted.
  var json: JSONValue? {
    paths.isEmpty ? nil : .object(paths.mapValues { .strings($0.sorted()) })
  }

  /// The line about the subfolders; nil if there are no subfolders.
  var foldersLine: Message? {
    folders == 0
      ? nil
      : .plural(
        folders, "\(folders) subfolder not listed; use -r to include it",
        "\(folders) subfolders not listed; use -r to include them")
  }
}
