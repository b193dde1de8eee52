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
  /// Files to add or remove, or folders.
  private let files: [String]
  private let layout: LibraryLayout

  /// The command `album`.
  static let declaration = CommandDeclaration(
    name: "album", summary: "Keep albums: create, add, remove, list, delete.",
    usage: "album create|delete NAME [DIR] | album add|remove NAME FILE… | album list [DIR…]",
    kind: .collecting,
    examples: ["album create Summer", "album add Summer IMG_0001.JPG IMG_0002.JPG", "album list"]
  ) { arguments throws(UsageError) in try AlbumCommand(arguments) }

  private init(_ arguments: ParsedArguments) throws(UsageError) {
    action = try arguments.action()
    layout = arguments.layout
    var words = arguments.files.dropFirst()
    if action == .list {
      name = ""
      files = words.isEmpty ? [""] : Array(words)
      return
    }
    guard let name = words.popFirst(), !name.isEmpty else {
      throw UsageError(message: "album \(action) needs the name of an album")
    }
    self.name = name
    switch action {
    case .add, .remove:
      if words.isEmpty { throw UsageError(message: "no file is named") }
      files = words.map(layout.originalPath)
    default:
      if words.count > 1 { throw UsageError(message: "album \(action) takes one folder") }
      files = words.isEmpty ? [""] : Array(words)
    }
  }

  /// Changes an album, or lists the albums.
  func run(_ tally: inout Tally) -> ExitStatus {
    TerminationSignals.block()
    switch action {
    case .list: for folder in files { list(folder, &tally) }
    case .create, .delete: change(files[0] == "." ? "" : files[0], &tally)
    case .add, .remove:
      for block in FolderBlock.blocks(files, layout) where TerminationSignals.pending == nil {
        change(block, &tally)
      }
    }
    return action == .list ? tally.readStatus : tally.status
  }

  private func list(_ folder: String, _ tally: inout Tally) {
    do throws(EditError) {
      try FolderListing.checkReadable(folder)
      for album in try Library.forReading(
        folder, layout: layout, report: { Report.notice($0) }
      ).albums() {
        let path = folder.isEmpty || folder == "." ? "" : folder + ": "
        tally.print(
          .object([
            "folder": .string(FilePath.shown(folder)), "name": .string(album.name),
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
      let library = try Library.forWriting(folder, layout: layout, report: { Report.notice($0) })
      defer { library.close() }
      if action == .create {
        try library.createAlbum(name)
      } else {
        try library.removeAlbum(name)
      }
      tally.didEdit = true
      answer(action == .create ? "created" : "deleted", files: [], tally)
    } catch {
      tally.fail(error, file: FilePath.shown(folder))
    }
  }

  private func change(_ block: FolderBlock, _ tally: inout Tally) {
    do throws(EditError) {
      let assets = try block.assets()
      let library = try Library.forWriting(block.folder, layout: layout, report: { Report.notice($0) })
      defer { library.close() }
      let stems = assets.map(\.stem)
      let changed = Set(
        try action == .add
          ? library.add(stems, toAlbum: name) : library.remove(stems, fromAlbum: name))
      if !changed.isEmpty { tally.didEdit = true }
      answer(
        action == .add ? "added" : "removed",
        files: assets.filter { changed.contains($0.stem) }.map(\.path), tally)
    } catch {
      block.fail(error, &tally)
    }
  }

  private func answer(_ status: String, files: [String], _ tally: Tally) {
    let isCounted = action == .add || action == .remove
    tally.print(
      .object(["status": .string(status), "album": .string(name), "files": Report.strings(files)]),
      ["\(name): \(status)" + (isCounted ? " \(TextNumber.count(files.count, "asset"))" : "")])
  }
}
