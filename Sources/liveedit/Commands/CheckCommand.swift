import Basics
import EditModel
import FileSystem
import LiveEdit

/// The command that checks a library of versions, repairs it, and takes in originals that got other tags.
struct CheckCommand: Command {
  /// The folders that were named, at least one.
  let folders: [String]
  /// The place of the renders.
  let layout: LibraryLayout
  /// True if the folders below each are checked too.
  let isRecursive: Bool
  /// True if they are repaired before.
  let repairs: Bool
  /// True if nothing is repaired, and only what would be is named.
  let isDryRun: Bool

  private static let repair = OptionDeclaration(
    name: "repair", synonyms: ["fix", "rebuild"],
    help: "rebuild a catalogue that is lost or damaged from the versions' folders")
  private static let accept = OptionDeclaration(
    name: "accept", synonyms: ["update"],
    help: "take in originals that got other tags, if their pictures are the same")

  /// The command `check`.
  static let declaration = CommandDeclaration(
    name: "check", summary: "Compare every file of a folder's versions with what was recorded.",
    about: """
      Reads every original and every file of every version and compares it with the hash that was recorded.
      Without a folder it checks the current one; -r checks the folders below as well.

      --repair rebuilds a catalogue that is lost or damaged; folders that are named besides are searched for
      originals that another program renamed or moved there. --accept takes in originals into which another
      program wrote tags, once picture, video and sound are proved to be the same; it takes folders, lists and
      filters, too. --dry-run says what either would do.
      """,
    kind: .versions,
    forms: [
      .init(operands: "[DIR…]"), .init(options: [repair], operands: "[DIR…]"), .init(options: [accept]),
    ],
    options: [repair, accept, BatchOptions.dryRun], selects: true, synonyms: ["fsck", "status", "doctor"],
    endings: .ofVerdicts(
      good: "Everything is as it was recorded; with --accept or --dry-run, something was or would be done.",
      bad: "Something is not as it was recorded, or could not be checked; it is named.",
      nothing: "With --accept or --dry-run: there is nothing to take in, or to repair."),
    related: ["repair", "verify", "forget"],
    examples: [
      .init("check", "Checks the versions of the current folder."),
      .init("check -r Photos", "Checks those of all folders below Photos."),
      .init("check --repair Photos", "Rebuilds what is lost of the catalogue of Photos, then checks it."),
      .init("check --repair --dry-run Photos", "Says what a repair would do, and does nothing."),
      .init("check --accept IMG_0001.JPG", "Takes the original in as it is, if only its tags were changed."),
    ]
  ) { arguments throws(UsageError) in
    if arguments.has(accept) {
      guard !arguments.has(repair) else {
        throw UsageError(message: "--repair and --accept exclude each other; run one, then the other")
      }
      return AcceptCommand(
        selection: try FileSelection(arguments), isDryRun: arguments.has(BatchOptions.dryRun))
    }
    if let only = FileSelection.ofFiles.first(where: { arguments.options[$0.name] != nil }) {
      throw UsageError(message: "--\(only.name) goes with --accept: what is checked are whole folders")
    }
    guard arguments.has(repair) || !arguments.has(BatchOptions.dryRun) else {
      throw UsageError(message: "check without --repair and --accept changes nothing: leave --dry-run out")
    }
    return CheckCommand(
      folders: arguments.files.isEmpty ? ["."] : arguments.files, layout: arguments.layout,
      isRecursive: arguments.has(FileSelection.recursive), repairs: arguments.has(repair),
      isDryRun: arguments.has(BatchOptions.dryRun))
  }

  /// Checks each folder, and prints what is wrong.
  ///
  /// - Returns: done when nothing is.
  func run(_ tally: inout Tally) -> ExitStatus {
    TerminationSignals.block()
    var isClean = true
    let all =
      isRecursive
      ? folders.flatMap { root in FolderTree.folders(from: root) { tally.fail($1, file: $0) } } : folders
    for (index, folder) in all.enumerated() {
      if TerminationSignals.pending != nil {
        Report.notice("stopped: \(index) of \(TextNumber.count(all.count, "folder")) were checked")
        for rest in all[index...] { tally.leave(rest, nil, because: .stop) }
        return .failed
      }
      do throws(EditError) {
        try FolderListing.checkReadable(folder)
        if isDryRun {
          let planned = try check(folder, among: all).findings.filter { $0.repair != nil }
          for finding in planned {
            tally.didEdit = true
            tally.print(Answer(.planned, file: finding.file, Self.members(finding)), [Self.line(finding)])
          }
          continue
        }
        if repairs {
          try Library.repair(folder, layout: layout, seekingIn: all, isCancelled: Self.isStopped) {
            Report.notice($0)
          }
        }
        let check = try check(folder, among: all)
        if !check.findings.isEmpty { isClean = false }
        tally.print(Self.answer(check, folder), Self.lines(check, folder))
      } catch {
        tally.fail(error, file: folder)
      }
    }
    if isDryRun { return tally.status }
    return tally.didFail || !isClean ? .failed : .done
  }

  private static let isStopped: @Sendable () -> Bool = { TerminationSignals.pending != nil }

  private func check(_ folder: String, among folders: [String]) throws(EditError) -> CheckResult {
    do throws(EditError) {
      return try Library.forReading(
        folder, layout: layout, isCancelled: Self.isStopped, report: { Report.notice($0) }
      ).check(seekingIn: folders)
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
      check.findings.isEmpty ? "all as recorded" : TextNumber.count(check.findings.count, "problem")
    let lost: Message =
      check.lost == 0 ? "" : "; the files of \(TextNumber.count(check.lost, "version")) are lost for good"
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

  private static func members(_ finding: CheckFinding) -> [String: CanonicalJSON] {
    ["problem": finding.problem, "repair": finding.repair].compactMapValues { $0.map { .message($0) } }
  }
}
