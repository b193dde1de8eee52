import Basics
import EditModel
import FileSystem
import Synchronization
import Workflows

/// The command that checks a library of versions, repairs the library, and accepts originals whose tags have changed.
struct CheckCommand: Command {
  /// The folders that the user named, at least one.
  let folders: [String]
  /// The layout of the library, which determines where rendered files are stored.
  let layout: LibraryLayout
  /// Whether subfolders are also checked.
  let isRecursive: Bool
  /// Whether the folders are repaired before they are checked.
  let repairs: Bool
  /// Whether the command only prints what it would repair.
  let isDryRun: Bool
  /// The number of folders to check in parallel; nil to use the configured number.
  let jobs: Int?

  private static let repair = OptionDeclaration(
    name: "repair", synonyms: ["fix", "rebuild"],
    help: "rebuild a lost or damaged catalogue from the folders of the versions")
  private static let accept = OptionDeclaration(
    name: "accept", synonyms: ["update"],
    help: "accept originals if another program changed only their metadata")

  /// The declaration of the command `check`.
  static let declaration = CommandDeclaration(
    name: "check", summary: "Check that originals and versions match their records.",
    about: """
      Reads all originals and the files of all versions, and compares each file with its recorded hash.
      Without DIR, checks the current folder.

      --repair also searches all named folders for originals that another program renamed or moved.
      --accept first proves that picture, video and audio have not changed. --files-from, --null and
      --filter work only with --accept.
      """,
    kind: .versions,
    forms: [
      .init(operands: "[DIR…]"), .init(options: [repair], operands: "[DIR…]"), .init(options: [accept]),
    ],
    options: [repair, accept, BatchOptions.dryRun, BatchOptions.jobs], selects: true,
    synonyms: ["fsck", "status", "doctor"],
    endings: .ofVerdicts(
      good:
        "Everything matches its record; with --accept or --dry-run, there was something to accept or repair.",
      bad: "A file does not match its record or could not be checked; the output names the file.",
      nothing: "With --accept or --dry-run: nothing to accept or repair."),
    related: ["repair", "verify", "forget"],
    examples: [
      .init("check", "Checks the versions in the current folder."),
      .init("check -r Photos", "Checks the versions in Photos and its subfolders."),
      .init(
        "check --repair Photos", "Rebuilds the lost parts of the catalogue of Photos, then checks the folder."
      ),
      .init("check --repair --dry-run Photos", "Shows what a repair would do."),
      .init("check --accept IMG_0001.JPG", "Accepts the original if only its metadata changed."),
    ]
  ) { arguments throws(UsageError) in
    if arguments.has(accept) {
      guard !arguments.has(repair) else {
        throw UsageError(message: "--repair and --accept cannot be used together; run one, then the other")
      }
      return AcceptCommand(
        selection: try FileSelection(arguments, isByName: true), isDryRun: arguments.has(BatchOptions.dryRun))
    }
    if let only = FileSelection.ofFiles.first(where: { arguments.options[$0.name] != nil }) {
      throw UsageError(
        message: "--\(only.name) works only with --accept; check on its own reads whole folders")
    }
    guard arguments.has(repair) || !arguments.has(BatchOptions.dryRun) else {
      throw UsageError(message: "check without --repair or --accept changes nothing; leave out --dry-run")
    }
    return CheckCommand(
      folders: arguments.files.isEmpty ? ["."] : arguments.files, layout: arguments.layout,
      isRecursive: arguments.has(FileSelection.recursive), repairs: arguments.has(repair),
      isDryRun: arguments.has(BatchOptions.dryRun), jobs: try arguments.wholeNumber(BatchOptions.jobs))
  }

  /// Checks each folder and prints the problems.
  ///
  /// - Returns: `done` if no problem was found.
  func run(_ tally: inout Tally) throws(EditError) -> ExitStatus {
    TerminationSignals.block()
    let all =
      isRecursive
      ? folders.flatMap { root in FolderTree.folders(from: root) { tally.fail($1, file: $0) } } : folders
    let jobs = if let jobs { jobs } else { try Configuration().jobs }
    let sought = SoughtFolders(all)
    // Repairs can move histories from one folder to another folder.
    let (done, isClean, count) = WorkerThread.inOrder(
      all.count, among: repairs ? 1 : jobs, into: (tally: tally, isClean: true, count: 0),
      until: { TerminationSignals.pending != nil || StandardStream.hasFailed }
    ) { index in
      Result { () throws(EditError) in try repairAndCheck(all[index], among: sought) }
    } take: { report, index, result in
      report.count += 1
      switch result {
      case .failure(let error): report.tally.fail(error, file: all[index])
      case .success(let check):
        if !check.findings.isEmpty { report.isClean = false }
        write(check, all[index], &report.tally)
      }
    }
    tally = done
    if TerminationSignals.pending != nil, count < all.count {
      Report.notice("stopped: \(count) of \(TextNumber.count(all.count, "folder")) checked")
      for rest in all[count...] { tally.leave(rest, nil, because: .stop) }
      return .failed
    }
    if isDryRun { return tally.status }
    return tally.didFail || !isClean ? .failed : .done
  }

  private func repairAndCheck(_ folder: String, among folders: SoughtFolders) throws(EditError) -> CheckResult
  {
    try FolderListing.checkReadable(folder)
    if repairs, isDryRun {
      try Library.checkRepairable(folder, layout: layout)
    } else if repairs {
      try Library.repair(folder, layout: layout, seekingIn: folders, isCancelled: Self.isStopped) {
        Report.notice($0)
      }
    }
    return try check(folder, among: folders)
  }

  /// Prints the problems in a folder, or, if ``isDryRun`` is set, what a repair would change.
  private func write(_ check: CheckResult, _ folder: String, _ tally: inout Tally) {
    guard isDryRun else { return tally.print(Self.answer(check, folder), Self.lines(check, folder)) }
    for finding in check.findings where finding.repair != nil {
      tally.didEdit = true
      tally.print(Answer(.planned, file: finding.file, Self.members(finding)), [Self.line(finding)])
    }
  }

  private static let opening = Mutex(())
  private static let isStopped: @Sendable () -> Bool = { TerminationSignals.pending != nil }

  private func check(_ folder: String, among folders: SoughtFolders) throws(EditError) -> CheckResult {
    do throws(EditError) {
      let before = CatalogueStamp(folder, layout)
      // Only one thread opens a library at a time, because completing or rolling back a commit can lock two folders.
      let library = try Self.opening.withLock { _ throws(EditError) in
        try Library.forReading(
          folder, layout: layout, isCancelled: Self.isStopped, report: { Report.notice($0) })
      }
      let result = try library.check(seekingIn: folders)
      guard !result.findings.isEmpty, CatalogueStamp(folder, layout) != before else { return result }
      // The library was changed during the check. The problems are therefore checked again, while the lock prevents
      // further changes.
      let own = try Self.opening.withLock { _ throws(EditError) in
        try Library.forWriting(
          folder, layout: layout, isCancelled: Self.isStopped, report: { Report.notice($0) })
      }
      defer { own.close() }
      return try own.check(seekingIn: folders)
    } catch {
      guard isDryRun, error.code == .damagedLibrary else { throw error }
      return CheckResult(damaged: error)
    }
  }

  private static func line(_ finding: CheckFinding) -> Message {
    let problem: Message = "\(finding.file): \(finding.problem)"
    return finding.repair.map { "\(problem); check --repair \($0)" } ?? problem
  }

  private static func lines(_ check: CheckResult, _ folder: String) -> [Message] {
    var lines = check.findings.map(line)
    let counts = [
      TextNumber.count(check.assets, "asset"), TextNumber.count(check.versions, "version"),
      TextNumber.count(check.files, "file"),
    ].joined(separator: ", ")
    let verdict: Message =
      check.findings.isEmpty ? "no problems" : TextNumber.count(check.findings.count, "problem")
    let lost: Message =
      check.lost == 0 ? "" : "; the files of \(TextNumber.count(check.lost, "version")) are permanently lost"
    lines.append("\(folder): \(counts): \(verdict)\(lost)")
    return lines
  }

  private static func answer(_ check: CheckResult, _ folder: String) -> Answer {
    Answer(
      check.findings.isEmpty ? .clean : .damaged,
      [
        "folder": .string(folder), "assets": .integer(check.assets), "versions": .integer(check.versions),
        "files": .integer(check.files), "lost": .integer(check.lost),
        "findings": .array(
          check.findings.map { finding in
            .object(members(finding).merging(["file": .string(finding.file)]) { $1 })
          }),
      ])
  }

  private static func members(_ finding: CheckFinding) -> [String: JSONValue] {
    ["problem": finding.problem, "repair": finding.repair].compactMapValues { $0.map { .message($0) } }
  }
}
