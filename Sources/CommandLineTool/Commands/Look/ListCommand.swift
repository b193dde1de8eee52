import Basics
import FileSystem
import Workflows

/// The command that lists the assets in folders.
struct ListCommand: Command {
  /// The form in which assets are printed.
  private enum Form {
    case table
    case json
    /// The path of each asset, followed by this terminator.
    case paths(String)
  }

  private let folders: [String]
  private let query: AssetQuery
  private let form: Form
  private let isRecursive: Bool
  private let refresh: AssetIndex.Refresh
  private let layout: LibraryLayout

  /// The number of assets that are read and printed at a time.
  private static let page = 500

  private static let sortable = AssetField.allCases.filter(\.isSortable).map(\.rawValue)
  private static let filter = OptionDeclaration(
    name: "filter", type: .text, placeholder: "EXPR", synonyms: ["where", "if", "query", "select"],
    proposal: .filter, help: "only items that match EXPR (syntax: liveedit help filters)")
  private static let sort = OptionDeclaration(
    name: "sort", type: .name(sortable), placeholder: "FIELD", standard: AssetField.name.rawValue,
    synonyms: ["order", "sort-by", "by", "o"], proposal: .words(sortable + sortable.map { "-" + $0 }),
    help: "sort by FIELD in ascending order; -FIELD sorts in descending order")
  private static let limit = OptionDeclaration(
    name: "limit", type: .wholeNumber(1...Int.max), placeholder: "N",
    synonyms: ["max", "n", "head", "count"],
    help: "list at most N items")
  private static let hidden = OptionDeclaration(
    name: "hidden", synonyms: ["all", "a"], help: "include items marked as hidden")
  private static let rescan = OptionDeclaration(
    name: "rescan", synonyms: ["refresh", "reindex", "update"],
    help: "check every file for changes, even if no file was added or removed")
  private static let paths = OptionDeclaration(
    name: "paths", synonyms: ["names", "plain", "1"],
    help: "print only paths, one per line: the photo's path, or the movie's if there is no photo")
  private static let print0 = OptionDeclaration(
    name: "print0", letter: "0", synonyms: ["null"],
    help: "print only paths, each followed by a null byte, for xargs -0")

  /// The declaration of the command `list`.
  static let declaration = CommandDeclaration(
    name: "list", summary: "List the photos, movies and Live Photos in folders.",
    about: """
      Without a folder, lists the current folder. Nothing is changed.\n\n
      """ + FilterHelp.text,
    kind: .collecting, forms: [.init(operands: "[DIR…]")],
    options: [filter, sort, limit, hidden, FileSelection.recursive, rescan, paths, print0],
    operands: [.folders], synonyms: ["ls", "find", "dir", "search", "query"], endings: .ofAnswers,
    files: [.cache],
    related: ["mark", "album", "inspect"],
    examples: [
      .init("list", "Lists the current folder."),
      .init(
        "list --filter favourite --sort -date --limit 20 Photos",
        "Lists the 20 latest favourites in Photos."),
      .init(
        "list -r --paths --filter 'kind = live and not edited' Photos",
        "Prints the paths of all unedited Live Photos under Photos."),
    ]
  ) { arguments throws(UsageError) in try ListCommand(arguments) }

  private init(_ arguments: ParsedArguments) throws(UsageError) {
    folders = arguments.files.isEmpty ? [""] : arguments.files
    query = AssetQuery(
      filter: try FileSelection.filter(arguments[Self.filter]), order: try Self.order(arguments[Self.sort]),
      limit: try arguments.wholeNumber(Self.limit), includesHidden: arguments.has(Self.hidden))
    layout = arguments.layout
    isRecursive = arguments.has(FileSelection.recursive)
    refresh = arguments.has(Self.rescan) ? .always : .ifFolderChanged
    let forms: [(option: OptionDeclaration, form: Form)] = [
      (.json, .json), (Self.paths, .paths("\n")), (Self.print0, .paths("\0")),
    ]
    let asked = forms.filter { arguments.has($0.option) }
    if asked.count > 1 {
      throw UsageError(
        message:
          "\(asked.map { Message("--" + $0.option.name) }.joined(separator: " and ")) cannot be combined; use one of them"
      )
    }
    form = asked.first?.form ?? .table
  }

  private static func order(_ text: String?) throws(UsageError) -> AssetQuery.Order {
    guard let text else { return AssetQuery.Order(.name) }
    let isDescending = text.hasPrefix("-")
    let name = isDescending ? String(text.dropFirst()) : text
    guard sortable.contains(name.lowercased()), let field = AssetField(rawValue: name.lowercased()) else {
      let hint = Suggestion.sentence(for: name.lowercased(), among: sortable)
      throw UsageError(
        message:
          "--sort does not accept “\(text)”\(hint.isEmpty ? Suggestion.all(sortable) : hint)"
      )
    }
    return AssetQuery.Order(field, isDescending: isDescending)
  }

  /// Prints the assets in all folders.
  func run(_ tally: inout Tally) throws(EditError) -> ExitStatus {
    var folders = folders.map { $0 == "." || $0 == "./" ? "" : $0 }
    if isRecursive {
      folders = folders.flatMap { folder in
        FolderTree.folders(from: folder) { tally.fail($1, file: $0) }
      }
    }
    let all = folders
    let cache = try Configuration().cache
    var printer = AssetTable()
    // If sorted by name, assets are listed folder by folder. Any other order applies across all folders.
    let isJoined = folders.count > 1 && query.order.field != .name
    var waiting: [IndexedAsset] = []
    var left = query.limit
    if query.order.field == .name, query.order.isDescending { folders.reverse() }
    for folder in folders where left != 0 && !StandardStream.hasFailed {
      do throws(EditError) {
        let index = try AssetIndex(
          folder: folder, layout: layout, refresh: refresh, cache: cache, report: { Report.notice($0) })
        var part = query
        part.limit = left
        let identifiers = try index.identifiers(part)
        if !isJoined { left = left.map { $0 - identifiers.count } }
        for start in stride(from: 0, to: identifiers.count, by: Self.page)
        where !StandardStream.hasFailed {
          let assets = try index.assets(identifiers[start..<min(start + Self.page, identifiers.count)])
          waiting += assets
          if !isJoined, waiting.count >= Self.page {
            write(waiting, &printer, &tally)
            waiting = []
          }
        }
      } catch {
        tally.fail(error, file: FilePath.shown(folder))
      }
    }
    if isJoined {
      waiting.sort { query.order.areInOrder($0, $1) }
      if let limit = query.limit { waiting = Array(waiting.prefix(limit)) }
    }
    write(waiting, &printer, &tally)
    if !StandardStream.hasFailed { nameTheRest(of: all, &tally) }
    return tally.readStatus
  }

  /// Prints which pictures and movies in the folders are not part of any asset, and whether the folders have
  /// subfolders. Unreadable folders have already been reported.
  private func nameTheRest(of folders: [String], _ tally: inout Tally) {
    if case .paths = form { return }
    var unlisted = UnlistedTally()
    for folder in folders {
      if let rest = try? UnlistedEntries(folder: folder) { unlisted.add(rest, in: folder) }
    }
    if case .json = form {
      tally.summary["leftOut"] = unlisted.json
      return
    }
    if let line = unlisted.filesLine { Report.notice(line) }
    if !isRecursive, let line = unlisted.foldersLine { Report.notice(line) }
  }

  private func write(_ assets: [IndexedAsset], _ table: inout AssetTable, _ tally: inout Tally) {
    switch form {
    case .table: StandardStream.output.write(lines: table.lines(assets))
    case .json:
      for asset in assets {
        tally.print(
          Answer(
            .listed, file: asset.path, originals: Answer.Originals(asset), content: ListedAsset(asset))
        )
      }
    case .paths(let end):
      let unusable = assets.filter { $0.metadata.notes.contains(UnusableName.note) }
      for asset in unusable { Report.notice("skipped: \(UnusableName.error(asset.path))") }
      StandardStream.output.write(paths: assets.filter { !unusable.contains($0) }.map(\.path), end: end)
    }
  }
}
