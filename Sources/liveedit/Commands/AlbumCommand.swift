import Basics
import FileSystem
import LiveEdit

/// The command that keeps albums.
struct AlbumCommand: Command {
  private enum Action: String, CaseIterable {
    case create, delete, add, remove, list
  }

  private let action: Action
  private let name: String
  /// The folders of albums to create, delete or list.
  private let folders: [String]
  /// The files to add or remove.
  private let selection: FileSelection?
  private let isDryRun: Bool
  private let layout: LibraryLayout

  /// The command `album`.
  static let declaration = CommandDeclaration(
    name: "album", summary: "Keep albums: create, add, remove, list, delete.",
    usage: "album create|delete NAME [DIR] | album add|remove NAME FILE… | album list [DIR…]",
    kind: .collecting, options: [BatchOptions.dryRun], selects: true,
    examples: ["album create Summer", "album add Summer IMG_0001.JPG IMG_0002.JPG", "album list"]
  ) { arguments throws(UsageError) in try AlbumCommand(arguments) }

  private init(_ arguments: ParsedArguments) throws(UsageError) {
    action = try arguments.action()
    isDryRun = arguments.has(BatchOptions.dryRun)
    layout = arguments.layout
    let isOfFiles = action == .add || action == .remove
    if !isOfFiles, let option = FileSelection.options.first(where: { arguments.options[$0.name] != nil }) {
      throw UsageError(message: "album \(action) does not take --\(option.name)")
    }
    var words = arguments.files.dropFirst()
    if action == .list {
      (name, selection) = ("", nil)
      folders = words.isEmpty ? [""] : Array(words)
      return
    }
    guard let name = words.popFirst(), !name.isEmpty else {
      throw UsageError(message: "album \(action) needs the name of an album")
    }
    self.name = name
    selection = isOfFiles ? try FileSelection(arguments, of: Array(words)) : nil
    if !isOfFiles, words.count > 1 { throw UsageError(message: "album \(action) takes one folder") }
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
              "assets": Report.strings(album.stems),
            ]), [path + "\(album.name) (\(TextNumber.count(album.stems.count, "asset")))"])
      }
    } catch {
      tally.fail(error, file: FilePath.shown(folder))
    }
  }

  private func change(_ folder: String, _ tally: inout Tally) {
    do throws(EditError) {
      try FolderListing.checkReadable(folder)
      if isDryRun {
        let library = try Library.forReading(folder, layout: layout, report: { Report.notice($0) })
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

  /// Adds assets or removes them.
  ///
  /// - Returns: those of which that was not true before.
  private func change(_ stems: [String], in folder: String) throws(EditError) -> [String] {
    if isDryRun {
      let known = Set(
        try Library.forReading(folder, layout: layout, report: { Report.notice($0) }).album(name).stems)
      return stems.filter { known.contains($0) == (action == .remove) }
    }
    let library = try Library.forWriting(folder, layout: layout, report: { Report.notice($0) })
    defer { library.close() }
    return try action == .add ? library.add(stems, toAlbum: name) : library.remove(stems, fromAlbum: name)
  }

  private func answer(
    _ status: Answer.Status, files: [String], in folder: String, _ tally: inout Tally
  ) {
    let isCounted = action == .add || action == .remove
    tally.print(
      Answer(
        isDryRun ? .planned : status,
        [
          "folder": .string(FilePath.shown(folder)), "album": .string(name), "files": Report.strings(files),
        ]),
      ["\(name): \(status)" + (isCounted ? " \(TextNumber.count(files.count, "asset"))" : "")])
  }
}
