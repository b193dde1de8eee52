import Basics
import FileSystem
import RenderClient
import Workflows

/// The command that checks whether files are valid Live Photos.
struct VerifyCommand: Command {
  /// The selected files.
  let selection: FileSelection
  /// The number of Live Photos to process in parallel; nil to use the configured number.
  let jobs: Int?

  /// The declaration of the command `verify`.
  static let declaration = CommandDeclaration(
    name: "verify", summary: "Check whether files are valid Live Photos.",
    about: """
      Each file name means that file; its other half is found by name in the same folder. If you name
      exactly one photo and one movie, they are checked as one Live Photo, whatever their names. Pictures,
      frames and audio are decoded. Warnings do not make a Live Photo invalid. Nothing is changed.
      """,
    kind: .looking, forms: [.init()], options: [BatchOptions.jobs], selects: true,
    synonyms: ["validate", "test", "valid"],
    endings: .ofVerdicts(
      good: "Every Live Photo is valid, with or without warnings.",
      bad: "A Live Photo is invalid or could not be verified; the output names it."),
    related: ["inspect", "check"],
    examples: [
      .init("verify IMG_0001.JPG", "Checks a photo and its movie."),
      .init("verify -r --json Photos", "Checks everything under Photos and prints one JSON object per line."),
    ]
  ) { arguments throws(UsageError) in
    VerifyCommand(
      selection: try FileSelection(arguments, wantsEveryFile: true),
      jobs: try arguments.wholeNumber(BatchOptions.jobs))
  }

  /// Prints each violated rule, and prints a result for each Live Photo.
  ///
  /// - Returns: `done` if all Live Photos are valid, even if there are warnings.
  func run(_ tally: inout Tally) throws(EditError) -> ExitStatus {
    TerminationSignals.block()
    let verifier = LivePhotoVerifier(
      renderer: try HelperRenderer(), isCancelled: { TerminationSignals.pending != nil })
    let files = try selection.files { tally.fail($0, file: $1) }.paths
    let (named, others) = LivePhotoVerifier.withoutOthers(files)
    if !others.isEmpty {
      let counts = others.sorted { $0.key < $1.key }.map { kind, count in
        kind == "sidecar" ? TextNumber.count(count, kind) : "\(count) \(kind)"
      }
      let names = counts.joined(separator: ", ")
      Report.notice(
        .plural(
          others.values.reduce(0, +), "skipped \(names), which is not verified",
          "skipped \(names), which are not verified"))
    }
    let all = LivePhotoVerifier.files(of: named)
    let jobs = if let jobs { jobs } else { try Configuration().jobs }
    let (done, areAllValid) = WorkerThread.inOrder(
      all.count, among: jobs, into: (tally: tally, areAllValid: true),
      until: { TerminationSignals.pending != nil || StandardStream.hasFailed }
    ) { index in
      Result { () throws(EditError) in
        let files = try all[index].found.get()
        return Verified(files: files, verification: try verifier.verify(files))
      }
    } take: { report, index, result in
      switch result {
      case .failure(let error): report.tally.fail(error, file: all[index].path)
      case .success(let verified):
        if verified.verification.verdict != .valid { report.areAllValid = false }
        Self.write(verified.verification, of: verified.files, all[index].path, &report.tally)
      }
    }
    tally = done
    return tally.didFail || !areAllValid ? .failed : .done
  }

  private struct Verified: Sendable {
    var files: LivePhotoVerifier.Files
    var verification: LivePhotoVerification
  }

  /// Prints the result for a single Live Photo.
  ///
  /// - Parameter file: The file that the user named.
  static func write(
    _ verification: LivePhotoVerification, of files: LivePhotoVerifier.Files, _ file: String,
    _ tally: inout Tally
  ) {
    tally.print(
      Answer(
        .verified, file: file, originals: Answer.Originals(photo: files.photo, movie: files.movie),
        content: VerificationAnswer(verification)),
      lines(files, verification))
  }

  private static func lines(
    _ files: LivePhotoVerifier.Files, _ verification: LivePhotoVerification
  ) -> [Message] {
    var columns = TextColumns()
    columns.heading("\([files.photo, files.movie].compactMap { $0 }.joined(separator: " + "))")
    for finding in verification.findings {
      columns.add(severity(finding.severity), "\(finding.rule.rawValue): \(finding.message)")
    }
    columns.add("verdict", verdict(verification))
    return columns.lines
  }

  private static func severity(_ severity: VerificationRule.Severity) -> Message {
    switch severity {
    case .error: "error"
    case .warning: "warning"
    case .note: "note"
    }
  }

  private static func verdict(_ verification: LivePhotoVerification) -> Message {
    func count(_ severity: VerificationRule.Severity) -> Int {
      verification.findings.count { $0.severity == severity }
    }
    let name = verification.isMotionPhoto ? "Motion Photo" : "Live Photo"
    switch verification.verdict {
    case .valid:
      let warnings = count(.warning)
      let isLiveOff = verification.findings.contains { $0.rule == .liveOff }
      let verdict: Message = isLiveOff ? "a photo without its movie: live is off" : "a valid \(name)"
      return warnings > 0 ? "\(verdict), with \(TextNumber.count(warnings, "warning"))" : verdict
    case .invalid: return "not a valid \(name), \(TextNumber.count(count(.error), "error"))"
    case .unverified: return "not verified: some checks could not be made"
    }
  }
}
