import Basics
import EditModel
import FileSystem
import RenderClient
import Synchronization
import Workflows

/// A command that changes many Live Photos. The command finds the Live Photos, plans the changes, writes the list of
/// assets to change, and carries out the changes. `--dry-run` ends after planning, and `--resume` starts from an
/// existing list.
struct BatchCommand: Command {
  /// The kind of change, and the assets that the change is applied to.
  enum Task: Sendable {
    /// Applies an edit.
    case edit(EditRequest)
    /// Makes another version of each asset current.
    case go(VersionChoice, FileSelection)
    /// Makes the versions from before a batch current again.
    case undo(String)
  }

  /// The arguments of the command line, beginning with the command.
  let words: [String]
  /// The options that all batch commands share.
  let options: BatchOptions
  /// The past participle that messages use, such as “edited”.
  let verb: Message
  /// The change; nil if an interrupted batch is resumed.
  let task: Task?

  private var name: String { words.first ?? "" }

  private var isUndo: Bool { if case .undo? = task { true } else { false } }

  /// The request of an editing command; nil for other commands.
  var request: EditRequest? { if case .edit(let request)? = task { request } else { nil } }

  /// Whether repeating the change would change the assets further.
  private var isRelative: Bool {
    switch task {
    case .edit(let request): request.change.isRelative
    case .go(let choice, _): choice == .previous || choice == .next
    default: false
    }
  }

  /// The assets in a single folder.
  private struct Block {
    /// The assets in the folder.
    var items: [Batch.Item] = []
    /// Whether any file named in this folder does not belong to an asset.
    var isIncomplete = false
  }

  /// Changes the assets, or prints what would be changed.
  func run(_ tally: inout Tally) throws(EditError) -> ExitStatus {
    TerminationSignals.block()
    let configuration = try Configuration()
    let jobs = options.jobs ?? configuration.jobs
    let progress = Progress(options.progress, verb: verb)
    let report = BatchReport(tally, options, verb: verb)
    defer { tally = report.tally }
    let layout = try layout()
    let editor = try Self.editor(layout)
    var batch: Batch
    let blocks: [Block]
    if let resumed = options.resumed {
      let record = try record(resumed)
      (batch, blocks) = try resume(record, layout, configuration, report)
      if !options.isDryRun {
        batch.items = blocks.flatMap(\.items)
        run(batch, try record.goingOn(), editor, jobs, progress, report)
        return report.tally.status
      }
    } else {
      guard let aim = try aim(configuration) else { return report.tally.status }
      batch = Batch(identifier: nil, isEach: true, destination: request?.output, aim: aim, items: [])
      blocks = locate(try files(&batch.isEach, report), layout, report)
    }
    let planner = try BatchPlanner(
      batch, isLate: request?.change.needsPictures == true && !options.isDryRun,
      isRelative: isRelative, by: editor)
    if let only = Self.only(blocks), !options.isDryRun, !isUndo, !planner.refusesSome {
      // A single asset needs no plan. Its state is read when it is processed.
      batch.items = [only]
      run(batch, nil, editor, jobs, progress, report)
      return report.tally.status
    }
    let planned = plan(blocks, planner, isEach: batch.isEach, report)
    batch.items = planned.map(\.item)
    if options.isDryRun {
      try show(planned, isEach: batch.isEach, planner, jobs, progress, report)
      report.explainWithdrawals()
      report.summarize(batch: nil, resume: nil, undo: nil)
      return report.tally.status
    }
    report.explainWithdrawals()
    var record: BatchRecord?
    if batch.destination == nil, batch.items.count > 1, TerminationSignals.pending == nil {
      do throws(EditError) {
        record = try BatchRecord(beginning: words, &batch)
      } catch {
        Report.notice("this batch cannot be resumed if it is interrupted: \(error)")
      }
    }
    run(batch, record, editor, jobs, progress, report)
    return report.tally.status
  }

  /// Returns an editor that renders with the render helper, stops when a signal is received, and prints messages for
  /// the user.
  private static func editor(_ layout: LibraryLayout) throws(EditError) -> AssetEditor {
    AssetEditor(
      renderer: try HelperRenderer(), layout: layout, isCancelled: { TerminationSignals.pending != nil },
      report: { Report.notice($0) })
  }

  /// Returns the files of the assets, and determines whether each asset is changed independently.
  private func files(_ isEach: inout Bool, _ report: BatchReport) throws(EditError) -> [String] {
    switch task {
    case .edit(let request): return try files(of: request.selection, request.output != nil, &isEach, report)
    case .go(_, let selection): return try files(of: selection, false, &isEach, report)
    case .undo(let batch): return Self.files(of: try BatchRecord(batch), try layout(), report)
    case nil: return []
    }
  }

  private func files(
    of selection: FileSelection, _ isElsewhere: Bool, _ isEach: inout Bool, _ report: BatchReport
  ) throws(EditError) -> [String] {
    let found = try selection.files { report.fail($0, file: $1) }
    isEach = options.isEach || found.isWholesale || isElsewhere
    return found.paths
  }

  /// Returns the files of a batch's assets. To find an asset that has been moved, the function searches all folders of
  /// the batch for versions that contain the batch's identifier.
  private static func files(
    of record: BatchRecord, _ layout: LibraryLayout, _ report: BatchReport
  ) -> [String] {
    let listed = record.assets.map(\.path)
    let missing = Set(listed.filter { (try? FileStatus.exists($0)) == false })
    var folders: [String] = []
    for folder in listed.map({ FilePath.split($0).folder }) where folders.last?.hasBytes(of: folder) != true {
      folders.append(folder)
    }
    let known = Set(listed)
    let moved = folders.flatMap { folder in
      (try? Library.forReading(folder, layout: layout).originals(ofBatch: record.head.batch)) ?? []
    }.filter { !known.contains($0) }
    if moved.isEmpty { return listed }
    // The old name of a moved asset may now belong to another file.
    let rest = missing.count - moved.count
    if rest > 0 {
      report.fail(
        EditError(
          .notFound,
          .plural(
            rest, "\(rest) photo of the batch is no longer in its folder",
            "\(rest) photos of the batch are no longer in their folders"),
          remedy: "run liveedit history on a moved photo to see its versions"),
        file: record.head.folder)
    }
    return listed.filter { !missing.contains($0) } + moved
  }

  /// Returns the requested change.
  private func aim(_ configuration: Configuration) throws(EditError) -> BatchPlanner.Aim? {
    switch task {
    case .edit(var request):
      request.settings.defaults = configuration.renderSettings
      return .edit(
        .by(try request.change.function(), settings: request.settings, sidecars: request.sidecars))
    case .go(let choice, _): return .version(choice)
    case .undo(let batch): return .undo(batch)
    case nil: return nil
    }
  }

  /// Returns the assets that the files belong to, without duplicates. The assets are grouped by folder, even if a
  /// folder's path is written in different ways. All assets are located before any asset is changed, because an edit
  /// can remove a rendered file that was also named.
  private func locate(_ files: [String], _ layout: LibraryLayout, _ report: BatchReport) -> [Block] {
    var locator = AssetLocator(layout: layout, report: { Report.notice($0) })
    var seen: Set<OriginalFiles.Identity> = []
    var failures: Set<EditError> = []
    var blocks: [Block] = []
    var places: [FileStatus.Place: Int] = [:]
    func block(_ place: FileStatus.Place) -> Int {
      if let known = places[place] { return known }
      places[place] = blocks.count
      blocks.append(Block())
      return blocks.count - 1
    }
    var last: String?
    var library: Library?
    for file in files where TerminationSignals.pending == nil {
      let folder = FilePath.split(file).folder
      // Only the names in a single folder need to be kept.
      if last?.hasBytes(of: folder) != true {
        locator = AssetLocator(layout: layout, report: { Report.notice($0) })
        // Switching versions requires only the catalogue, even if the folder contains many files.
        library =
          request == nil && task != nil
          ? try? Library.forReading(folder, layout: layout, report: { Report.notice($0) }) : nil
      }
      last = folder
      do throws(EditError) {
        var asset =
          if let known = try library?.originals(named: FilePath.split(file).name) { known } else {
            try locator.locate(file)
          }
        guard seen.insert(asset.identity).inserted else { continue }
        let index = block(asset.place)
        if let first = blocks[index].items.first { asset.folder = first.asset.folder }
        blocks[index].items.append(Batch.Item(asset: asset, file: file, position: nil, target: nil))
      } catch {
        // If two halves do not belong together, the error is reported only once, even if both halves were named.
        if failures.insert(error).inserted { report.fail(error, file: file) }
        if let place = try? FileStatus(path: FilePath.shown(folder)).place {
          blocks[block(place)].isIncomplete = true
        }
      }
    }
    return blocks.filter { !$0.items.isEmpty }
  }

  /// Returns the asset if exactly one asset was named.
  private static func only(_ blocks: [Block]) -> Batch.Item? {
    guard blocks.count == 1, blocks[0].items.count == 1, !blocks[0].isIncomplete else { return nil }
    return blocks[0].items[0]
  }

  /// Plans the changes to the assets.
  private func plan(
    _ blocks: [Block], _ planner: BatchPlanner, isEach: Bool, _ report: BatchReport
  ) -> [BatchPlanner.Planned] {
    if !isEach, blocks.count > 1 {
      Report.notice(
        "the files are in \(blocks.count) folders; the files of each folder change together or not at all")
    }
    var planned: [BatchPlanner.Planned] = []
    for block in blocks {
      if !isEach, block.isIncomplete {
        for one in block.items { report.withdraw(one.file, one.asset) }
        continue
      }
      let plans = planner.plan(block.items)
      let hasFailed = plans.contains { if case .failure = $0 { true } else { false } }
      for (plan, one) in zip(plans, block.items) {
        switch plan {
        case .failure(let error): report.fail(error.offering("-o"), file: one.file, one.asset)
        case .success where hasFailed && !isEach: report.withdraw(one.file, one.asset)
        case .success(let plan): planned.append(plan)
        }
      }
    }
    return planned
  }

  /// Rehearses the renders, and prints what the command would do.
  private func show(
    _ planned: [BatchPlanner.Planned], isEach: Bool, _ planner: BatchPlanner, _ jobs: Int,
    _ progress: Progress,
    _ report: BatchReport
  ) throws(EditError) {
    let helper = try HelperRenderer()
    progress.begin(total: planned.count)
    let results = WorkerThread.inOrder(
      planned.count, among: jobs, into: [Int: Result<BatchPlanner.Planned, EditError>](),
      until: { TerminationSignals.pending != nil }
    ) { index in
      progress.begin(index, planned[index].item.file)
      defer { progress.end(index) }
      return Result { () throws(EditError) in try planner.rehearse(planned[index], by: helper) }
    } take: { results, index, result in
      results[index] = result
    }
    progress.finish()
    if TerminationSignals.pending != nil { return }
    let places = Set(
      results.compactMap { index, result in
        if case .failure = result { planned[index].item.asset.place } else { nil }
      })
    for (index, plan) in planned.enumerated() {
      switch results[index] {
      case .failure(let error)?: report.fail(error.offering("-o"), file: plan.item.file, plan.item.asset)
      case .success where !isEach && places.contains(plan.item.asset.place):
        report.withdraw(plan.item.file, plan.item.asset)
      case .success(let plan)?:
        guard let outcome = plan.outcome else { continue }
        report.done(
          outcome, plan.item, isPlan: true, isSummedUp: planned.count > 1 && !options.isVerbose)
      case nil: continue
      }
    }
  }

  /// Returns the layout of the library, which determines where rendered files are stored. A batch that is resumed or
  /// undone uses its original layout.
  private func layout() throws(EditError) -> LibraryLayout {
    var begun: BatchRecord?
    if let resumed = options.resumed { begun = try record(resumed) }
    if case .undo(let batch)? = task, options.layout.library == nil { begun = try BatchRecord(batch) }
    guard let head = begun?.head, let arguments = try? ArgumentParser.parse(head.words) else {
      return options.layout
    }
    return arguments.layout(in: head.folder)
  }

  /// Returns the list of an interrupted batch.
  ///
  /// - Parameter identifier: The identifier of the batch; empty for the most recent batch of this command.
  private func record(_ identifier: String) throws(EditError) -> BatchRecord {
    var identifier = identifier
    if identifier.isEmpty {
      guard let last = try BatchRecord.interrupted().first(where: { $0.command == name }) else {
        throw EditError(
          .notFound, "no interrupted batch of liveedit \(name) was found",
          remedy: "name a batch with --resume=BATCH")
      }
      identifier = last.batch
    }
    let record = try BatchRecord(identifier)
    guard record.head.command == name else {
      throw EditError(
        .invalidEdit, "the batch \(identifier) belongs to liveedit \(record.head.command)",
        remedy: "resume it with \(record.head.resumeCommand)")
    }
    return record
  }

  /// Restores a batch from its list, so that the batch can be resumed.
  private func resume(
    _ record: BatchRecord, _ layout: LibraryLayout, _ configuration: Configuration, _ report: BatchReport
  ) throws(EditError) -> (Batch, [Block]) {
    let identifier = record.head.batch
    var batch = Batch(identifier: identifier, isEach: record.head.isEach, items: [])
    if record.assets.contains(where: { $0.target == nil }) {
      batch.aim = try Self.aim(of: record.head, configuration)
      guard batch.aim != nil else {
        throw EditError(
          .unsupported, "the batch \(identifier) was started by a version of liveedit with other options",
          remedy: "resume it with that version")
      }
    }
    let assets = Dictionary(record.assets.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    var blocks = locate(Self.files(of: record, layout, report), layout, report)
    for block in blocks.indices {
      for index in blocks[block].items.indices {
        guard let known = assets[blocks[block].items[index].file] else { continue }
        blocks[block].items[index].position = known.position
        blocks[block].items[index].original = known.original
        blocks[block].items[index].target = known.target
      }
    }
    return (batch, blocks)
  }

  /// Returns the change that a batch's command line requests.
  private static func aim(
    of head: BatchRecord.Head, _ configuration: Configuration
  ) throws(EditError) -> BatchPlanner.Aim? {
    guard let arguments = try? ArgumentParser.parse(head.words),
      let command = try? arguments.command?.command(arguments) as? BatchCommand
    else { return nil }
    return try command.aim(configuration)
  }

  /// Runs the batch and prints a summary.
  private func run(
    _ batch: Batch, _ record: BatchRecord?, _ editor: AssetEditor, _ jobs: Int, _ progress: Progress,
    _ report: BatchReport
  ) {
    let isSummedUp = batch.items.count > 1 && !options.isVerbose
    let hasFailed = Atomic(false)
    let canGoOn = Atomic(false)
    progress.begin(total: batch.items.count)
    BatchRunner(editor, jobs: jobs).run(batch) { event in
      switch event {
      case .begun(let index): progress.begin(index, batch.items[index].file)
      case .progress(let index, let fraction): progress.show(index, fraction)
      case .done(let index, let outcome):
        progress.end(index)
        report.done(outcome, batch.items[index], isSummedUp: isSummedUp)
      case .failed(let index, let error):
        progress.end(index, hasFailed: true)
        hasFailed.store(true, ordering: .relaxed)
        // Errors with these codes would occur again, so resuming the batch would not help.
        if ![.unsupported, .invalidEdit].contains(error.code) { canGoOn.store(true, ordering: .relaxed) }
        report.fail(error, file: batch.items[index].file, batch.items[index].asset)
      case .withdrawn(let index):
        progress.end(index)
        report.withdraw(batch.items[index].file, batch.items[index].asset)
      case .stopped(let index):
        progress.end(index)
        report.leave(batch.items[index].file, batch.items[index].asset)
      }
    }
    progress.finish()
    report.explainWithdrawals()
    if !report.wasStopped {
      record?.end()
      record?.endThoseReplaced(options.layout)
      // The batch that was undone can no longer be resumed.
      if case .undo(let undone)? = task, !hasFailed.load(ordering: .relaxed) {
        try? BatchRecord(undone).end()
      }
    }
    let identifier = record?.head.batch
    // Assets that could not be planned are not in the list.
    let hasMore = report.wasStopped || canGoOn.load(ordering: .relaxed)
    report.summarize(
      batch: identifier,
      resume: hasMore ? record?.head.resumeCommand : nil,
      undo: verb == "edited" ? identifier.map { "liveedit revert --batch \($0)" } : nil)
  }
}

extension BatchCommand {
  /// Creates the command that resumes an interrupted batch.
  ///
  /// - Throws: ``UsageError`` if the arguments repeat information that the batch's list already contains.
  init(resuming arguments: ParsedArguments, _ options: BatchOptions, verb: Message) throws(UsageError) {
    let allowed = Set((BatchOptions.resuming + [.json]).map(\.name))
    if !arguments.files.isEmpty || !allowed.isSuperset(of: arguments.options.keys) || !arguments.lists.isEmpty
    {
      throw UsageError(
        message:
          "--resume continues an interrupted batch (a specific one with --resume=BATCH); it accepts no files and only the options "
          + "\(BatchOptions.resuming.map { "--" + $0.name }.joined(separator: ", ")) and --json")
    }
    self.init(words: arguments.words, options: options, verb: verb, task: nil)
  }
}

extension BatchCommand {
  /// The number of assets that are planned together.
  private static let portion = 1024

  /// Plans the change of each asset without carrying it out.
  ///
  /// - Parameters:
  ///   - report: The report that receives the errors.
  ///   - root: A closure that is called with the folders of the assets before the first plan is made.
  ///   - take: A closure that receives the plans in the order of the assets.
  func planEach(
    _ report: BatchReport, root: ([String]) throws(EditError) -> Void,
    take: (BatchPlanner.Planned) -> Void
  ) throws(EditError) {
    let layout = try layout()
    let editor = try Self.editor(layout)
    var isEach = true
    guard let aim = try aim(try Configuration()) else { return }
    let batch = Batch(identifier: nil, isEach: true, aim: aim, items: [])
    let blocks = locate(try files(&isEach, report), layout, report)
    guard !blocks.isEmpty else { return }
    try root(blocks.map { $0.items[0].asset.folder })
    let planner = try BatchPlanner(batch, isLate: false, isRelative: isRelative, by: editor)
    for block in blocks {
      for start in stride(from: 0, to: block.items.count, by: Self.portion) {
        let items = Array(block.items[start..<min(start + Self.portion, block.items.count)])
        for (plan, one) in zip(planner.plan(items), items) where TerminationSignals.pending == nil {
          switch plan {
          case .failure(let error): report.fail(error, file: one.file, one.asset)
          case .success(let plan): take(plan)
          }
        }
      }
    }
  }
}
