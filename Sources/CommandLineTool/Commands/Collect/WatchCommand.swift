import Basics
import EditModel
import FileSystem
import RenderClient
import Workflows

/// The command that edits or verifies new files in folders until the command is stopped.
struct WatchCommand: Command {
  private enum Action {
    case edit(any EditChange)
    case verify
  }

  private let action: Action
  private let folders: [String]
  private let isRecursive: Bool
  /// The arguments that distinguish this watch from other watches.
  private let purpose: [String]
  private let layout: LibraryLayout

  private static let apply = OptionDeclaration(
    name: "apply", type: .name([]), placeholder: "PRESET", synonyms: ["preset"], proposal: .presets,
    help: "apply this preset to new items")
  private static let auto = OptionDeclaration(name: "auto", help: "improve new items as liveedit auto does")
  private static let verify = OptionDeclaration(name: "verify", help: "check whether new items are valid")

  /// The declaration of the command `watch`.
  static let declaration = CommandDeclaration(
    name: "watch", summary: "Edit or verify new files in folders until stopped.",
    about: """
      Without DIR, watches the current folder. Files from before the first watch are left alone. A Live
      Photo is processed once both halves are present, complete and no longer changing; a single half
      waits one minute for the other half. Incomplete files are not edited until they are complete. Each
      item is processed only once, even if you stop the watch and start it again. Ctrl-C or SIGTERM stops
      the watch; the exit status is then 130 (Ctrl-C) or 143 (SIGTERM).
      """,
    kind: .watching, forms: [apply, auto, verify].map { .init(options: [$0], operands: "[DIR…]") },
    options: [apply, auto, verify, FileSelection.recursive, .library], operands: [.folders],
    synonyms: ["monitor", "daemon", "follow", "inotify"], endings: .ofWatches, files: [.watches],
    related: ["auto", "apply", "verify"],
    examples: [
      .init("watch --auto -r Photos", "Improves new items in Photos and its subfolders."),
      .init("watch --apply vivid Photos", "Applies the preset vivid to new items in Photos."),
    ]
  ) { arguments throws(UsageError) in try WatchCommand(arguments) }

  private init(_ arguments: ParsedArguments) throws(UsageError) {
    folders = arguments.files.isEmpty ? [""] : arguments.files.map { $0 == "." || $0 == "./" ? "" : $0 }
    isRecursive = arguments.has(FileSelection.recursive)
    layout = arguments.layout
    switch (arguments[Self.apply], arguments.has(Self.auto), arguments.has(Self.verify)) {
    case (let preset?, false, false):
      action = .edit(ApplyCommand(source: .presets([preset], intensity: 1), layout: layout))
      purpose = ["apply", preset]
    case (nil, true, false):
      action = .edit(AutoCommand(parts: Set(AutoProposal.parts)))
      purpose = ["auto"]
    case (nil, false, true): (action, purpose) = (.verify, ["verify"])
    default: throw UsageError(message: "watch needs exactly one of --apply PRESET, --auto and --verify")
    }
  }

  /// Waits for new files and processes them.
  func run(_ tally: inout Tally) throws(EditError) -> ExitStatus {
    TerminationSignals.block()
    let helper = try HelperRenderer()
    var settings = SettingsChange()
    settings.defaults = try Configuration().renderSettings
    let change: ChangeOfEdit? =
      if case .edit(let change) = action { .by(try change.function(), settings: settings) } else { nil }
    let isStopped: @Sendable () -> Bool = { TerminationSignals.pending != nil }
    let editor = AssetEditor(
      renderer: helper, layout: layout, isCancelled: isStopped, report: { Report.notice($0) })
    let verifier = LivePhotoVerifier(renderer: helper, isCancelled: isStopped)
    var purpose = purpose
    if let library = layout.library { purpose += ["library", try FolderWatcher.absolute(library)] }
    let watcher = try FolderWatcher(folders, isRecursive: isRecursive, purpose: purpose) { folder, error in
      var error = error
      error.file = error.file ?? folder
      Report.fail(error)
    }
    let known = watcher.knownCount
    let folders = TextNumber.count(watcher.folderCount, "folder")
    Report.notice(
      known > 0
        ? "watching \(folders); existing items (\(TextNumber.count(known, "asset"))) are left alone"
        : "watching \(folders)")
    // For each postponed file, the number of attempts and the last error.
    var postponed: [String: (times: Int, error: EditError?)] = [:]
    while !isStopped(), !StandardStream.hasFailed {
      for arrival in try watcher.next(milliseconds: 500) {
        if isStopped() { break }
        let file = arrival.files[0]
        do throws(EditError) {
          if let missing = arrival.missing { throw missing }
          if let change {
            try edit(file, change, dataEnds: arrival.dataEnds, editor, &tally)
          } else {
            try verify(arrival.files, verifier, &tally)
          }
        } catch {
          // A new file whose processing was stopped is processed again at the next start.
          if isStopped() { break }
          let (times, last) = postponed[file] ?? (0, nil)
          // A repeated error is reported only once.
          if last != error { tally.fail(error, file: file) }
          if Self.mayPass(error) {
            postponed[file] = (times + 1, error)
            watcher.postpone(arrival, seconds: 15 << min(times, 8))
            continue
          }
        }
        postponed[file] = nil
        do throws(EditError) { try watcher.finish(arrival) } catch {
          tally.fail(error, file: file)
        }
      }
    }
    return .done
  }

  /// Returns whether an error may be temporary rather than caused by the asset's files. Examples: another process is
  /// editing in the folder, a file is still being written, the disk is full, or the library that may contain the
  /// folder's versions is damaged.
  private static func mayPass(_ error: EditError) -> Bool {
    [.inTheWay, .conflict, .fileSystem, .unfinished, .damagedLibrary].contains(error.code)
  }

  private func edit(
    _ file: String, _ change: ChangeOfEdit, dataEnds: [String: Int], _ editor: AssetEditor,
    _ tally: inout Tally
  ) throws(EditError) {
    var locator = AssetLocator(layout: layout, report: { Report.notice($0) })
    let asset = try locator.locate(file)
    guard let outcome = try editor.edit(asset, change, joiningWithDataEnds: dataEnds) else { return }
    tally.print(
      Answer(
        .edited(outcome), Batch.Item(asset: outcome.asset, file: file, position: nil, target: nil),
        isPlan: false),
      Report.lines(.edited(outcome), isPlan: false, listsRemovals: false))
  }

  private func verify(
    _ files: [String], _ verifier: LivePhotoVerifier, _ tally: inout Tally
  ) throws(EditError) {
    for (path, found) in LivePhotoVerifier.files(of: files) {
      do throws(EditError) {
        let files = try found.get()
        let verification = try verifier.verify(files)
        VerifyCommand.write(verification, of: files, path, &tally)
      } catch {
        tally.fail(error, file: path)
      }
    }
  }
}
