import Basics
import FileSystem
import Workflows

/// The command that marks assets as favourites or hidden.
struct MarkCommand: Command {
  private let selection: FileSelection
  private let change: MarkChange
  private let isDryRun: Bool

  private static let favourite = OptionDeclaration(
    name: "favourite", synonyms: ["fav", "like", "star", "f"], help: "mark as favourites")
  private static let noFavourite = OptionDeclaration(
    name: "no-favourite", synonyms: ["unfavourite", "unfavorite", "unfav", "unlike"],
    help: "remove the favourite mark")
  private static let hidden = OptionDeclaration(
    name: "hidden", synonyms: ["hide"], help: "hide from liveedit list")
  private static let noHidden = OptionDeclaration(
    name: "no-hidden", synonyms: ["unhide", "visible", "show"], help: "show in liveedit list again")

  /// The declaration of the command `mark`.
  static let declaration = CommandDeclaration(
    name: "mark", summary: "Mark photos, movies and Live Photos as favourite or hidden.",
    about: """
      Favourite and hidden marks are stored in each folder's .liveedit, or in DIR with --library DIR;
      photos and movies are never changed. Files in one folder are marked together or not at all.
      """,
    kind: .collecting,
    forms: [favourite, noFavourite, hidden, noHidden].map { CommandDeclaration.Form(options: [$0]) },
    options: [favourite, noFavourite, hidden, noHidden, BatchOptions.dryRun], selects: true,
    synonyms: ["fav", "favourite", "favorite", "like", "hide", "star", "flag"],
    related: ["list", "album"],
    examples: [
      .init("mark --favourite IMG_0001.JPG", "Marks a Live Photo as a favourite."),
      .init("mark --hidden --filter 'kind = movie' Photos", "Hides all movies in Photos from lists."),
    ]
  ) { arguments throws(UsageError) in try MarkCommand(arguments) }

  private init(_ arguments: ParsedArguments) throws(UsageError) {
    selection = try FileSelection(arguments, isByName: true)
    isDryRun = arguments.has(BatchOptions.dryRun)
    func mark(_ yes: OptionDeclaration, _ no: OptionDeclaration) throws(UsageError) -> Bool? {
      switch (arguments.has(yes), arguments.has(no)) {
      case (true, true):
        throw UsageError(
          message: "--\(yes.name) and --\(no.name) cannot be used together; choose one of them")
      case (true, false): true
      case (false, true): false
      case (false, false): nil
      }
    }
    change = MarkChange(
      favourite: try mark(Self.favourite, Self.noFavourite), hidden: try mark(Self.hidden, Self.noHidden))
    if change == MarkChange() {
      throw UsageError(
        message: "mark needs at least one of --favourite, --no-favourite, --hidden and --no-hidden")
    }
  }

  /// Marks the assets in a folder: either all of them or none.
  func run(_ tally: inout Tally) throws(EditError) -> ExitStatus {
    TerminationSignals.block()
    let files = try selection.files { tally.fail($0, file: $1) }
    for block in FolderBlock.blocks(files.paths, selection.layout) where TerminationSignals.pending == nil {
      do throws(EditError) {
        let assets = try block.assets(isEach: files.isWholesale, &tally)
        if isDryRun {
          _ = try Library.forReading(block.folder, layout: selection.layout, beforeWriting: true)
          for asset in assets {
            let isChanged = change.changes(favourite: asset.isFavourite, hidden: asset.isHidden)
            if isChanged { tally.didEdit = true }
            write(asset, isChanged: isChanged, &tally)
          }
          continue
        }
        let library = try Library.forWriting(
          block.folder, layout: selection.layout, report: { Report.notice($0) })
        defer { library.close() }
        let changed = Set(try library.mark(assets.map(\.stem), change))
        if !changed.isEmpty { tally.didEdit = true }
        for asset in assets { write(asset, isChanged: changed.contains(asset.stem), &tally) }
      } catch {
        block.fail(error, &tally)
      }
    }
    return tally.status
  }

  private func write(_ asset: IndexedAsset, isChanged: Bool, _ tally: inout Tally) {
    var words: [Message] = []
    if let value = change.favourite { words.append(value ? "favourite" : "not favourite") }
    if let value = change.hidden { words.append(value ? "hidden" : "not hidden") }
    let remark = words.joined(separator: ", ")
    tally.print(
      Answer(
        isChanged ? isDryRun ? .planned : .marked : .unchanged, file: asset.path,
        originals: Answer.Originals(asset),
        [
          "favourite": .boolean(change.favourite ?? asset.isFavourite),
          "hidden": .boolean(change.hidden ?? asset.isHidden),
        ]), [isChanged ? "\(asset.path): \(remark)" : "\(asset.path): already \(remark)"])
  }
}
