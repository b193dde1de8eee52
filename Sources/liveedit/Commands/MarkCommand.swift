import Basics
import EditLibrary
import FileSystem
import LiveEdit

/// The command that marks assets as favourites or hidden.
struct MarkCommand: Command {
  private let files: [String]
  private let change: MarkChange
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    files = try arguments.namedFiles
    isJSON = arguments.isJSON
    func mark(_ name: String) throws(UsageError) -> Bool? {
      switch (arguments.options[name] != nil, arguments.options["no-" + name] != nil) {
      case (true, true): throw UsageError(message: "--\(name) and --no-\(name) exclude each other")
      case (true, false): true
      case (false, true): false
      case (false, false): nil
      }
    }
    change = MarkChange(favourite: try mark("favourite"), hidden: try mark("hidden"))
    if change == MarkChange() {
      throw UsageError(
        message: "mark needs at least one of --favourite, --no-favourite, --hidden and --no-hidden")
    }
  }

  /// Marks the assets, all of a folder or none.
  func run() -> ExitStatus {
    TerminationSignals.block()
    var result = Tally()
    for block in FolderBlock.blocks(files) where TerminationSignals.pending == nil {
      do throws(EditError) {
        let assets = try block.assets()
        let library = try Library.forWriting(block.folder, report: { Report.notice($0) })
        defer { library.close() }
        let changed = Set(try library.mark(assets.map(\.stem), change))
        if !changed.isEmpty { result.didEdit = true }
        for asset in assets { write(asset, isChanged: changed.contains(asset.stem)) }
      } catch {
        block.fail(error, &result, isJSON: isJSON)
      }
    }
    return result.status
  }

  private func write(_ asset: IndexedAsset, isChanged: Bool) {
    guard isJSON else {
      let words = [(change.favourite, "favourite"), (change.hidden, "hidden")].compactMap { value, word in
        value.map { $0 ? word : "not \(word)" }
      }
      let remark = words.joined(separator: ", ") + (isChanged ? "" : " already")
      StandardStream.output.write(line: "\(asset.path): \(remark)")
      return
    }
    Report.print(
      .object([
        "status": .string(isChanged ? "marked" : "unchanged"), "file": .string(asset.path),
        "favourite": .boolean(change.favourite ?? asset.isFavourite),
        "hidden": .boolean(change.hidden ?? asset.isHidden),
      ]))
  }
}
