import Basics
import FileSystem
import Workflows

/// The command that manages albums.
struct AlbumCommand: Command {
  private enum Action: String {
    case create, delete, add, remove, list
  }

  private let action: Action
  private let name: String
  /// The folders in which albums are created, deleted or listed.
  private let folders: [String]
  /// The files to add to an album or to remove from it.
  private let selection: FileSelection?
  private let isDryRun: Bool
  private let layout: LibraryLayout

  /// The declaration of the command `album`.
  static let declaration = CommandDeclaration(
    "album", summary: "Create, list, change and delete albums.",
    about: """
      An album belongs to one folder. Albums are stored in the folder's .liveedit, or in DIR with
      --library DIR; photos and movies are never changed. liveedit list --filter 'album = NAME' lists an
      album's items.
      """,
    kind: .collecting, synonyms: ["albums", "collection", "folder", "group"], related: ["list", "mark"],
    subcommands: [list, create, add, remove, delete])

  private static let list = CommandDeclaration(
    name: "album list", summary: "List the albums in folders.",
    about: "Without DIR, lists the albums in the current folder.",
    kind: .collecting, forms: [.init(operands: "[DIR…]")], operands: [.folders], synonyms: ["ls", "show"],
    endings: .ofAnswers,
    examples: [
      .init("album list", "Lists the names of the albums and how many items each has."),
      .init("album list --json Photos", "Prints the albums in Photos and their items as JSON."),
    ]
  ) { arguments throws(UsageError) in try AlbumCommand(.list, arguments) }

  private static let create = CommandDeclaration(
    name: "album create", summary: "Create an album.",
    about: "Without DIR, creates the album in the current folder.",
    kind: .collecting, forms: [.init(operands: "NAME [DIR]")], options: [BatchOptions.dryRun],
    operands: [.nothing, .folders], synonyms: ["new", "make", "mk"],
    examples: [
      .init("album create Summer", "Creates the album Summer in the current folder."),
      .init("album create Summer Photos", "Creates the album Summer in the folder Photos."),
    ]
  ) { arguments throws(UsageError) in try AlbumCommand(.create, arguments) }

  private static let add = CommandDeclaration(
    name: "album add", summary: "Add Live Photos to an album.",
    about: "Uses the album in the folder that contains the files.", kind: .collecting,
    forms: [.init(operands: "NAME FILE…")], options: [BatchOptions.dryRun], selects: true,
    operands: [.albums, .files()], synonyms: ["put", "insert", "append"],
    examples: [
      .init("album add Summer IMG_0001.JPG IMG_0002.JPG", "Adds two Live Photos to Summer."),
      .init(
        "album add Summer --filter 'date = 2024-07' Photos",
        "Adds the items of July 2024 in Photos to the album Summer of that folder."),
    ]
  ) { arguments throws(UsageError) in try AlbumCommand(.add, arguments) }

  private static let remove = CommandDeclaration(
    name: "album remove", summary: "Remove Live Photos from an album.",
    about: "Photos and movies are not deleted.", kind: .collecting,
    forms: [.init(operands: "NAME FILE…")],
    options: [BatchOptions.dryRun], selects: true, operands: [.albums, .files()], synonyms: ["rm", "take"],
    examples: [
      .init("album remove Summer IMG_0001.JPG", "Removes a Live Photo from Summer."),
      .init("album remove --dry-run Summer IMG_0001.JPG", "Shows whether the Live Photo is in Summer."),
    ]
  ) { arguments throws(UsageError) in try AlbumCommand(.remove, arguments) }

  private static let delete = CommandDeclaration(
    name: "album delete", summary: "Delete an album.",
    about: "Photos and movies in the album are not deleted.",
    kind: .collecting, forms: [.init(operands: "NAME [DIR]")], options: [BatchOptions.dryRun],
    operands: [.albums, .folders], synonyms: ["drop", "destroy"],
    examples: [
      .init("album delete Summer", "Deletes the album Summer in the current folder."),
      .init("album delete --dry-run Summer", "Shows whether the album exists."),
    ]
  ) { arguments throws(UsageError) in try AlbumCommand(.delete, arguments) }

  private init(_ action: Action, _ arguments: ParsedArguments) throws(UsageError) {
    self.action = action
    isDryRun = arguments.has(BatchOptions.dryRun)
    layout = arguments.layout
    let isOfFiles = action == .add || action == .remove
    var words = arguments.files[...]
    if action == .list {
      (name, selection) = ("", nil)
      folders = words.isEmpty ? [""] : Array(words)
      return
    }
    guard let name = words.popFirst(), !name.isEmpty else {
      throw UsageError(message: "album \(action) needs an album name, for example album \(action) Summer")
    }
    self.name = name
    if isOfFiles, words.isEmpty, arguments[FileSelection.filesFrom] == nil {
      throw UsageError(
        message:
          "album \(action) needs files after the album name, for example album \(action) Summer IMG_0001.JPG")
    }
    selection = isOfFiles ? try FileSelection(arguments, of: Array(words), isByName: true) : nil
    if !isOfFiles, words.count > 1 {
      throw UsageError(
        message: "album \(action) accepts one name and one folder; put a name with spaces in quotation marks")
    }
    folders = words.isEmpty ? [""] : Array(words)
  }

  /// Changes an album, or lists the albums.
  func run(_ tally: inout Tally) throws(EditError) -> ExitStatus {
    TerminationSignals.block()
    if let selection {
      let files = try selection.files { tally.fail($0, file: $1) }
      for block in FolderBlock.blocks(files.paths, layout) where TerminationSignals.pending == nil {
        change(block, isEach: files.isWholesale, &tally)
      }
    } else if action == .list {
      for folder in folders { list(folder, &tally) }
    } else {
      change(folders[0] == "." ? "" : folders[0], &tally)
    }
    return action == .list ? tally.readStatus : tally.status
  }

  private func list(_ folder: String, _ tally: inout Tally) {
    do throws(EditError) {
      try FolderListing.checkReadable(folder)
      for album in try Library.forReading(folder, layout: layout, report: { Report.notice($0) }).albums() {
        let path = folder.isEmpty || folder == "." ? "" : folder + ": "
        tally.print(
          Answer(
            .listed,
            [
              "folder": .string(FilePath.shown(folder)), "album": .string(album.name),
              "assets": .strings(album.stems),
            ]), ["\(path)\(album.name) (\(TextNumber.count(album.stems.count, "asset")))"])
      }
    } catch {
      tally.fail(error, file: FilePath.shown(folder))
    }
  }

  private func readBeforeChange(_ folder: String) throws(EditError) -> Library {
    try Library.forReading(folder, layout: layout, beforeWriting: true, report: { Report.notice($0) })
  }

  private func change(_ folder: String, _ tally: inout Tally) {
    do throws(EditError) {
      try FolderListing.checkReadable(folder)
      if isDryRun {
        let library = try readBeforeChange(folder)
        if action == .create { try library.checkNew(album: name) } else { _ = try library.album(name) }
      } else {
        let library = try Library.forWriting(folder, layout: layout, report: { Report.notice($0) })
        defer { library.close() }
        if action == .create { try library.createAlbum(name) } else { try library.removeAlbum(name) }
      }
      tally.didEdit = true
      answer(action == .create ? .created : .deleted, files: [], in: folder, &tally)
    } catch {
      tally.fail(error, file: FilePath.shown(folder))
    }
  }

  private func change(_ block: FolderBlock, isEach: Bool, _ tally: inout Tally) {
    do throws(EditError) {
      let assets = try block.assets(isEach: isEach, &tally)
      let changed = Set(try change(assets.map(\.stem), in: block.folder))
      if !changed.isEmpty { tally.didEdit = true }
      answer(
        action == .add ? .added : .removed,
        files: assets.filter { changed.contains($0.stem) }.map(\.path), in: block.folder, &tally)
    } catch {
      block.fail(error, &tally)
    }
  }

  /// Adds assets to the album or removes assets from the album.
  ///
  /// - Returns: The stems of the assets whose membership changed.
  private func change(_ stems: [String], in folder: String) throws(EditError) -> [String] {
    if isDryRun {
      let known = Set(try readBeforeChange(folder).album(name).stems)
      return stems.filter { known.contains($0) == (action == .remove) }
    }
    let library = try Library.forWriting(folder, layout: layout, report: { Report.notice($0) })
    defer { library.close() }
    return try action == .add ? library.add(stems, toAlbum: name) : library.remove(stems, fromAlbum: name)
  }

  private func answer(
    _ status: Answer.Status, files: [String], in folder: String, _ tally: inout Tally
  ) {
    let assets = TextNumber.count(files.count, "asset")
    let line: Message =
      switch action {
      case .list, .create: "\(name): created"
      case .delete: "\(name): deleted"
      case .add: "\(name): added \(assets)"
      case .remove: "\(name): removed \(assets)"
      }
    tally.print(
      Answer(
        isDryRun ? .planned : status,
        [
          "folder": .string(FilePath.shown(folder)), "album": .string(name), "files": .strings(files),
        ]),
      [line])
  }
}
