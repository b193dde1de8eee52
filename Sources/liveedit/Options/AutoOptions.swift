import Basics
import EditModel
import FileSystem
import LiveEdit

/// What `auto` asks for.
struct AutoOptions: Hashable {
  /// The parts of the edit that are set.
  var parts: Set<EditPart>

  /// The command.
  static let command = CommandSpecification(
    name: "auto", summary: "Find exposure, contrast, black point, white balance and a level horizon.",
    usage: "auto [--only PARTS] [options] FILE…",
    options: [
      OptionSpecification(
        name: "only", value: "PARTS",
        help: "set only these: " + AutoProposal.parts.map(\.rawValue.dashed).joined(separator: ","))
    ], command: EditCommand.self)

  /// - Parameter arguments: of the command `auto`.
  /// - Throws: ``UsageError`` for a part that is not known.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    parts = try EditPart.named(arguments.options["only"], among: AutoProposal.parts)
  }

  /// The change of an edit, by what the photo or the movie before it shows.
  func function() throws(EditError) -> (Edit, EditSource) throws(EditError) -> Edit {
    let helper = try HelperRenderer()
    return { edit, source throws(EditError) in
      let proposal = try helper.propose(
        AutoJob(photo: source.files[.photo], movie: source.files[.movie]),
        isCancelled: { TerminationSignals.pending != nil })
      return proposal.applied(to: edit, parts)
    }
  }
}

extension EditPart {
  /// The parts that `--only` names.
  ///
  /// - Parameters:
  ///   - text: names, divided by commas; nil means all.
  ///   - known: those that may be named.
  static func named(_ text: String?, among known: [EditPart]) throws(UsageError) -> Set<EditPart> {
    guard let text else { return Set(known) }
    var parts: Set<EditPart> = []
    for name in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
      guard let part = known.first(where: { [$0.rawValue, $0.rawValue.dashed].contains(name) }) else {
        let names = known.map(\.rawValue.dashed)
        throw UsageError(
          message: "--only does not know “\(name)”: it takes \(names.joined(separator: ", "))"
            + Suggestion.sentence(for: name, among: names))
      }
      parts.insert(part)
    }
    return parts
  }
}
