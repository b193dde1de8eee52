import Basics
import FileSystem
import Workflows

/// The files that a command processes: named files, files from a list, and the assets in folders.
struct FileSelection: Sendable {
  /// The files and folders that the user named.
  let names: [String]
  /// The layout of the library, which determines where rendered files are stored.
  let layout: LibraryLayout
  /// The path of the file that lists additional names; `-` for standard input.
  private let list: String?
  private let isNullSeparated: Bool
  private let isRecursive: Bool
  private let filter: AssetFilter?
  /// The folder for the command's output. This folder is excluded when subfolders are searched.
  private let output: String?
  /// Whether a folder stands for all of its photos and movies instead of its assets.
  private let wantsEveryFile: Bool
  private let isByName: Bool

  /// The option that reads names from a list.
  static let filesFrom = OptionDeclaration(
    name: "files-from", type: .file, placeholder: "LIST",
    synonyms: ["from-file", "list", "input", "i", "stdin"],
    help: "also use the files and folders in LIST, one per line (- for standard input)")
  private static let null = OptionDeclaration(
    name: "null", letter: "0", synonyms: ["print0", "zero", "z"],
    help: "names in LIST end with a null byte, as printed by find -print0"
  )

  /// The option that includes subfolders.
  static let recursive = OptionDeclaration(
    name: "recursive", letter: "r", synonyms: ["recurse", "R", "subfolders"],
    help: "include subfolders")
  /// The option that selects assets with a filter.
  static let filter = OptionDeclaration(
    name: "filter", type: .text, placeholder: "EXPR", synonyms: ["where", "if", "query", "select"],
    proposal: .filter, help: "only items that match EXPR; see liveedit help filters")
  /// The options that all commands with file operands share.
  static let options = [recursive] + ofFiles
  /// The options that select files, not folders.
  static let ofFiles = [filesFrom, null, filter]

  /// Reads the options.
  ///
  /// - Parameters:
  ///   - arguments: The parsed arguments.
  ///   - names: The files and folders that the user named; nil for all operands.
  ///   - wantsEveryFile: Whether a folder stands for all of its photos and movies.
  ///   - isByName: Whether files with the same name form an asset, as for versions and marks. In that case, no file
  ///     needs to be read.
  /// - Throws: ``UsageError`` if nothing is selected, or if options contradict each other.
  init(
    _ arguments: ParsedArguments, of names: [String]? = nil, wantsEveryFile: Bool = false,
    isByName: Bool = false
  ) throws(UsageError) {
    self.names = names ?? arguments.files
    layout = arguments.layout
    (self.wantsEveryFile, self.isByName) = (wantsEveryFile, isByName)
    list = arguments[Self.filesFrom]
    isNullSeparated = arguments.has(Self.null)
    isRecursive = arguments.has(Self.recursive)
    filter = try Self.filter(arguments[Self.filter])
    output = arguments[.destination]
    if isNullSeparated, list == nil {
      throw UsageError(
        message: "-0 needs --files-from LIST, or --files-from - for standard input")
    }
    if self.names.isEmpty, list == nil {
      throw UsageError(message: "no file is named; name photos, movies or folders")
    }
  }

  /// Parses the filter that was given with `--filter`.
  static func filter(_ text: String?) throws(UsageError) -> AssetFilter? {
    guard let text else { return nil }
    do {
      return try AssetFilter(text)
    } catch {
      var hint = error.word.map { Suggestion.sentence(for: $0, among: error.known) } ?? ""
      if hint.isEmpty { hint = "; liveedit help filters lists the fields and words" }
      throw UsageError(message: "--filter, at character \(error.position + 1): \(error.message)\(hint)")
    }
  }

  /// The selected files.
  struct Files {
    /// The paths of the files, grouped by folder. The folders are in the order in which they first appeared.
    var paths: [String] = []
    /// Whether folders, a list or a filter were given. If not, every file was named individually.
    var isWholesale: Bool
  }

  /// Finds the selected files. Names that are not folders are used as given.
  ///
  /// - Parameter fail: A closure that receives the errors for files and folders that cannot be read. The search then
  ///   continues.
  /// - Throws: ``EditError`` if the list cannot be read.
  func files(_ fail: (EditError, String) -> Void) throws(EditError) -> Files {
    var hasFailed = false
    func failed(_ error: EditError, _ file: String) {
      hasFailed = true
      fail(error, file)
    }
    var found = Files(isWholesale: list != nil || filter != nil || isRecursive)
    var named: [String] = []
    var folders: [String] = []
    var seen: Set<[UInt8]> = []
    for name in try (names + listed(failed)).map(layout.originalPath)
    where seen.insert(Array(name.utf8)).inserted {
      // If two attempts cannot determine the kind, the name is treated as a file. The command that processes the file
      // then reports the error, and also its effect on files that were named together with the file.
      func kind() -> FileStatus.Kind? { try? ifSound(name) { try FileStatus(path: name).kind } }
      guard (kind() ?? kind()) == .folder else {
        named.append(name)
        continue
      }
      found.isWholesale = true
      let folder = name == "." || name == "./" ? "" : name
      folders +=
        isRecursive
        ? FolderTree.folders(from: folder, except: output) { failed($1, FilePath.shown($0)) } : [folder]
    }
    var byFolder: [ExactName: [String]] = [:]
    var order: [String] = []
    func add(_ paths: [String], in folder: String) {
      if byFolder[ExactName(folder)] == nil { order.append(folder) }
      byFolder[ExactName(folder), default: []] += paths
    }
    for name in named { add([name], in: FilePath.split(name).folder) }
    // The settings are read only once for all folders.
    let cache = filter == nil ? nil : try Configuration().cache
    if let filter {
      for folder in order {
        guard let paths = byFolder.updateValue([], forKey: ExactName(folder)) else { continue }
        attempt(folder, failed) { () throws(EditError) in
          byFolder[ExactName(folder)] = try matching(filter, among: paths, in: folder, cache)
        }
      }
    }
    for folder in folders {
      attempt(folder, failed) { () throws(EditError) in
        add(try members(of: folder, cache, failed), in: folder)
      }
    }
    found.paths = order.flatMap { byFolder[ExactName($0)] ?? [] }
    if found.paths.isEmpty, !hasFailed {
      Report.notice(
        filter != nil
          ? "nothing matches the filter"
          : isRecursive || folders.isEmpty
            ? "no photos or movies found"
            : "no photos or movies found; add -r to include subfolders")
    }
    return found
  }

  private func attempt(
    _ folder: String, _ fail: (EditError, String) -> Void, _ body: () throws(EditError) -> Void
  ) {
    do throws(EditError) { try body() } catch { fail(error, FilePath.shown(folder)) }
  }

  /// Returns the names in the list.
  private func listed(_ fail: (EditError, String) -> Void) throws(EditError) -> [String] {
    guard let list else { return [] }
    let source = list == "-" ? "standard input" : list
    let bytes = try whileReading(source) {
      try File.stream(list == "-" ? nil : list, atMost: Self.largestList)
    }
    guard let bytes else {
      throw EditError(
        .invalidFile, file: source, "is too large for a list of files",
        remedy: "name folders with -r, or split the list")
    }
    guard isNullSeparated || !bytes.contains(0) else {
      throw EditError(
        .invalidFile, file: source, "separates its names with null bytes", remedy: "add -0")
    }
    return bytes.split(separator: isNullSeparated ? 0 : UInt8(ascii: "\n")).compactMap { line in
      // On Windows, lines end with a carriage return and a line feed.
      let line = !isNullSeparated && line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      if let name = String(validating: line, as: UTF8.self) { return name.isEmpty ? nil : name }
      let shown = TerminalText.repaired(Array(line))
      fail(UnusableName.error(shown), shown)
      return nil
    }
  }

  /// The maximum size of a list in bytes. This is enough for a million names of 200 bytes each.
  private static let largestList = 200 << 20
  /// The number of assets that are read from an index at a time.
  private static let page = 500

  /// Returns the files that represent the assets in a folder.
  private func members(
    of folder: String, _ cache: UserCache?, _ fail: (EditError, String) -> Void
  ) throws(EditError) -> [String] {
    if let filter {
      return try matching(filter, in: folder, cache).flatMap { wantsEveryFile ? $0.paths : [$0.path] }
    }
    let listing = try FolderListing(folder: folder)
    for path in listing.unusableHalves { fail(UnusableName.error(path), path) }
    let names =
      wantsEveryFile
      ? listing.allHalves : isByName ? listing.assetNames : listing.assetNamesByIdentifier
    return names.map(listing.path)
  }

  private func matching(
    _ filter: AssetFilter, in folder: String, _ cache: UserCache?
  ) throws(EditError) -> [IndexedAsset] {
    let index = try AssetIndex(
      folder: folder, layout: layout, cache: cache, report: { Report.notice($0) })
    let identifiers = try index.identifiers(AssetQuery(filter: filter, includesHidden: true))
    var assets: [IndexedAsset] = []
    for start in stride(from: 0, to: identifiers.count, by: Self.page) {
      assets += try index.assets(identifiers[start..<min(start + Self.page, identifiers.count)])
    }
    return assets.filter { !$0.metadata.notes.contains(UnusableName.note) }
  }

  /// Returns the files whose assets match the filter. Files that do not belong to any asset are also returned, so that
  /// they are reported.
  private func matching(
    _ filter: AssetFilter, among paths: [String], in folder: String, _ cache: UserCache?
  ) throws(EditError) -> [String] {
    let names = Set(try matching(filter, in: folder, cache).map(\.name))
    let index = try AssetIndex(
      folder: folder, layout: layout, refresh: .never, report: { Report.notice($0) })
    var found: [String] = []
    for path in paths {
      let asset = try index.asset(named: FilePath.split(path).name)
      if asset.map({ names.contains($0.name) }) ?? true { found.append(path) }
    }
    return found
  }
}
