import Basics
import EditModel
import FileSystem
import RenderClient
import Workflows

/// The command that re-pairs photos and movies in a folder.
struct RepairCommand: Command {
  private static let dryRun = OptionDeclaration(
    name: "dry-run", synonyms: BatchOptions.dryRun.synonyms, help: "show the plan without writing anything")
  private static let agree = OptionDeclaration(
    name: "agree", synonyms: ["dates", "facts", "settle"],
    help: "give both halves the photo's date and location where they disagree")

  /// The declaration of the command `repair`.
  static let declaration = CommandDeclaration(
    name: "repair", summary: "Re-pair separated photos and movies.",
    about: """
      Pairs a photo and a movie in any of these cases:

        They share an identifier but have different names.
        Google Takeout's JSON files describe them as one item.
        They share a name, and the same camera took both within five seconds.
        Their names are related, or the same camera took both at the same time, and their pictures match.

      The name alone is not enough. Files that match two other files equally well are listed, but not
      paired. If several copies exist, the camera's own file is used, not an edited copy, a JPEG made from
      a HEIC or a copy with a number after its name.

      Writes paired copies to the output folder (-o), and names the movie after the photo. The files of
      DIR are never changed, and nothing is overwritten. With -r, the halves may be in different folders;
      the copies then keep the photo's path inside the output folder.

      Complete Live Photos are listed if their halves disagree about the date or location; the filter
      “dates disagree” finds the same Live Photos. --agree creates a version that revert can undo. If the
      movie is right, use liveedit date --set or place --set instead.

      To repair a damaged catalogue of versions, use liveedit check --repair.
      """,
    kind: .making,
    forms: [
      .init(options: [.destination], operands: "[DIR]"), .init(options: [agree], operands: "[DIR]"),
      .init(options: [dryRun], operands: "[DIR]"),
    ],
    options: [.destination, agree, dryRun, FileSelection.recursive, .library], operands: [.folders],
    synonyms: ["fix", "mend", "relink", "reunite"], related: ["pair", "check", "date"],
    examples: [
      .init("repair --dry-run Photos", "Lists the pairs found in Photos."),
      .init("repair -o paired Photos", "Writes paired copies to the folder paired."),
      .init("repair -r -o paired Photos", "Pairs files in Photos and its subfolders."),
      .init("repair --agree Photos", "Makes the halves of each Live Photo in Photos agree."),
    ]
  ) { arguments throws(UsageError) in try RepairCommand(arguments) }

  private let folder: String
  private let isRecursive: Bool
  /// The folder for the paired copies; nil to print only the plan.
  private let destination: String?
  /// Whether to pair separated files. In a dry run, the pairs are only printed.
  private let ties: Bool
  /// Whether to make contradictory halves agree. In a dry run, the contradictions are only printed.
  private let agrees: Bool
  private let isDryRun: Bool
  private let layout: LibraryLayout

  private init(_ arguments: ParsedArguments) throws(UsageError) {
    guard arguments.files.count <= 1 else {
      throw UsageError(message: "repair accepts one folder; -r also includes its subfolders")
    }
    folder = arguments.files.first ?? ""
    isRecursive = arguments.has(FileSelection.recursive)
    layout = arguments.layout
    isDryRun = arguments.has(Self.dryRun)
    destination = isDryRun ? nil : arguments[.destination]
    agrees = arguments.has(Self.agree)
    ties = arguments[.destination] != nil || !agrees
    guard isDryRun || agrees || destination != nil else {
      throw UsageError(message: "repair needs -o DIR for the paired copies, --agree, or --dry-run")
    }
  }

  /// Pairs the files that belong together, or prints the plan.
  func run(_ tally: inout Tally) throws(EditError) -> ExitStatus {
    TerminationSignals.block()
    let helper = try HelperRenderer()
    let plan = try RepairPlan(
      folders: isRecursive
        ? FolderTree.folders(from: folder, except: destination) { tally.fail($1, file: $0) } : [folder],
      likeness: { [ties] (photo, movie) throws(EditError) in
        ties ? try Self.likeness(photo, movie, by: helper) : nil
      })
    if ties { tie(plan, helper, &tally) }
    for rest in plan.rest where ties || rest.isUnread { Self.write(rest, &tally) }
    let count = try settle(plan, helper, &tally)
    if !tally.isJSON {
      var parts: [Message] = []
      if ties { parts.append("\(TextNumber.count(plan.pairs.count, "Live Photo")) to pair") }
      parts.append("\(plan.wholeCount) complete")
      if count > 0 { parts.append("\(count) of these with halves that disagree") }
      StandardStream.output.say(parts.joined(separator: ", "))
    }
    return tally.status
  }

  private func tie(_ plan: RepairPlan, _ helper: HelperRenderer, _ tally: inout Tally) {
    for pair in plan.pairs where TerminationSignals.pending == nil {
      do throws(EditError) {
        let tying = try PairTying(pair.photo, pair.movie)
        tally.didEdit = true
        guard let destination = folderOfCopies(pair) else {
          tally.print(
            Self.adding(pair, to: PairCommand.answer(.planned, tying)),
            ["\(pair.photo) + \(pair.movie): \(Self.reason(pair))"])
          continue
        }
        let (written, removals) = try tying.write(
          into: destination, checkedBy: helper,
          isCancelled: { TerminationSignals.pending != nil })
        tally.print(
          Self.adding(pair, to: PairCommand.answer(.paired, tying, written, removals)),
          PairCommand.lines(tying, written, removals) + [Report.indented(Self.reason(pair))])
      } catch {
        tally.fail(error, file: pair.photo)
      }
    }
  }

  private static func write(_ rest: RepairPlan.Rest, _ tally: inout Tally) {
    tally.print(
      Answer(
        .left, file: rest.files.first,
        ["files": .strings(rest.files), "problem": .message(rest.problem)]),
      ["\(rest.files.joined(separator: " + ")): left unchanged: \(rest.problem)"])
  }

  /// Makes the halves of complete Live Photos agree, or prints which halves contradict each other.
  ///
  /// - Returns: The number of Live Photos with contradictory halves.
  private func settle(
    _ plan: RepairPlan, _ helper: HelperRenderer, _ tally: inout Tally
  ) throws(EditError) -> Int {
    guard !plan.contradicting.isEmpty else { return 0 }
    let editor = AssetEditor(
      renderer: helper, layout: layout, isCancelled: { TerminationSignals.pending != nil },
      report: { Report.notice($0) })
    var count = 0
    for photo in plan.contradicting where TerminationSignals.pending == nil {
      do throws(EditError) {
        guard let found = try editor.disagreement(of: photo) else { continue }
        count += 1
        if isDryRun {
          tally.didEdit = true
          tally.print(found.answer(nil), found.lines)
        } else if agrees {
          let outcome = try editor.settle(found)
          tally.didEdit = true
          tally.print(found.answer(outcome), found.linesDone(outcome))
        } else {
          tally.print(found.leaving(photo), found.lines + [Report.indented(Disagreement.offer)])
        }
      } catch {
        tally.fail(error, file: photo)
      }
    }
    return count
  }

  /// Returns the path of a pair's folder relative to the searched folder. The paired copies are placed at the same
  /// relative path in the destination.
  private func place(of pair: RepairPlan.Pair) -> String {
    let photos = FilePath.split(pair.photo).folder
    guard isRecursive, photos != folder else { return "" }
    return String(folder == "." ? photos[...] : photos.dropFirst(folder.count).drop { $0 == "/" })
  }

  private func folderOfCopies(_ pair: RepairPlan.Pair) -> String? {
    let place = place(of: pair)
    return place.isEmpty ? destination : destination.map { FilePath.joined($0, place) }
  }

  /// Uses the render helper to compare a photo with the movie frame that is marked as the moment of the photo. Returns
  /// nil if the files cannot be compared.
  ///
  /// - Throws: ``EditError`` if the system does not allow a file to be read.
  private static func likeness(
    _ photo: String, _ movie: String, by helper: HelperRenderer
  ) throws(EditError) -> Double? {
    guard TerminationSignals.pending == nil else { return nil }
    let job = ConversionJob.stillTime(photo: photo, movie: movie)
    do throws(EditError) {
      return try helper.convert(job) { TerminationSignals.pending != nil }.likeness
    } catch {
      if error.code == .fileSystem { throw error }
      return nil
    }
  }

  private static func reason(_ pair: RepairPlan.Pair) -> Message {
    let evidence = pair.evidence
    let reason: Message
    switch pair.basis {
    case .identifier: reason = "they share an identifier"
    case .takeout: reason = "Takeout's JSON files describe them as one item"
    case .nameAndTime:
      reason = "they share a name and were taken \(apart(evidence) ?? Message("at the same time"))"
    case .picture:
      let names: Message =
        switch evidence.names {
        case .different: ""
        case .same: ", they share a name"
        default: ", their names are similar"
        }
      let times: Message = apart(evidence).map { ", they were taken \($0)" } ?? ""
      reason = "their pictures show the same scene\(names)\(times)"
    }
    return pair.copies.isEmpty ? reason : "\(reason); copies left out: \(pair.copies.joined(separator: ", "))"
  }

  private static func apart(_ evidence: PairEvidence) -> Message? {
    evidence.milliseconds.map {
      let seconds = TextNumber.short(Double($0) / 1000)
      return evidence.isCameraShared == true
        ? "\(decimal: seconds) s apart by the same camera" : "\(decimal: seconds) s apart"
    }
  }

  private static func adding(_ pair: RepairPlan.Pair, to answer: Answer) -> Answer {
    var answer = answer
    let evidence = pair.evidence
    answer.members["basis"] = .string(pair.basis.rawValue)
    answer.members["names"] = .string("\(evidence.names)")
    answer.members["copies"] = .strings(pair.copies)
    if let apart = evidence.milliseconds { answer.members["seconds"] = .decimal(apart, digits: 3) }
    if let metres = evidence.metres { answer.members["metres"] = .integer(Int(metres.rounded())) }
    if let isShared = evidence.isCameraShared { answer.members["sameCamera"] = .boolean(isShared) }
    if let likeness = evidence.likeness {
      answer.members["likeness"] = .rounded(likeness, digits: 3)
    }
    return answer
  }
}
