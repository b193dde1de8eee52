import Basics
import EditLibrary
import FileSystem
import LiveEdit

/// The command that lists the assets of folders.
struct ListCommand: Command {
  /// How assets are printed.
  private enum Form {
    case table
    case json
    /// One path an asset, with what ends it.
    case paths(String)
  }

  private let folders: [String]
  private let query: AssetQuery
  private let form: Form
  private let isRecursive: Bool
  private let refresh: AssetIndex.Refresh

  /// How many assets are read and printed at a time.
  private static let page = 500

  /// - Parameter arguments: of the command `list`; without a folder it is the current one.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    let options = arguments.options
    folders = arguments.files.isEmpty ? [""] : arguments.files
    query = AssetQuery(
      filter: try Self.filter(options["filter"]), order: try Self.order(options["sort"]),
      limit: try Self.limit(options["limit"]), includesHidden: options["hidden"] != nil)
    isRecursive = options["recursive"] != nil
    refresh = options["rescan"] != nil ? .always : .ifFolderChanged
    let forms: [(name: String, form: Form)] = [
      ("json", .json), ("paths", .paths("\n")), ("print0", .paths("\0")),
    ]
    let asked = forms.filter { options[$0.name] != nil }
    if asked.count > 1 {
      throw UsageError(
        message: asked.map { "--" + $0.name }.joined(separator: " and ") + " exclude each other")
    }
    form = asked.first?.form ?? .table
  }

  private static func filter(_ text: String?) throws(UsageError) -> AssetFilter? {
    guard let text else { return nil }
    do {
      return try AssetFilter(text)
    } catch {
      let hint = error.word.map { Suggestion.sentence(for: $0, among: error.known) } ?? ""
      throw UsageError(message: "--filter, \(error)\(hint)")
    }
  }

  private static func order(_ text: String?) throws(UsageError) -> AssetQuery.Order {
    guard let text else { return AssetQuery.Order(.name) }
    let isDescending = text.hasPrefix("-")
    let name = isDescending ? String(text.dropFirst()) : text
    let fields = AssetField.allCases.filter(\.isSortable)
    guard let field = fields.first(where: { $0.rawValue == name.lowercased() }) else {
      let hint = Suggestion.sentence(for: name.lowercased(), among: fields.map(\.rawValue))
      throw UsageError(
        message:
          "--sort does not take “\(text)”\(hint.isEmpty ? ": it takes " + fields.map(\.rawValue).joined(separator: ", ") : hint)"
      )
    }
    return AssetQuery.Order(field, isDescending: isDescending)
  }

  private static func limit(_ text: String?) throws(UsageError) -> Int? {
    guard let text else { return nil }
    guard let limit = Int(text), limit > 0 else {
      throw UsageError(message: "--limit does not take “\(text)”: it takes a whole number from 1 on")
    }
    return limit
  }

  /// Prints the assets of all folders.
  func run() -> ExitStatus {
    var result = Tally()
    var folders = folders.map { $0 == "." || $0 == "./" ? "" : $0 }
    if isRecursive {
      folders = folders.flatMap { folder in
        FolderTree.folders(from: folder) { result.fail($1, file: $0, isJSON: isJSON) }
      }
    }
    var printer = AssetTable()
    // In the order of their names assets come folder by folder; any other order goes through all of them.
    let isJoined = folders.count > 1 && query.order.field != .name
    var waiting: [IndexedAsset] = []
    var left = query.limit
    if query.order.field == .name, query.order.isDescending { folders.reverse() }
    for folder in folders where left != 0 && !StandardStream.hasFailed {
      do throws(EditError) {
        let index = try AssetIndex(folder: folder, refresh: refresh, report: { Report.notice($0) })
        var part = query
        part.limit = left
        let identifiers = try index.identifiers(part)
        if !isJoined { left = left.map { $0 - identifiers.count } }
        for start in stride(from: 0, to: identifiers.count, by: Self.page)
        where !StandardStream.hasFailed {
          let assets = try index.assets(identifiers[start..<min(start + Self.page, identifiers.count)])
          waiting += assets
          if !isJoined, waiting.count >= Self.page {
            write(waiting, &printer)
            waiting = []
          }
        }
      } catch {
        result.fail(error, file: folder.isEmpty ? "." : folder, isJSON: isJSON)
      }
    }
    if isJoined {
      waiting.sort { query.order.areInOrder($0, $1) }
      if let limit = query.limit { waiting = Array(waiting.prefix(limit)) }
    }
    write(waiting, &printer)
    return result.didFail ? .failed : .done
  }

  private var isJSON: Bool { if case .json = form { true } else { false } }

  private func write(_ assets: [IndexedAsset], _ table: inout AssetTable) {
    switch form {
    case .table: StandardStream.output.write(lines: table.lines(assets))
    case .json: StandardStream.output.write(json: assets.map { jsonLine(ListedAsset($0)) })
    case .paths(let end):
      let unusable = assets.filter { $0.metadata.notes.contains(UnusableName.note) }
      for asset in unusable { Report.notice("left out: \(UnusableName.error(asset.path))") }
      StandardStream.output.write(paths: assets.filter { !unusable.contains($0) }.map(\.path), end: end)
    }
  }
}
